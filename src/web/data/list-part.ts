import type { Condition, DueBound } from '#web/data/query/query.ts'
import { localDay } from '#web/lib/due-day.ts'

/** A part of a list that the overview counts, as named in the list's URL: `?show=overdue`. */
export type ListPart = 'open' | 'closing-this-month' | 'added-this-week' | 'overdue' | 'due-this-week' | 'due-today'

const daySeconds = 86_400
const weekSeconds = 7 * daySeconds

/**
 * Maximum time between the moment that is stored for a due day and the end of that day in any time zone (s). The conditions also have bounds on the
 * stored moment that are wider by this time. The wider bounds exclude no task that meets the exact bounds, and the server can use its index for the
 * wider bounds.
 */
const dueDaySpreadSeconds = 26 * 3_600

/**
 * Returns the conditions of a part. The overview counts and the list filters by the same conditions, so that both show the same number. Days and
 * months are those of this device's time zone. 'open' and 'closing-this-month' are for deals in open stages, which the board shows in its columns.
 */
export function partConditions(part: ListPart, now: Date): Record<string, Condition> {
  switch (part) {
    case 'open':
      return {}
    case 'closing-this-month':
      return { expected_close_date: { gte: firstOfMonth(now, 0), lt: firstOfMonth(now, 1) } }
    case 'added-this-week':
      return { created_at: { gt: { now: -weekSeconds } } }
    case 'overdue':
      return { due_at: { lt: dueIn(0, now), lte: { now: dueDaySpreadSeconds } } }
    case 'due-this-week':
      return { due_at: { gte: dueIn(0, now), lte: dueIn(weekSeconds, now), ...widerBounds('lt', weekSeconds) } }
    case 'due-today':
      return { due_at: { gte: dueIn(0, now), lt: dueAt(midnightAfter(now)), ...widerBounds('lte', daySeconds) } }
  }
}

/**
 * Returns the bound that is this many seconds after `now`: the moment, for tasks that are due at a time, and its day, for tasks that are
 * due on a day.
 */
function dueIn(seconds: number, now: Date): DueBound {
  return { now: seconds, day: localDay(now.getTime() + seconds * 1000) }
}

function widerBounds(end: 'lt' | 'lte', seconds: number) {
  return { gt: { now: -dueDaySpreadSeconds }, [end]: { now: seconds + dueDaySpreadSeconds } }
}

function dueAt(moment: Date): DueBound {
  return { at: moment.toISOString(), day: localDay(moment.getTime()) }
}

function midnightAfter(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
}

/** Returns the first day (YYYY-MM-DD) of the month `months` from now. */
function firstOfMonth(now: Date, months: number): string {
  const first = new Date(now.getFullYear(), now.getMonth() + months, 1)
  return `${first.getFullYear()}-${String(first.getMonth() + 1).padStart(2, '0')}-01`
}
