import { customColumn } from './column-words.ts'
import type { LeftOutCell, ReadRow, SkippedRow } from './contact-row.ts'
import type { Target } from './map-columns.ts'
import type { Correction } from './rows-to-correct.ts'

/** A value that is not imported. */
export type LeftOutValue = Omit<LeftOutCell, 'row'>

/** `isReplaced`: a later row of the contact has set the field. The value is listed, but its row is not to be corrected. */
type ListedValue = LeftOutValue & { isReplaced?: boolean }

/** An imported row. `firstRow`: the number of the first row of the file for the same contact. */
interface ImportedRow {
  row: number
  firstRow: number
  read: ReadRow | undefined
  /** The contact's id if the row has no email address, else null. */
  contactId: string | null
}

/** The imported rows of which a value was left out. Add the rows in their order. */
export class LeftOutRows {
  /** The number of values. */
  count = 0
  private readonly values = new Map<number, readonly ListedValue[]>()
  /** The numbers of the rows whose value of a field was left out, by the number of the first row for the same contact, and the field. */
  private readonly rowsByField = new Map<string, number[]>()

  /** `corrections`: the rows to correct, which this class adds and changes. */
  constructor(private readonly corrections: Map<number, Correction>) {}

  add({ row, firstRow, read, contactId }: ImportedRow, values: readonly LeftOutValue[]): void {
    if (row !== firstRow && read) this.leaveOutReplaced(firstRow, read, values)
    if (values.length === 0) return
    this.set(row, values, contactId)
    // The download has a row with values beyond the last column as it is.
    if (!areFields(values)) return
    for (const { target } of values) {
      const rows = this.rowsByField.get(`${firstRow} ${target}`) ?? []
      rows.push(row)
      this.rowsByField.set(`${firstRow} ${target}`, rows)
    }
  }

  /** Returns the first `size` values for the list on screen. */
  list(size: number): SkippedRow[] {
    const rows: SkippedRow[] = []
    for (const [row, values] of this.values)
      for (const { label, text, reason } of values) {
        if (rows.length === size) return rows
        rows.push({ row, content: text === '' ? label : `${label}: ${text}`, reason })
      }
    return rows
  }

  /**
   * Takes the values of earlier rows whose fields a later row of the contact has set out of the corrections: corrected and imported, they would replace
   * those of the later row. A further value of a cell stays in the list and the count, because the later row does not have it.
   */
  private leaveOutReplaced(firstRow: number, later: ReadRow, laterLeftOut: readonly LeftOutValue[]): void {
    for (const field of fieldsSetBy(later, laterLeftOut)) {
      const rows = this.rowsByField.get(`${firstRow} ${field}`)
      if (!rows) continue
      this.rowsByField.delete(`${firstRow} ${field}`)
      for (const row of rows) {
        const kept = (this.values.get(row) ?? []).flatMap((value) => {
          if (value.target !== field) return value
          return value.isFurther ? { ...value, isReplaced: true } : []
        })
        this.set(row, kept, this.corrections.get(row)?.contactId ?? null)
      }
    }
  }

  private set(row: number, values: readonly ListedValue[], contactId: string | null): void {
    this.count += values.length - (this.values.get(row)?.length ?? 0)
    if (values.length === 0) this.values.delete(row)
    else this.values.set(row, values)
    const toCorrect = values.filter(({ isReplaced }) => !isReplaced)
    if (toCorrect.length === 0) {
      this.corrections.delete(row)
      return
    }
    this.corrections.set(row, {
      reason: toCorrect.map(reasonOf).join('; '),
      ...(contactId && { contactId }),
      ...(areFields(toCorrect) && { unset: toCorrect.flatMap(({ target }) => target ?? []) }),
    })
  }
}

export function reasonOf({ label, reason }: LeftOutValue): string {
  return `${label}: ${reason}`
}

/** Whether no value is beyond the last column. Otherwise the other values of the row may be in the wrong columns. */
export function areFields(values: readonly LeftOutValue[]): boolean {
  return values.every(({ target }) => target !== null)
}

/**
 * Returns the fields that the contact got from an imported row, without those in `leftOut`. Without the email address, which only identifies the
 * contact, and without tags, which the contact gets in addition to its others.
 */
export function fieldsSetBy(row: ReadRow, leftOut: readonly LeftOutValue[]): Target[] {
  const unread = new Set(leftOut.flatMap(({ target, isFurther }) => (isFurther ? [] : target)))
  const standardFields = (['phone', 'first_name', 'last_name', 'title', 'company'] as const).filter(
    (field) => row[field] !== null,
  )
  return [...standardFields, ...Object.keys(row.custom ?? {}).map(customColumn)].filter((field) => !unread.has(field))
}
