import { dayOf, dayWords, personLocale, weekdayNames, weekdayOf } from './calendar.ts'
import { dateNames } from './date-names.ts'
import { isoToLocal, localToIso } from './dates.ts'
import { plainWords } from './plain-words.ts'
import { readDay } from './typed-day.ts'
import { splitTime } from './typed-time.ts'

/** A local day (`YYYY-MM-DD`) and the time on it (`HH:mm`); null: no time. */
export interface DateAndTime {
  day: string
  time: string | null
}

/** What a typed text means; what is wrong with it and what to do; or null: it is empty. */
export type TypedDate = DateAndTime | { problem: string } | null

export interface ReadOptions {
  /** The field takes a time, too. */
  withTime?: boolean
  /** 'en-US': decides the order of numbers, and which names are known besides the English ones. */
  locale?: string
  now?: Date
}

const zoned = /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(z|[+-]\d{2}:?\d{2})$/

/** Reads a date as people type or paste it: 'tomorrow', 'fri 9:30', '+2w', '30.11.', 'Nov 30, 2026', '2026-11-30T15:00Z'. */
export function readTyped(text: string, options: ReadOptions = {}): TypedDate {
  const { withTime = false, locale = personLocale(), now = new Date() } = options
  const words = plainWords(text)
  if (!words) return null
  const { before, time, problem } = splitTime(localMoment(words))
  if (problem !== undefined) return { problem }
  if (time !== null && !withTime) return { problem: 'Type the day without a time' }
  if (time !== null && !before) return { problem: `Type a day, too: today ${time}` }
  const read = readDay(before, dateNames(locale), dayOf(now))
  if (!read) return { problem: `Type a date such as 30 Nov, ${withTime ? 'fri 9:30' : 'fri'} or +3d` }
  if ('problem' in read) return read
  if (time !== null && isSkipped(read.day, time))
    return { problem: `The clock skips ${time} on that day: type another time` }
  return { day: read.day, time }
}

/** The text for the field that is read as this date in every locale: '30 Nov 2026', '30 Nov 2026 15:00'. */
export function typedText({ day, time }: DateAndTime): string {
  return `${dayWords(day)}${time === null ? '' : ` ${time}`}`
}

/** What was understood: 'Mon 30 Nov 2026', 'Mon 30 Nov 2026, 15:00'. */
export function understood({ day, time }: DateAndTime): string {
  return `${weekdayNames[weekdayOf(day)]?.slice(0, 3)} ${dayWords(day)}${time === null ? '' : `, ${time}`}`
}

/** A day, or a moment as ISO, as the text for its field; '' for null. */
export function typedTextOf(value: string | null): string {
  const [day = '', time = null] = (value?.length === 10 ? value : isoToLocal(value)).split('T')
  return day && typedText({ day, time })
}

/** The typed day as `YYYY-MM-DD`; null when the text is empty or cannot be read. */
export function typedDay(text: string): string | null {
  const read = readTyped(text)
  return read && 'day' in read ? read.day : null
}

/** The typed moment as ISO in UTC, without a time the end of its day; null when the text is empty or cannot be read. */
export function typedMoment(text: string): string | null {
  const read = readTyped(text, { withTime: true })
  if (!read || !('day' in read)) return null
  return localToIso(read.time === null ? read.day : `${read.day}T${read.time}`)
}

/** What is wrong with a typed text; null: nothing. */
export function typedProblem(text: string, withTime: boolean): string | null {
  const read = readTyped(text, { withTime })
  return read && 'problem' in read ? read.problem : null
}

/** A moment with its zone as local time; every other text as it is. */
function localMoment(words: string): string {
  const [, day, time, zone = ''] = zoned.exec(words) ?? []
  if (!day) return words
  const moment = new Date(`${day}T${time}${zone.toUpperCase()}`)
  if (Number.isNaN(moment.getTime())) return words
  return isoToLocal(moment.toISOString()).toLowerCase()
}

/** Whether the clock, put forward on that day, never shows the time. */
function isSkipped(day: string, time: string): boolean {
  const iso = localToIso(`${day}T${time}`)
  return iso !== null && !isoToLocal(iso).endsWith(time)
}
