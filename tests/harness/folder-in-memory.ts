import { statfsSync } from 'node:fs'

/** Linux's folder for files in memory. */
export const memoryFolder = '/dev/shm'

const tmpfsType = 0x01021994
/** Needed free space. A cluster with a dozen databases and three browser profiles takes a quarter of it. */
const leastFreeBytes = 3 * 1024 ** 3

/**
 * The folder for temporary files in memory; null if there is none or it has too little space. A test's database is about 400 files; on a disk,
 * creating and removing them takes half of the CPU time of a run.
 */
export function folderInMemory(): string | null {
  try {
    const { type, bavail, bsize } = statfsSync(memoryFolder)
    return type === tmpfsType && bavail * bsize >= leastFreeBytes ? memoryFolder : null
  } catch {
    return null
  }
}
