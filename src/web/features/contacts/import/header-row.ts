import type { CustomField } from '#web/data/server/rows.ts'
import { type Cells, cellForm, maxReadColumns } from './columns-by-values.ts'
import { countKnownColumns, hasEmailOrPhoneColumn, isReasonHead, mapColumns } from './map-columns.ts'

/** Maximum number of records at the beginning of a file among which the header is searched. */
const maxSearchedRecords = 10

/**
 * Whether a record names columns: that of email addresses or phone numbers, two other standard fields, or a column that this app adds.
 */
export function namesColumns(cells: Cells, fields: readonly CustomField[] = []): boolean {
  const map = mapColumns(cells, fields)
  // This app has written the column of ids and the column of reasons.
  return map.id >= 0 || cells.some(isReasonHead) || hasEmailOrPhoneColumn(map) || countKnownColumns(map) > 1
}

/**
 * Returns the number of records above the header: a title, or notes as in LinkedIn's file of connections. 0 if the first record names columns, if
 * no other record names email addresses or phone numbers and another field, or if a record above the header has an email address or a phone number.
 */
export function recordsAboveHeader(records: readonly Cells[]): number {
  const first = records[0]
  if (!first || namesColumns(first)) return 0
  const index = records.slice(0, maxSearchedRecords).findIndex((cells) => {
    const map = mapColumns(cells)
    return hasEmailOrPhoneColumn(map) && countKnownColumns(map) > 1
  })
  const above = records.slice(0, Math.max(0, index))
  return above.some((cells) => cells.slice(0, maxReadColumns).some((cell) => cellForm(cell) !== null))
    ? 0
    : above.length
}
