import type { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { AnswerRefused } from './answer-limits.ts'
import { AnswerStream } from './answer-stream.ts'
import type { CallerContext, Rows, Statement } from './as-caller.ts'
import { Batch, type Wire } from './batch.ts'
import { cancelRunning } from './cancel.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { WireWriter } from './wire-writer.ts'

/** Plans use the memory of the database's process: about 50 kB each with row security. */
const maxPreparedStatements = 128

/** One connection for requests, logged in as the role without rights. */
export class RequestConnection {
  readonly #client: Client
  readonly #wire: Wire = {
    writer: new WireWriter(),
    prepared: new PreparedStatements(maxPreparedStatements),
    readOnly: false,
  }
  #answers: AnswerStream | null = null
  #refused: AnswerRefused | null = null
  #lost = false
  #abandoned = false
  #cancelling: Promise<void> | null = null
  /** When it became idle (`performance.now()` ms). */
  idleSince = 0

  private constructor(client: Client) {
    this.#client = client
  }

  /**
   * Logs in. `onLost` is called once when the connection ends without `close`. Rejects when the database is
   * unreachable.
   */
  static async open(config: ClientConfig, onLost: (connection: RequestConnection) => void): Promise<RequestConnection> {
    const client = new Client(config)
    const connection = new RequestConnection(client)
    let opened = false
    const lose = () => {
      if (connection.#lost) return
      connection.#lost = true
      if (opened) onLost(connection)
    }
    client.on('error', lose)
    client.on('end', lose)
    await client.connect()
    opened = true
    connection.#readThroughAnswers()
    return connection
  }

  get lost(): boolean {
    return this.#lost
  }

  /** Whether this side cut the connection although the database is well. */
  get abandoned(): boolean {
    return this.#abandoned
  }

  /** Not null while PostgreSQL is asked to cancel the running statement. Nothing else may be sent until it resolves. */
  get cancelling(): Promise<void> | null {
    return this.#cancelling
  }

  /**
   * Asks PostgreSQL to cancel the running statement. It fails then, or has just succeeded. If PostgreSQL does not
   * answer the request in time, nothing more is sent.
   */
  cancel(): void {
    this.#cancelling ??= cancelRunning(this.#client).then((isAnswered) => {
      this.#cancelling = null
      if (!isAnswered) this.abandon(new Error('The database did not take notice of a cancel request'))
    })
  }

  /** With `readOnly` a statement that writes is refused (SQLSTATE 25006). */
  run(context: CallerContext, statements: readonly Statement[], readOnly: boolean): Promise<Rows[]> {
    this.#wire.readOnly = readOnly
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, results: Rows[]) => {
        this.#answers?.end()
        const failed = this.#refused ?? error
        if (failed) reject(failed)
        else resolve(results)
      }
      const batch = new Batch(this.#wire, context, statements, done)
      this.#answers?.begin(batch)
      this.#client.query(batch)
    })
  }

  /** Closes the connection; a running statement fails. */
  close(): void {
    this.#lost = true
    this.#client.end().catch(() => {})
  }

  /** Cuts the connection while a frozen database does not answer a statement. */
  destroy(): void {
    this.#cut(new Error('The database does not answer'))
  }

  /**
   * Cuts the connection while its caller no longer waits; the statement fails with `reason`. The database is well: the
   * pool opens another connection. PostgreSQL notices within a second (`client_connection_check_interval` of the login)
   * and rolls back.
   */
  abandon(reason: Error): void {
    this.#abandoned = true
    this.#cut(reason)
  }

  #cut(reason: Error): void {
    this.#stream.destroy(reason)
  }

  get #stream(): Socket {
    return (this.#client as unknown as { connection: { stream: Socket } }).connection.stream
  }

  /** Puts the answer stream between the socket and pg's parser. */
  #readThroughAnswers(): void {
    const stream = this.#stream
    const [parse] = stream.listeners('data') as ((bytes: Buffer) => void)[]
    if (!parse) throw new Error('pg reads its socket in another way than we know')
    stream.removeListener('data', parse)
    const answers = new AnswerStream(parse)
    this.#answers = answers
    stream.on('data', (chunk: Buffer) => {
      if (this.#refused !== null) return
      this.#refused = answers.read(chunk)
      if (this.#refused !== null) this.abandon(this.#refused)
    })
  }
}
