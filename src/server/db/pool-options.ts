import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { CallerContext } from './as-caller.ts'
import type { Caps } from './fair-queue.ts'

export interface RequestPoolOptions {
  /** How the login for requests connects. */
  connection: ClientConfig
  log: Logger
  /** Called when the database answers again after a lost connection. */
  onReconnect: () => void
  /** The team with whom a user shares turns. Default: each user is a team of their own. */
  teamOf?: (user: string) => string
  /** Connections for quick statements, which nearly all are. */
  maxConnections?: number
  /**
   * Additional connections while statements are slow, so that requests that wait for a lock do not block the others.
   */
  maxSlow?: number
  maxWaiting?: number
  /** Waiting requests per user. */
  maxWaitingOfUser?: number
  /** Maximum wait for a connection (ms). */
  acquireMs?: number
}

/** Fills in the defaults, which suit one small machine. */
export function withDefaults(options: RequestPoolOptions): Required<RequestPoolOptions> {
  return {
    maxConnections: 10,
    maxSlow: 20,
    maxWaiting: 1_000,
    maxWaitingOfUser: 200,
    acquireMs: 5_000,
    teamOf: (user) => user,
    ...options,
  }
}

/** Places of a user whose statements are slow. */
const slowRequestsPerUser = 3

/** How many connections each user, path and group may use. */
export function capsOf({ maxConnections, maxSlow }: Required<RequestPoolOptions>): Caps {
  const total = maxConnections + maxSlow
  // Some connections for quick statements stay free as well, so that nobody waits until the running statements count as
  // slow.
  const perUser = Math.min(Math.max(1, Math.floor(total / 3)), allButAFifth(maxConnections))
  return {
    perUser,
    perSlowUser: Math.min(perUser, slowRequestsPerUser),
    perPathOfUser: allButAFifth(perUser),
    perPath: allButAFifth(maxConnections),
    perGroup: Math.max(1, Math.floor((total * 2) / 3)),
    onlyIdleUsers: false,
  }
}

/** All connections except a fifth, at least one. */
export function allButAFifth(connections: number): number {
  return Math.max(1, connections - Math.max(1, Math.floor(connections / 5)))
}

/** The key of requests that probably wait for the same thing. */
export function pathKeyOf({ method, path }: CallerContext): string {
  return `${method} ${path}`
}
