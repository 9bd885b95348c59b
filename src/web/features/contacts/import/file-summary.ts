import { limits } from '#shared/limits.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { plainCell } from '#web/lib/csv-line.ts'
import { isEmail } from '#web/lib/read-person.ts'
import type { Cells } from './columns-by-values.ts'
import { maxTextLength, type ReadRow, readAddress, readId, valuesBeyond } from './contact-row.ts'
import type { CsvRecord } from './csv-parser.ts'
import { DateOrderFinder, type DateOrders } from './date-orders.ts'
import { DecimalCommaFinder, type DecimalCommas } from './decimal-commas.ts'
import { headsByValues, isContactRow, withColumnsByValues } from './first-row.ts'
import { type ColumnMap, mapColumns, mayImportUnseen, noColumns, unusedHeads } from './map-columns.ts'
import { RepeatedRowFinder } from './repeated-rows.ts'

/** The result of the first pass over a valid file. */
export interface FileSummary {
  rows: number
  /** The heads of the first columns. A column that has values but no head is called 'Column 3', by its place. */
  header: readonly string[]
  columnCount: number
  /** The guessed fields of the columns. */
  columns: ColumnMap
  /** Whether the file may be imported without showing its columns to the person (`mayImportUnseen`). */
  understood: boolean
  /** Whether the file has no header, so that its first row is a contact. */
  headless: boolean
  /** The number of rows above the header, such as a title. Blank rows count, too. All of them are left out. */
  rowsAbove: number
  /** The rows with values beyond the last column: their number, and the first of them (its row number). */
  tooWide: { count: number; first: number }
  /**
   * The number of rows for the same contact as an earlier row, according to the guessed columns. Without the rows that will be skipped or refused
   * because of their address or phone number.
   */
  repeated: number
  dateOrders: DateOrders
  decimalCommas: DecimalCommas
  /** The first rows, with the columns of `header`. */
  samples: readonly CsvRecord[]
}

/** Limits of the summary: the number of columns and of rows, and the characters of a head and of a value. */
const maxShownColumns = 100
const maxSampleRows = 3
const maxHeadLength = 60
const maxSampleLength = 200

/** Makes the summary of a file from its records, in their order. */
export class SummaryMaker {
  /** The heads of all columns. Null before the first record. */
  header: Cells | null = null
  headless = false
  private columns = noColumns
  private understood = false
  private rows = 0
  private repeated = 0
  private readonly tooWide = { count: 0, first: 0 }
  private readonly dateOrders = new DateOrderFinder()
  private readonly decimalCommas = new DecimalCommaFinder()
  private readonly repeats = new RepeatedRowFinder()
  private readonly samples: CsvRecord[] = []
  /** The columns without a head in which no value was found yet, and those with values. */
  private emptyUnnamed = new Set<number>()
  private readonly filledUnnamed = new Set<number>()

  constructor(
    /** The rows after the header, or after the first contact, as many as are needed for a guess. */
    private readonly following: readonly Cells[],
    private readonly fields: readonly CustomField[],
    /** Whether the first row is a contact. Undefined: guess it. */
    private readonly chosenHeadless: boolean | undefined,
    private readonly rowsAbove: number,
  ) {}

  add(record: CsvRecord): void {
    const isFirst = this.header === null
    const header = this.header ?? this.readFirst(record.fields)
    if (isFirst && !this.headless) return
    const { fields, row } = record
    this.rows += 1
    this.dateOrders.add(fields)
    this.decimalCommas.add(fields)
    if (this.emptyUnnamed.size > 0) this.findUnnamedValues(fields)
    if (valuesBeyond(record, header.length)) {
      this.tooWide.count += 1
      this.tooWide.first ||= row
    }
    if (this.repeats.earlier({ row, ...this.identityOf(fields) }) !== null) this.repeated += 1
    if (this.rows <= maxSampleRows) this.samples.push({ row, fields: shortened(fields, maxSampleLength) })
  }

  summary(header: Cells): FileSummary {
    const { rows, columns, headless, rowsAbove, tooWide, repeated, samples } = this
    const isUnderstood = this.understood && tooWide.count === 0 && rowsAbove === 0
    const namedHeader = header.map((head, index) => (this.filledUnnamed.has(index) ? `Column ${index + 1}` : head))
    return {
      rows,
      header: shortened(namedHeader, maxHeadLength),
      columnCount: header.length,
      columns,
      understood: isUnderstood && unusedHeads(namedHeader, columns).length === 0,
      headless,
      rowsAbove,
      tooWide,
      repeated,
      dateOrders: this.dateOrders.orders(),
      decimalCommas: this.decimalCommas.columns(),
      samples,
    }
  }

  /** Returns what identifies the contact of a row. Nothing if the row will be skipped or refused because of its address or phone number. */
  private identityOf(fields: Cells): Pick<ReadRow, 'email' | 'id'> {
    const cell = (column: number) => plainCell((fields[column] ?? '').trim())
    const { columns } = this
    const address = cell(columns.email)
    if (address === '') return { email: null, id: cell(columns.phone) === '' ? undefined : readId(cell(columns.id)) }
    // Reading a longer cell would take long.
    const email = address.length > maxTextLength ? '' : readAddress(address).email
    return { email: isEmail(email) && email.length <= limits.contacts.email ? email : null }
  }

  private findUnnamedValues(fields: Cells): void {
    for (const [index, value] of fields.entries())
      if (value.trim() !== '' && this.emptyUnnamed.delete(index)) this.filledUnnamed.add(index)
  }

  /** Reads the first record as the header or as a contact, and maps the columns. */
  private readFirst(first: Cells): Cells {
    const { following, fields } = this
    this.headless = this.chosenHeadless ?? isContactRow(first, following, fields)
    const header = this.headless ? headsByValues(first, following) : first
    const columnsByHead = mapColumns(header, fields, following)
    this.header = header
    this.emptyUnnamed = new Set(header.flatMap((head, index) => (head.trim() === '' ? [index] : [])))
    this.understood = mayImportUnseen(header, columnsByHead) && !this.headless
    this.columns = withColumnsByValues(columnsByHead, following, Math.min(header.length, maxShownColumns))
    return header
  }
}

function shortened(fields: Cells, length: number): string[] {
  return fields.slice(0, maxShownColumns).map((field) => field.slice(0, length))
}
