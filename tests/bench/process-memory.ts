import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Returns the memory of a process: its private memory and its share of shared memory (PSS), in MB. NaN if `pid` is
 * undefined.
 */
export function processMegabytes(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN
  const pssMatch = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  return Number(pssMatch?.[1] ?? Number.NaN) * 1.024e-3
}

/** Returns the id of the process with the most memory. */
export function pidWithMostMemory(pids: readonly number[]): number | undefined {
  return [...pids].sort((a, b) => processMegabytes(b) - processMegabytes(a))[0]
}

/** Collects the garbage of this process. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc === 'function') gc()
}
