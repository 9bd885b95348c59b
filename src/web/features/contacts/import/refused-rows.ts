import type { ReadRow } from './contact-row.ts'
import { areFields, fieldsSetBy, type LeftOutValue } from './left-out-rows.ts'
import type { Target } from './map-columns.ts'
import type { Correction } from './rows-to-correct.ts'

/**
 * The rows that the server has refused. The values of an imported row that follows for the same contact are newer: the file of rows to correct has no
 * values for its fields in the refused row, because they would replace the newer ones. Add the rows in their order.
 */
export class RefusedRows {
  /** By the number of the first row for the same contact. */
  private readonly rowsByContact = new Map<number, RefusedRowsOfContact>()

  /** `corrections`: the rows to correct, which this class changes. */
  constructor(private readonly corrections: Map<number, Correction>) {}

  /** Adds a refused row, after its correction. `firstRow`: the number of the first row of the file for the same contact. */
  add(row: number, firstRow: number, leftOut: readonly LeftOutValue[]): void {
    // The values of a row with values beyond the last column may be in the wrong columns, so the file has it as it is.
    if (!areFields(leftOut)) return
    const refused = this.rowsByContact.get(firstRow)
    if (refused) refused.rows.push(row)
    else this.rowsByContact.set(firstRow, { rows: [row], done: new Map(), newest: { phone: '' } })
  }

  /** Adds an imported row and the values that were left out of it. */
  addImported(firstRow: number, read: ReadRow, leftOut: readonly LeftOutValue[]): void {
    const refused = this.rowsByContact.get(firstRow)
    if (!refused) return
    const { rows, done, newest } = refused
    if (read.phone) newest.phone = read.phone
    for (const field of fieldsSetBy(read, leftOut)) {
      for (const row of rows.slice(done.get(field))) this.replace(row, field, newest)
      done.set(field, rows.length)
    }
  }

  private replace(row: number, field: Target, newest: { phone: string }): void {
    const correction = this.corrections.get(row)
    if (correction)
      this.corrections.set(row, { ...correction, newest, replaced: [...(correction.replaced ?? []), field] })
  }
}

/**
 * The numbers of the refused rows of a contact. `done`: by field, how many of the first of them have no value for the field any more. `newest`: the
 * last phone number of the imported rows after the first refused one, or ''.
 */
interface RefusedRowsOfContact {
  rows: number[]
  done: Map<Target, number>
  newest: { phone: string }
}
