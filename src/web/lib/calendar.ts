/** Days of the calendar as `YYYY-MM-DD`, without times and zones. */

/** The years that can be entered: four digits in every time zone. */
export const firstYear = 1000
export const lastYear = 9998

/** In English, the language of the app. */
export const monthNames = 'January February March April May June July August September October November December'.split(
  ' ',
)
export const weekdayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** '30 Nov 2026'. */
export function dayWords(day: string): string {
  const [year, month, date] = numbersOf(day)
  return `${date} ${monthNames[month - 1]?.slice(0, 3)} ${String(year).padStart(4, '0')}`
}

/** The local day of a moment. */
export function dayOf(date: Date): string {
  return dayText(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

/** The day with these numbers; a day or month that overflows leads into the next, as with Date. */
export function dayText(year: number, month: number, day: number): string {
  const date = new Date(0)
  // Date.UTC would take the year 26 for 1926.
  date.setUTCFullYear(year, month - 1, day)
  return date.toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  const [year, month, date] = numbersOf(day)
  return dayText(year, month, date + days)
}

/** The same day of another month, or the last one of a month that is too short. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = numbersOf(day)
  const first = dayText(year, month + months, 1)
  const [toYear, toMonth] = numbersOf(first)
  return dayText(toYear, toMonth, Math.min(date, daysInMonth(toYear, toMonth)))
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Sunday is 0. */
export function weekdayOf(day: string): number {
  return new Date(day).getUTCDay()
}

/** Year, month (January is 1) and day. */
export function numbersOf(day: string): [year: number, month: number, day: number] {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return [year, month, date]
}

/** Whether the year can be entered; false also for a day so far away that it has no text. */
export function isInRange(day: string): boolean {
  const [year] = numbersOf(day)
  return year >= firstYear && year <= lastYear
}

/** The weeks that show a month, each of seven days that begin with `firstWeekday` (Sunday is 0). */
export function weeksOf(month: string, firstWeekday: number): string[][] {
  const [year, number] = numbersOf(month)
  const first = dayText(year, number, 1)
  const before = (weekdayOf(first) - firstWeekday + 7) % 7
  const weeks = Math.ceil((before + daysInMonth(year, number)) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, at) => addDays(first, week * 7 + at - before)),
  )
}

/** The locale of the browser: it decides the order of numbers and the first day of a week. */
export function personLocale(): string {
  return new Intl.DateTimeFormat().resolvedOptions().locale
}

interface WeekInfo {
  getWeekInfo?: () => { firstDay: number }
  weekInfo?: { firstDay: number }
}

const sundayRegions = /^(US|CA|MX|BR|AR|CO|PE|VE|JP|KR|TW|HK|IN|PK|ID|PH|TH|IL|ZA|KE|SA)$/

/** The weekday with which a week begins for people of a locale (Sunday is 0); by a short list in browsers that do not tell. */
export function firstWeekdayOf(locale: string): number {
  const found: Intl.Locale & WeekInfo = new Intl.Locale(locale)
  const { getWeekInfo, weekInfo } = found
  const info = getWeekInfo ? getWeekInfo.call(found) : weekInfo
  if (info) return info.firstDay % 7
  return sundayRegions.test(found.maximize().region ?? '') ? 0 : 1
}
