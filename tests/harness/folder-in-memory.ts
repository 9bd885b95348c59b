import { statfsSync } from 'node:fs'

/** Where Linux keeps files in memory. */
export const memoryFolder = '/dev/shm'

const tmpfsType = 0x01021994
/** A cluster with its log, a dozen databases and the profiles of three browsers take a quarter of it. */
const leastFreeBytes = 3 * 1024 ** 3

/**
 * The folder for files that need not last; null: there is none, or too little room in it. A test's database is some 400 files,
 * made and removed again: on a disk its file system takes half of the processor time of a run.
 */
export function folderInMemory(): string | null {
  try {
    const { type, bavail, bsize } = statfsSync(memoryFolder)
    return type === tmpfsType && bavail * bsize >= leastFreeBytes ? memoryFolder : null
  } catch {
    return null
  }
}
