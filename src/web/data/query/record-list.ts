/**
 * A list for a virtual scroller, the same for tables held whole on this device and for those read page by page.
 * `at(index)` is undefined for a row that is not here yet: show a placeholder; asking for it fetches its page and the list renders again.
 */
export interface RecordList<Entry> {
  /** False until the local database has answered: show skeletons. */
  ready: boolean
  /** All rows of the list (of the search, while searching), also those not on this device. */
  total: number
  at(index: number): Entry | undefined
  /** The answer of the server to this search is still on its way; what is shown is what is known here. */
  searching: boolean
  /** The server did not answer: these are the rows of this device, there may be more. */
  partial?: boolean
}

/** A line of a select or combobox: `label` is shown, `detail` is a second, quieter word (an e-mail, a domain). */
export interface Choice {
  id: string
  label: string
  detail: string | null
}

export interface Choices {
  ready: boolean
  choices: readonly Choice[]
}
