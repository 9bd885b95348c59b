const hourMs = 3_600_000
const minuteMs = 60_000

/**
 * The day (`YYYY-MM-DD`) that a due moment stands for, the same in every time zone; null where it is a moment with its time. The last
 * millisecond of a minute stands for a day: no field makes one as a time, as their times have no seconds. It is the end of the day in the
 * zone of who set it, from 10 hours behind UTC to 13 ahead: all these moments lie on that day where the clock is 10 hours behind.
 * `private.due_day` in SQL is the same.
 */
export function dueDay(moment: string | null): string | null {
  if (moment === null) return null
  const ms = Date.parse(moment)
  return isDay(ms) ? utcDay(ms - 10 * hourMs) : null
}

/** When it is due for the reader, as a number: a day ends at their midnight. NaN for what is no moment. */
export function dueTime(moment: string): number {
  const ms = Date.parse(moment)
  if (!isDay(ms)) return ms
  const day = new Date(ms - 10 * hourMs)
  return endOfDay(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate())
}

/** The moment (ISO) that stands for a day: its end here, or in UTC where the zone is further off than `dueDay` reads. */
export function momentOfDay(year: number, month: number, day: number): string {
  const here = new Date(endOfDay(year, month, day))
  if (Number.isNaN(here.getTime())) return ''
  const wanted = new Date(0)
  wanted.setUTCFullYear(year, month, day)
  const moment = here.toISOString()
  return dueDay(moment) === utcDay(wanted.getTime()) ? moment : `${utcDay(wanted.getTime())}T23:59:59.999Z`
}

/** The local day of a moment (ms), `YYYY-MM-DD`. */
export function localDay(ms: number): string {
  const date = new Date(ms)
  const wanted = new Date(0)
  wanted.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate())
  return utcDay(wanted.getTime())
}

function isDay(ms: number): boolean {
  return ((ms % minuteMs) + minuteMs) % minuteMs === minuteMs - 1
}

function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** The last millisecond before the next local day begins, which need not be at 00:00. */
function endOfDay(year: number, month: number, day: number): number {
  return new Date(year, month, day + 1).getTime() - 1
}
