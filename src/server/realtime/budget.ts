/** So many a second, over a burst of so many. */
export class Budget {
  #left: number
  #at = performance.now()

  constructor(private readonly limit: { rate: number; burst: number }) {
    this.#left = limit.burst
  }

  /** Takes `amount` where it is there. */
  take(amount = 1): boolean {
    this.#refill()
    if (this.#left < amount) return false
    this.#left -= amount
    return true
  }

  /** Whether nothing has been taken for long: nobody would notice if it were forgotten. */
  get isFull(): boolean {
    this.#refill()
    return this.#left >= this.limit.burst
  }

  #refill(): void {
    const now = performance.now()
    this.#left = Math.min(this.limit.burst, this.#left + ((now - this.#at) / 1000) * this.limit.rate)
    this.#at = now
  }
}

/** A budget for each name, forgotten while it is full. */
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
