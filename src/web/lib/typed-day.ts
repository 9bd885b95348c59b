import {
  addDays,
  addMonths,
  isoDay,
  daysInMonth,
  formatCalendarDay,
  hasAllowedYear,
  monthNames,
  numbersOf,
  weekdayNames,
  weekdayOf,
} from './calendar.ts'
import { type DateNames, numberOf } from './date-names.ts'

/**
 * What a typed text means: a day (`YYYY-MM-DD`), or a message that says what is wrong with the text and what to do. Null if the text is not
 * a date.
 */
export type TypedDay = { day: string } | { problem: string } | null

/** The numbers of a date, as they were typed. `year` is '' if it was not typed. */
interface TypedNumbers {
  year: string
  month: number
  day: number
}

const relative = /^([+-]|in )? ?(\d{1,4}) ?(d|days?|w|wk|weeks?|m|mo|months?|y|years?)$/
const withWeekday = /^(\p{L}+)\.? (.+)$/u
const yearFirst = /^(\d{4}) ?[-./] ?(\d{1,2}) ?[-./] ?(\d{1,2})\.?$/
const numeric = /^(\d{1,2}) ?([-./]) ?(\d{1,2})(?: ?[-./] ?(\d{1,4})?)?\.?$/
const dayThenMonth =
  /^(?:(?:le|den|der|the) )?(\d{1,2})(?:st|nd|rd|th|er|:e|\.)?(?: (?:of|de)(?= ))?[ /-]?(\p{L}+)\.?[ /-]?(\d{1,4})?$/u
const monthThenDay = /^(\p{L}+)\.?[ /-]?(\d{1,2})(?:st|nd|rd|th)?(?:[ /-](\d{1,4}))?$/u

/**
 * Returns the day that a typed text means. `text` has been simplified by `plainWords`. Numbers are read in the order of the person's locale. They are
 * refused if they make no date in that order, or if they have two likely meanings, as '4.3.' (`askWhich`). A date without a year is the next such
 * date, or today. A weekday alone is the next such day after today.
 */
export function readDay(text: string, names: DateNames, today: string): TypedDay {
  const found = readRelative(text, names, today) ?? readDate(text, names, today)
  if (found) return found
  const [, word = '', rest = ''] = withWeekday.exec(text) ?? []
  const weekday = numberOf(word, names.weekdays, 2)
  const dated = weekday === null ? null : readDate(rest.replace(/^(den|der|the) /, ''), names, today)
  if (!dated || 'problem' in dated || weekdayOf(dated.day) === weekday) return dated
  const is = weekdayNames[weekdayOf(dated.day)] ?? ''
  return { problem: `${formatCalendarDay(dated.day)} is a ${is}: correct the weekday or leave it out` }
}

function readRelative(text: string, names: DateNames, today: string): TypedDay {
  const near = names.near.get(text) ?? startOfNear(text, names)
  if (near !== undefined) return { day: addDays(today, near) }
  if (text === 'next week') return { day: addDays(today, 7) }
  const weekday = numberOf(text.replace(/\.$/, ''), names.weekdays, 2)
  if (weekday !== null) return { day: addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1) }
  const [all, sign, digits, unit = ''] = relative.exec(text) ?? []
  if (all === undefined) return null
  const count = Number(digits) * (sign === '-' ? -1 : 1)
  if (/^[dw]/.test(unit)) return inRange(addDays(today, unit.startsWith('w') ? count * 7 : count))
  return inRange(addMonths(today, unit.startsWith('y') ? count * 12 : count))
}

/** Finds the near day whose name begins with the text, which has at least three letters: 'tom' is tomorrow. Only for English words. */
function startOfNear(text: string, names: DateNames): number | undefined {
  if (!/^(tod|tom|yes)[a-z]*$/.test(text)) return undefined
  return [...names.near].find(([name]) => name.startsWith(text))?.[1]
}

