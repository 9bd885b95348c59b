import { formatCount } from '#web/lib/count.ts'
import { csvLine, plainCell } from '#web/lib/csv-line.ts'
import type { CsvRecord } from './csv-parser.ts'

/** The head of the column with the reasons. A file that has it at its end has come back from a person who corrected it. */
export const reasonHead = 'Left out because'

/** The head of the column by which a contact without an email is known, as in exports. */
const idHead = 'Banyan ID'

/** Why a row, or a value of it, was left out; and the contact that it became, where nothing in the row says which one that is. */
export interface Correction {
  reason: string
  contactId?: string
}

/** Writes the rows of a file that are to be corrected, with the reason at the end of each. */
export class CorrectionLines {
  private columns = 0
  private idColumn: number

  constructor(
    private readonly corrections: ReadonlyMap<number, Correction>,
    /** Where the file has the ids of contacts; -1: nowhere. */
    idColumn: number,
    private readonly delimiter: string,
  ) {
    this.idColumn = idColumn
  }

  /** The line of the header, with the columns that are added. */
  header({ fields }: CsvRecord): string {
    const heads = fields.map(plainCell)
    if (heads.at(-1) === reasonHead) heads.pop()
    const hasIds = [...this.corrections.values()].some(({ contactId }) => contactId !== undefined)
    if (this.idColumn < 0 && hasIds) this.idColumn = heads.push(idHead) - 1
    this.columns = heads.length
    return csvLine([...heads, reasonHead], this.delimiter)
  }

  /** The line of a row; empty for a row that needs no correction. */
  row({ row, fields }: CsvRecord): string {
    const correction = this.corrections.get(row)
    if (!correction) return ''
    const cells = Array.from({ length: this.columns }, (_, index) => plainCell(fields[index] ?? ''))
    if (correction.contactId) cells[this.idColumn] = correction.contactId
    return csvLine([...cells, `Row ${formatCount(row)}: ${correction.reason}`], this.delimiter)
  }
}
