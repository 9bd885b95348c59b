import { statfsSync } from 'node:fs'
import type { Logger } from 'pino'

/** Bytes that are kept free for the write-ahead log, without which PostgreSQL can neither run nor recover. */
const reserveBytes = 48 * 1024 * 1024
const checkIntervalMs = 500

/**
 * Watches the disk of the embedded database. Calls `onChange(true)` when it is nearly full and `onChange(false)` when
 * there is space again. PostgreSQL stops when its write-ahead log finds no space; refusing writes a little earlier
 * keeps reads working. Returns a function that ends the watch.
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

/** Infinity where the file system does not report its space. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
