/** A statement that one connection has prepared, or is about to. */
export interface Prepared {
  readonly name: string
  /** Whether the server knows it: false until a batch with its Parse has succeeded. */
  parsed: boolean
  /** Names of the result's columns; null until the server has described them, [] where there is no result. */
  columns: readonly string[] | null
}

/** A longer statement is parsed each time, unnamed: kept, its plan would hold megabytes of the database's memory. Characters. */
const maxStatementLength = 8192

/** The prepared statements of one connection by their text: at most `limit`, the least recently used goes first. */
export class PreparedStatements {
  readonly #byText = new Map<string, Prepared>()
  readonly #limit: number
  #made = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The statement of this text. `evicted` is called with the name of one that has to be closed for it. */
  use(text: string, evicted: (name: string) => void): Prepared {
    if (text.length > maxStatementLength) return { name: '', parsed: false, columns: null }
    const known = this.#byText.get(text)
    if (known) {
      // Moved to the end: a Map keeps the order of insertion.
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
