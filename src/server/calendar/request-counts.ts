/** Counts requests per key (a network, or the secret of a calendar feed) in fixed time windows, to refuse those above a limit. */
export class RequestCounts {
  readonly #counts = new Map<string, { count: number; until: number }>()

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Whether as many requests of this key as the limit allows were counted in the key's current time window. */
  isFull(key: string): boolean {
    const current = this.#counts.get(key)
    return current !== undefined && current.until > this.now() && current.count >= this.limit
  }

  /** Counts a request of the key. The first request of a key begins the key's time window. */
  add(key: string): void {
    const now = this.now()
    const current = this.#counts.get(key)
    if (current && current.until > now) current.count += 1
    else {
      if (this.#counts.size >= maxKeys) this.#sweep(now)
      this.#counts.set(key, { count: 1, until: now + this.windowMs })
    }
  }

  /** Takes back the count of one request of the key, because the limit does not apply to this request. */
  uncount(key: string): void {
    const current = this.#counts.get(key)
    if (current && current.count > 0) current.count -= 1
  }

  #sweep(now: number): void {
    for (const [key, { until }] of this.#counts) if (until <= now) this.#counts.delete(key)
    // If too many keys are in a time window that has not ended, all counts are deleted, so that memory stays limited.
    if (this.#counts.size >= maxKeys) this.#counts.clear()
  }
}

const maxKeys = 20_000
