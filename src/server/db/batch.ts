import type { Connection, Submittable } from 'pg'
import type { AnswerReader } from './answer-stream.ts'
import type { CallerContext, Rows, Statement } from './as-caller.ts'
import type { Prepared, PreparedStatements } from './prepared-statements.ts'
import type { WireWriter } from './wire-writer.ts'

/**
 * Sets who asks, for this transaction only. Always the first statement of a batch and never part of another: PostgreSQL
 * expands row security while it plans, so a role that is set inside a query comes too late for that query. `set_config`
 * is never null: every one of them runs, and no row comes back.
 */
const setContextSql = `select where set_config('role', $1, true) is null
  or set_config('request.jwt.claims', $2, true) is null
  or set_config('request.headers', $3, true) is null
  or set_config('request.method', $4, true) is null
  or set_config('request.path', $5, true) is null
  or set_config('statement_timeout', $6, true) is null`
const setReadOnlyContextSql = `${setContextSql}
  or set_config('transaction_read_only', 'on', true) is null`

/** Bytes. */
const largeFieldBytes = 16 * 1024

/** What a connection of requests carries from batch to batch. */
export interface Wire {
  writer: WireWriter
  prepared: PreparedStatements
  /** Whether nothing may be written now, whoever asks. */
  readOnly: boolean
}

/**
 * One batch as pg's client submits it: the caller's context, the statements, ONE Sync. PostgreSQL runs that as one
 * implicit transaction; `done` is called after ReadyForQuery (committed), or with the error (nothing is kept).
 */
export class Batch implements Submittable, AnswerReader {
  readonly #wire: Wire
  readonly #context: CallerContext
  readonly #statements: readonly Statement[]
  readonly #done: (error: Error | null, results: Rows[]) => void
  readonly #used: Prepared[] = []
  readonly #fresh: boolean[] = []
  readonly #results: Rows[] = []
  #index = 0
  #current: Rows | null = null

  constructor(
    wire: Wire,
    context: CallerContext,
    statements: readonly Statement[],
    done: (error: Error | null, results: Rows[]) => void,
  ) {
    this.#wire = wire
    this.#context = context
    this.#statements = statements
    this.#done = done
  }

  /** Returns an error where a value cannot be sent, as pg expects it of a query; then nothing was sent. */
  submit(connection: Connection): Error | undefined {
    const { role, claims, headers, method, path, timeoutMs } = this.#context
    const { writer, readOnly } = this.#wire
    try {
      writer.reset()
      this.#add(readOnly ? setReadOnlyContextSql : setContextSql, [role, claims, headers, method, path, timeoutMs])
      for (const { text, values } of this.#statements) this.#add(text, values)
      writer.sync()
    } catch (error) {
      return error as Error
    }
    connection.stream.write(writer.bytes())
    return undefined
  }

  #add(text: string, values: readonly unknown[]): void {
    const { writer, prepared } = this.#wire
    const statement = prepared.use(text, (name) => writer.closeStatement(name))
    this.#used.push(statement)
    this.#fresh.push(!statement.parsed)
    if (!statement.parsed) {
      // Closing first makes a second Parse of a name safe, whatever became of the first.
      if (statement.name !== '') writer.closeStatement(statement.name)
      writer.parse(statement.name, text)
      statement.parsed = true
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

  /** A row whose fields stay bytes where they are large. */
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

  handleCommandComplete(message: { text: string }): void {
    this.#finishStatement(message.text)
  }

  handleEmptyQuery(): void {
    this.#finishStatement('')
  }

  handlePortalSuspended(): void {
    this.#finishStatement('')
  }

  /** `INSERT 0 3`, `SELECT 3`, `CREATE TABLE`: the last word counts the rows where it is a number. */
  #finishStatement(tag: string): void {
    const result = this.#current ?? { rows: [], rowCount: 0, command: '' }
    this.#current = null
    const space = tag.indexOf(' ')
    result.command = space < 0 ? tag : tag.slice(0, space)
    result.rowCount = Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0
    const statement = this.#used[this.#index]
    if (statement) statement.columns ??= []
    // The first one is the context: it is nobody's answer.
    if (this.#index > 0) this.#results.push(result)
    this.#index++
  }

  handleReadyForQuery(): void {
    this.#done(null, this.#results)
  }

  handleError(error: Error): void {
    const stale = isStalePlan(error)
    this.#used.forEach((statement, i) => {
      // What came after the failed statement was skipped by the server, its Parse included.
      if (stale || (i >= this.#index && this.#fresh[i])) statement.parsed = false
    })
    this.#done(error, [])
  }

  handleCopyInResponse(connection: Connection): void {
    ;(connection as unknown as { sendCopyFail(reason: string): void }).sendCopyFail('COPY is not available to requests')
  }

  handleCopyData(): void {}
}

/** The statement as it was prepared no longer fits: a table was altered, or somebody between us has dropped it. */
export function isStalePlan(error: Error): boolean {
  const { code } = error as { code?: string }
  return code === '26000' || (code === '0A000' && error.message.includes('cached plan'))
}
