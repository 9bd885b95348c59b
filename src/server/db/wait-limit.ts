import type { Logger } from 'pino'
import { Unavailable } from './as-caller.ts'
import { OverloadMeter } from './overload-meter.ts'
import type { Job } from './pool-job.ts'

/**
 * Maximum wait for a connection while the database is overloaded (ms). A request that would be answered after more than half a second is refused
 * instead, so that the others are answered soon.
 */
const whileOverloadedMs = 300
/** Refused callers come back after 1 to 3 seconds, not all at once. */
const maxRetryAfterSeconds = 3

/** The rate of starts is that of about the last half second: each judgement counts for so much. */
const newestShare = 0.1

/** How long requests may wait for a connection: less while more is asked than the database can do. */
export class WaitLimit {
  readonly #meter = new OverloadMeter()
  #refused = 0
  #starts = 0
  #startsPerMs = 0
  #judgedAt = performance.now()

  constructor(
    private readonly usualMs: number,
    private readonly log: Logger,
  ) {}

  /** Requests that were refused because they waited too long, or would have, since the start. */
  get refused(): number {
    return this.#refused
  }

  get isOverloaded(): boolean {
    return this.#meter.isOverloaded
  }

  /** A job starts now. */
  noteStart(job: Job): void {
    this.#starts++
    this.#meter.note(job.startedAt - job.readyAt)
  }

  /** Judges the waits since the last call. */
  judge(waiting: number): void {
    const now = performance.now()
    const rate = this.#starts / Math.max(1, now - this.#judgedAt)
    this.#startsPerMs += newestShare * (rate - this.#startsPerMs)
    this.#starts = 0
    this.#judgedAt = now
    if (!this.#meter.judge(now)) return
    if (this.isOverloaded) this.log.warn({ waiting }, 'more is asked than the database can do')
    else this.log.info({ refused: this.#refused }, 'the database is no longer overloaded')
  }

  /** How many requests will start within the limit while the database is overloaded; else null. */
  get inTime(): number | null {
    return this.isOverloaded ? this.#startsPerMs * whileOverloadedMs : null
  }

  isExceededBy({ enqueuedAt, readyAt }: Job): boolean {
    const now = performance.now()
    return now - enqueuedAt > this.usualMs || (this.isOverloaded && now - readyAt > whileOverloadedMs)
  }

  /** The refusal of a request that waited too long, or would. */
  refusal(): Unavailable {
    this.#refused++
    const retryAfter = this.isOverloaded ? 1 + Math.floor(Math.random() * maxRetryAfterSeconds) : 1
    return new Unavailable('No connection to the database became free in time', retryAfter)
  }
}
