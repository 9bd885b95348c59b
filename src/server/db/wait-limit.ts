import type { Logger } from 'pino'
import { TooManyWaitingError, UnavailableError } from './as-caller.ts'
import { BusyUsers } from './busy-users.ts'
import { OverloadMeter } from './overload-meter.ts'
import type { Job } from './pool-job.ts'

/**
 * Maximum wait for a connection while the database is overloaded, and for the requests of a user who sends more than their
 * share (ms). A request that would take more than about half a second is refused, so that other requests get their
 * response soon.
 */
const maxWaitWhileOverloadedMs = 300
/**
 * Maximum value of `Retry-After`. A client that is refused because of an overload, or because its user sends too many requests,
 * gets a random number of seconds from 1 to this maximum. So the clients do not all send their requests again at the same time.
 */
const maxRetryAfterSeconds = 3

/**
 * Weight of the newest measurement in the average number of starts per second. With this weight, the average covers about the
 * last half second.
 */
const newestShare = 0.1

/**
 * The limit on how long requests wait for a connection. It is lower while the database is overloaded, and for users who
 * send more than their share of the connections can handle.
 */
export class WaitLimit {
  readonly #meter = new OverloadMeter()
  readonly #busyUsers = new BusyUsers()
  #refused = 0
  #starts = 0
  #startsPerMs = 0
  #judgedAt = performance.now()

  constructor(
    private readonly usualMs: number,
    private readonly log: Logger,
  ) {}

  /** Number of requests that were refused since the start because they had waited too long, or would have had to wait too long. */
  get refused(): number {
    return this.#refused
  }

  get isOverloaded(): boolean {
    return this.#meter.isOverloaded
  }

  /** Records that a job starts now. */
  recordStart(job: Job): void {
    this.#starts++
    const wait = job.startedAt - job.readyAt
    this.#meter.recordWait(wait)
    this.#busyUsers.recordWait(job.user, wait, job.startedAt)
  }

  /**
   * Updates the rate of starts, and detects whether an overload begins or ends. `waiting` is the number of waiting
   * requests, for the log.
   */
  judge(waiting: number): void {
    const now = performance.now()
    const rate = this.#starts / Math.max(1, now - this.#judgedAt)
    this.#startsPerMs += newestShare * (rate - this.#startsPerMs)
    this.#starts = 0
    this.#judgedAt = now
    this.#busyUsers.judge(now)
    if (!this.#meter.judge(now)) return
    if (this.isOverloaded)
      this.log.warn({ waiting }, 'the database is overloaded: requests that wait too long are refused')
    else this.log.info({ refused: this.#refused }, 'the database is no longer overloaded')
  }

  /**
   * How many requests will start within `maxWaitWhileOverloadedMs`, at the current rate. Null while the database is not
   * overloaded.
   */
  get startsInTime(): number | null {
    return this.isOverloaded ? this.#startsPerMs * maxWaitWhileOverloadedMs : null
  }

  isExceededBy({ user, enqueuedAt, readyAt }: Job): boolean {
    const now = performance.now()
    if (now - enqueuedAt > this.usualMs) return true
    return now - readyAt > maxWaitWhileOverloadedMs && (this.isOverloaded || this.#busyUsers.has(user))
  }

  /**
   * Returns the error for a request of this user that has waited too long, or would wait too long. Counts the refusal.
   */
  refusal(user: string): UnavailableError {
    this.#refused++
    const retryAfterSeconds = 1 + Math.floor(Math.random() * maxRetryAfterSeconds)
    if (!this.isOverloaded && this.#busyUsers.has(user))
      return new TooManyWaitingError('You send more requests than the server can answer in time', retryAfterSeconds)
    return new UnavailableError(
      'No connection to the database became free in time',
      this.isOverloaded ? retryAfterSeconds : 1,
    )
  }
}
