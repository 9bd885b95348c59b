/** A rate limit that allows `rate` per second on average, and `burst` at once. */
export class TokenBucket {
  #remaining: number
  #at = performance.now()

  constructor(private readonly limit: { rate: number; burst: number }) {
    this.#remaining = limit.burst
  }

  /** Takes `amount` if the bucket contains as much. Returns false, and takes nothing, if it does not. */
  take(amount = 1): boolean {
    this.#refill()
    if (this.#remaining < amount) return false
    this.#remaining -= amount
    return true
  }

  /** Whether the bucket is full again, so that it equals a new one and can be deleted. */
  get isFull(): boolean {
    this.#refill()
    return this.#remaining >= this.limit.burst
  }

  #refill(): void {
    const now = performance.now()
    this.#remaining = Math.min(this.limit.burst, this.#remaining + ((now - this.#at) / 1000) * this.limit.rate)
    this.#at = now
  }
}

/** One token bucket per name. */
export class TokenBuckets {
  readonly #known = new Map<string, TokenBucket>()

  constructor(private readonly limit: { rate: number; burst: number }) {}

  /** Like `TokenBucket.take`, for the bucket of this name. */
  take(name: string, amount = 1): boolean {
    let bucket = this.#known.get(name)
    if (!bucket) {
      bucket = new TokenBucket(this.limit)
      this.#known.set(name, bucket)
    }
    return bucket.take(amount)
  }

  /** Deletes full buckets. */
  sweep(): void {
    for (const [name, bucket] of this.#known) if (bucket.isFull) this.#known.delete(name)
  }
}
