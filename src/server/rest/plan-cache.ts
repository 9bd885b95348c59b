/** A map with a maximum number of entries. When it is full, a new entry replaces the least recently used one. */
export class PlanCache<T> {
  readonly #entries = new Map<string, T>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (entry !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry
  }

  set(key: string, entry: T): void {
    if (this.#entries.size >= this.#limit) {
      const { value } = this.#entries.keys().next()
      if (value !== undefined) this.#entries.delete(value)
    }
    this.#entries.set(key, entry)
  }

  clear(): void {
    this.#entries.clear()
  }
}
