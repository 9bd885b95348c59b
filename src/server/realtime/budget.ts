/** A token bucket: `rate` per second, with a burst. */
export class Budget {
  #remaining: number
  #at = performance.now()

  constructor(private readonly limit: { rate: number; burst: number }) {
    this.#remaining = limit.burst
  }

  /** Takes `amount` if it is available; returns whether it was. */
  take(amount = 1): boolean {
    this.#refill()
    if (this.#remaining < amount) return false
    this.#remaining -= amount
    return true
  }

  /** Whether nothing was taken for so long that the budget can be dropped. */
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

/** A budget for each name. Full budgets are removed. */
export class Budgets {
  readonly #known = new Map<string, Budget>()

  constructor(private readonly limit: { rate: number; burst: number }) {}

  take(name: string, amount = 1): boolean {
    let budget = this.#known.get(name)
    if (!budget) {
      budget = new Budget(this.limit)
      this.#known.set(name, budget)
    }
    return budget.take(amount)
  }

  sweep(): void {
    for (const [name, budget] of this.#known) if (budget.isFull) this.#known.delete(name)
  }
}
