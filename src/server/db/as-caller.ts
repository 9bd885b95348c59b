/** One SQL statement with its parameters ($1, …); null and undefined become NULL, the rest is sent as text. */
export interface Statement {
  text: string
  values: readonly unknown[]
}

/** On whose behalf a batch runs. */
export interface CallerContext {
  /** anon, authenticated or service_role: becomes the role of the transaction. */
  role: string
  /** JSON text, read in SQL as `request.jwt.claims`. */
  claims: string
  /** JSON text, read in SQL as `request.headers`. */
  headers: string
  method: string
  path: string
  /** Milliseconds that each statement may take. */
  timeoutMs: number
}

/** What a statement answered: text exactly as PostgreSQL sent it. */
export interface Rows {
  rows: Record<string, string | null>[]
  rowCount: number
  /** SELECT, INSERT, … */
  command: string
}

export interface RequestDatabase {
  /**
   * Runs `statements` as the caller: one round trip, one transaction. Resolves after it is committed, one answer a
   * statement. Throws pg's `DatabaseError` (code, detail, hint, constraint …) and nothing is kept; `Unavailable` when
   * the database is away or the queue is full. Aborting `signal` cancels what still waits or runs.
   */
  run(context: CallerContext, statements: readonly Statement[], signal?: AbortSignal): Promise<Rows[]>
}

/** Nothing was done, or the connection was lost and nobody knows: answer 503 with `Retry-After`. */
export class Unavailable extends Error {
  override name = 'Unavailable'

  constructor(
    message: string,
    /** Seconds after which trying again makes sense. */
    readonly retryAfter: number,
  ) {
    super(message)
  }
}
