import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { CallerContext } from './as-caller.ts'
import type { ConcurrencyLimits } from './fair-queue.ts'

export interface RequestPoolOptions {
  /** The connection settings of the login role for requests. */
  connection: ClientConfig
  log: Logger
  /** Called when the database answers again after a lost connection. */
  onReconnect: () => void
  /** Returns the team of a user. The users of a team share its turns. Default: each user is a separate team. */
  teamOf?: (user: string) => string
  /** Maximum number of connections while no statement is slow. */
  maxConnections?: number
  /**
   * Maximum number of additional connections while statements are slow, so that requests that wait for a lock do not block
   * other requests.
   */
  maxExtraConnections?: number
  /** Maximum number of waiting requests of all users. */
  maxWaiting?: number
  /** Maximum number of waiting requests per user. It does not apply to the service role. */
  maxWaitingOfUser?: number
  /** Maximum time that a request waits for a connection (ms). */
  acquireTimeoutMs?: number
}

/** Adds the default of each missing option. The defaults suit one small machine. */
export function withDefaultOptions(options: RequestPoolOptions): Required<RequestPoolOptions> {
  return {
    maxConnections: 10,
    maxExtraConnections: 20,
    maxWaiting: 1_000,
    maxWaitingOfUser: 200,
    acquireTimeoutMs: 5_000,
    teamOf: (user) => user,
    ...options,
  }
}

/**
 * Number of connections of each user that are reserved for further URL paths: paths on which no request of the user
 * runs.
 */
const connectionsForFurtherPaths = 2
/**
 * How many requests of a user with slow statements may run at the same time. In addition, one request may run on each further
 * URL path.
 */
const slowRequestsPerUser = 3

/** Returns how many requests may run at the same time: of a user, on a URL path, and of a group of callers (`groups` in as-caller.ts). */
export function concurrencyLimitsOf({
  maxConnections,
  maxExtraConnections,
}: Required<RequestPoolOptions>): ConcurrencyLimits {
  const total = maxConnections + maxExtraConnections
  // One user must not use all connections for quick statements: other users would wait until the running statements
  // count as slow and the pool grows.
  const perUser = Math.min(Math.max(1, Math.floor(total / 3)), fourFifthsOf(maxConnections))
  const perUserOnUsedPaths = Math.max(1, perUser - connectionsForFurtherPaths)
  return {
    perUser,
    perUserOnUsedPaths,
    perSlowUser: Math.min(perUserOnUsedPaths, slowRequestsPerUser),
    perPath: fourFifthsOf(maxConnections),
    perGroup: Math.max(1, Math.floor((total * 2) / 3)),
    onlyIdleUsers: false,
  }
}

/**
 * Returns four fifths of a number of connections, rounded up. The result is at least one less than the given number, but never
 * less than 1.
 */
export function fourFifthsOf(connections: number): number {
  return Math.max(1, connections - Math.max(1, Math.floor(connections / 5)))
}

/** Returns a key of a request's method and path. Requests with the same key probably wait for the same lock. */
export function pathKeyOf({ method, path }: CallerContext): string {
  return `${method} ${path}`
}
