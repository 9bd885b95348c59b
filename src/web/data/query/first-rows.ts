import type { BrandData } from '#web/data/store/brand-data.ts'
import type { FirstLookList, ShownLook } from '#web/data/store/first-look.ts'
import { isAnsweredHere } from './is-answered-here.ts'
import { type Query, queryKey } from './query.ts'

/**
 * Returns the result of a query that the brand's first look (`FirstLook`) contains: its first rows, its exact figures, and the rows that
 * were changed since. Null if the first look does not contain the query, if this device cannot answer the query by itself, or if all stored
 * rows have already been read.
 */
export function firstLookRows(data: BrandData, query: Query): (FirstLookList & Pick<ShownLook, 'changed'>) | null {
  const shown = data.firstLook.get()
  if (!shown || data.loaded.get() || !isAnsweredHere(data, query)) return null
  const first = shown.look.lists[queryKey(query)]
  return first ? { ...first, changed: shown.changed } : null
}
