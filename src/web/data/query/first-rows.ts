import type { BrandData } from '#web/data/store/brand-data.ts'
import type { FirstRows, ShownLook } from '#web/data/store/first-look.ts'
import { isAnsweredHere } from './is-answered-here.ts'
import { type Query, queryKey } from './query.ts'

/**
 * What the first look of a brand has of a query, while the rows are read that this device has all of: its first rows and exact figures, and the
 * rows that were changed since. Null: nothing, or the rows have been read.
 */
export function firstRows(data: BrandData, query: Query): (FirstRows & Pick<ShownLook, 'changed'>) | null {
  const shown = data.firstLook.get()
  if (!shown || data.loaded.get() || !isAnsweredHere(data, query)) return null
  const first = shown.look.lists[queryKey(query)]
  return first ? { ...first, changed: shown.changed } : null
}
