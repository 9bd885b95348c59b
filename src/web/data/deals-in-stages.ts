import { figuresOf } from '#web/data/query/figures-of.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfView, type View, view } from '#web/data/query/view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'

/** Returns the number of deals in these stages. Null while it is unknown, also while the server counts the deals. */
export function useDealsInStages(stageIds: readonly string[]): number | null {
  return useView(dealsInStages, stageIds.join(), null)
}

/** Creates the view that `useDealsInStages` reads. `key` contains the ids of the stages, separated by commas. */
export function dealsInStages(data: BrandData, key: string): View<number | null> {
  const where = { stage_id: key.split(',').filter(Boolean) }
  const figures = figuresOf(data, { table: 'deals', where })
  return view([sourceOfView(figures)], () => {
    const { ready, counting, count } = figures.read()
    return ready && !counting ? count : null
  })
}
