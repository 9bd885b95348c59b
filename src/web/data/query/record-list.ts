import type { Rows } from './rows-of.ts'

/** The entries of a list for a virtual scroller, one per row of a query. */
export type RecordList<Entry> = Rows<Entry>

/** The list before anything is known. */
export const noList: RecordList<never> = {
  ready: false,
  total: 0,
  at: () => undefined,
  want: () => {},
  searching: false,
  partial: false,
}
