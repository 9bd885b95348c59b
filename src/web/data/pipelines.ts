import type { Device } from '#web/data/browser/device.ts'
import { localRows } from '#web/data/query/local-rows.ts'
import type { Query } from '#web/data/query/query.ts'
import { rowsOf } from '#web/data/query/rows-of.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { Pipeline } from '#web/data/server/rows.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'

/** The query for all pipelines, in the order of Settings. */
export const pipelinesInOrder: Query<'pipelines'> = { table: 'pipelines', order: 'position' }

const noPipelines: readonly Pipeline[] = []

/** Returns the pipelines of the active brand. Empty while they are unknown. */
export function usePipelines(): readonly Pipeline[] {
  return useView(pipelinesView, '', noPipelines)
}

/** Creates the view that `usePipelines` reads. */
export function pipelinesView(data: BrandData): View<readonly Pipeline[]> {
  return view([sourceOfView(rowsOf(data, pipelinesInOrder))], () => localRows(data, pipelinesInOrder))
}

/** Returns the pipeline that has this id or a stage with this id; if there is none, the first pipeline. Undefined while no pipeline is known. */
export function pipelineOf(data: BrandData, id: string | undefined): Pipeline | undefined {
  const { pipelines, deal_stages: stages } = data.tables
  const found = id === undefined ? undefined : (pipelines.get(id) ?? pipelines.get(stages.get(id)?.pipeline_id ?? ''))
  return found ?? localRows(data, pipelinesInOrder)[0]
}

/** Returns the lost reasons that are offered when a deal is moved to this lost stage. */
export function lostReasonsOf(device: Device, stageId: string): readonly string[] {
  const data = openBrand(device).get()
  return (data && pipelineOf(data, stageId)?.lost_reasons) ?? []
}

/** Returns the id of a deal's pipeline. Null while it is unknown. */
export function pipelineOfDeal(device: Device, dealId: string): string | null {
  const tables = openBrand(device).get()?.tables
  return tables?.deal_stages.get(tables.deals.get(dealId)?.stage_id ?? '')?.pipeline_id ?? null
}

/** How pipelines are ordered on this device, in the same way as in SQL. */
export const pipelineDefinition: TableDefinition<Pipeline> = { orders: { position: { compare: () => byPosition } } }

/** Compares two rows by position, then by id. */
export function byPosition(a: { position: number; id: string }, b: { position: number; id: string }): number {
  return a.position - b.position || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
