import pino, { type Logger } from 'pino'
import { openLogOutput } from './log-output.ts'

export interface Log {
  log: Logger
  /** Writes the buffered lines (`LogOutput.flushSync`). Call it when the process ends. */
  flush: () => void
}

const stdoutFd = 1

/** Creates the log: JSON lines on stdout. They are written in batches, because one write per line is slow. */
export function createLog(level: string): Log {
  const output = openLogOutput(stdoutFd)
  const log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    output,
  )
  return { log, flush: () => output.flushSync() }
}

/**
 * Returns the fields of an error that are logged. PostgreSQL's `detail`, `where` and parameters are left out, because they
 * quote personal data.
 */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { type: name, code: 'code' in error ? String(error.code) : undefined, message, stack }
}
