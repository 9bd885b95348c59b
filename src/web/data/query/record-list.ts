import type { Rows } from './rows-of.ts'

/** The entries of a list for a virtual scroller. Each row of a query has one entry. */
export type RecordList<Entry> = Rows<Entry>

/** The list that is shown before anything is known. */
export const noList: RecordList<never> = {
  ready: false,
  total: 0,
  at: () => undefined,
  want: () => {},
  searching: false,
  partial: false,
}
