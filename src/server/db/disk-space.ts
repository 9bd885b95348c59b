import { statfsSync } from 'node:fs'
import type { Logger } from 'pino'

/** Bytes that are kept free for the database's own log, without which it can neither run nor recover. */
const reserveBytes = 48 * 1024 * 1024
const checkIntervalMs = 500

/**
 * Watches the disk under the embedded database and calls `onChange(true)` when it is nearly full, `onChange(false)` when
 * there is space again. PostgreSQL stops altogether when its write-ahead log finds no room; refusing writes a little
 * earlier keeps reads going. Returns what ends the watch.
 */
export function watchDiskSpace(directory: string, log: Logger, onChange: (full: boolean) => void): () => void {
  let full = false
  const check = () => {
    const free = freeBytes(directory)
    const now = free < (full ? reserveBytes * 1.25 : reserveBytes)
    if (now === full) return
    full = now
    if (full) log.error({ freeBytes: free }, 'the disk is nearly full: nothing is saved until there is space')
    else log.info({ freeBytes: free }, 'the disk has space again')
    onChange(full)
  }
  check()
  const timer = setInterval(check, checkIntervalMs).unref()
  return () => clearInterval(timer)
}

/** Where the disk itself does not answer there is nothing to say about its space. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
