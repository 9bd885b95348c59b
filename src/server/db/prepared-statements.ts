/** A statement that is prepared on one connection, or is about to be. */
export interface Prepared {
  readonly name: string
  /** Whether the server knows it: false until a batch with its Parse has succeeded. */
  parsed: boolean
  /** The result's column names; null until the server has described them, [] without a result. */
  columns: readonly string[] | null
}

/**
 * Longer statements (characters) are parsed each time, unnamed: a kept plan would hold megabytes of the database's
 * memory.
 */
const maxStatementLength = 8192

/** The prepared statements of one connection, by their text. Above `limit` the least recently used is removed. */
export class PreparedStatements {
  readonly #byText = new Map<string, Prepared>()
  readonly #limit: number
  #made = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Returns the statement for this text. `evicted` is called with the name of a statement that must be closed. */
  use(text: string, evicted: (name: string) => void): Prepared {
    if (text.length > maxStatementLength) return { name: '', parsed: false, columns: null }
    const known = this.#byText.get(text)
    if (known) {
      // Moved to the end: a Map keeps insertion order.
      this.#byText.delete(text)
      this.#byText.set(text, known)
      return known
    }
    if (this.#byText.size >= this.#limit) {
      const [oldest, old] = this.#byText.entries().next().value as [string, Prepared]
      this.#byText.delete(oldest)
      evicted(old.name)
    }
    const fresh = { name: `b${++this.#made}`, parsed: false, columns: null }
    this.#byText.set(text, fresh)
    return fresh
  }
}
