import type { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { AnswerRefused } from './answer-limits.ts'
import { AnswerStream } from './answer-stream.ts'
import type { CallerContext, Rows, Statement } from './as-caller.ts'
import { Batch, type Wire } from './batch.ts'
import { cancelRunning } from './cancel.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { WireWriter } from './wire-writer.ts'

/** Plans are memory of the database's process: some 50 kB each under row security. */
const maxPreparedStatements = 128

/** One connection that requests take turns on, logged in as the role without rights. */
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
  /** When it was last given back, in `performance.now()` milliseconds. */
  idleSince = 0

  private constructor(client: Client) {
    this.#client = client
  }

  /** Logs in. `onLost` is called once when the connection ends without `close`. Rejects when the database is away. */
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

  /** Whether we cut the wire ourselves: the database is well. */
  get abandoned(): boolean {
    return this.#abandoned
  }

  /** Not null while PostgreSQL is asked to end what runs: nothing else may be sent before that is over. */
  get cancelling(): Promise<void> | null {
    return this.#cancelling
  }

  /** Asks PostgreSQL to end what runs; it fails then, or has just succeeded. Where that is not heard in time, nothing more is sent. */
  cancel(): void {
    this.#cancelling ??= cancelRunning(this.#client).then((isHeard) => {
      this.#cancelling = null
      if (!isHeard) this.abandon(new Error('The database did not take notice of a cancel request'))
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

  /** Ends it; what still runs fails. */
  close(): void {
    this.#lost = true
    this.#client.end().catch(() => {})
  }

  /** Cuts the wire under a statement that a frozen database does not answer. */
  destroy(): void {
    this.#cut(new Error('The database does not answer'))
  }

  /**
   * Cuts the wire under a statement whose answer nobody wants any more; it fails with `reason`. Nothing is wrong with the
   * database: the pool opens another connection. PostgreSQL notices within a second (`client_connection_check_interval`
   * of the login) and rolls back.
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

  /** Puts the stream of answers before pg's own reader of the socket. */
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
