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

const relativePattern = /^([+-]|in )? ?(\d{1,4}) ?(d|days?|w|wk|weeks?|m|mo|months?|y|years?)$/
const weekdayThenDatePattern = /^(\p{L}+)\.? (.+)$/u
const yearFirstPattern = /^(\d{4}) ?[-./] ?(\d{1,2}) ?[-./] ?(\d{1,2})\.?$/
const numericPattern = /^(\d{1,2}) ?([-./]) ?(\d{1,2})(?: ?[-./] ?(\d{1,4})?)?\.?$/
const dayThenMonthPattern =
  /^(?:(?:le|den|der|the) )?(\d{1,2})(?:st|nd|rd|th|er|:e|\.)?(?: (?:of|de)(?= ))?[ /-]?(\p{L}+)\.?[ /-]?(\d{1,4})?$/u
const monthThenDayPattern = /^(\p{L}+)\.?[ /-]?(\d{1,2})(?:st|nd|rd|th)?(?:[ /-](\d{1,4}))?$/u

/**
 * Returns the day that a typed text means. `text` has been simplified by `plainWords`. Numbers are read in the order of
 * `names`, which is the order of the person's locale or of a file. They are refused if they make no date in that order, or if they have two
 * likely meanings, as '4.3.' (`askWhich`). A date without a year is the next such date, or today. A weekday alone is the next such day after
 * today.
 */
export function readDay(text: string, names: DateNames, today: string): TypedDay {
  const relativeOrDate = readRelative(text, names, today) ?? readDate(text, names, today)
  if (relativeOrDate) return relativeOrDate
  const [, word = '', rest = ''] = weekdayThenDatePattern.exec(text) ?? []
  const weekday = numberOf(word, names.weekdays, 2)
  const dateAfterWeekday = weekday === null ? null : readDate(rest.replace(/^(den|der|the) /, ''), names, today)
  if (!dateAfterWeekday || 'problem' in dateAfterWeekday || weekdayOf(dateAfterWeekday.day) === weekday)
    return dateAfterWeekday
  const actualWeekday = weekdayNames[weekdayOf(dateAfterWeekday.day)] ?? ''
  return {
    problem: `${formatCalendarDay(dateAfterWeekday.day)} is a ${actualWeekday}: correct the weekday or leave it out`,
  }
}

function readRelative(text: string, names: DateNames, today: string): TypedDay {
  const near = names.near.get(text) ?? nearDayByBeginning(text, names)
  if (near !== undefined) return { day: addDays(today, near) }
  if (text === 'next week') return { day: addDays(today, 7) }
  const weekday = numberOf(text.replace(/\.$/, ''), names.weekdays, 2)
  if (weekday !== null) return { day: addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1) }
  const [all, sign, digits, unit = ''] = relativePattern.exec(text) ?? []
  if (all === undefined) return null
  const count = Number(digits) * (sign === '-' ? -1 : 1)
  if (/^[dw]/.test(unit)) return dayInAllowedYears(addDays(today, unit.startsWith('w') ? count * 7 : count))
  return dayInAllowedYears(addMonths(today, unit.startsWith('y') ? count * 12 : count))
}

/** Finds the near day whose name begins with the text, which has at least three letters: 'tom' is tomorrow. Only for English words. */
function nearDayByBeginning(text: string, names: DateNames): number | undefined {
  if (!/^(tod|tom|yes)[a-z]*$/.test(text)) return undefined
  return [...names.near].find(([dayName]) => dayName.startsWith(text))?.[1]
}

function readDate(text: string, names: DateNames, today: string): TypedDay {
  const iso = yearFirstPattern.exec(text)
  if (iso) return toDay({ year: iso[1] ?? '', month: Number(iso[2]), day: Number(iso[3]) }, today)
  const numbers = numericPattern.exec(text)
  if (numbers) return readNumbers(numbers, names, today)
  const [, dayBefore, monthAfter = '', yearAfter] = dayThenMonthPattern.exec(text) ?? []
  const [, monthBefore = '', dayAfter, yearEnd] = monthThenDayPattern.exec(text) ?? []
  const month = numberOf(monthAfter || monthBefore, names.months, 3)
  if (month === null) return null
  const year = yearAfter ?? yearEnd ?? ''
  if (year.length === 2 && names.fullYear) return { problem: fourDigitsMessage }
  return toDay({ year, month, day: Number(dayBefore ?? dayAfter) }, today)
}

