import { Client, type ClientConfig } from 'pg'
import type { CallerContext, Rows, Statement } from './as-caller.ts'
import { Batch, type Wire } from './batch.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { WireWriter } from './wire-writer.ts'

/** Plans are memory of the database's process: some 50 kB each under row security. */
const PREPARED_LIMIT = 128

/** One connection that requests take turns on, logged in as the role without rights. */
export class RequestConnection {
  readonly #client: Client
  readonly #wire: Wire = { writer: new WireWriter(), prepared: new PreparedStatements(PREPARED_LIMIT), readOnly: false }
  #lost = false
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
    return connection
  }

  get lost(): boolean {
    return this.#lost
  }

  /** With `readOnly` a statement that writes is refused (SQLSTATE 25006). */
  run(context: CallerContext, statements: readonly Statement[], readOnly: boolean): Promise<Rows[]> {
    this.#wire.readOnly = readOnly
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, results: Rows[]) => (error ? reject(error) : resolve(results))
      this.#client.query(new Batch(this.#wire, context, statements, done))
    })
  }

  /** Ends it; what still runs fails. */
  close(): void {
    this.#lost = true
    this.#client.end().catch(() => {})
  }

  /**
   * Cuts the wire under a statement that nobody waits for any more, or that a frozen database does not answer.
   * PostgreSQL notices within a second (`client_connection_check_interval` of the login) and rolls back.
   */
  destroy(): void {
    ;(this.#client as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection.stream.destroy(
      new Error('The database does not answer'),
    )
  }
}
