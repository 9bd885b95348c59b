const hourMs = 3_600_000
const minuteMs = 60_000

/**
 * Returns the day (`YYYY-MM-DD`) that a due moment means, the same in every time zone. Null for a moment with a time. A moment means a day if it is
 * the last millisecond of a minute: forms never create such a time, because their times have no seconds. The moment is the end of the day in a time
 * zone from UTC-10 to UTC+13 (see `momentOfDay`). In UTC-10, each such moment is on the day that it means. Same as `private.due_day` in SQL. The
 * closing day of a deal has the same form.
 */
export function dueDay(moment: string | null): string | null {
  if (moment === null) return null
  const ms = Date.parse(moment)
  return meansDay(ms) ? utcDay(ms - 10 * hourMs) : null
}

/**
 * Returns the last moment (ms) at which a task is not overdue on this device. If the task is due on a day, that is the end of the day in this
 * time zone. NaN for an invalid text.
 */
export function dueTime(moment: string): number {
  const ms = Date.parse(moment)
  if (!meansDay(ms)) return ms
  const day = new Date(ms - 10 * hourMs)
  return endOfDay(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate())
}

/**
 * Returns the moment (ISO) that means a day: the end of the day in this time zone, or in UTC if this time zone is not between UTC-10 and
 * UTC+13 (see `dueDay`). `month` counts from 0, as in `Date`. '' for an invalid day.
 */
export function momentOfDay(year: number, month: number, day: number): string {
  const localEnd = new Date(endOfDay(year, month, day))
  if (Number.isNaN(localEnd.getTime())) return ''
  const utcDate = new Date(0)
  utcDate.setUTCFullYear(year, month, day)
  const moment = localEnd.toISOString()
  return dueDay(moment) === utcDay(utcDate.getTime()) ? moment : `${utcDay(utcDate.getTime())}T23:59:59.999Z`
}

/** Returns the local day (`YYYY-MM-DD`) of a moment (ms). */
export function localDay(ms: number): string {
  const date = new Date(ms)
  const utcDate = new Date(0)
  utcDate.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate())
  return utcDay(utcDate.getTime())
}

function meansDay(ms: number): boolean {
  return ((ms % minuteMs) + minuteMs) % minuteMs === minuteMs - 1
}

function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Returns the last millisecond before the next local day, which need not begin at 00:00. */
function endOfDay(year: number, month: number, day: number): number {
  return new Date(year, month, day + 1).getTime() - 1
}
