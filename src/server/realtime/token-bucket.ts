/** A rate limit that allows `rate` per second on average, and `burst` at once. */
export class TokenBucket {
  #remaining: number
  #refilledAt = performance.now()

  constructor(private readonly limit: { rate: number; burst: number }) {
    this.#remaining = limit.burst
  }

  /** Takes `amount` out of the bucket. If the bucket contains less, takes nothing and returns false. */
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
    this.#remaining = Math.min(this.limit.burst, this.#remaining + ((now - this.#refilledAt) / 1000) * this.limit.rate)
    this.#refilledAt = now
  }
}

/** A set of token buckets with the same rate and burst, one per name. */
export class TokenBuckets {
  readonly #byName = new Map<string, TokenBucket>()

  constructor(private readonly limit: { rate: number; burst: number }) {}

  /** Takes `amount` out of the bucket of this name, like `TokenBucket.take`. */
  take(name: string, amount = 1): boolean {
    let bucket = this.#byName.get(name)
    if (!bucket) {
      bucket = new TokenBucket(this.limit)
      this.#byName.set(name, bucket)
    }
    return bucket.take(amount)
  }

  /** Deletes the buckets that are full, because they equal new ones. */
  sweep(): void {
    for (const [name, bucket] of this.#byName) if (bucket.isFull) this.#byName.delete(name)
  }
}
