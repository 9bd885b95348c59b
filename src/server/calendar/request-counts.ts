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
    const present = this.#counts.get(key)
    return present !== undefined && present.until > this.now() && present.count >= this.limit
  }

  add(key: string): void {
    const now = this.now()
    const present = this.#counts.get(key)
    if (present && present.until > now) present.count += 1
    else {
      if (this.#counts.size >= maxKeys) this.#sweep(now)
      this.#counts.set(key, { count: 1, until: now + this.windowMs })
    }
  }

  #sweep(now: number): void {
    for (const [key, { until }] of this.#counts) if (until <= now) this.#counts.delete(key)
    if (this.#counts.size >= maxKeys) this.#counts.clear()
  }
}

const maxKeys = 20_000
