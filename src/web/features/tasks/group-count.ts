import type { LingeringTasks } from './use-lingering.ts'
import { type DueGroup, dueGroup } from './due-group.ts'

/**
 * Counts the tasks of a group from the index `start` on. If counting needs a row that is not on this device, `count` is null and `unknown`
 * is the index of that row. The list is sorted by due date.
 */
export function groupCount(
  tasks: Pick<LingeringTasks, 'total' | 'at'>,
  start: number,
  group: DueGroup,
  now: Date,
): { count: number | null; unknown: number | null } {
  let low = start
  let high = tasks.total
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const entry = tasks.at(middle).entry
    if (!entry) return { count: null, unknown: middle }
    if (dueGroup(entry.task.due_at, now) === group) low = middle + 1
    else high = middle
  }
  return { count: low - start, unknown: null }
}
