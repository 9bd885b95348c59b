import { useEffect } from 'react'

/** A list that fetches rows when they become visible. */
interface FetchingList {
  want: (first: number, last?: number) => void
}

/** Requests a row from its list. Mount it in rows that are mounted only while visible. Renders nothing. */
export function InSight({ list, index }: { list: FetchingList; index: number }) {
  useEffect(() => list.want(index), [list, index])
  return null
}
