/** A row of the file. `row` is its line number for the report. */
export interface ImportRow {
  row: number
  email: string
  first_name: string | null
  last_name: string | null
  company: string | null
}

export interface RowOutcome {
  row: number
  status: 'created' | 'updated' | 'unchanged' | 'error'
  id: string | null
  reason: string | null
}

export interface ContactImport {
  /** Rows of one call: at most this many. */
  chunkSize: number
  /** Hands a chunk over; resolves when there is room for the next one (two are on the way at most): back-pressure for the parser. */
  push(rows: readonly ImportRow[]): Promise<void>
  /** Resolves when every chunk has its outcomes and the new rows are on their way to this device. Rejects with the server's message. */
  finish(): Promise<void>
}

/**
 * Starts an import into the active brand (online only). A chunk without an answer is sent again (idempotent by e-mail); `signal` stops it
 * between chunks. `onOutcomes` gets each chunk's outcomes, in the order of the chunks; `onWaiting` says that the server does not answer.
 */
export function startContactImport(_options: {
  signal: AbortSignal
  onOutcomes: (outcomes: readonly RowOutcome[]) => void
  onWaiting?: (waiting: boolean) => void
}): ContactImport {
  return { chunkSize: 1000, push: () => Promise.resolve(), finish: () => Promise.resolve() }
}
