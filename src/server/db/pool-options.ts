import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { CallerContext } from './as-caller.ts'
import type { Caps } from './fair-queue.ts'

export interface RequestPoolOptions {
  /** How the login of requests connects. */
  connection: ClientConfig
  log: Logger
  /** Called when the database is back after a connection was lost. */
  onReconnect: () => void
  /** For statements that are quick, as nearly all are. */
  maxConnections?: number
  /** That many more while statements are slow: who waits for a lock does not stand in the others' way. */
  maxSlow?: number
  maxWaiting?: number
  /** Of one user. */
  maxWaitingOfUser?: number
  /** Milliseconds that a request waits for a connection. */
  acquireMs?: number
}

/** What is not given is as for one small machine. */
export function withDefaults(options: RequestPoolOptions): Required<RequestPoolOptions> {
  return { maxConnections: 10, maxSlow: 20, maxWaiting: 1_000, maxWaitingOfUser: 200, acquireMs: 5_000, ...options }
}

/** Places of a user whose statements are slow. */
const slowRequestsPerUser = 3

/** Who may have how many of the connections. */
export function capsOf({ maxConnections, maxSlow }: Required<RequestPoolOptions>): Caps {
  const total = maxConnections + maxSlow
  // Of the quick statements' connections some stay free, too, so that nobody waits until what runs counts as slow.
  const perUser = Math.min(Math.max(1, Math.floor(total / 3)), mostOf(maxConnections))
  return {
    perUser,
    perSlowUser: Math.min(perUser, slowRequestsPerUser),
    perPathOfUser: mostOf(perUser),
    perPath: mostOf(maxConnections),
    perGroup: Math.max(1, Math.floor((total * 2) / 3)),
    onlyNewcomers: false,
  }
}

/** All but a fifth. */
export function mostOf(connections: number): number {
  return Math.max(1, connections - Math.max(1, Math.floor(connections / 5)))
}

/** Requests that are likely to wait for the same thing. */
export function lineOf({ method, path }: CallerContext): string {
  return `${method} ${path}`
}
