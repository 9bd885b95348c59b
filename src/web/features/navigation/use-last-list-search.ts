import { useState } from 'react'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { type ListSearch, parseListSearch } from '#web/lib/list-search.ts'
import type { SearchValues } from '#web/lib/routing/search-format.ts'
import { useShownLocation } from '#web/lib/routing/use-router.ts'

/**
 * Returns a function that takes the path of a list. The function returns the owner filter, the order, and the pipeline of the board, as the list's
 * URL had them when the person left it, without the other filters. So a navigation link opens the list with the same owner, order and pipeline. For
 * the list that is shown now, the function returns only the pipeline, so that this list's own link leads to all records.
 */
export function useLastListSearch(): (to: string) => ListSearch {
  const { pathname, search } = useShownLocation()
  const [searchByList, setSearchByList] = useState<Readonly<Record<string, SearchValues>>>({})
  const brandId = useActiveBrand().brand?.id
  const shownList = pathname.split('/', 3).join('/')
  const keyOf = (to: string) => `${brandId} ${to}`
  if (searchByList[keyOf(shownList)] !== search) setSearchByList({ ...searchByList, [keyOf(shownList)]: search })
  return (to) => {
    const { mine, owner, sort, pipeline } = parseListSearch(searchByList[keyOf(to)] ?? {})
    return to === shownList ? { pipeline } : { mine, owner, sort, pipeline }
  }
}
