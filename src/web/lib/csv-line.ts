/**
 * Cells that a spreadsheet would execute as a formula (ASVS 1.2.10), and those that are such a cell after a single quote: then a file that
 * this app wrote is read as what was written.
 */
const formula = /^'*[=+\-@\t\r\0]/

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

/** A cell without the single quote that `csvLine` put before it: '+49 30 1234' of "'+49 30 1234". */
export function plainCell(cell: string): string {
  return /^''*[=+\-@\t\r\0]/.test(cell) ? cell.slice(1) : cell
}
