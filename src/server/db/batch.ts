import type { Connection, Submittable } from 'pg'
import type { ResultReader } from './result-stream.ts'
import type { CallerContext, StatementResult, Statement } from './as-caller.ts'
import { isStalePlan, type PreparedStatement, type PreparedStatements } from './prepared-statements.ts'
import { syncMessage, type WireWriter } from './wire-writer.ts'

/**
 * Sets the caller for the current transaction only. It is a separate statement, always the first of a batch: PostgreSQL
 * applies row-level security when it plans a statement, so a role that a statement sets for itself would come too late.
 * `set_config` never returns null, so all calls run and no row is returned.
 */
const setContextSql = `select where set_config('role', $1, true) is null
  or set_config('request.jwt.claims', $2, true) is null
  or set_config('request.headers', $3, true) is null
  or set_config('request.method', $4, true) is null
  or set_config('request.path', $5, true) is null
  or set_config('statement_timeout', $6, true) is null`
const setReadOnlyContextSql = `${setContextSql}
  or set_config('transaction_read_only', 'on', true) is null`

/**
 * A field above this size (bytes) is returned as a Buffer if the caller context asks for it (`largeAsBytes`). This applies
 * only to rows that result-stream.ts treats as large (above 1 MiB).
 */
const largeFieldBytes = 16 * 1024

/** The state that a connection for requests keeps between batches. */
export interface ConnectionState {
  writer: WireWriter
  prepared: PreparedStatements
  /** Whether writes are refused for every caller, because the disk is full. */
  isReadOnly: boolean
}

/**
 * A batch for pg's `client.query`: it sends the caller's context, the statements, and one Sync message. PostgreSQL runs it
 * as one implicit transaction. `done` is called when PostgreSQL is ready again (the batch is committed), or with the error
 * (the batch is rolled back). With `commitsAfterResult`, the Sync message is sent only after the last result has been
 * received, and `beforeCommit` is called just before the Sync message is sent.
 */
export class Batch implements Submittable, ResultReader {
  readonly #state: ConnectionState
  readonly #context: CallerContext
  readonly #statements: readonly Statement[]
  readonly #done: (error: Error | null, results: StatementResult[]) => void
  readonly #beforeCommit: () => void
  readonly #used: PreparedStatement[] = []
  /** For each statement in `#used`: whether this batch sends its Parse message. */
  readonly #isParsedHere: boolean[] = []
  readonly #results: StatementResult[] = []
  #index = 0
  #current: StatementResult | null = null
  /** Whether the Sync message still has to be sent. */
  #awaitsSync = false

  constructor(
    state: ConnectionState,
    context: CallerContext,
    statements: readonly Statement[],
    done: (error: Error | null, results: StatementResult[]) => void,
    beforeCommit: () => void,
  ) {
    this.#state = state
    this.#context = context
    this.#statements = statements
    this.#done = done
    this.#beforeCommit = beforeCommit
  }

  /** Sends the batch. Returns an error, as pg expects, if a value cannot be sent; then nothing was sent. */
  submit(connection: Connection): Error | undefined {
    const { role, claims, headers, method, path, timeoutMs, commitsAfterResult } = this.#context
    const { writer, isReadOnly } = this.#state
    try {
      writer.reset()
      this.#add(isReadOnly ? setReadOnlyContextSql : setContextSql, [role, claims, headers, method, path, timeoutMs])
      for (const { text, values } of this.#statements) this.#add(text, values)
      if (commitsAfterResult) writer.flush()
      else writer.sync()
    } catch (error) {
      return error as Error
    }
    connection.stream.write(writer.bytes())
    this.#awaitsSync = commitsAfterResult === true
    return undefined
  }

  /** Sends the Sync message once. PostgreSQL then commits; after an error, it accepts the next batch instead. */
  #sync({ stream }: Connection): void {
    if (!this.#awaitsSync) return
    this.#awaitsSync = false
    if (stream.writable) stream.write(syncMessage)
  }

  #add(text: string, values: readonly unknown[]): void {
    const { writer, prepared } = this.#state
    const statement = prepared.use(text, (name) => writer.closeStatement(name))
    this.#used.push(statement)
    this.#isParsedHere.push(!statement.isParsed)
    if (!statement.isParsed) {
      // PostgreSQL refuses a Parse if a statement with this name exists, for example from an earlier batch. A Close before the
      // Parse removes that statement; without one, the Close does nothing.
      if (statement.name !== '') writer.closeStatement(statement.name)
      writer.parse(statement.name, text)
      statement.isParsed = true
      statement.columns = null
    }
    writer.bind(statement.name, values)
    if (statement.columns === null) writer.describePortal()
    writer.execute()
  }

