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

/** The longest text that is sent; the limits of the database are smaller and have their own messages. */
const longest = 2_000

/**
 * Reads a record of the file as a contact: trimmed, null when empty (spec section 5). A row without an e-mail address or with a value that
 * is too long is an error.
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
