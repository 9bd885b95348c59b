import pino, { type Logger } from 'pino'

export interface Log {
  log: Logger
  /** Writes what is still held back; for the moment before the process ends. */
  flush: () => void
}

/** How long a line may be held back to be written together with others. Milliseconds. */
const HELD_BACK = 500

/** JSON lines on stdout, written in batches: a write each would cost a request more than its headers do. */
export function createLog(level: string): Log {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096 })
  const log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    destination,
  )
  const timer = setInterval(() => destination.flush(), HELD_BACK)
  timer.unref()
  return { log, flush: () => destination.flushSync() }
}

/** What helps to find the fault. Never PostgreSQL's `detail`, `where` or parameters: they quote people's data. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { type: name, code: 'code' in error ? String(error.code) : undefined, message, stack }
}
