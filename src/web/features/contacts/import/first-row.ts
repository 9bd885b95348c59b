import type { CustomField } from '#web/data/server/rows.ts'
import {
  type CellForm,
  type Cells,
  cellForm,
  columnOfDigits,
  columnsByValues,
  maxReadColumns,
  valuesOf,
} from './columns-by-values.ts'
import { namesColumns } from './header-row.ts'
import { type ColumnMap, hasEmailOrPhoneColumn, mapColumns } from './map-columns.ts'

/**
 * Whether the first row of a file is a contact instead of a header. It is a header if it names the column of email addresses or phone numbers, two
 * other standard fields, or a column that this app adds. Otherwise it is a contact if a value below one of its email addresses or phone numbers is of
 * the same kind. It is also a contact if there are no values below one of them (an address without a dot does not count), unless the first row has a
 * text above a column of email addresses or phone numbers: such a text is a head. `following`: the next rows.
 */
export function isContactRow(first: Cells, following: readonly Cells[], fields: readonly CustomField[]): boolean {
  if (namesColumns(first, fields)) return false
  const forms = first
    .slice(0, maxReadColumns)
    .flatMap((cell, index) => ({ form: cellForm(cell), below: valuesOf(following, index) }))
  if (forms.some(({ form, below }) => below.some((value) => areAlike(form, value)))) return true
  const foundColumns = columnsByValues(following)
  if (first[foundColumns.email]?.trim() || first[foundColumns.phone]?.trim()) return false
  return forms.some(({ form, below }) => form !== null && form !== 'local' && below.length === 0)
}

/** Makes the heads of a file without a header: 'Email' and 'Phone' for the columns with such values, 'Column 2' and so on for the others. */
export function headsByValues(first: Cells, following: readonly Cells[]): string[] {
  const rows = [first, ...following]
  const foundColumns = columnsByValues(rows)
  // A column that is mostly empty may still begin with an address.
  const email = foundColumns.email >= 0 ? foundColumns.email : first.findIndex((cell) => cellForm(cell) === 'email')
  const phone = email < 0 && foundColumns.phone < 0 ? columnOfDigits(rows) : foundColumns.phone
  return first.map((_, index) => (index === email ? 'Email' : index === phone ? 'Phone' : `Column ${index + 1}`))
}

/**
 * If no head names the email addresses or phone numbers, maps the columns that have such values, unless the head of the column names another field.
 * Maps none if the next row names such a column: the header is then in the second row, below a title.
 */
export function withColumnsByValues(columns: ColumnMap, following: readonly Cells[], columnCount: number): ColumnMap {
  if (hasEmailOrPhoneColumn(columns) || hasEmailOrPhoneColumn(mapColumns(following[0] ?? []))) return columns
  const usedColumns = new Set(Object.values(columns))
  const foundColumns = columnsByValues(following)
  const freeOrNone = (index: number) => (usedColumns.has(index) || index >= columnCount ? -1 : index)
  return {
    ...columns,
    email: freeOrNone(foundColumns.email),
    phone: foundColumns.phone === foundColumns.email ? -1 : freeOrNone(foundColumns.phone),
  }
}

/**
 * Whether a value further down is of the same kind as a cell of the first row. A column can have email addresses and phone numbers, and several
 * addresses in one cell. A head such as 'E-M@il' has the form of an address without a dot, so only another address without a dot is of its kind.
 */
function areAlike(form: CellForm | null, below: string): boolean {
  if (form === null) return false
  if (form === 'email' && below.includes('@')) return true
  const belowForm = cellForm(below)
  return form === 'local' ? belowForm === 'local' : belowForm !== null
}
