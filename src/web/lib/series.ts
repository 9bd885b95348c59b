import { dueDay } from './due-day.ts'

/**
 * How a task repeats: on which days, in which time zone. `day` is the weekday from 1 (Monday) to 7, or the day of the month. It is null if
 * `every` needs no day.
 */
export interface Repetition {
  every: (typeof repetitions)[number]
  day: number | null
  zone: string
}

const repetitions = ['daily', 'workdays', 'weekly', 'monthly'] as const
const dayMs = 86_400_000
/** The last day on which a task can be due (ms). It is a few days early, so that it is before the year 10000 in every time zone. */
const lastDueDay = Date.UTC(9999, 11, 28)

/**
 * Reads how a task repeats from its column `repeats` ('monthly 31 Europe/London'). Null for null, and for values that this version does not
 * know.
 */
export function readRepeats(text: string | null | undefined): Repetition | null {
  const match = /^(\w+)(?: (\d+))? (\S+)$/.exec(text ?? '')
  const [, kind, day, zone = ''] = match ?? []
  const every = repetitions.find((each) => each === kind)
  return every ? { every, day: day === undefined ? null : Number(day), zone } : null
}

/** Writes how a task repeats in the form of the column `repeats`. */
export function repeatsText({ every, day, zone }: Repetition): string {
  return [every, day, zone].filter((word) => word !== null).join(' ')
}

/**
 * Returns how a task with this due date (ISO, or null for today) can repeat: weekly and monthly on the day of the due date, in this
 * device's time zone.
 */
export function possibleRepetitions(due: string | null, now: Date = new Date()): Repetition[] {
  const zone = deviceZone()
  const day = due === null ? dayOf(localTime(now.getTime(), zone)) : dueDayOf(due, zone)
  return [
    { every: 'daily', day: null, zone },
    { every: 'workdays', day: null, zone },
    { every: 'weekly', day: weekdayOf(day), zone },
    { every: 'monthly', day: new Date(day).getUTCDate(), zone },
  ]
}

/**
 * Returns the words for how a task repeats: 'Every week'. With `isExact`, they contain the day: 'Every week on Monday', 'Every month on the
 * 31st'.
 */
export function repeatsWords({ every, day }: Repetition, isExact = false): string {
  const words = { daily: 'Every day', workdays: 'Every workday', weekly: 'Every week', monthly: 'Every month' }[every]
  if (!isExact || day === null) return words
  return every === 'weekly'
    ? `${words} on ${weekdays[day - 1]}`
    : `${words} on the ${day}${ordinalEndings[day % 100 > 10 && day % 100 < 14 ? 0 : day % 10] ?? 'th'}`
}

const ordinalEndings: readonly string[] = ['th', 'st', 'nd', 'rd']

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Returns the id of the next task in a series. Every device, and SQL's `private.next_task_id`, computes the same id. */
export function nextTaskId(id: string): string {
  const tail = (Number.parseInt(id.slice(24), 16) + 0x9e3779b97f4b) % 2 ** 48
  return id.slice(0, 24) + tail.toString(16).padStart(12, '0')
}

/**
 * Returns when the next task of a series is due (ISO) if the current one is completed at `nowMs`: on the first day of the series that is
 * after the due date and after today. `private.next_due` computes the same. Null if there is no next task, or if this device cannot compute
 * the series.
 */
export function nextDue(due: string | null, text: string, nowMs: number): string | null {
  const repeats = readRepeats(text)
  if (!repeats || !isKnownZone(repeats.zone)) return null
  const { zone } = repeats
  const today = dayOf(localTime(nowMs, zone))
  const next = nextDay(repeats, due === null ? today : Math.max(today, dueDayOf(due, zone)))
  if (next > lastDueDay) return null
  if (due === null || dueDay(due) !== null) return new Date(next + dayMs - 1).toISOString()
  return new Date(momentOf(next + timeOf(localTime(Date.parse(due), zone)), zone)).toISOString()
}

/** Returns when the first task of a series is due (ISO): on the first day of the series, from today on. */
export function firstDue({ every, day, zone }: Repetition, now: Date = new Date()): string {
  const today = dayOf(localTime(now.getTime(), isKnownZone(zone) ? zone : deviceZone()))
  return new Date(nextDay({ every, day, zone }, today - dayMs) + dayMs - 1).toISOString()
}

/** Returns the day on which a task is due in a time zone. In this file, a day is a number: its first moment in UTC (ms). */
function dueDayOf(due: string, zone: string): number {
  const day = dueDay(due)
  return day === null ? dayOf(localTime(Date.parse(due), zone)) : Date.parse(day)
}

/** Returns the first day of the series that is later than the day `after`. */
function nextDay({ every, day }: Repetition, after: number): number {
  const weekday = weekdayOf(after)
  switch (every) {
    case 'daily':
      return after + dayMs
    case 'workdays':
      return after + (weekday === 5 ? 3 : weekday === 6 ? 2 : 1) * dayMs
    case 'weekly':
      return after + (1 + (((day ?? 1) - weekday + 6) % 7)) * dayMs
    case 'monthly': {
      const thisMonth = dayInMonth(after, 0, day ?? 1)
      return thisMonth > after ? thisMonth : dayInMonth(after, 1, day ?? 1)
    }
  }
}

/** Returns the day `dayOfMonth` of the month that is `months` months after the month of `day`. If that month is too short, returns its last day. */
function dayInMonth(day: number, months: number, dayOfMonth: number): number {
  const date = new Date(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  return Math.min(Date.UTC(year, month, dayOfMonth), Date.UTC(year, month + 1, 0))
}

/** Returns the weekday of a day: 1 (Monday) to 7. */
function weekdayOf(day: number): number {
  return new Date(day).getUTCDay() || 7
}

function dayOf(local: number): number {
  return Math.floor(local / dayMs) * dayMs
}

function timeOf(local: number): number {
  return local - dayOf(local)
}

/** Returns the local time of a moment in a time zone, as a number: the moment (ms) at which UTC shows the same date and time. */
function localTime(ms: number, zone: string): number {
  const parts = new Map(
    formatter(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)] as const),
  )
  const [year = 0, month = 1, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((part) => parts.get(part))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour ?? 0, minute, second, ((ms % 1000) + 1000) % 1000)
}

/**
 * Returns the moment (ms) that has this local time (see `localTime`) in a time zone. If this local time occurs twice, returns the second moment. If
 * the change to summer time skips this local time, the offset before the change applies, as in PostgreSQL.
 */
function momentOf(local: number, zone: string): number {
  const offset = (ms: number) => localTime(ms, zone) - ms
  const momentBeforeChange = local - offset(local - dayMs)
  const momentAfterChange = local - offset(local + dayMs)
  return localTime(momentAfterChange, zone) === local ? momentAfterChange : momentBeforeChange
}

function formatter(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

function isKnownZone(zone: string): boolean {
  try {
    formatter(zone)
    return true
  } catch {
    return false
  }
}

/** Returns the time zone of this device, in the form that the database accepts. */
function deviceZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return /^[A-Za-z_]+\/[A-Za-z0-9_+/-]+$/.test(timeZone) ? timeZone : 'UTC'
}
