import { isAnsweredHere } from '#web/data/query/is-answered-here.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfObservable, type View, view } from '#web/data/query/view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { perBrand } from '#web/data/store/per-brand.ts'

type DealIds = ReadonlySet<string> | null

/**
 * Returns the ids of the deals that have an open task. Null if this device does not have all tasks, or if no task of the brand is linked to a deal.
 */
export function useDealsWithTasks(): DealIds {
  return useView(dealsWithTasks, '', null)
}

/** The view that `useDealsWithTasks` reads, shared by all columns of the board. */
const sharedView = perBrand((data): View<DealIds> => {
  const { tasks } = data.tables
  return view<DealIds>([tasks, ...[data.state, data.loaded, data.firstLook].map(sourceOfObservable)], (previous) => {
    const firstLookIds = data.loaded.get() ? undefined : data.firstLook.get()?.look.withTask
    if (firstLookIds) return previous ?? new Set(firstLookIds)
    if (!data.loaded.get() || !isAnsweredHere(data, { table: 'tasks' })) return null
    const found = new Set<string>()
    let hasTaskOfDeal = false
    for (const { deal_id: dealId, status } of tasks.values()) {
      if (!dealId) continue
      hasTaskOfDeal = true
      if (status === 'open') found.add(dealId)
    }
    if (!hasTaskOfDeal) return null
    return previous?.size === found.size && [...found].every((id) => previous.has(id)) ? previous : found
  })
})

/** Returns the view that `useDealsWithTasks` reads. */
export function dealsWithTasks(data: BrandData): View<DealIds> {
  return sharedView(data)
}
