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
  /** Who asks, for their share of the connections: a user's id, an anonymous caller's network. Default: the role. */
  user?: string
  /** What several users have in common and share a part of the connections by: a network, a group of users. */
  groups?: readonly string[]
  /** Requests of one serial run one after the other. */
  serial?: string
  /** Milliseconds that each statement may take. */
  timeoutMs: number
  /** Accounts for the bytes of the answer while they come; false: it takes no more of them, and `run` throws `AnswerRefused`. */
  takeBytes?: (bytes: number) => boolean
  /** Large fields come as bytes in `large` instead of as text in `rows`. */
  largeAsBytes?: boolean
}

/** What a statement answered: text exactly as PostgreSQL sent it. */
export interface Rows {
  rows: Record<string, string | null>[]
  /** Large fields of the last row, where the caller asked for bytes; they are null in `rows`. */
  large?: Record<string, Buffer>
  rowCount: number
  /** SELECT, INSERT, … */
  command: string
}

export interface RequestDatabase {
  /**
   * Runs `statements` as the caller: one round trip, one transaction. Resolves after it is committed, one answer a
   * statement. Throws pg's `DatabaseError` (code, detail, hint, constraint …) and nothing is kept; `Unavailable` when
   * the database is away or the queue is full, `AnswerRefused` when the answer is too large. Aborting `signal` cancels what still waits or runs.
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

/** The caller has more requests waiting than one may have: answer 429 with `Retry-After`. */
export class TooManyWaiting extends Unavailable {
  override name = 'TooManyWaiting'
}
