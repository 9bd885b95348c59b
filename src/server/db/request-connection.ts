import type { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { ResultRefusedError } from './result-limits.ts'
import { ResultStream } from './result-stream.ts'
import type { CallerContext, StatementResult, Statement } from './as-caller.ts'
import { Batch, type ConnectionState } from './batch.ts'
import { cancelRunningStatement } from './cancel.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { WireWriter } from './wire-writer.ts'

/**
 * Maximum number of prepared statements of a connection. Each plan uses about 50 kB of memory in PostgreSQL's process,
 * because of row-level security.
 */
const maxPreparedStatements = 128

/** A connection to the database that runs batches of requests. It is logged in as the login role, which has no rights. */
export class RequestConnection {
  readonly #client: Client
  readonly #state: ConnectionState = {
    writer: new WireWriter(),
    prepared: new PreparedStatements(maxPreparedStatements),
    isReadOnly: false,
  }
  #results: ResultStream | null = null
  #refusal: ResultRefusedError | null = null
  #isLost = false
  #isAbandoned = false
  #cancelling: Promise<void> | null = null
  /** The time at which the connection became idle (`performance.now()` ms). */
  idleSince = 0

  private constructor(client: Client) {
    this.#client = client
  }

  /**
   * Opens a connection and logs in. `onLost` is called once if the connection ends without `close`. Rejects if the
   * database is unreachable or refuses the login.
   */
  static async open(config: ClientConfig, onLost: (connection: RequestConnection) => void): Promise<RequestConnection> {
    const client = new Client(config)
    const connection = new RequestConnection(client)
    let isOpen = false
    const handleLoss = () => {
      if (connection.#isLost) return
      connection.#isLost = true
      if (isOpen) onLost(connection)
    }
    client.on('error', handleLoss)
    client.on('end', handleLoss)
    await client.connect()
    isOpen = true
    connection.#limitResults()
    return connection
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** Whether this server cut the connection with `abandon`. Such a cut does not mean that the database is unreachable. */
  get isAbandoned(): boolean {
    return this.#isAbandoned
  }

  /** Not null while a cancel request is on its way to PostgreSQL. Until the promise resolves, nothing else may be sent. */
  get cancelling(): Promise<void> | null {
    return this.#cancelling
  }

  /**
   * Asks PostgreSQL to cancel the running statement. The statement then fails, unless it has ended before. If PostgreSQL does
   * not answer the cancel request in time, the connection is cut.
   */
  cancel(): void {
    this.#cancelling ??= cancelRunningStatement(this.#client).then((isAnswered) => {
      this.#cancelling = null
      if (!isAnswered) this.abandon(new Error('The database did not answer a cancel request'))
    })
  }

  /** Runs a batch. With `isReadOnly`, a statement that writes is refused (SQLSTATE 25006). */
  run(context: CallerContext, statements: readonly Statement[], isReadOnly: boolean): Promise<StatementResult[]> {
    this.#state.isReadOnly = isReadOnly
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, results: StatementResult[]) => {
        this.#results?.end()
        const failure = this.#refusal ?? error
        if (failure) reject(failure)
        else resolve(results)
      }
      const batch = new Batch(this.#state, context, statements, done, () => this.#results?.end())
      this.#results?.begin(batch)
      this.#client.query(batch)
    })
  }

  /** Closes the connection; a running statement fails. */
  close(): void {
    this.#isLost = true
    this.#client.end().catch(() => {})
  }

  /** Cuts the connection, because the database does not answer a statement. */
  destroy(): void {
    this.#cut(new Error('The database does not answer'))
  }

  /**
   * Cuts the connection because nobody needs the result, not because the database is unreachable. The statement fails with
   * `reason`, and the pool may open another connection. PostgreSQL notices the cut within a second
   * (`client_connection_check_interval` of the login role) and rolls back.
   */
  abandon(reason: Error): void {
    this.#isAbandoned = true
    this.#cut(reason)
  }

  #cut(reason: Error): void {
    this.#stream.destroy(reason)
  }

  get #stream(): Socket {
    return (this.#client as unknown as { connection: { stream: Socket } }).connection.stream
  }

  /** Puts a `ResultStream` between the socket and pg's parser. */
  #limitResults(): void {
    const stream = this.#stream
    const [parse] = stream.listeners('data') as ((bytes: Buffer) => void)[]
    if (!parse) throw new Error('pg does not read its socket as this release expects')
    stream.removeListener('data', parse)
    const results = new ResultStream(parse)
    this.#results = results
    stream.on('data', (chunk: Buffer) => {
      if (this.#refusal !== null) return
      this.#refusal = results.read(chunk)
      if (this.#refusal !== null) this.abandon(this.#refusal)
    })
  }
}