  handleRowDescription(message: { fields: { name: string }[] }): void {
    const statement = this.#used[this.#index]
    if (statement) statement.columns = message.fields.map((field) => field.name)
  }

  takeBytes(bytes: number): boolean {
    return this.#context.takeBytes?.(bytes) ?? true
  }

  /** Reads a large row. Its large fields stay bytes if the caller context asks for it (`largeAsBytes`). */
  readLargeRow(content: Buffer): void {
    const columns = this.#used[this.#index]?.columns ?? []
    const fields: (string | null)[] = []
    const large: Record<string, Buffer> = {}
    let at = 2
    for (const column of columns) {
      const length = content.readInt32BE(at)
      at += 4
      const isBytes = length > largeFieldBytes && this.#context.largeAsBytes === true
      if (isBytes) large[column] = content.subarray(at, at + length)
      fields.push(length < 0 || isBytes ? null : content.toString('utf8', at, at + length))
      at += Math.max(0, length)
    }
    this.handleDataRow({ fields })
    if (this.#current) this.#current.large = large
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const columns = this.#used[this.#index]?.columns ?? []
    const row: Record<string, string | null> = {}
    for (let i = 0; i < columns.length; i++) row[columns[i] as string] = message.fields[i] ?? null
    this.#current ??= { rows: [], rowCount: 0, command: '' }
    this.#current.rows.push(row)
  }

  handleCommandComplete(message: { text: string }, connection: Connection): void {
    this.#finishStatement(message.text, connection)
  }

  handleEmptyQuery(connection: Connection): void {
    this.#finishStatement('', connection)
  }

  handlePortalSuspended(connection: Connection): void {
    this.#finishStatement('', connection)
  }

  /**
   * Adds the result of a statement. `tag` is the command tag, such as `INSERT 0 3`, `SELECT 3` or `CREATE TABLE`. A number
   * at its end is the row count.
   */
  #finishStatement(tag: string, connection: Connection): void {
    const result = this.#current ?? { rows: [], rowCount: 0, command: '' }
    this.#current = null
    const space = tag.indexOf(' ')
    result.command = space < 0 ? tag : tag.slice(0, space)
    result.rowCount = Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0
    const statement = this.#used[this.#index]
    if (statement) statement.columns ??= []
    // The first result belongs to the context statement, which the caller did not send.
    if (this.#index > 0) this.#results.push(result)
    this.#index++
    if (this.#index < this.#used.length || !this.#awaitsSync) return
    this.#beforeCommit()
    this.#sync(connection)
  }

  handleReadyForQuery(): void {
    this.#done(null, this.#results)
  }

  handleError(error: Error, connection: Connection): void {
    this.#sync(connection)
    const isStale = isStalePlan(error)
    this.#used.forEach((statement, i) => {
      // PostgreSQL skips all messages after the failed statement, also the Parse of later statements.
      if (isStale || (i >= this.#index && this.#isParsedHere[i])) statement.isParsed = false
    })
    this.#done(error, [])
  }

  handleCopyInResponse(connection: Connection): void {
    ;(connection as unknown as { sendCopyFail(reason: string): void }).sendCopyFail('COPY is not available to requests')
  }

  handleCopyData(): void {}
}
