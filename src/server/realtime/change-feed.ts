import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type LogCursor, type LogEntry, pruneLog, readEdge, readLog } from './change-log.ts'

export interface ChangeFeedOptions {
  owner: Pool
  log: Logger
  /** Told of each page in turn; the next one is read when it is done. */
  onEntries: (entries: LogEntry[]) => Promise<void>
  /** What was written meanwhile may be lost: whoever listens must catch up by other means. */
  onGap: () => void
}

const readIntervalMs = 100
const pruneIntervalMs = 20_000

/** Reads the log of changes while somebody listens: ten times a second, and at once when this server has just written. */
export class ChangeFeed {
  #cursor: LogCursor | null = null
  #timer: NodeJS.Timeout | null = null
  #reading: Promise<void> | null = null
  #again = false
  #failed = false
  #closed = false
  readonly #pruner: NodeJS.Timeout

  constructor(private readonly options: ChangeFeedOptions) {
    this.#pruner = setInterval(() => {
      pruneLog(options.owner).catch((error: unknown) =>
        options.log.debug({ err: error }, 'the change log was not pruned'),
      )
    }, pruneIntervalMs)
    this.#pruner.unref()
  }

  /** Begins to read. Resolves when whatever is committed from now on will be told. */
  async start(): Promise<void> {
    if (this.#cursor !== null || this.#closed) return
    const edge = await readEdge(this.options.owner)
    this.#cursor ??= edge
    this.#timer ??= setInterval(() => this.nudge(), readIntervalMs)
  }

  /** Nobody listens any more. */
  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#cursor = null
  }

  /** Something may have been written: looks now. */
  nudge(): void {
    if (this.#cursor === null || this.#closed) return
    if (this.#reading) {
      this.#again = true
      return
    }
    this.#reading = this.#read().finally(() => {
      this.#reading = null
      if (!this.#again) return
      this.#again = false
      this.nudge()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
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
      // The log does not outlive a crash of the database.
      if (this.#failed) this.options.onGap()
      this.#failed = false
      // There is more of the same: at once, and not at the next tick.
      if (cursor.within !== null) this.#again = true
      if (entries.length > 0) await this.options.onEntries(entries)
    } catch (error) {
      if (!this.#failed) this.options.log.warn({ err: error }, 'the change log cannot be read')
      this.#failed = true
    }
  }
}
