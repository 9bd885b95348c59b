import type { Rows } from './rows-of.ts'

/** A list for a virtual scroller: one `Entry`, the object that the screen shows, for each row of a query. */
export type RecordList<Entry> = Rows<Entry>

/** The list that is shown while no brand is open: not ready, and empty. */
export const noList: RecordList<never> = {
  ready: false,
  total: 0,
  at: () => undefined,
  want: () => {},
  searching: false,
  hasFailed: false,
}
