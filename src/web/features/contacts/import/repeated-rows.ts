import { countOf } from '#web/lib/count.ts'
import type { ReadRow } from './contact-row.ts'

/** A row whose e-mail address is in an earlier row, too: `first` is the first one. */
export interface RepeatedRow {
  row: number
  first: number
}

/** Finds the rows that share their address with an earlier row, as the database compares addresses: without regard to case. */
export class Addresses {
  private readonly rows = new Map<string, number>()

  /** The number of the first row with this address; null where this is the first one, or the row has no address. */
  earlier({ row, email }: Pick<ReadRow, 'row' | 'email'>): number | null {
    if (email === null) return null
    const key = email.toLowerCase()
    const first = this.rows.get(key)
    if (first === undefined) this.rows.set(key, row)
    return first ?? null
  }
}

/** '2 rows share their address with an earlier row of the file. The values of the later row count.' */
export function repeatedSentence(count: number): string {
  const rows = countOf(count, 'row shares its', 'rows share their')
  return `${rows} address with an earlier row of the file. The values of the later row count.`
}
