import { countOf } from '#web/lib/count.ts'
import type { ReadRow } from './contact-row.ts'

/** A row for the same contact as an earlier row. `first` is the number of the first row for that contact. */
export interface RepeatedRow {
  row: number
  first: number
}

/** Finds rows with the email address of an earlier row, and rows without one with the contact id of an earlier row. Like the database, it ignores case. */
export class RepeatedRowFinder {
  private readonly rows = new Map<string, number>()

  /** Returns the number of the first row with this email address, or with this id if the row has no address. Null if there is no earlier row. */
  earlier({ row, email, id }: Pick<ReadRow, 'row' | 'email' | 'id'>): number | null {
    const key = email?.toLowerCase() ?? id
    if (key === undefined) return null
    const firstRow = this.rows.get(key)
    if (firstRow === undefined) this.rows.set(key, row)
    return firstRow ?? null
  }
}

/**
 * Returns the sentence about repeated rows: '2 rows are for the same contacts as earlier rows of the file. The values of the later row are
 * used.'
 */
export function repeatedSentence(count: number): string {
  const rows = countOf(
    count,
    'row is for the same contact as an earlier row',
    'rows are for the same contacts as earlier rows',
  )
  return `${rows} of the file. The values of the later row are used.`
}
