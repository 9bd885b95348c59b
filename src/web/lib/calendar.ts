/** Calendar days as `YYYY-MM-DD`, without times and time zones. */

/** The first and the last year that can be entered. These years have four digits in every time zone. */
export const minYear = 1000
export const maxYear = 9998

/** The names of months and weekdays in English, the language of the app. */
export const monthNames = 'January February March April May June July August September October November December'.split(
  ' ',
)
export const weekdayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** Returns a day as '30 Nov 2026'. */
export function formatCalendarDay(day: string): string {
  const [year, month, date] = numbersOf(day)
  return `${date} ${monthNames[month - 1]?.slice(0, 3)} ${String(year).padStart(4, '0')}`
}

/** Returns the local day of a moment. */
export function dayOf(date: Date): string {
  return isoDay(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

/** Returns the day with these numbers (January is 1). A number that is too low or too high leads to another month or year, as with Date. */
export function isoDay(year: number, month: number, day: number): string {
  const date = new Date(0)
  // Date.UTC would read the year 26 as 1926.
  date.setUTCFullYear(year, month - 1, day)
  return date.toISOString().slice(0, 10)
}

/** Returns the day that is `days` days later. */
export function addDays(day: string, days: number): string {
  const [year, month, date] = numbersOf(day)
  return isoDay(year, month, date + days)
}

/** Returns the day that is `months` months later. If that month is too short, returns its last day. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = numbersOf(day)
  const first = isoDay(year, month + months, 1)
  const [toYear, toMonth] = numbersOf(first)
  return isoDay(toYear, toMonth, Math.min(date, daysInMonth(toYear, toMonth)))
}

/** Returns the number of days in a month (January is 1). */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Returns the weekday of a day. Sunday is 0. */
export function weekdayOf(day: string): number {
  return new Date(day).getUTCDay()
}

/** Returns the numbers of a day: its year, month (January is 1) and day of the month. */
export function numbersOf(day: string): [year: number, month: number, day: number] {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return [year, month, date]
}

/** Whether the year of a day is between `minYear` and `maxYear`. Also false if the year has more than four digits. */
export function hasAllowedYear(day: string): boolean {
  const [year] = numbersOf(day)
  return year >= minYear && year <= maxYear
}

/** Returns the weeks that show the month of the day `month`. Each week has seven days and begins with `firstWeekday` (Sunday is 0). */
export function weeksOf(month: string, firstWeekday: number): string[][] {
  const [year, monthNumber] = numbersOf(month)
  const first = isoDay(year, monthNumber, 1)
  const leadingDays = (weekdayOf(first) - firstWeekday + 7) % 7
  const weeks = Math.ceil((leadingDays + daysInMonth(year, monthNumber)) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, dayIndex) => addDays(first, week * 7 + dayIndex - leadingDays)),
  )
}

/** Returns the locale of the browser. It decides the order of the numbers in a date and the first day of a week. */
export function personLocale(): string {
  return new Intl.DateTimeFormat().resolvedOptions().locale
}

interface WeekInfo {
  getWeekInfo?: () => { firstDay: number }
  weekInfo?: { firstDay: number }
}

const sundayRegions = /^(US|CA|MX|BR|AR|CO|PE|VE|JP|KR|TW|HK|IN|PK|ID|PH|TH|IL|ZA|KE|SA)$/

/** Returns the first weekday of a week in a locale (Sunday is 0). In browsers that do not know the first weekday, a short list of regions decides. */
export function firstWeekdayOf(locale: string): number {
  const intlLocale: Intl.Locale & WeekInfo = new Intl.Locale(locale)
  const { getWeekInfo, weekInfo } = intlLocale
  const info = getWeekInfo ? getWeekInfo.call(intlLocale) : weekInfo
  if (info) return info.firstDay % 7
  return sundayRegions.test(intlLocale.maximize().region ?? '') ? 0 : 1
}
