/** Waits that are judged together: those of one interval of the pool's sweep. Fewer say nothing about the load. */
const minStarts = 8
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
  #isOverloaded = false

  get isOverloaded(): boolean {
    return this.#isOverloaded
  }

  /** A request starts after so long a wait (ms). */
  note(wait: number): void {
    this.#waits.push(wait)
  }

  /** Judges the waits since the last call. Returns whether the state has changed. */
  judge(): boolean {
    const waits = this.#waits.sort((a, b) => a - b)
    this.#waits = []
    const before = this.#isOverloaded
    const median = waits[Math.floor(waits.length / 2)] ?? 0
    if (before) this.#isOverloaded = median >= recoveredBelowMs
    else this.#isOverloaded = waits.length >= minStarts && median >= overloadedFromMs
    return this.#isOverloaded !== before
  }
}
