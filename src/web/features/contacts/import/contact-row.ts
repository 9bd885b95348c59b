import type { CsvRecord } from './csv-parser.ts'
import { type ColumnMap, columnNames } from './map-columns.ts'

/** A row as the import sends it; `row` is its line in the file. */
export interface ReadRow {
  row: number
  email: string
  first_name: string | null
  last_name: string | null
  company: string | null
}

/** Sent to the server at most; SQL's own limits are narrower and say so themselves. */
const longest = 2_000

/**
 * A record of the file as a contact: trimmed, null where empty (spec section 5). A row without an e-mail is an error; so is a value
 * that is too long to travel.
 */
export function contactRow(record: CsvRecord, columns: ColumnMap): ReadRow | { reason: string } {
  const [email = '', first = '', last = '', company = ''] = columnNames.map((name) =>
    (record.fields[columns[name]] ?? '').trim(),
  )
  if (email === '') return { reason: 'Email is required' }
  if ([email, first, last, company].some((value) => value.length > longest)) {
    return { reason: 'A value is longer than 2,000 characters' }
  }
  return { row: record.line, email, first_name: first || null, last_name: last || null, company: company || null }
}
