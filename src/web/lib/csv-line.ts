/**
 * Matches cells that a spreadsheet would execute as a formula (ASVS 1.2.10). Such a cell that begins with single quotes
 * matches, too, and gets one more quote, so that `plainCell` restores the original text.
 */
const formulaStart = /^'*[=+\-@\t\r\0]/

/**
 * Makes one line of a CSV file (RFC 4180). A cell that a spreadsheet would execute as a formula gets a leading single quote, so that it
 * stays text.
 */
export function csvLine(fields: readonly string[], delimiter = ','): string {
  return `${fields.map((field) => cell(field, delimiter)).join(delimiter)}\r\n`
}

function cell(field: string, delimiter: string): string {
  const escaped = formulaStart.test(field) ? `'${field}` : field
  return /["\r\n]/.test(escaped) || escaped.includes(delimiter) || escaped !== escaped.trim()
    ? `"${escaped.replaceAll('"', '""')}"`
    : escaped
}

/** Removes the single quote that `csvLine` added to a cell: "'+49 30 1234" becomes '+49 30 1234'. */
export function plainCell(cell: string): string {
  return /^''*[=+\-@\t\r\0]/.test(cell) ? cell.slice(1) : cell
}
