import { dueDay, dueTime, momentOfDay } from './due-day.ts'

const locale = 'en-GB'
// A formatter keeps the time zone in which it was created, but the time zone can change while the page is open (a traveller's laptop). So
// the parts of the local time are formatted as if they were in UTC.
const utcFormatter = (options: Intl.DateTimeFormatOptions) => {
  let formatter: Intl.DateTimeFormat | undefined
  return (date: Date) => {
    formatter ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    return formatter.format(onUtcClock(date)).replace(',', '').replace('Sept', 'Sep')
  }
}
const formatDayMonth = utcFormatter({ day: 'numeric', month: 'short' })
const formatDayMonthYear = utcFormatter({ day: 'numeric', month: 'short', year: 'numeric' })
const formatWeekdayDayMonth = utcFormatter({ weekday: 'short', day: 'numeric', month: 'short' })
const formatClockTime = utcFormatter({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** Parses a date column (`YYYY-MM-DD`) as a local Date of the same day, in any time zone. Null for an invalid day. */
export function parseDay(day: string): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!match) return null
  const date = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]))
  return date.getMonth() === Number(match[2]) - 1 ? date : null
}

/** Formats a day (`YYYY-MM-DD`) or a moment (ISO) as '7 Dec'. The year is added if it is not the current one. Null gives '–'. */
export function formatDay(value: string | null, now: Date = new Date()): string {
  const date = toDate(value)
  return date ? shortDay(date, now) : '–'
}

/**
 * Formats the moment when something is due, in local time: 'Today, 15:00', 'Tomorrow, 09:30', within two weeks 'Fri 27 Nov, 12:00',
 * otherwise '7 Dec, 12:00'. If it is due on a day without a time: 'Today', 'Fri 27 Nov'. Null gives '–'.
 */
export function formatDue(value: string | null, now: Date = new Date()): string {
  const date = dueDate(value)
  if (!date) return '–'
  const days = daysBetween(now, date)
  const suffix = hasTime(value) ? `, ${formatClockTime(date)}` : ''
  if (days === 0) return `Today${suffix}`
  if (days === 1) return `Tomorrow${suffix}`
  return `${days > 1 && days < 14 ? formatWeekdayDayMonth(date) : shortDay(date, now)}${suffix}`
}

/** Formats the moment of an event in local time: 'Today, 15:00' or '7 Dec, 15:00'. Null gives '–'. */
export function formatMoment(value: string | null, now: Date = new Date()): string {
  const date = toDate(value)
  if (!date) return '–'
  return daysBetween(now, date) === 0
    ? `Today, ${formatClockTime(date)}`
    : `${formatDay(value, now)}, ${formatClockTime(date)}`
}

/** Formats the moment when something is due, as `formatMoment` does. If it is due on a day without a time: 'Today', '7 Dec'. */
export function formatDueMoment(value: string | null, now: Date = new Date()): string {
  const date = dueDate(value)
  if (!date || hasTime(value)) return formatMoment(value, now)
  return daysBetween(now, date) === 0 ? 'Today' : shortDay(date, now)
}

/** Formats the local time of a moment: '09:31'. */
export function formatTime(value: string): string {
  const date = toDate(value)
  return date ? formatClockTime(date) : '–'
}

/** Whether a due date has passed. A day without a time has passed when that day is over in this time zone. */
export function isOverdue(value: string | null, now: Date = new Date()): boolean {
  const date = dueDate(value)
  return date !== null && date.getTime() < now.getTime()
}

/** Whether a day (`YYYY-MM-DD`) is before today. */
export function isPast(day: string | null, now: Date = new Date()): boolean {
  const date = toDate(day)
  return date !== null && daysBetween(now, date) < 0
}

/**
 * Counts the calendar days from `from` to `to` in local time: 0 on the same day, 1 if `to` is tomorrow, -1 if it is yesterday. The result
 * is also correct if the clock is changed in between.
 */
export function daysBetween(from: Date, to: Date): number {
  return Math.round((dayNumber(to) - dayNumber(from)) / 86_400_000)
}

/** Whether a due date has a time. False if it means only a day (`dueDay`). True for null. */
export function hasTime(value: string | null): boolean {
  return dueDay(value) === null
}

/**
 * Converts a due date to a local Date. A day without a time becomes the end of that day in this time zone. Null for null and for invalid
 * texts.
 */
export function dueDate(value: string | null): Date | null {
  const date = value ? new Date(dueTime(value)) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}

/**
 * Returns the moment `days` calendar days from today, as ISO in UTC. It has the time of day of `value` (ISO), or 09:00 if `value` is null.
 * If the change to summer time skips that local time, it is moved by the length of the gap. If that local time occurs twice, the first one
 * is used. If `value` means a day without a time, the result also means a day without a time.
 */
export function daysFromToday(days: number, value: string | null, now: Date = new Date()): string {
  const dueMoment = dueDate(value)
  if (dueMoment && !hasTime(value)) return momentOfDay(now.getFullYear(), now.getMonth(), now.getDate() + days)
  const [hours, minutes] = dueMoment ? [dueMoment.getHours(), dueMoment.getMinutes()] : [9, 0]
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes).toISOString()
}

/**
 * Converts a local time (`YYYY-MM-DDTHH:mm`) to ISO in UTC. A day without a time (`YYYY-MM-DD`) becomes the last millisecond of that day
 * (`dueDay`). Null if the text is empty or invalid.
 */
export function localToIso(local: string): string | null {
  if (!local) return null
  const day = parseDay(local)
  if (day) return momentOfDay(day.getFullYear(), day.getMonth(), day.getDate()) || null
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Converts a moment (ISO) to local time, `YYYY-MM-DDTHH:mm`, or to the day that it means (`dueDay`). Null and invalid texts give ''. */
export function isoToLocal(iso: string | null): string {
  const due = dueDay(iso)
  if (due !== null) return due
  const date = toDate(iso)
  if (!date) return ''
  const year = String(date.getFullYear()).padStart(4, '0')
  const day = `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

function shortDay(date: Date, now: Date): string {
  return date.getFullYear() === now.getFullYear() ? formatDayMonth(date) : formatDayMonthYear(date)
}

/** Returns the moment (ms) at which a clock in UTC shows the local time of `date`. */
function onUtcClock(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes())
}

function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function toDate(value: string | null): Date | null {
  if (!value) return null
  const date = parseDay(value) ?? new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}
