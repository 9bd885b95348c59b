import { useState } from 'react'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { type ListSearch, parseListSearch } from '#web/lib/list-search.ts'
import type { SearchValues } from '#web/lib/routing/search-format.ts'
import { useShownLocation } from '#web/lib/routing/use-router.ts'

/**
 * Returns a function that takes the path of a list and returns the URL parameters that the list had when the person left it: the owner
 * filter, the order, and the pipeline of the board. So a navigation link leads back to the same view. For the open page, the function returns
 * only the pipeline, so that the link of the page leads to all records.
 */
export function useLastListSearch(): (to: string) => ListSearch {
  const { pathname, search } = useShownLocation()
  const [left, setLeft] = useState<Readonly<Record<string, SearchValues>>>({})
  const brandId = useActiveBrand().brand?.id
  const page = pathname.split('/', 3).join('/')
  const keyOf = (to: string) => `${brandId} ${to}`
  if (left[keyOf(page)] !== search) setLeft({ ...left, [keyOf(page)]: search })
  return (to) => {
    const { mine, owner, sort, pipeline } = parseListSearch(left[keyOf(to)] ?? {})
    return to === page ? { pipeline } : { mine, owner, sort, pipeline }
  }
}
