import type { LingeringTasks } from './use-lingering.ts'
import { type DueGroup, dueGroup } from './due-group.ts'

/**
 * How many tasks of the group stand from `start` on. Where the list has to be looked at in a place that is not here, `count` is null and
 * `unknown` is that place. The list is sorted by due date.
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
