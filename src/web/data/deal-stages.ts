import type { Device } from '#web/data/browser/device.ts'
import { localRows } from '#web/data/query/local-rows.ts'
import type { Query } from '#web/data/query/query.ts'
import { rowsOf } from '#web/data/query/rows-of.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfObservable, type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { BrandTables, TableDefinition } from '#web/data/store/definition.ts'
import { byPosition, pipelineOf } from './pipelines.ts'

interface Stages {
  ready: boolean
  stages: readonly DealStage[]
}

const noStages: Stages = { ready: false, stages: [] }

/** Returns the stages of the active brand: those of the first pipeline by position, then those of the next one, and so on. */
export function useDealStages(): Stages {
  return useView(stagesView, '', noStages)
}

/** The query for all stages, in the order of the board. */
export const stagesInOrder: Query<'deal_stages'> = { table: 'deal_stages', order: 'position' }

/** Creates the view that `useDealStages` reads. */
export function stagesView(data: BrandData): View<Stages> {
  const rows = rowsOf(data, stagesInOrder)
  const { loaded, firstLook, firstPullEnded } = data
  return view(
    [sourceOfView(rows), data.tables.pipelines, ...[loaded, firstLook, firstPullEnded].map(sourceOfObservable)],
    () => {
      const stages = stagesByPosition(data)
      return {
        ready: (loaded.get() || firstLook.get() !== null) && (stages.length > 0 || firstPullEnded.get()),
        stages,
      }
    },
  )
}

/** Returns the stages of a brand, by pipeline and position. The array stays the same until a stage or a pipeline changes. */
export function stagesByPosition(data: BrandData): readonly DealStage[] {
  return localRows(data, stagesInOrder)
}

/** Returns the stages of the pipeline that `pipelineOf` finds, by position. Returns all stages while no pipeline is known. */
export function stagesOfPipeline(data: BrandData, id: string | undefined): readonly DealStage[] {
  const shown = pipelineOf(data, id)
  const stages = stagesByPosition(data)
  if (!shown) return stages
  // A stage that an earlier version of the app has stored has no pipeline id until the next pull.
  const isShown = (stage: Partial<DealStage>) => (stage.pipeline_id ?? shown.id) === shown.id
  return stages.filter(isShown)
}

/** Returns a stage of the open brand. */
export function stageById(device: Device, id: string): DealStage | undefined {
  return openBrand(device).get()?.tables.deal_stages.get(id)
}

/** Returns the ids of the open stages. */
export function openStageIds(data: BrandData): string[] {
  return stagesByPosition(data)
    .filter(isOpenStage)
    .map(({ id }) => id)
}

/** Whether the stage is open: neither won nor lost. */
export function isOpenStage(stage: Pick<DealStage, 'kind'> | undefined): boolean {
  return stage !== undefined && stage.kind !== 'won' && stage.kind !== 'lost'
}

/** Compares stages by pipeline, then by position. */
function byPipeline({ tables: { pipelines } }: BrandTables) {
  return (a: DealStage, b: DealStage): number => {
    const [first, second] = [pipelines.get(a.pipeline_id), pipelines.get(b.pipeline_id)]
    return (first && second && first !== second ? byPosition(first, second) : 0) || byPosition(a, b)
  }
}

/** How stages are ordered on this device. */
export const stageDefinition: TableDefinition<DealStage> = {
  orders: { position: { compare: byPipeline, dependsOn: 'pipelines' } },
}
