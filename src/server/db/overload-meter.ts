/** Waits that are judged together. Fewer say nothing about the load. */
const minStarts = 8
/** They are judged after so long (ms), and sooner where so many have started that a few which waited for one lock do not count. */
const judgedAfterMs = 250
const judgedSoonerFrom = 24
/** The median wait above which the database is overloaded, and below which it is no longer (ms). */
const overloadedFromMs = 150
const recoveredBelowMs = 50

/**
 * Tells from the waits of started requests whether more is asked than the database can do. Requests that wait for a lock, or for one user's
 * share, do not count as overload: then few requests start, or the others start at once. After CoDel (RFC 8289): what counts is the wait
 * that lasts, not the length of the queue.
 */
export class OverloadMeter {
  #waits: number[] = []
  #judgedAt = 0
  #isOverloaded = false

  get isOverloaded(): boolean {
    return this.#isOverloaded
  }

  /** A request starts after so long a wait (ms). */
  note(wait: number): void {
    this.#waits.push(wait)
  }

  /** Judges the waits since the last judgement, at the time `now` (ms). Returns whether the state has changed. */
  judge(now: number): boolean {
    if (this.#waits.length < judgedSoonerFrom && now - this.#judgedAt < judgedAfterMs) return false
    this.#judgedAt = now
    const waits = this.#waits.sort((a, b) => a - b)
    this.#waits = []
    const before = this.#isOverloaded
    const median = waits[Math.floor(waits.length / 2)] ?? 0
    if (before) this.#isOverloaded = median >= recoveredBelowMs
    else this.#isOverloaded = waits.length >= minStarts && median >= overloadedFromMs
    return this.#isOverloaded !== before
  }
}
