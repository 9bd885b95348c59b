import pino, { type Logger } from 'pino'
import { openLogOutput } from './log-output.ts'

export interface Log {
  log: Logger
  /** Writes what is still held back; for the moment before the process ends. */
  flush: () => void
}

const stdout = 1

/** JSON lines on stdout, written in batches: a write each would cost a request more than its headers do. */
export function createLog(level: string): Log {
  const output = openLogOutput(stdout)
  const log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    output,
  )
  return { log, flush: () => output.flushSync() }
}

/** What helps to find the fault. Never PostgreSQL's `detail`, `where` or parameters: they quote people's data. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { type: name, code: 'code' in error ? String(error.code) : undefined, message, stack }
}
