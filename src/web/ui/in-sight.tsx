import { useEffect } from 'react'

/** A list that fetches rows when they come into sight. */
interface Fetched {
  want: (first: number, last?: number) => void
}

/** Part of a row that is mounted only while it is in sight: asks the list for this row. Renders nothing. */
export function InSight({ list, index }: { list: Fetched; index: number }) {
  useEffect(() => list.want(index), [list, index])
  return null
}
