const locale = 'en-GB'
// A formatter keeps the time zone in which it was created, but the zone can change while the page is open (a traveller's laptop). So the
// parts of the local time are formatted as if they were UTC.
const format = (options: Intl.DateTimeFormatOptions) => {
  let made: Intl.DateTimeFormat | undefined
  return (date: Date) => {
    made ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    return made.format(onUtcClock(date)).replace(',', '').replace('Sept', 'Sep')
  }
}
const dayMonth = format({ day: 'numeric', month: 'short' })
const dayMonthYear = format({ day: 'numeric', month: 'short', year: 'numeric' })
const weekday = format({ weekday: 'short', day: 'numeric', month: 'short' })
const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** A date column (`YYYY-MM-DD`) as a local Date of the same day, whatever the time zone. Null for an invalid day. */
export function parseDay(day: string): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!match) return null
  const date = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]))
  return date.getMonth() === Number(match[2]) - 1 ? date : null
}

/** '7 Dec', with the year when it is not the current one. Takes a day (`YYYY-MM-DD`) or a moment (ISO). '–' for null. */
export function formatDay(value: string | null, now: Date = new Date()): string {
  const date = toDate(value)
  if (!date) return '–'
  return date.getFullYear() === now.getFullYear() ? dayMonth(date) : dayMonthYear(date)
}

/**
 * A moment in local time: 'Today, 15:00', 'Tomorrow, 09:30', 'Fri 27 Nov, 12:00' within two weeks, otherwise '7 Dec, 12:00'. The end of a
 * day without its time: 'Today', 'Fri 27 Nov'.
 */
export function formatDue(value: string | null, now: Date = new Date()): string {
  const date = toDate(value)
  if (!date) return '–'
  const days = daysBetween(now, date)
  const suffix = isEndOfDay(date) ? '' : `, ${time(date)}`
  if (days === 0) return `Today${suffix}`
  if (days === 1) return `Tomorrow${suffix}`
  return `${days > 1 && days < 14 ? weekday(date) : formatDay(value, now)}${suffix}`
}

/** 'Today, 15:00' or '7 Dec, 15:00': when something happened. */
export function formatMoment(value: string | null, now: Date = new Date()): string {
  const date = toDate(value)
  if (!date) return '–'
  return daysBetween(now, date) === 0 ? `Today, ${time(date)}` : `${formatDay(value, now)}, ${time(date)}`
}

/** When something is due: as `formatMoment`; the end of a day without its time: 'Today', '7 Dec'. */
export function formatDueMoment(value: string | null, now: Date = new Date()): string {
  const date = toDate(value)
  if (!date || !isEndOfDay(date)) return formatMoment(value, now)
  return daysBetween(now, date) === 0 ? 'Today' : formatDay(value, now)
}

/** '09:31'. */
export function formatTime(value: string): string {
  const date = toDate(value)
  return date ? time(date) : '–'
}

/** True when the moment is before now. */
export function isOverdue(value: string | null, now: Date = new Date()): boolean {
  const date = toDate(value)
  return date !== null && date.getTime() < now.getTime()
}

/** Whether a day (`YYYY-MM-DD`) is over. */
export function isPast(day: string | null, now: Date = new Date()): boolean {
  const date = toDate(day)
  return date !== null && daysBetween(now, date) < 0
}

/** Calendar days in local time from `from` to `to`: 0 on the same day, 1 tomorrow, -1 yesterday; correct across changes of summer time. */
export function daysBetween(from: Date, to: Date): number {
  return Math.round((dayNumber(to) - dayNumber(from)) / 86_400_000)
}

/**
 * Whether a moment is the last millisecond of its local day: it stands for the day, without a time. No field can make it as a time, because
 * the times of fields have no seconds. Where another zone is used it is a moment as every other.
 */
export function isEndOfDay(date: Date): boolean {
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  return date.getTime() === endOfDay(year, month, day)
}

/**
 * `days` calendar days from today, at the time of day of `value` (ISO), or at 09:00 for null; as ISO in UTC. A local time that the change
 * to summer time skips is moved by the length of the gap; of a time that occurs twice, the first is taken. From the end of a day to the end
 * of a day.
 */
export function daysFromToday(days: number, value: string | null, now: Date = new Date()): string {
  const time = toDate(value)
  if (time && isEndOfDay(time))
    return new Date(endOfDay(now.getFullYear(), now.getMonth(), now.getDate() + days)).toISOString()
  const [hours, minutes] = time ? [time.getHours(), time.getMinutes()] : [9, 0]
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes).toISOString()
}

/**
 * A local time (`YYYY-MM-DDTHH:mm`) as ISO in UTC; a day alone (`YYYY-MM-DD`) as its end, which stands for a day without a time. Null when
 * it is empty or invalid.
 */
export function localToIso(local: string): string | null {
  if (!local) return null
  const day = parseDay(local)
  const date = day ? new Date(endOfDay(day.getFullYear(), day.getMonth(), day.getDate())) : new Date(local)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** A moment (ISO) in local time, `YYYY-MM-DDTHH:mm`; the end of a day as the day alone; '' for null. */
export function isoToLocal(iso: string | null): string {
  const date = toDate(iso)
  if (!date) return ''
  const year = String(date.getFullYear()).padStart(4, '0')
  const day = `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return isEndOfDay(date) ? day : `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The last millisecond before the next day begins, which need not be at 00:00. */
function endOfDay(year: number, month: number, day: number): number {
  return new Date(year, month, day + 1).getTime() - 1
}

function onUtcClock(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes())
}

function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function toDate(value: string | null): Date | null {
  if (!value) return null
  const date = parseDay(value) ?? new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}