function readNumbers(match: RegExpExecArray, names: DateNames, today: string): TypedDay {
  const [, first, separator, second, year = ''] = match
  const isMonthFirst = names.order ? names.order === 'month-first' : names.monthFirst
  const [month, day] = isMonthFirst ? [Number(first), Number(second)] : [Number(second), Number(first)]
  // The text '26-11-30' may begin with its year.
  if (year.length === 2 && (separator === '-' || names.yearFirst || names.fullYear))
    return { problem: fourDigitsMessage }
  const hasValidMonth = month >= 1 && month <= 12
  // Countries that write dates with points write the day first, but many people there have a browser whose locale has the month first.
  const mayBeSwapped = names.order ? names.order === 'unclear' : isMonthFirst && separator === '.'
  const isAmbiguous = hasValidMonth && mayBeSwapped && day >= 1 && day <= 12 && day !== month
  if (hasValidMonth && !isAmbiguous) return toDay({ year, month, day }, today)
  const swappedDay = day >= 1 && day <= 12 ? toDay({ year, month: day, day: month }, today) : null
  if (isAmbiguous) return askWhich([month, day], year)
  if (names.order === 'unclear' && swappedDay) return swappedDay
  if (!swappedDay || 'problem' in swappedDay)
    return { problem: `There is no month ${month}: type the day and the name of its month, such as 30 Nov` }
  const meant = `${month} ${shortName(day)}${year && ` ${numbersOf(swappedDay.day)[0]}`}`
  return { problem: `There is no month ${month}: for ${meant}, type ${meant}` }
}

/** Asks the person which date is meant, because two numbers can be read in two ways. `year` is '' if it was not typed. */
function askWhich([first, second]: [number, number], year: string): TypedDay {
  const words = [`${first} ${shortName(second)}`, `${second} ${shortName(first)}`].map((day) =>
    year ? `${day} ${year}` : day,
  )
  return { problem: `That can be ${words.join(' or ')}: type the one you mean` }
}

const fourDigitsMessage = 'Write the year with four digits'

function toDay({ year, month, day }: TypedNumbers, today: string): TypedDay {
  if (month < 1 || month > 12) return { problem: `There is no month ${month}: type one from 1 to 12` }
  if (year !== '' && year.length !== 2 && year.length !== 4) return { problem: fourDigitsMessage }
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year)
  // Without a year, the day may be 29 February: 2024 is a leap year.
  const lastDay = daysInMonth(year === '' ? 2024 : fullYear, month)
  if (day < 1) return { problem: `There is no day 0: type one from 1 to ${lastDay}` }
  const monthName = shortName(month)
  if (year === '') {
    if (day > lastDay) return { problem: `${monthName} has ${lastDay} days at most: type one of them` }
    return { day: nextDateOf(month, day, today) }
  }
  if (day > lastDay) return { problem: `${monthName} ${fullYear} has ${lastDay} days: type one of them` }
  return dayInAllowedYears(isoDay(fullYear, month, day))
}

/** Returns the next day with this month and day of the month, or today. The next 29 February may be years away. */
function nextDateOf(month: number, day: number, today: string): string {
  const [year] = numbersOf(today)
  const nextYears = Array.from({ length: 9 }, (_, index) => year + index)
  const foundYear = nextYears.find(
    (candidateYear) => day <= daysInMonth(candidateYear, month) && isoDay(candidateYear, month, day) >= today,
  )
  return isoDay(foundYear ?? year, month, day)
}

function dayInAllowedYears(day: string): TypedDay {
  return hasAllowedYear(day) ? { day } : { problem: 'Type a year from 1000 to 9998' }
}

function shortName(month: number): string {
  return monthNames[month - 1]?.slice(0, 3) ?? ''
}
