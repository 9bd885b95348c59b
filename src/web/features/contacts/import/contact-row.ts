import type { CustomField } from '#web/data/server/rows.ts'
import { plainCell } from '#web/lib/csv-line.ts'
import { namesOf, readPerson } from '#web/lib/read-person.ts'
import { customColumn, type FieldName, fieldNames } from './column-words.ts'
import type { CsvRecord } from './csv-parser.ts'
import { readCell } from './custom-cell.ts'
import type { ColumnMap, Target } from './map-columns.ts'
import { type Notations, noNotations } from './notations.ts'
import { firstValue, furtherValues, tagNames } from './several-values.ts'

/** A row as the import sends it; `row` is its number in a spreadsheet. */
export interface ReadRow {
  row: number
  email: string | null
  phone: string | null
  first_name: string | null
  last_name: string | null
  title: string | null
  company: string | null
  /** Tag names separated by commas or semicolons; undefined if the row has none. */
  tags?: string
  /** The contact's id, in a file that this app exported. */
  id?: string | undefined
  /** The values of custom fields by field id; undefined if the row has none. */
  custom?: Readonly<Record<string, unknown>>
}

/** A row that is not imported; `content` is shortened for the list on screen. */
export interface SkippedRow {
  row: number
  content: string
  reason: string
}

/** A cell, or a part of it, that is not imported, although its row is. */
export interface LeftOutCell {
  row: number
  /** The field of its column; null for values beyond the last column. */
  target: Target | null
  /** The label of its field; for values beyond the last column, where they are: 'After column 2'. */
  label: string
  text: string
  reason: string
  /** True if `text` has the further values of a cell that Google Contacts has written. The first value is imported. */
  isFurther?: true
}

/** The standard fields that get the first of several values, with the reason why the others are left out. */
const oneValueFields: readonly { target: FieldName; label: string; reason: string }[] = [
  { target: 'email', label: 'Email', reason: 'A contact has one email address' },
  { target: 'phone', label: 'Phone', reason: 'A contact has one phone number' },
  { target: 'title', label: 'Job title', reason: 'A contact has one job title' },
  { target: 'company', label: 'Company', reason: 'A contact has one company' },
]

/** A row to send and the cells that are left out of it; or the reason why the row is skipped. */
export type ContactRow = { row: ReadRow; leftOut: readonly LeftOutCell[] } | { reason: string }

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the contact's id in a cell. Undefined if the cell has another text. */
export function readId(cell: string): string | undefined {
  return idPattern.test(cell) ? cell : undefined
}

/** Maximum length of a sent text, in characters. The database's limits are smaller and have their own messages. */
export const maxTextLength = 2_000

/**
 * Reads a record of the file as a contact: trimmed, null if empty (spec section 5). A row with neither an email address nor a phone
 * number, or with a value that is too long for a standard field, is skipped. A value that a custom field cannot have is left out, and so are the
 * further values of a cell with several.
 */
export function contactRow(
  record: CsvRecord,
  columns: ColumnMap,
  fields: readonly CustomField[] = [],
  { dateOrders, decimalCommas }: Notations = noNotations,
): ContactRow {
  const cell = (column: number | undefined) => plainCell((record.fields[column ?? -1] ?? '').trim())
  const isExported = readId(cell(columns.id)) !== undefined
  const [email = '', phone = '', first = '', last = '', name = '', title = '', company = '', tags = '', id = ''] =
    fieldNames.map((field) => (isExported ? cell(columns[field]) : standardValue(field, cell(columns[field]))))
  if (email === '' && phone === '') return { reason: 'Email or phone number is required' }
  if ([email, phone, first, last, name, title, company, tags].some((value) => value.length > maxTextLength)) {
    return { reason: 'A value is longer than 2,000 characters' }
  }
  // The address of an exported contact is not parsed. The server finds the contact by the stored address, so importing the file again changes
  // nothing.
  const address = isExported ? { email, ...namesOf('') } : readAddress(email)
  const { first_name, last_name } = name ? namesOf(name) : address
  const names = first || last ? { first_name: first || null, last_name: last || null } : { first_name, last_name }
  const custom: Record<string, unknown> = {}
  const leftOut: LeftOutCell[] = []
  const leaveOutFurther = (target: Target, label: string, reason: string) => {
    const text = furtherValues(cell(columns[target])).slice(0, 60)
    if (text !== '') leftOut.push({ row: record.row, target, label, text, reason, isFurther: true })
  }
  if (!isExported) for (const { target, label, reason } of oneValueFields) leaveOutFurther(target, label, reason)
  for (const field of fields) {
    const column = columns[customColumn(field.id)] ?? -1
    const text = cell(column)
    const readResult = readCell(field, text, dateOrders[column], decimalCommas.has(column))
    if ('problem' in readResult) {
      const target = customColumn(field.id)
      leftOut.push({ row: record.row, target, label: field.label, text: text.slice(0, 60), reason: readResult.problem })
    } else if (readResult.value !== null) {
      custom[field.id] = readResult.value
      if (field.type === 'link') leaveOutFurther(customColumn(field.id), field.label, 'The field has one link')
    }
  }
  const row = {
    row: record.row,
    email: address.email || null,
    phone: phone || null,
    ...names,
    title: title || null,
    company: company || null,
    ...(tags && { tags }),
    ...(isExported && { id }),
    ...(Object.keys(custom).length > 0 && { custom }),
  }
  return { row, leftOut }
}

/** Returns the value that a standard field gets from a cell, which may have several values if Google Contacts has written it. */
function standardValue(field: FieldName, text: string): string {
  if (field === 'tags') return tagNames(text)
  return field === 'phone' || field === 'title' || field === 'company' ? firstValue(text) : text
}

/**
 * Reads the email address in a cell, as the forms do: 'Anna Schmidt <anna@muster.example>' becomes address and name. Of the addresses
 * of a cell that Google Contacts has written, the first is used. Another cell without one clear address stays as it is, so that the server can
 * say what is wrong with it.
 */
export function readAddress(cell: string): Pick<ReadRow, 'first_name' | 'last_name'> & { email: string } {
  const text = firstValue(cell)
  const { email, first_name, last_name } = readPerson(text)
  return email === null ? { email: text, ...namesOf('') } : { email, first_name, last_name }
}

/**
 * Returns the values of a record beyond the last column of the header, as one cell that is left out: no field can get them. The cell's text
 * has at most eight values and 60 characters. Null if there are no such values.
 */
export function valuesBeyond({ row, fields }: CsvRecord, columnCount: number): LeftOutCell | null {
  if (fields.length <= columnCount) return null
  const values = fields.slice(columnCount).flatMap((value) => value.trim() || [])
  if (values.length === 0) return null
  const text = values.slice(0, 8).join(', ').slice(0, 60)
  return { row, target: null, label: `After column ${columnCount}`, text, reason: 'The header has no such column' }
}

/** Returns the first eight cells of a row as one text, each with up to 60 characters: '–, Ida, Holm'. */
export function shortenedCells({ fields }: CsvRecord): string {
  const cells = fields.slice(0, 8).map((field) => field.trim().slice(0, 60) || '–')
  return cells.join(', ')
}
