import { dayOf, formatCalendarDay, personLocale, weekdayNames, weekdayOf } from './calendar.ts'
import { dateNames, type NumericOrder } from './date-names.ts'
import { isoToLocal, localToIso } from './dates.ts'
import { plainWords } from './plain-words.ts'
import { readDay } from './typed-day.ts'
import { splitTime } from './typed-time.ts'

/** A local day (`YYYY-MM-DD`), and a time (`HH:mm`) or null. */
export interface DateAndTime {
  day: string
  time: string | null
}

/** What a typed text means: a date, or a message that says what is wrong with the text and what to do. Null if the text is empty. */
export type TypedDate = DateAndTime | { problem: string } | null

export interface ReadOptions {
  /** True if a time may follow the date. */
  withTime?: boolean
  /** The locale of the person ('en-US'). It decides the order of numbers, and which names are known besides the English ones. */
  locale?: string
  /** The order of numbers, if it does not depend on the locale. */
  order?: NumericOrder | undefined
  /** True if a year of two digits is refused, because the date may be a date of birth. Otherwise it is a year from 2000. */
  fullYear?: boolean
  now?: Date
}

const zonedMomentPattern = /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(z|[+-]\d{2}:?\d{2})$/

/** Reads a date as people type or paste it: 'tomorrow', 'fri 9:30', '+2w', '30.11.', 'Nov 30, 2026', '2026-11-30T15:00Z'. */
export function readTypedDate(text: string, options: ReadOptions = {}): TypedDate {
  const { withTime = false, locale = personLocale(), order, fullYear = false, now = new Date() } = options
  const words = plainWords(text)
  if (!words) return null
  const { before, time, problem } = splitTime(localMoment(words))
  if (problem !== undefined) return { problem }
  if (time !== null && !withTime) return { problem: 'Type the day without a time' }
  if (time !== null && !before) return { problem: `Type a day, too: today ${time}` }
  const dayResult = readDay(before, { ...dateNames(locale), ...(order && { order }), fullYear }, dayOf(now))
  if (!dayResult) return { problem: `Type a date such as 30 Nov, ${withTime ? 'fri 9:30' : 'fri'} or +3d` }
  if ('problem' in dayResult) return dayResult
  if (time !== null && isSkipped(dayResult.day, time))
    return { problem: `The clock skips ${time} on that day: type another time` }
  return { day: dayResult.day, time }
}

/** Writes a date for a text field: '30 Nov 2026', '30 Nov 2026 15:00'. In every locale, this text is read as the same date. */
export function typedText({ day, time }: DateAndTime): string {
  return `${formatCalendarDay(day)}${time === null ? '' : ` ${time}`}`
}

/** Writes a date with its weekday, to show the person how the typed text was understood: 'Mon 30 Nov 2026', 'Mon 30 Nov 2026, 15:00'. */
export function describeDate({ day, time }: DateAndTime): string {
  return `${weekdayNames[weekdayOf(day)]?.slice(0, 3)} ${formatCalendarDay(day)}${time === null ? '' : `, ${time}`}`
}

/** Writes a day (`YYYY-MM-DD`) or a moment (ISO) for a text field. Null gives ''. */
export function typedTextOf(value: string | null): string {
  const [day = '', time = null] = (value?.length === 10 ? value : isoToLocal(value)).split('T')
  return day && typedText({ day, time })
}

/** Reads a typed day as `YYYY-MM-DD`. Null if the text is empty or cannot be read. `fullYear`: see `ReadOptions`. */
export function typedDay(text: string, fullYear = false): string | null {
  const typedDate = readTypedDate(text, { fullYear })
  return typedDate && 'day' in typedDate ? typedDate.day : null
}

/** Reads a typed date and time as ISO in UTC. A date without a time becomes the end of the day. Null if the text is empty or cannot be read. */
export function typedMoment(text: string): string | null {
  const typedDate = readTypedDate(text, { withTime: true })
  if (!typedDate || !('day' in typedDate)) return null
  return localToIso(typedDate.time === null ? typedDate.day : `${typedDate.day}T${typedDate.time}`)
}

/** Returns the message that says what is wrong with a typed date. Null if the text is empty or can be read. `fullYear`: see `ReadOptions`. */
export function typedProblem(text: string, withTime: boolean, fullYear = false): string | null {
  const typedDate = readTypedDate(text, { withTime, fullYear })
  return typedDate && 'problem' in typedDate ? typedDate.problem : null
}

/** Converts a moment with a time zone to local time. Returns other texts unchanged. */
function localMoment(words: string): string {
  const [, day, time, zone = ''] = zonedMomentPattern.exec(words) ?? []
  if (!day) return words
  const moment = new Date(`${day}T${time}${zone.toUpperCase()}`)
  if (Number.isNaN(moment.getTime())) return words
  return isoToLocal(moment.toISOString()).toLowerCase()
}

/** Whether the time does not exist on that day, because the clock is put forward. */
function isSkipped(day: string, time: string): boolean {
  const iso = localToIso(`${day}T${time}`)
  return iso !== null && !isoToLocal(iso).endsWith(time)
}
