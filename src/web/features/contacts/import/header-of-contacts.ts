import type { CustomField } from '#web/data/server/rows.ts'
import { plainCell } from '#web/lib/csv-line.ts'
import { readPerson } from '#web/lib/read-person.ts'
import { hasEmailOrPhoneColumn, mapColumns } from './map-columns.ts'

/**
 * Makes the heads of a file whose first row is a contact instead of a header: 'Email' for the first cell with an email address, 'Column 2' and
 * so on for the others. Null if the row is a header: if it names the column of email addresses or phone numbers, or has no email address.
 */
export function headerOfContacts(first: readonly string[], fields: readonly CustomField[]): string[] | null {
  if (hasEmailOrPhoneColumn(mapColumns(first, fields))) return null
  const email = first
    .slice(0, 1000)
    .findIndex((cell) => readPerson(plainCell(cell.slice(0, 400).trim())).email !== null)
  return email < 0 ? null : first.map((_, index) => (index === email ? 'Email' : `Column ${index + 1}`))
}
