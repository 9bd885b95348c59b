/** One SQL statement with its parameters ($1, …). null and undefined become NULL, a Buffer is sent as bytes, the rest as text. */
export interface Statement {
  text: string
  values: readonly unknown[]
}

/** The caller of a batch, and the limits of the batch. */
export interface CallerContext {
  /** The role of the transaction: anon, authenticated or service_role. */
  role: string
  /** The claims of the caller's token as JSON text. SQL reads them as `request.jwt.claims`. */
  claims: string
  /** The headers of the request as JSON text. SQL reads them as `request.headers`. */
  headers: string
  method: string
  path: string
  /**
   * The user whose share of the connections the batch uses: the id of a signed-in user, or the network of an anonymous caller.
   * Default: the role.
   */
  user?: string
  /**
   * The groups to which the user belongs. The users of a group share a limit on connections. A group is a network or a set
   * of users.
   */
  groups?: readonly string[]
  /** Requests with the same key run one after another. */
  serialKey?: string
  /** Timeout of each statement (ms). */
  timeoutMs: number
  /**
   * Counts the bytes of the result while they arrive. If no more bytes may be held in memory, returns false; `run` then
   * throws `ResultRefusedError`.
   */
  takeBytes?: (bytes: number) => boolean
  /**
   * Whether the commit waits until the whole result has been received, which costs a second round trip. Then nothing is
   * committed if the result is refused. Set it for statements that may write.
   */
  commitsAfterResult?: boolean
  /** Whether the large fields of a large row are returned as bytes in `large` instead of as text in `rows` (see batch.ts). */
  largeAsBytes?: boolean
}

/** The result of one statement. Values are text exactly as PostgreSQL sent them. */
export interface StatementResult {
  rows: Record<string, string | null>[]
  /** Large fields of the last large row, if `largeAsBytes` is set. They are null in `rows`. */
  large?: Record<string, Buffer>
  rowCount: number
  /** The command of the statement, such as SELECT or INSERT. */
  command: string
}

export interface RequestDatabase {
  /**
   * Runs `statements` as the caller in one transaction and one round trip (two with `commitsAfterResult`). Resolves after the
   * commit with one result per statement. Aborting `signal` removes the request from the queue or cancels its running statement.
   * Throws:
   * - pg's `DatabaseError` (code, detail, hint, constraint …) for an error of PostgreSQL; nothing is then committed
   * - `UnavailableError` if the database cannot be used or the request waits too long
   * - `TooManyWaitingError` if the user sends too many requests
   * - `ResultRefusedError` if the result is too large
   */
  run(context: CallerContext, statements: readonly Statement[], signal?: AbortSignal): Promise<StatementResult[]>
  /**
   * Returns an error if one more request of this user would wait too long for a connection and then be refused. Returns
   * null otherwise. Call it before the request is parsed: while the database is overloaded, a refusal must be cheap.
   */
  earlyRefusal(user: string): UnavailableError | null
}

/**
 * The database could not be used: either nothing was done, or the connection was lost and the outcome is unknown. The
 * response is 503 with `Retry-After`.
 */
export class UnavailableError extends Error {
  override name = 'UnavailableError'

  constructor(
    message: string,
    /** Seconds to wait before the next attempt. */
    readonly retryAfter: number,
  ) {
    super(message)
  }
}

/**
 * The caller, or the caller's team (the users who share its turns), sends more requests than its share of the connections
 * allows. The response is 429 with `Retry-After`.
 */
export class TooManyWaitingError extends UnavailableError {
  override name = 'TooManyWaitingError'
}
