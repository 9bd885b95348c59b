import { namesOf } from '#web/lib/read-person.ts'
import { fieldNames } from './column-words.ts'
import type { CsvRecord } from './csv-parser.ts'
import type { ColumnMap } from './map-columns.ts'

/** A row as the import sends it; `row` is its line in the file. */
export interface ReadRow {
  row: number
  email: string | null
  phone: string | null
  first_name: string | null
  last_name: string | null
  title: string | null
  company: string | null
  /** Names with commas or semicolons between them; absent where the row has none. */
  tags?: string
}

/** The longest text that is sent; the limits of the database are smaller and have their own messages. */
const longest = 2_000

/**
 * Reads a record of the file as a contact: trimmed, null when empty (spec section 5). A row that has neither an e-mail address nor a phone
 * number, or a value that is too long, is an error.
 */
export function contactRow(record: CsvRecord, columns: ColumnMap): ReadRow | { reason: string } {
  const [email = '', phone = '', first = '', last = '', name = '', title = '', company = '', tags = ''] =
    fieldNames.map((field) => (record.fields[columns[field]] ?? '').trim())
  if (email === '' && phone === '') return { reason: 'Email or phone number is required' }
  if ([email, phone, first, last, name, title, company, tags].some((value) => value.length > longest)) {
    return { reason: 'A value is longer than 2,000 characters' }
  }
  const names = first || last ? { first_name: first || null, last_name: last || null } : namesOf(name)
  return {
    row: record.line,
    email: email || null,
    phone: phone || null,
    ...names,
    title: title || null,
    company: company || null,
    ...(tags && { tags }),
  }
}
