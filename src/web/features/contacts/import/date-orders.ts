import { plainCell } from '#web/lib/csv-line.ts'
import type { NumericOrder } from '#web/lib/date-names.ts'
import { type Cells, maxReadColumns } from './columns-by-values.ts'

/**
 * The order of the numbers in the dates of each column, by the index of the column. A column without a numeric date that shows the order is not
 * included: its dates are read in the order of the person's locale.
 */
export type DateOrders = Readonly<Record<number, NumericOrder>>

/** Spreadsheets write a day as midnight of that day. */
const midnightPattern = /[T ]0?0:00(:00(\.0+)?)?Z?$/

/** Removes a time of midnight after a date: '2026-11-23' for '2026-11-23 00:00:00'. */
export function withoutMidnight(text: string): string {
  return text.replace(midnightPattern, '')
}

/** Two numbers, perhaps with a year. Not with a year of two digits after hyphens, as in '26-11-30'. */
const numericPattern = /^(\d{1,2}) ?([-./]) ?(\d{1,2})(?: ?[-./] ?(?:\d{4}|(?<=[./] ?)\d{2})?)?\.?$/
/** Maximum length of a numeric date with a midnight, in characters. */
const maxDateLength = 32

/** What the dates of a column show about the order of their numbers. A number over 12 can only be a day. */
interface Evidence {
  dayFirst: boolean
  monthFirst: boolean
  dots: boolean
  dotsMonthFirst: boolean
}

const noEvidence: Evidence = { dayFirst: false, monthFirst: false, dots: false, dotsMonthFirst: false }

/**
 * Finds the order of day and month in the dates of each column, from all rows of a file. A day over 12 shows the order. Without one, dots as in
 * '4.5.1990' mean that the day is first, because countries with this notation write it so.
 */
export class DateOrderFinder {
  private readonly columns = new Map<number, Evidence>()

  add(fields: Cells): void {
    const end = Math.min(fields.length, maxReadColumns)
    for (let column = 0; column < end; column += 1) this.addCell(fields[column] ?? '', column)
  }

  orders(): DateOrders {
    const found: Record<number, NumericOrder> = {}
    for (const [column, evidence] of this.columns) {
      const isDayFirst = evidence.dayFirst || (evidence.dots && !evidence.dotsMonthFirst)
      found[column] = isDayFirst && evidence.monthFirst ? 'unclear' : isDayFirst ? 'day-first' : 'month-first'
    }
    return found
  }

  private addCell(cell: string, column: number): void {
    // Cheap checks first: a large file has many cells, and most of them are not dates.
    if (cell.length < 3 || cell.length > maxDateLength || !/\d/.test(cell)) return
    const [, firstText, separator, secondText] = numericPattern.exec(withoutMidnight(plainCell(cell.trim()))) ?? []
    const [first, second] = [Number(firstText), Number(secondText)]
    if (!(first >= 1 && second >= 1 && first <= 31 && second <= 31 && (first <= 12 || second <= 12))) return
    const hasDots = separator === '.'
    if (first <= 12 && second <= 12 && !hasDots) return
    const evidence = this.columns.get(column) ?? { ...noEvidence }
    this.columns.set(column, evidence)
    if (first > 12) evidence.dayFirst = true
    if (second > 12) evidence.monthFirst = true
    if (hasDots) evidence.dots = true
    if (hasDots && second > 12) evidence.dotsMonthFirst = true
  }
}
