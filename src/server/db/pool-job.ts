import { type CallerContext, type Rows, type Statement, Unavailable } from './as-caller.ts'
import type { Share } from './fair-queue.ts'
import { lineOf } from './pool-options.ts'

/** A request on its way through the pool. */
export interface Job extends Share {
  context: CallerContext
  statements: readonly Statement[]
  signal: AbortSignal | undefined
  enqueuedAt: number
  startedAt: number
  retried: boolean
  /** When PostgreSQL was asked to end it, because its caller has hung up. */
  cancelledAt: number | null
  resolve: (results: Rows[]) => void
  reject: (error: Error) => void
}

type Asked = Pick<Job, 'user' | 'context' | 'statements' | 'signal' | 'resolve' | 'reject'>

export function newJob(asked: Asked): Job {
  const now = performance.now()
  const { context } = asked
  return {
    ...asked,
    path: lineOf(context),
    groups: context.groups ?? [],
    serial: context.serial ?? null,
    enqueuedAt: now,
    startedAt: now,
    retried: false,
    cancelledAt: null,
  }
}

/** What a failed job's caller is told. */
export function translated(error: Error, job: Job, { lost, readOnly }: { lost: boolean; readOnly: boolean }): Error {
  if (job.cancelledAt !== null) return hungUp()
  if (lost) return new Unavailable('The connection to the database was lost', 1)
  const { code } = error as { code?: string }
  const diskFull = code === '53100' || (code === '25006' && readOnly)
  return diskFull ? new Unavailable('The disk of the database is full', 30) : error
}

export function hungUp(): Unavailable {
  return new Unavailable('The caller has hung up', 1)
}
