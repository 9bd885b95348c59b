import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListSearch } from '#web/lib/list-search.ts'

/**
 * Whose records a list showed, and in which order, when it was left: its link leads back to that. The link of the page that is open leads
 * to all of its records.
 */
export function useLeftLists(): (to: string) => ListSearch {
  const { pathname, search } = useLocation()
  const [left, setLeft] = useState<Readonly<Record<string, ListSearch>>>({})
  const page = pathname.split('/', 3).join('/')
  if (left[page] !== search) setLeft({ ...left, [page]: search })
  return (to) => {
    const { mine, owner, sort } = (to !== page && left[to]) || {}
    return { mine, owner, sort }
  }
}
