import { readdirSync, readFileSync } from 'node:fs'

/** µs of processor time of each of these processes so far, by thread. The kernel counts ns. */
export function processorTimes(pids: readonly number[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const pid of pids) {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      times.set(thread, timeOf(`/proc/${pid}/task/${thread}/schedstat`))
  }
  return times
}

/** µs between two readings. A thread that ended meanwhile is left out. */
export function timeBetween(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  return Array.from(after).reduce((sum, [thread, time]) => sum + time - (before.get(thread) ?? 0), 0)
}

function timeOf(path: string): number {
  return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1000
}
