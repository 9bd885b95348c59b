import { countOf } from '#web/lib/count.ts'
import type { ReadRow } from './contact-row.ts'

/** A row with the email address of an earlier row. `first` is the number of the first row with that address. */
export interface RepeatedRow {
  row: number
  first: number
}

/** Finds rows with the email address of an earlier row. Like the database, it ignores case. */
export class RepeatedRowFinder {
  private readonly rows = new Map<string, number>()

  /** Returns the number of the first row with this email address; null if this is the first one or the row has none. */
  earlier({ row, email }: Pick<ReadRow, 'row' | 'email'>): number | null {
    if (email === null) return null
    const key = email.toLowerCase()
    const firstRow = this.rows.get(key)
    if (firstRow === undefined) this.rows.set(key, row)
    return firstRow ?? null
  }
}

/**
 * Returns the sentence about repeated rows: '2 rows share their email address with an earlier row of the file. The values of the later row
 * are used.'
 */
export function repeatedSentence(count: number): string {
  const rows = countOf(count, 'row shares its', 'rows share their')
  return `${rows} email address with an earlier row of the file. The values of the later row are used.`
}