function readDate(text: string, names: DateNames, today: string): TypedDay {
  const iso = yearFirst.exec(text)
  if (iso) return toDay({ year: iso[1] ?? '', month: Number(iso[2]), day: Number(iso[3]) }, today)
  const numbers = numeric.exec(text)
  if (numbers) return readNumbers(numbers, names, today)
  const [, dayBefore, monthAfter = '', yearAfter] = dayThenMonth.exec(text) ?? []
  const [, monthBefore = '', dayAfter, yearEnd] = monthThenDay.exec(text) ?? []
  const month = numberOf(monthAfter || monthBefore, names.months, 3)
  if (month === null) return null
  return toDay({ year: yearAfter ?? yearEnd ?? '', month, day: Number(dayBefore ?? dayAfter) }, today)
}

function readNumbers(match: RegExpExecArray, names: DateNames, today: string): TypedDay {
  const [, first, separator, second, year = ''] = match
  const [month, day] = names.monthFirst ? [Number(first), Number(second)] : [Number(second), Number(first)]
  // The text '26-11-30' may begin with its year.
  if (year.length === 2 && (separator === '-' || names.yearFirst)) return { problem: fourDigits }
  const isReal = month >= 1 && month <= 12
  // Countries that write dates with points write the day first, but many people there have a browser whose locale has the month first.
  const isAmbiguous = isReal && names.monthFirst && separator === '.' && day >= 1 && day <= 12 && day !== month
  if (isReal && !isAmbiguous) return toDay({ year, month, day }, today)
  const swapped = day >= 1 && day <= 12 ? toDay({ year, month: day, day: month }, today) : null
  if (isAmbiguous) return askWhich([month, day], year)
  if (!swapped || 'problem' in swapped)
    return { problem: `There is no month ${month}: type the day and the name of its month, such as 30 Nov` }
  const meant = `${month} ${shortName(day)}${year && ` ${numbersOf(swapped.day)[0]}`}`
  return { problem: `There is no month ${month}: for ${meant}, type ${meant}` }
}

/** Asks the person which date is meant, because two numbers can be read in two ways. `year` is '' if it was not typed. */
function askWhich([one, other]: [number, number], year: string): TypedDay {
  const words = [`${one} ${shortName(other)}`, `${other} ${shortName(one)}`].map((day) =>
    year ? `${day} ${year}` : day,
  )
  return { problem: `That can be ${words.join(' or ')}: type the one you mean` }
}

const fourDigits = 'Write the year with four digits'

function toDay({ year, month, day }: TypedNumbers, today: string): TypedDay {
  if (month < 1 || month > 12) return { problem: `There is no month ${month}: type one from 1 to 12` }
  if (year !== '' && year.length !== 2 && year.length !== 4) return { problem: fourDigits }
  const full = year.length === 2 ? 2000 + Number(year) : Number(year)
  // Without a year, the day may be 29 February: 2024 is a leap year.
  const last = daysInMonth(year === '' ? 2024 : full, month)
  if (day < 1) return { problem: `There is no day 0: type one from 1 to ${last}` }
  const name = shortName(month)
  if (year === '') {
    if (day > last) return { problem: `${name} has ${last} days at most: type one of them` }
    return { day: nextOf(month, day, today) }
  }
  if (day > last) return { problem: `${name} ${full} has ${last} days: type one of them` }
  return inRange(isoDay(full, month, day))
}

/** Returns the next day with this month and day of the month, or today. The next 29 February may be years away. */
function nextOf(month: number, day: number, today: string): string {
  const [year] = numbersOf(today)
  const ahead = Array.from({ length: 9 }, (_, index) => year + index)
  const found = ahead.find((one) => day <= daysInMonth(one, month) && isoDay(one, month, day) >= today)
  return isoDay(found ?? year, month, day)
}

function inRange(day: string): TypedDay {
  return hasAllowedYear(day) ? { day } : { problem: 'Type a year from 1000 to 9998' }
}

function shortName(month: number): string {
  return monthNames[month - 1]?.slice(0, 3) ?? ''
}
