import type { Condition, DueBound } from '#web/data/query/query.ts'
import { localDay } from '#web/lib/due-day.ts'

/** A part of a list that the overview counts, as the list's address names it: `?show=overdue`. */
export type ListPart = 'open' | 'closing-this-month' | 'added-this-week' | 'overdue' | 'due-this-week' | 'due-today'

const daySeconds = 86_400
const weekSeconds = 7 * daySeconds

/** A day ends in no zone further from its moment than this. Bounds so far outside change nothing, and the server's index knows them. */
const spreadSeconds = 26 * 3_600

/**
 * The conditions of a part: the overview counts by them, and the list shows by them, so that both have the same number. Days and months
 * are those of this device's time zone. The first two are of deals in open stages: of these the board has the columns.
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
      return { due_at: { lt: dueIn(0, now), lte: { now: spreadSeconds } } }
    case 'due-this-week':
      return { due_at: { gte: dueIn(0, now), lte: dueIn(weekSeconds, now), ...widely('lt', weekSeconds) } }
    case 'due-today':
      return { due_at: { gte: dueIn(0, now), lt: dueAt(midnightAfter(now)), ...widely('lte', daySeconds) } }
  }
}

/** So many seconds from now, for what is due at a time and for what is due on a day. */
function dueIn(seconds: number, now: Date): DueBound {
  return { now: seconds, day: localDay(now.getTime() + seconds * 1000) }
}

function widely(end: 'lt' | 'lte', seconds: number) {
  return { gt: { now: -spreadSeconds }, [end]: { now: seconds + spreadSeconds } }
}

function dueAt(moment: Date): DueBound {
  return { at: moment.toISOString(), day: localDay(moment.getTime()) }
}

function midnightAfter(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
}

/** YYYY-MM-DD of the first day of a month; `months` from now. */
function firstOfMonth(now: Date, months: number): string {
  const first = new Date(now.getFullYear(), now.getMonth() + months, 1)
  return `${first.getFullYear()}-${String(first.getMonth() + 1).padStart(2, '0')}-01`
}
