import type { CustomField } from '#web/data/server/rows.ts'
import {
  type CellForm,
  type Cells,
  cellForm,
  columnOfDigits,
  columnsByValues,
  readColumns,
  valuesOf,
} from './columns-by-values.ts'
import { type ColumnMap, hasEmailOrPhoneColumn, mapColumns } from './map-columns.ts'

/**
 * Whether the first row of a file is a contact instead of a header. It is a header if it names the column of email addresses or phone
 * numbers, or two other columns. Otherwise its email address or phone number decides: in a contact, the values below it are such, too, or
 * there are none. `following`: the next rows.
 */
export function isContactRow(first: Cells, following: readonly Cells[], fields: readonly CustomField[]): boolean {
  const map = mapColumns(first, fields)
  if (hasEmailOrPhoneColumn(map) || Object.values(map).filter((index) => index >= 0).length > 1) return false
  const forms = first
    .slice(0, readColumns)
    .flatMap((cell, index) => ({ form: cellForm(cell), below: valuesOf(following, index) }))
  if (forms.some(({ form, below }) => below.some((value) => areAlike(form, cellForm(value))))) return true
  const found = columnsByValues(following)
  if (first[found.email]?.trim() || first[found.phone]?.trim()) return false
  return forms.some(({ form, below }) => form !== null && form !== 'local' && below.length === 0)
}

/** Makes the heads of a file without a header: 'Email' and 'Phone' for the columns with such values, 'Column 2' and so on for the others. */
export function headsByValues(first: Cells, following: readonly Cells[]): string[] {
  const rows = [first, ...following]
  const found = columnsByValues(rows)
  const { email } = found
  const phone = email < 0 && found.phone < 0 ? columnOfDigits(rows) : found.phone
  return first.map((_, index) => (index === email ? 'Email' : index === phone ? 'Phone' : `Column ${index + 1}`))
}

/** If no head names the email addresses or phone numbers, maps the columns that have such values, unless a head names another field. */
export function withColumnsByValues(columns: ColumnMap, following: readonly Cells[], columnCount: number): ColumnMap {
  if (hasEmailOrPhoneColumn(columns)) return columns
  const used = new Set(Object.values(columns))
  const found = columnsByValues(following)
  const free = (index: number) => (used.has(index) || index >= columnCount ? -1 : index)
  return { ...columns, email: free(found.email), phone: free(found.phone) }
}

/** Whether two cells of a column are of the same kind. A column can have email addresses and phone numbers. */
function areAlike(form: CellForm | null, below: CellForm | null): boolean {
  if (form === null || below === null) return false
  return (form === 'local') === (below === 'local')
}
