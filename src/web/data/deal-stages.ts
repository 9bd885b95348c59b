import { localRows } from '#web/data/query/local-rows.ts'
import type { Query } from '#web/data/query/query.ts'
import { rowsOf } from '#web/data/query/rows-of.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOf, type View, view, viewSource } from '#web/data/query/view.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'

interface Stages {
  ready: boolean
  stages: readonly DealStage[]
}

const noStages: Stages = { ready: false, stages: [] }

/** The stages of the active brand, by position. */
export function useDealStages(): Stages {
  return useView(stagesView, '', noStages)
}

/** All stages as the board has them. */
export const stagesInOrder: Query<'deal_stages'> = { table: 'deal_stages', order: 'position' }

/** The view behind `useDealStages`. */
export function stagesView(data: BrandData): View<Stages> {
  const rows = rowsOf(data, stagesInOrder)
  return view([viewSource(rows), sourceOf(data.loaded), sourceOf(data.answered)], () => {
    const stages = stagesByPosition(data)
    return { ready: data.loaded.get() && (stages.length > 0 || data.answered.get()), stages }
  })
}

/** The stages of a brand, by position; the same array until one changes. */
export function stagesByPosition(data: BrandData): readonly DealStage[] {
  return localRows(data, stagesInOrder)
}

/** The ids of the open stages. */
export function openStageIds(data: BrandData): string[] {
  return stagesByPosition(data)
    .filter(isOpenStage)
    .map(({ id }) => id)
}

/** Whether the stage is open: neither won nor lost. */
export function isOpenStage(stage: DealStage | undefined): boolean {
  return stage !== undefined && stage.kind !== 'won' && stage.kind !== 'lost'
}

function byPosition(a: DealStage, b: DealStage): number {
  return a.position - b.position || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** How stages are ordered on this device, as SQL does it. */
export const stageDefinition: TableDefinition<DealStage> = { orders: { position: { compare: () => byPosition } } }
