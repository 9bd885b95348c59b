import { useEffect } from 'react'

/** A list whose rows are fetched when they are looked at. */
interface Fetched {
  want: (first: number, last?: number) => void
}

/** Part of a row that is mounted only in sight: tells the list that this place is looked at. Draws nothing. */
export function InSight({ list, index }: { list: Fetched; index: number }) {
  useEffect(() => list.want(index), [list, index])
  return null
}
