import { columnNames } from './map-columns.ts'

/** Cells that a spreadsheet would execute as a formula (ASVS 1.2.10). */
const formula = /^[=+\-@\t\r\0]/

/** One line of CSV, RFC 4180. A cell that starts like a formula gets a leading single quote, so that it stays text. */
export function csvLine(fields: readonly string[], delimiter = ','): string {
  return `${fields.map((field) => cell(field, delimiter)).join(delimiter)}\r\n`
}

function cell(field: string, delimiter: string): string {
  const safe = formula.test(field) ? `'${field}` : field
  return /["\r\n]/.test(safe) || safe.includes(delimiter) || safe !== safe.trim()
    ? `"${safe.replaceAll('"', '""')}"`
    : safe
}

export const templateName = 'contacts_template.csv'

/** The template of spec section 2: the four columns and two sample rows. */
export const template = [
  columnNames,
  ['siobhan.oneill@northgate.example', 'Siobhán', "O'Neill", 'Northgate Foods'],
  ['kenji@hoshino.example', 'Kenji', 'Watanabe', 'Hoshino Trading, KK'],
]
  .map((fields) => csvLine(fields))
  .join('')

/** Downloads a file. It starts with a byte order mark, because Excel otherwise does not read UTF-8. */
export function download(name: string, content: Blob | string): void {
  const blob = typeof content === 'string' ? new Blob(['\uFEFF', content], { type: 'text/csv;charset=utf-8' }) : content
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
