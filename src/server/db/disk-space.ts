import { statfsSync } from 'node:fs'
import type { Logger } from 'pino'

/**
 * Free space that is reserved for the write-ahead log (bytes). Without space for this log, PostgreSQL can neither run nor
 * recover.
 */
const reserveBytes = 48 * 1024 * 1024
const checkIntervalMs = 500

/**
 * Watches the free space on the disk of the embedded database. Calls `onChange(true)` when the disk is nearly full, and
 * `onChange(false)` when it has space again. PostgreSQL would stop if its write-ahead log had no space; if writes are
 * refused a little earlier, reads keep working. The returned function ends the watch.
 */
export function watchDiskSpace(directory: string, log: Logger, onChange: (isFull: boolean) => void): () => void {
  let isFull = false
  const check = () => {
    const free = freeBytes(directory)
    const isFullNow = free < (isFull ? reserveBytes * 1.25 : reserveBytes)
    if (isFullNow === isFull) return
    isFull = isFullNow
    if (isFull)
      log.error(
        { freeBytes: free },
        'the disk is nearly full: all writes are refused until there is space. Free some space',
      )
    else log.info({ freeBytes: free }, 'the disk has space again: writes are accepted')
    onChange(isFull)
  }
  check()
  const timer = setInterval(check, checkIntervalMs).unref()
  return () => clearInterval(timer)
}

/** Returns the free space of a file system (bytes). Returns Infinity if the file system does not report it. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
