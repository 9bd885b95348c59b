import { type BrandData, sortedList } from '#web/data/store/brand-data.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import { SortedList } from '#web/data/store/sorted-list.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOf, type View, view } from '#web/data/query/view.ts'

interface Stages {
  ready: boolean
  stages: readonly DealStage[]
}

const noStages: Stages = { ready: false, stages: [] }

/** The stages of the active brand, by position. */
export function useDealStages(): Stages {
  return useView(stagesView, '', noStages)
}

function stagesView(data: BrandData): View<Stages> {
  return view([data.tables.deal_stages, sourceOf(data.loaded), sourceOf(data.answered)], () => {
    const stages = stagesByPosition(data)
    return { ready: data.loaded.get() && (stages.length > 0 || data.answered.get()), stages }
  })
}

/** The stages of a brand, by position; the same array until one changes. */
export function stagesByPosition(data: BrandData): readonly DealStage[] {
  return sortedList(data, 'deal_stages', 'position', () => new SortedList(byPosition, () => true)).rows
}

/** Whether deals in this stage are still worked on: neither won nor lost (design section 3). */
export function isOpenStage(stage: DealStage | undefined): boolean {
  return stage !== undefined && stage.kind !== 'won' && stage.kind !== 'lost'
}

function byPosition(a: DealStage, b: DealStage): number {
  return a.position - b.position || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
