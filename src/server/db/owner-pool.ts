import { Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { Unavailable } from './as-caller.ts'

type OnConnect = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void

/** With this many requests waiting for a connection, further ones are refused. */
const maxWaiting = 300

/**
 * Connections of the owner, with a limited queue: `connect` and `query` reject with `Unavailable` when it is full. A
 * lost connection never ends the process; its queries fail.
 */
export class OwnerPool extends Pool {
  constructor(config: PoolConfig, log: Logger) {
    super({ ...config, idleTimeoutMillis: 10_000 })
    this.on('error', (error) => log.debug({ reason: error.message }, 'a connection of the owner was lost'))
    // The pool listens for errors of idle connections only. One that is lost inside a transaction fails its query as
    // well.
    this.on('connect', (client) => client.on('error', () => {}))
  }

  override connect(): Promise<PoolClient>
  override connect(callback: OnConnect): void
  override connect(callback?: OnConnect): Promise<PoolClient> | void {
    if (this.waitingCount < maxWaiting) return callback ? super.connect(callback) : super.connect()
    const full = new Unavailable('Too many requests are waiting', 1)
    if (!callback) return Promise.reject(full)
    callback(full, undefined, () => {})
  }
}
