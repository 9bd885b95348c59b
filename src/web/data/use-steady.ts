import { useRef } from 'react'
import type { RecordList } from './record-list.ts'

/** While a new search has no answer and nothing is known here, the list stays as it was and says that it searches. */
export function useSteady<Entry>(list: RecordList<Entry>): RecordList<Entry> {
  const last = useRef(list)
  if (list.searching && list.total === 0 && last.current.ready) return { ...last.current, searching: true }
  last.current = list
  return list
}
