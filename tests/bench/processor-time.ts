import { readdirSync, readFileSync } from 'node:fs'

/** Returns the processor time of these processes so far in µs, by thread. */
export function processorTimes(pids: readonly number[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const pid of pids) {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      times.set(thread, timeOf(`/proc/${pid}/task/${thread}/schedstat`))
  }
  return times
}

/** Returns the processor time between two readings in µs. Threads that ended meanwhile do not count. */
export function processorTimeBetween(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  return Array.from(after).reduce((sum, [thread, time]) => sum + time - (before.get(thread) ?? 0), 0)
}

/** Returns the processor time of a thread in µs. The kernel counts it in ns. */
function timeOf(path: string): number {
  return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1000
}
