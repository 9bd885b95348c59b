import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Memory that a process does not share, and its part of what it shares (PSS), in MB. */
export function processMegabytes(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN
  const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  return Number(found?.[1] ?? Number.NaN) / 1000
}

/** The process that holds most. */
export function largestOf(pids: readonly number[]): number | undefined {
  return [...pids].sort((a, b) => processMegabytes(b) - processMegabytes(a))[0]
}

/** Collects the garbage of this process. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc === 'function') gc()
}
