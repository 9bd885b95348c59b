/** One SQL statement with its parameters ($1, …). null and undefined become NULL; the rest is sent as text. */
export interface Statement {
  text: string
  values: readonly unknown[]
}

/** The caller of a batch, and its limits. */
export interface CallerContext {
  /** anon, authenticated or service_role: becomes the role of the transaction. */
  role: string
  /** JSON text, read in SQL as `request.jwt.claims`. */
  claims: string
  /** JSON text, read in SQL as `request.headers`. */
  headers: string
  method: string
  path: string
  /** The user for the fair share of connections: a user's id, or an anonymous caller's network. Default: the role. */
  user?: string
  /** Groups of users that share a limit on connections: a network, a group of users. */
  groups?: readonly string[]
  /** Requests with the same serial run one after another. */
  serial?: string
  /** Timeout of each statement (ms). */
  timeoutMs: number
  /**
   * Counts the bytes of the answer while they arrive. Returns false where no more may be held; `run` then throws
   * `AnswerRefused`.
   */
  takeBytes?: (bytes: number) => boolean
  /** Large fields are returned as bytes in `large` instead of as text in `rows`. */
  largeAsBytes?: boolean
}

/** The result of one statement. Values are text exactly as PostgreSQL sent it. */
export interface Rows {
  rows: Record<string, string | null>[]
  /** Large fields of the last row, if `largeAsBytes` is set. They are null in `rows`. */
  large?: Record<string, Buffer>
  rowCount: number
  /** SELECT, INSERT, … */
  command: string
}

export interface RequestDatabase {
  /**
   * Runs `statements` as the caller in one round trip and one transaction. Resolves after the commit with one result
   * per statement. On an error nothing is committed. Throws pg's `DatabaseError` (code, detail, hint, constraint …);
   * `Unavailable` when the database is unreachable or the queue is full; `AnswerRefused` when the answer is too large.
   * Aborting `signal` cancels what is queued or running.
   */
  run(context: CallerContext, statements: readonly Statement[], signal?: AbortSignal): Promise<Rows[]>
  /**
   * Why a further request of this user would be refused after waiting in vain, or null. Asked before a request is parsed: while more is asked than can be
   * done, a refusal must cost little.
   */
  refusalNow(user: string): Unavailable | null
}

/** Nothing was done, or the connection was lost and the outcome is unknown. Answer 503 with `Retry-After`. */
export class Unavailable extends Error {
  override name = 'Unavailable'

  constructor(
    message: string,
    /** Seconds to wait before the next attempt. */
    readonly retryAfter: number,
  ) {
    super(message)
  }
}

/** The caller has too many waiting requests. Answer 429 with `Retry-After`. */
export class TooManyWaiting extends Unavailable {
  override name = 'TooManyWaiting'
}
