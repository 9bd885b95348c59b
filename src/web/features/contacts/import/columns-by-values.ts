import { plainCell } from '#web/lib/csv-line.ts'
import { readPerson } from '#web/lib/read-person.ts'

/** The cells of a row of the file. */
export type Cells = readonly string[]

/** What identifies a contact in a cell. `local`: an email address without a dot behind the @, such as 'ida@intranet' or the head 'E-M@il'. */
export type CellForm = 'email' | 'local' | 'phone'

/** The columns with email addresses and with phone numbers; -1 for none. */
export interface FoundColumns {
  email: number
  phone: number
}

/** Maximum number of columns that are read. */
export const maxReadColumns = 1000

/** Maximum number of characters of a cell that are read. */
const maxCellLength = 400
/** A text with more characters is not a phone number. */
const maxPhoneLength = 40

/** Returns what identifies a contact in this cell: an email address, also with a name, or a phone number without other text. */
export function cellForm(cell: string): CellForm | null {
  const text = plainCell(cell.slice(0, maxCellLength).trim())
  if (text.includes('@')) {
    const { email } = readPerson(text)
    if (email === null) return null
    return email.includes('.', email.indexOf('@')) ? 'email' : 'local'
  }
  return isPhoneNumber(text) ? 'phone' : null
}

/**
 * Finds the columns of email addresses and of phone numbers by the values of these rows: at least half of the values of the column have that
 * form. Of several columns, the one with the most different values is used. A number counts as a phone number here only if it begins with
 * '+' or with one or two zeros: others may be numbers of customers, orders or postcodes.
 */
export function columnsByValues(rows: readonly Cells[]): FoundColumns {
  const columns = columnsOf(rows)
  return {
    email: columnWithMostValues(columns, (value) => value.includes('@') && cellForm(value) !== null),
    phone: columnWithMostValues(columns, (value) => /^(\+|\(?0(?!00))/.test(value) && isPhoneNumber(value)),
  }
}

/** Finds the column of phone numbers, also of bare digits, in rows without another column that identifies contacts. Returns -1 if there is none. */
export function columnOfDigits(rows: readonly Cells[]): number {
  return columnWithMostValues(columnsOf(rows), isPhoneNumber)
}

function columnsOf(rows: readonly Cells[]): Cells[] {
  const width = Math.min(maxReadColumns, Math.max(0, ...rows.map((cells) => cells.length)))
  return Array.from({ length: width }, (_, index) => valuesOf(rows, index))
}

/** Returns the values of a column, without empty cells and signs for 'no value', such as '-' and 'n/a'. */
export function valuesOf(rows: readonly Cells[], index: number): string[] {
  const values = rows.map((cells) => plainCell(cells[index]?.trim() ?? ''))
  return values.filter((value) => /[\p{L}\p{N}]/u.test(value) && value.toLowerCase() !== 'n/a')
}

/** Returns the index of the column with the most different values of a form, or -1. */
function columnWithMostValues(columns: readonly Cells[], hasForm: (value: string) => boolean): number {
  const counts = columns.map((values) => {
    const matchingValues = values.filter(hasForm)
    return matchingValues.length * 2 >= values.length ? new Set(matchingValues).size : 0
  })
  const maxCount = Math.max(0, ...counts)
  return maxCount === 0 ? -1 : counts.indexOf(maxCount)
}

/** Whether the text is a phone number of 7 to 15 digits, and neither a date nor an amount. */
function isPhoneNumber(text: string): boolean {
  if (text.length > maxPhoneLength || readPerson(text).phone !== text) return false
  const digits = text.replace(/\D/g, '').length
  return digits >= 7 && digits <= 15 && !datePattern.test(text) && !amountPattern.test(text)
}

const datePattern = /^(\d{4}([./-])\d{1,2}\2\d{1,2}|\d{1,2}([./-])\d{1,2}\3\d{2,4})$/
const amountPattern = /^\d+\.\d{1,2}$|^[1-9]\d{0,2}(\.\d{3})+$/
