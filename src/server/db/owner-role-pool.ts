import { Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { UnavailableError } from './as-caller.ts'

type OnConnect = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void

/** Maximum number of requests that wait for a connection. Further requests are refused. */
const maxWaiting = 300

/**
 * Connections of the owner role, with a limited queue: `connect` and `query` reject with `UnavailableError` when the
 * queue is full. A lost connection never ends the process; its queries fail.
 */
export class OwnerRolePool extends Pool {
  constructor(config: PoolConfig, log: Logger) {
    super({ ...config, idleTimeoutMillis: 10_000 })
    this.on('error', (error) => log.debug({ reason: error.message }, 'a connection of the owner role was lost'))
    // The pool listens for errors of idle connections only. If a connection in use is lost, its query fails as well, so
    // the error needs no further handling.
    this.on('connect', (client) => client.on('error', () => {}))
  }

  override connect(): Promise<PoolClient>
  override connect(callback: OnConnect): void
  override connect(callback?: OnConnect): Promise<PoolClient> | void {
    if (this.waitingCount < maxWaiting) return callback ? super.connect(callback) : super.connect()
    const queueFull = new UnavailableError('Too many requests are waiting', 1)
    if (!callback) return Promise.reject(queueFull)
    callback(queueFull, undefined, () => {})
  }
}
