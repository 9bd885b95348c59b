import { useEffect } from 'react'

/** A list that fetches rows when they become visible. */
interface FetchingList {
  want: (first: number, last?: number) => void
}

/**
 * Tells a list that one of its rows is visible, so that the list fetches this row. Render this component in rows that are rendered only while they
 * are visible. It shows nothing.
 */
export function FetchWhenVisible({ list, index }: { list: FetchingList; index: number }) {
  useEffect(() => list.want(index), [list, index])
  return null
}
