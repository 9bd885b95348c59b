import { type CallerContext, type StatementResult, type Statement, UnavailableError } from './as-caller.ts'
import type { QueuedJob } from './fair-queue.ts'
import { pathKeyOf } from './pool-options.ts'

/** A request that runs in the pool or waits for one of its connections. */
export interface Job extends QueuedJob {
  context: CallerContext
  statements: readonly Statement[]
  signal: AbortSignal | undefined
  /** The time at which the request arrived (`performance.now()` ms). */
  enqueuedAt: number
  /** The time at which the statements were sent (`performance.now()` ms). While the request waits: `enqueuedAt`. */
  startedAt: number
  /** Whether the statements are sent a second time, because their first plan was stale. */
  isRetry: boolean
  /**
   * The time at which the pool asked PostgreSQL to cancel the statement, because the client has disconnected
   * (`performance.now()` ms). Null if the pool has not asked for it.
   */
  cancelledAt: number | null
  resolve: (results: StatementResult[]) => void
  reject: (error: Error) => void
}

type NewJob = Pick<Job, 'user' | 'team' | 'context' | 'statements' | 'signal' | 'resolve' | 'reject'>

export function newJob(request: NewJob): Job {
  const now = performance.now()
  const { context } = request
  return {
    ...request,
    path: pathKeyOf(context),
    groups: context.groups ?? [],
    serialKey: context.serialKey ?? null,
    enqueuedAt: now,
    readyAt: now,
    startedAt: now,
    isRetry: false,
    cancelledAt: null,
  }
}

/** Returns the error with which a failed job is rejected. `error` comes from the connection or from PostgreSQL. */
export function errorForJob(
  error: Error,
  job: Job,
  { isConnectionLost, isReadOnly }: { isConnectionLost: boolean; isReadOnly: boolean },
): Error {
  if (job.cancelledAt !== null) return clientDisconnectedError()
  if (isConnectionLost) return new UnavailableError('The connection to the database was lost', 1)
  const { code } = error as { code?: string }
  const isDiskFull = code === '53100' || (code === '25006' && isReadOnly)
  return isDiskFull ? new UnavailableError('The disk of the database is full', 30) : error
}

export function clientDisconnectedError(): UnavailableError {
  return new UnavailableError('The client has disconnected', 1)
}
