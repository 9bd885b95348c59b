/** A statement that is prepared, or will be, on one connection. */
export interface PreparedStatement {
  readonly name: string
  /** Whether a Parse message was sent for the statement and has not failed. */
  isParsed: boolean
  /** Names of the result's columns. Null until PostgreSQL has described them; empty for a statement without a result. */
  columns: readonly string[] | null
}

/**
 * Maximum length of a statement that is prepared (characters). Longer statements are parsed each time, because a stored
 * plan would use megabytes of PostgreSQL's memory.
 */
const maxStatementLength = 8192

/**
 * The prepared statements of one connection, by their SQL text. If there are more than `limit`, the least recently used
 * statement is removed.
 */
export class PreparedStatements {
  readonly #byText = new Map<string, PreparedStatement>()
  readonly #limit: number
  #createdCount = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Returns the statement for this text. `onEvicted` is called with the name of a statement that must be closed. */
  use(text: string, onEvicted: (name: string) => void): PreparedStatement {
    if (text.length > maxStatementLength) return { name: '', isParsed: false, columns: null }
    const existing = this.#byText.get(text)
    if (existing) {
      // The statement moves to the end, because a Map keeps insertion order.
      this.#byText.delete(text)
      this.#byText.set(text, existing)
      return existing
    }
    if (this.#byText.size >= this.#limit) {
      const [oldest, oldestStatement] = this.#byText.entries().next().value as [string, PreparedStatement]
      this.#byText.delete(oldest)
      onEvicted(oldestStatement.name)
    }
    const created = { name: `b${++this.#createdCount}`, isParsed: false, columns: null }
    this.#byText.set(text, created)
    return created
  }
}

/**
 * Whether the error says that a prepared statement is no longer valid: a table was altered, or a connection pooler
 * dropped the statement.
 */
export function isStalePlan(error: Error): boolean {
  const { code } = error as { code?: string }
  return code === '26000' || (code === '0A000' && error.message.includes('cached plan'))
}
