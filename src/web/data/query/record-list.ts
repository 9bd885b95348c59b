import type { Rows } from './rows-of.ts'

/** A list for a virtual scroller: the rows of a query as a screen shows them. */
export type RecordList<Entry> = Rows<Entry>

/** Before anything is known. */
export const noList: RecordList<never> = {
  ready: false,
  total: 0,
  at: () => undefined,
  want: () => {},
  searching: false,
  partial: false,
}
