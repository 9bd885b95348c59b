import { formatCount } from '#web/lib/count.ts'
import { csvLine, plainCell } from '#web/lib/csv-line.ts'
import { readPerson } from '#web/lib/read-person.ts'
import { typedNumber } from '#web/lib/typed-number.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { type CustomColumn, customColumn, type FieldName } from './column-words.ts'
import type { CsvRecord } from './csv-parser.ts'
import { readCell } from './custom-cell.ts'
import { unambiguousNumber, withDecimalPoint } from './decimal-commas.ts'
import type { Notations } from './notations.ts'

/** The head of the column of reasons. A file whose last column has this head is a corrected file. */
export const reasonHead = 'Left out because'

/** The head of the column with contact ids, as in exports. It identifies contacts without an email address. */
const idHead = 'Banyan ID'

type FileColumns = Readonly<Record<FieldName, number> & { [field: CustomColumn]: number }>

/**
 * Why a row, or a value of it, was left out (`reason`). `contactId`: the id of the contact that the row became, only if nothing in the row
 * identifies the contact. `unset`: the fields of the values that were left out, if all other values of the row were imported. The line then has
 * only these cells and the one that identifies the contact, because the other values may be older than the contact's by now.
 * `replaced`: the fields of a refused row that later rows of the contact have set. Their cells are empty, because the row's values are older.
 */
export interface Correction {
  reason: string
  contactId?: string
  unset?: readonly (FieldName | CustomColumn)[]
  replaced?: readonly (FieldName | CustomColumn)[]
  /** The phone number of the last imported row of the contact, if there is `replaced`. Empty if these rows have none. */
  newest?: { phone: string }
}

/** The end of the reason of a refused row from which `replaced` takes values. */
const replacedReason = '; left empty where later rows of this contact have values'

/** The rows to correct, by row number. */
export type Corrections = ReadonlyMap<number, Correction>

/**
 * Writes the rows to correct, each with the reason at the end. Dates that this import can read are written in their ISO form, and numbers of columns
 * with decimal commas get a point: the rows that show how the column is written may be missing in this file.
 */
export class CorrectionLines {
  private columns = 0
  /** The number of columns of the file itself. */
  private ownColumns = 0
  private idColumn: number
  /** The fields of the custom columns, by the index of the column. */
  private readonly fieldsByColumn: ReadonlyMap<number, CustomField>

  constructor(
    private readonly corrections: Corrections,
    private readonly fileColumns: FileColumns,
    private readonly delimiter: string,
    fields: readonly CustomField[],
    private readonly notations: Notations,
  ) {
    this.idColumn = fileColumns.id
    this.fieldsByColumn = new Map(fields.map((field) => [fileColumns[customColumn(field.id)] ?? -1, field]))
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
    const { unset, replaced } = correction
    const all = Array.from({ length: this.columns }, (_, index) => this.cell(index, plainCell(fields[index] ?? '')))
    const cells = unset
      ? this.onlyUnset(all, unset)
      : replaced
        ? this.withoutReplaced(all, replaced, correction.newest?.phone)
        : all
    const isEmptied = replaced && cells.some((cell, index) => cell !== all[index])
    if (correction.contactId) cells[this.idColumn] = correction.contactId
    const beyond = fields.slice(this.ownColumns).map(plainCell)
    return csvLine(
      [...cells, `Row ${formatCount(row)}: ${correction.reason}${isEmptied ? replacedReason : ''}`, ...beyond],
      this.delimiter,
    )
  }

  private cell(index: number, text: string): string {
    const { dateOrders, decimalCommas } = this.notations
    const field = this.fieldsByColumn.get(index)
    if (field?.type === 'date') {
      const readResult = readCell(field, text.trim(), dateOrders[index])
      return 'value' in readResult && typeof readResult.value === 'string' ? readResult.value : text
    }
    if (field?.type !== 'number' || !decimalCommas.has(index)) return text
    const number = typedNumber(withDecimalPoint(text.trim()))
    return number === null ? text : unambiguousNumber(number)
  }

  private onlyUnset(cells: readonly string[], unset: readonly (FieldName | CustomColumn)[]): string[] {
    const { email, phone, id } = this.fileColumns
    const address = cells[email]?.trim() ?? ''
    const kept = new Set([id, ...unset.map((field) => this.fileColumns[field]), address === '' ? phone : email])
    const keptCells = cells.map((cell, index) => (kept.has(index) ? cell : ''))
    if (address !== '' && !cells[id]?.trim()) keptCells[email] = withoutName(address)
    return keptCells
  }

  private withoutReplaced(
    cells: readonly string[],
    replaced: readonly (FieldName | CustomColumn)[],
    newPhone: string | undefined,
  ): string[] {
    const { email, phone, name, id } = this.fileColumns
    const address = cells[email]?.trim() ?? ''
    const emptied = new Set(replaced.map((field) => this.fileColumns[field]))
    // Without an address and a phone number, the row could not be imported, so it gets the newer phone number.
    const isPhoneNeeded = address === '' && replaced.includes('phone')
    const hasNewName = replaced.includes('first_name') || replaced.includes('last_name')
    if (hasNewName) emptied.add(name)
    const left = cells.map((cell, index) => (emptied.has(index) ? '' : cell))
    if (isPhoneNeeded) left[phone] = newPhone || (cells[phone] ?? '')
    if (hasNewName && address !== '' && !cells[id]?.trim()) left[email] = withoutName(address)
    return left
  }
}

/** Returns the address of a cell without a name beside it, which would be imported, too. */
function withoutName(address: string): string {
  return readPerson(address).email ?? address
}
