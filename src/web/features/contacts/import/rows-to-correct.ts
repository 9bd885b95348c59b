import { formatCount } from '#web/lib/count.ts'
import { csvLine, plainCell } from '#web/lib/csv-line.ts'
import { readPerson } from '#web/lib/read-person.ts'
import { typedNumber } from '#web/lib/typed-number.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { type CustomColumn, customColumn, type FieldName } from './column-words.ts'
import type { CsvRecord } from './csv-parser.ts'
import { withDecimalPoint } from './decimal-commas.ts'

/** The head of the column of reasons. A file whose last column has this head is a corrected file. */
export const reasonHead = 'Left out because'

/** The head of the column with contact ids, as in exports. It identifies contacts without an email address. */
const idHead = 'Banyan ID'

type FileColumns = Readonly<Record<FieldName, number> & { [field: CustomColumn]: number }>

/**
 * Why a row, or a value of it, was left out (`reason`). `contactId`: the id of the contact that the row became, only if nothing in the row
 * identifies the contact. `unset`: the fields of the values that were left out, if all other values of the row were imported. The line then has
 * only these cells and the one that identifies the contact, because the other values may be older than the contact's by now.
 */
export interface Correction {
  reason: string
  contactId?: string
  unset?: readonly (FieldName | CustomColumn)[]
}

/** Returns the columns of number fields whose numbers have a comma as the decimal mark. `commaColumns`: all columns with such numbers. */
export function commaNumberColumns(
  fileColumns: FileColumns,
  fields: readonly CustomField[],
  commaColumns: ReadonlySet<number>,
): ReadonlySet<number> {
  const numberFields = fields.filter(({ type }) => type === 'number')
  const columns = numberFields.map(({ id }) => fileColumns[customColumn(id)] ?? -1)
  return new Set(columns.filter((column) => commaColumns.has(column)))
}

/** Writes the rows to correct, each with the reason at the end. */
export class CorrectionLines {
  private columns = 0
  /** The number of columns of the file itself. */
  private ownColumns = 0
  private idColumn: number

  constructor(
    private readonly corrections: ReadonlyMap<number, Correction>,
    private readonly fileColumns: FileColumns,
    private readonly delimiter: string,
    /** The columns of number fields with decimal commas. Their numbers get a point, because the rows that show the comma may be missing here. */
    private readonly commaColumns: ReadonlySet<number>,
  ) {
    this.idColumn = fileColumns.id
  }

  /** Returns the header line with the added columns. */
  header(header: readonly string[]): string {
    const heads = header.map(plainCell)
    this.ownColumns = heads.length
    if (heads.at(-1) === reasonHead) heads.pop()
    const hasIds = [...this.corrections.values()].some(({ contactId }) => contactId !== undefined)
    if (this.idColumn < 0 && hasIds) this.idColumn = heads.push(idHead) - 1
    this.columns = heads.length
    return csvLine([...heads, reasonHead], this.delimiter)
  }

  /**
   * Returns the line of a row; empty for a row that needs no correction. Cells beyond the file's last column are written after the reason, so
   * that no value is lost.
   */
  row({ row, fields }: CsvRecord): string {
    const correction = this.corrections.get(row)
    if (!correction) return ''
    const { unset } = correction
    const all = Array.from({ length: this.columns }, (_, index) => this.cell(index, plainCell(fields[index] ?? '')))
    const cells = unset ? this.onlyUnset(all, unset) : all
    if (correction.contactId) cells[this.idColumn] = correction.contactId
    const beyond = fields.slice(this.ownColumns).map(plainCell)
    return csvLine([...cells, `Row ${formatCount(row)}: ${correction.reason}`, ...beyond], this.delimiter)
  }

  private cell(index: number, text: string): string {
    const number = this.commaColumns.has(index) ? typedNumber(withDecimalPoint(text.trim())) : null
    return number === null ? text : String(number)
  }

  private onlyUnset(cells: readonly string[], unset: readonly (FieldName | CustomColumn)[]): string[] {
    const { email, phone, id } = this.fileColumns
    const address = cells[email]?.trim() ?? ''
    const kept = new Set([id, ...unset.map((field) => this.fileColumns[field]), address === '' ? phone : email])
    const keptCells = cells.map((cell, index) => (kept.has(index) ? cell : ''))
    // A name beside the address would be imported, too.
    if (address !== '' && !cells[id]?.trim()) keptCells[email] = readPerson(address).email ?? address
    return keptCells
  }
}
