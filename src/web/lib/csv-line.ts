/**
 * Matches cells that a spreadsheet would execute as a formula (ASVS 1.2.10), and such cells after single quotes, so that reading a file that this
 * app wrote returns the original text.
 */
const formula = /^'*[=+\-@\t\r\0]/

/** Returns one line of CSV (RFC 4180). A cell that starts like a formula gets a leading single quote, so that it stays text. */
export function csvLine(fields: readonly string[], delimiter = ','): string {
  return `${fields.map((field) => cell(field, delimiter)).join(delimiter)}\r\n`
}

function cell(field: string, delimiter: string): string {
  const safe = formula.test(field) ? `'${field}` : field
  return /["\r\n]/.test(safe) || safe.includes(delimiter) || safe !== safe.trim()
    ? `"${safe.replaceAll('"', '""')}"`
    : safe
}

/** Returns a cell without the single quote that `csvLine` added: '+49 30 1234' for "'+49 30 1234". */
export function plainCell(cell: string): string {
  return /^''*[=+\-@\t\r\0]/.test(cell) ? cell.slice(1) : cell
}
