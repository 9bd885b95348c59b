import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type LogCursor, type LogEntry, pruneLog, readLogEnd, readLog } from './change-log.ts'

export interface ChangeFeedOptions {
  owner: Pool
  log: Logger
  /** Called with the entries of each page. The next page is read only after the returned promise has resolved. */
  onEntries: (entries: LogEntry[]) => Promise<void>
  /** Called when changes may have been missed: clients must then fetch the current rows. */
  onGap: () => void
}

const readIntervalMs = 100
const pruneIntervalMs = 20_000

/**
 * Reads the change log (`change-log.ts`) while at least one channel needs it: ten times a second, and at once after a write of
 * this server.
 */
export class ChangeFeed {
  #cursor: LogCursor | null = null
  #timer: NodeJS.Timeout | null = null
  #reading: Promise<void> | null = null
  #mustReadAgain = false
  #hasFailed = false
  #isClosed = false
  readonly #pruner: NodeJS.Timeout

  constructor(private readonly options: ChangeFeedOptions) {
    this.#pruner = setInterval(() => {
      pruneLog(options.owner).catch((error: unknown) =>
        options.log.debug({ err: error }, 'old entries of the change log could not be deleted'),
      )
    }, pruneIntervalMs)
    this.#pruner.unref()
  }

  /** Starts reading the log. Every change that is committed after the promise resolves is delivered. */
  async start(): Promise<void> {
    if (this.#cursor !== null || this.#isClosed) return
    const logEnd = await readLogEnd(this.options.owner)
    this.#cursor ??= logEnd
    this.#timer ??= setInterval(() => this.readNow(), readIntervalMs)
  }

  /** Stops reading the log. Call it when no channel needs the log. */
  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#cursor = null
  }

  /** Reads the log at once. Call it after a write of this server. */
  readNow(): void {
    if (this.#cursor === null || this.#isClosed) return
    if (this.#reading) {
      this.#mustReadAgain = true
      return
    }
    this.#reading = this.#read().finally(() => {
      this.#reading = null
      if (!this.#mustReadAgain) return
      this.#mustReadAgain = false
      this.readNow()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.stop()
    clearInterval(this.#pruner)
    await this.#reading
  }

  async #read(): Promise<void> {
    const from = this.#cursor
    if (from === null) return
    try {
      const { cursor, entries } = await readLog(this.options.owner, from)
      if (this.#cursor !== from) return
      this.#cursor = cursor
      // After a failed read, changes may be missing: a crash of the database empties the log, because its table is
      // unlogged.
      if (this.#hasFailed) this.options.onGap()
      this.#hasFailed = false
      // After a full page, there may be more entries: the next page is read at once instead of after the interval.
      if (cursor.within !== null) this.#mustReadAgain = true
      if (entries.length > 0) await this.options.onEntries(entries)
    } catch (error) {
      if (!this.#hasFailed) this.options.log.warn({ err: error }, 'the change log cannot be read')
      this.#hasFailed = true
    }
  }
}
