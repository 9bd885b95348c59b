/** If fewer requests than this started in an interval, their median wait does not begin an overload. */
const minStarts = 8
/** The interval at which the median wait is computed (ms). It is computed earlier after `earlyStarts` started requests. */
const judgeIntervalMs = 250
/**
 * Number of started requests after which the median wait is computed before the interval ends. It is so large that a few
 * requests which waited for the same lock do not change the median.
 */
const earlyStarts = 24
/** An overload begins when the median wait is at least this long (ms). It ends when the median wait is below `recoveredBelowMs`. */
const overloadedFromMs = 150
const recoveredBelowMs = 50

/**
 * Detects an overload from the waits of started requests. A meter that gets the waits of all requests detects an overload of
 * the database. A meter that gets only the waits of one user detects that this user needs more than their share of the
 * connections. Like CoDel (RFC 8289), the meter looks at how long waits last, not at the length of the queue. Two kinds of waits
 * are no overload of the database:
 * - Requests wait for a lock: few of them start, or the other requests start at once.
 * - Requests of one user wait because this user has used up their share: the requests of the other users start at once.
 */
export class OverloadMeter {
  #waits: number[] = []
  #judgedAt: number
  #isOverloaded = false

  /** `now`: the current time (ms). The first interval begins then. */
  constructor(now = 0) {
    this.#judgedAt = now
  }

  get isOverloaded(): boolean {
    return this.#isOverloaded
  }

  /** Records that a request has started after waiting this long (ms). */
  recordWait(wait: number): void {
    this.#waits.push(wait)
  }

  /**
   * At the end of an interval, or after `earlyStarts` starts, decides from the waits whether there is an overload (`now` in
   * ms). Returns whether `isOverloaded` has changed. Call it often.
   */
  judge(now: number): boolean {
    if (this.#waits.length < earlyStarts && now - this.#judgedAt < judgeIntervalMs) return false
    this.#judgedAt = now
    const waits = this.#waits.sort((a, b) => a - b)
    this.#waits = []
    const wasOverloaded = this.#isOverloaded
    const median = waits[Math.floor(waits.length / 2)] ?? 0
    if (wasOverloaded) this.#isOverloaded = median >= recoveredBelowMs
    else this.#isOverloaded = waits.length >= minStarts && median >= overloadedFromMs
    return this.#isOverloaded !== wasOverloaded
  }
}
