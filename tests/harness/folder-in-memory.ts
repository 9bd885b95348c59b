import { statfsSync } from 'node:fs'

/** Linux's folder for files in memory. */
export const memoryFolder = '/dev/shm'

const tmpfsType = 0x01021994
/** Minimum free space. A cluster with a dozen databases and three browser profiles takes a quarter of it. */
const minFreeBytes = 3 * 1024 ** 3

/**
 * Returns the folder for temporary files in memory. Null if there is none or it has too little space. The database of a test has about 400 files:
 * creating and removing them on a disk takes half of the CPU time of a run.
 */
export function folderInMemory(): string | null {
  try {
    const { type, bavail, bsize } = statfsSync(memoryFolder)
    return type === tmpfsType && bavail * bsize >= minFreeBytes ? memoryFolder : null
  } catch {
    return null
  }
}
