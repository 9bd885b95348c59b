import { type CallerContext, type Rows, type Statement, Unavailable } from './as-caller.ts'
import type { Share } from './fair-queue.ts'
import { pathKeyOf } from './pool-options.ts'

/** A request inside the pool. */
export interface Job extends Share {
  context: CallerContext
  statements: readonly Statement[]
  signal: AbortSignal | undefined
  enqueuedAt: number
  startedAt: number
  retried: boolean
  /** When PostgreSQL was asked to cancel it because its caller has disconnected; else null. */
  cancelledAt: number | null
  resolve: (results: Rows[]) => void
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
    serial: context.serial ?? null,
    enqueuedAt: now,
    readyAt: now,
    startedAt: now,
    retried: false,
    cancelledAt: null,
  }
}

/** The error that the caller of a failed job gets. */
export function errorForCaller(
  error: Error,
  job: Job,
  { lost, readOnly }: { lost: boolean; readOnly: boolean },
): Error {
  if (job.cancelledAt !== null) return callerDisconnected()
  if (lost) return new Unavailable('The connection to the database was lost', 1)
  const { code } = error as { code?: string }
  const diskFull = code === '53100' || (code === '25006' && readOnly)
  return diskFull ? new Unavailable('The disk of the database is full', 30) : error
}

export function callerDisconnected(): Unavailable {
  return new Unavailable('The caller has hung up', 1)
}
