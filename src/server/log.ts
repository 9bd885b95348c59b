import pino, { type Logger } from 'pino'
import { openLogOutput } from './log-output.ts'

export interface Log {
  log: Logger
  /** Writes all buffered lines. For the end of the process. */
  flush: () => void
}

const stdout = 1

/** JSON lines on stdout, written in batches: one write per line would cost a request more than its headers do. */
export function createLog(level: string): Log {
  const output = openLogOutput(stdout)
  const log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    output,
  )
  return { log, flush: () => output.flushSync() }
}

/** What helps to find a fault. Never PostgreSQL's `detail`, `where` or parameters, which quote personal data. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { type: name, code: 'code' in error ? String(error.code) : undefined, message, stack }
}
