import type { CustomField } from '#web/data/server/rows.ts'
import { plainCell } from '#web/lib/csv-line.ts'
import { withoutSymbol } from '#web/lib/typed-number.ts'
import { type Cells, maxReadColumns } from './columns-by-values.ts'

/**
 * Matches a number in which the comma is certainly the decimal mark: '1.234,5', '1.234.567', '12,5', '0,125', '1 234,567'. Does not match '1,234', in
 * which it may separate thousands.
 */
const commaPattern =
  /^-?(\d{1,3}(\.\d{3})+,\d+|\d{1,3}(\.\d{3}){2,}|(\d{4,}|0\d*|\d{1,3}(?=,(?!\d{3}$))|\d{1,3}([ ']\d{3})+),\d+)$/
/** Thousands or millions, as in '12,5k'. */
const unitPattern = / ?[km]$/i
/** Maximum length of a number, in characters. */
const maxNumberLength = 32

/** The columns whose numbers have a comma as the decimal mark, by index, with the first cell that shows it. */
export type DecimalCommas = ReadonlyMap<number, string>

/**
 * Finds the columns of a file whose numbers have a comma as the decimal mark, from all rows. In such a column '1.234' is 1234, '1,234' is 1.234 and
 * '1,234k' is 1234. A column in which other numbers have a point as the decimal mark ('12.5', '1,234.5') is not evident and not included.
 */
export class DecimalCommaFinder {
  private readonly commaColumns = new Map<number, string>()
  private readonly pointColumns = new Set<number>()

  add(fields: Cells): void {
    const end = Math.min(fields.length, maxReadColumns)
    for (let column = 0; column < end; column += 1) {
      const cell = fields[column] ?? ''
      // A cheap check first: a large file has many cells, and most of them have no such number.
      if (cell.length < 3 || cell.length > maxNumberLength || !/\d[.,]\d/.test(cell)) continue
      const text = withoutSymbol(plainCell(cell.trim())).replace(unitPattern, '')
      if (commaPattern.test(text)) {
        if (!this.commaColumns.has(column)) this.commaColumns.set(column, plainCell(cell.trim()))
      } else if (commaPattern.test(withMarksSwapped(text))) this.pointColumns.add(column)
    }
  }

  columns(): DecimalCommas {
    return new Map([...this.commaColumns].filter(([column]) => !this.pointColumns.has(column)))
  }
}

/**
 * Returns the sentence for the step before an import about a column whose commas are decimal marks; null for another column. `field`: the custom
 * field of the column. Only number fields read the comma by the whole column.
 */
export function commaSentence(columns: DecimalCommas, column: number, field: CustomField | undefined): string | null {
  const cell = field?.type === 'number' ? columns.get(column) : undefined
  return cell === undefined
    ? null
    : `Commas are read as decimal marks and points as thousands separators, because of “${cell}”.`
}

/**
 * Returns a number of a column with decimal commas in the form that `typedNumber` reads: '1234' for '1.234', '1.234' for '1,234', '1.234k' for
 * '1,234k'.
 */
export function withDecimalPoint(text: string): string {
  return text.replace(
    /^([^\d.,]*\d{1,3})([.,])(\d{3}[^\d.,a-z]*(?:[km][^\d.,a-z]*)?)$/i,
    (_, before: string, mark: string, after: string) => (mark === '.' ? before + after : `${before}.${after}`),
  )
}

/**
 * Writes a number so that it is read as this number in every column. Three decimals get a zero, because '1.234' is 1234 in a column with decimal
 * commas.
 */
export function unambiguousNumber(number: number): string {
  return String(number).replace(/\.\d{3}$/, '$&0')
}

function withMarksSwapped(text: string): string {
  return text.replaceAll(/[.,]/g, (mark) => (mark === ',' ? '.' : ','))
}
