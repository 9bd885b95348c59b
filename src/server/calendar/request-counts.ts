/** Counts the requests of each key in fixed windows of time, to refuse those above a limit. */
export class RequestCounts {
  readonly #counts = new Map<string, { count: number; until: number }>()

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Whether the key has reached its limit. */
  isFull(key: string): boolean {
    const current = this.#counts.get(key)
    return current !== undefined && current.until > this.now() && current.count >= this.limit
  }

  /** Counts a request of the key. Its window begins with its first one. */
  add(key: string): void {
    const now = this.now()
    const current = this.#counts.get(key)
    if (current && current.until > now) current.count += 1
    else {
      if (this.#counts.size >= maxKeys) this.#sweep(now)
      this.#counts.set(key, { count: 1, until: now + this.windowMs })
    }
  }

  /** Takes back a request that was counted, as it is none of those that are limited. */
  takeBack(key: string): void {
    const current = this.#counts.get(key)
    if (current && current.count > 0) current.count -= 1
  }

  #sweep(now: number): void {
    for (const [key, { until }] of this.#counts) if (until <= now) this.#counts.delete(key)
    // More keys than there is room for: all begin anew.
    if (this.#counts.size >= maxKeys) this.#counts.clear()
  }
}

const maxKeys = 20_000
