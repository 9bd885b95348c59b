import type { CustomField } from '#web/data/server/rows.ts'
import { plainCell } from '#web/lib/csv-line.ts'
import { type Cells, valuesOf } from './columns-by-values.ts'
import { reasonHead } from './rows-to-correct.ts'
import {
  columnWords,
  comparableHead,
  type CustomColumn,
  customColumn,
  type FieldName,
  fieldNames,
  isPrivateHead,
  nameWords,
} from './column-words.ts'

/** The columns of the template, in its order. */
export const templateColumns = ['email', 'first_name', 'last_name', 'company'] as const

/** A field that a column can map to. */
export type Target = FieldName | CustomColumn

/** The index of the column of each field in the file; -1 if it has none. A custom field without a column is -1 or not included. */
export type ColumnMap = Record<FieldName, number> & { [field: CustomColumn]: number }

export const noColumns: ColumnMap = {
  email: -1,
  phone: -1,
  first_name: -1,
  last_name: -1,
  name: -1,
  title: -1,
  company: -1,
  tags: -1,
  id: -1,
}

/**
 * Finds the fields of the columns by their heads, ignoring case, order, accents, spaces, dots, hyphens and underscores; 'Phone 1' and 'Phone (work)'
 * count as 'Phone', and 'Person - Name' as 'Name'. Of several columns for a field, the first that has values in `rows` is used; columns of private
 * addresses and numbers come last. Custom fields are found by id, label or key, before synonyms of the standard fields. `rows`: the first rows below
 * the header.
 */
export function mapColumns(
  header: readonly string[],
  fields: readonly CustomField[] = [],
  rows: readonly Cells[] = [],
): ColumnMap {
  const custom = customColumns(header, fields)
  const takenColumns = new Set(Object.values(custom))
  const indexesByHead = new Map<string, number[]>()
  const addHead = (key: string, index: number) => {
    if (key === '' || takenColumns.has(index)) return
    const indexes = indexesByHead.get(key)
    if (indexes) indexes.push(index)
    else indexesByHead.set(key, [index])
  }
  for (const [index, head] of header.entries()) addHead(comparableHead(head), index)
  for (const [index, head] of header.entries()) addHead(comparableHead(headWithoutNumber(head)), index)
  for (const [index, head] of header.entries()) addHead(headWithoutPerson(head), index)
  const map: ColumnMap = { ...noColumns, ...custom }
  for (const field of fieldNames) {
    const found = columnWords[field].flatMap((word) => indexesByHead.get(word) ?? [])
    const isPrivate = (index: number) => isPrivateHead(header[index] ?? '')
    const matching = [...found.filter((index) => !isPrivate(index)), ...found.filter(isPrivate)]
    // A column 'Title' beside 'Job Title' has 'Mr' or 'Dr', so it does not replace an empty column 'Job Title'.
    const filled = field === 'title' ? undefined : matching.find((index) => valuesOf(rows, index).length > 0)
    map[field] = filled ?? matching[0] ?? -1
  }
  return assignAmbiguousName(map, header)
}

/** Finds the columns of custom fields. The first column with the exact name of a standard field belongs to that field instead. */
function customColumns(header: readonly string[], fields: readonly CustomField[]): Record<CustomColumn, number> {
  const map: Record<CustomColumn, number> = {}
  const heads = header.slice(0, 1000).map((head) => plainCell(head.slice(0, 200).trim()).toLowerCase())
  const standard = fieldNames.map((name) => heads.findIndex((head) => comparableHead(head) === columnWords[name][0]))
  const takenColumns = new Set(standard)
  for (const nameOf of headMatchers) {
    for (const field of fields) {
      const column = heads.findIndex((head, index) => head !== '' && !takenColumns.has(index) && nameOf(field, head))
      if (column < 0 || customColumn(field.id) in map) continue
      map[customColumn(field.id)] = column
      takenColumns.add(column)
    }
  }
  return map
}

/**
 * Returns the column map for `currentFields`. `earlierFields`: the custom fields that `map` was made for. Columns of fields that no longer exist
 * become unmapped. New fields are mapped to the unmapped columns whose heads name them.
 */
export function mapWithFields(
  map: ColumnMap,
  header: readonly string[],
  earlierFields: readonly CustomField[],
  currentFields: readonly CustomField[],
): ColumnMap {
  const usedColumns = new Set(Object.values(map))
  const addedFields = currentFields.filter(
    ({ id }) => !(customColumn(id) in map) && earlierFields.every((field) => field.id !== id),
  )
  const columnsOfAdded = customColumns(header, addedFields)
  const keptColumns = currentFields
    .filter(({ id }) => customColumn(id) in map)
    .map(({ id }) => [customColumn(id), map[customColumn(id)]])
  const addedColumns = addedFields.map(({ id }) => {
    const index = columnsOfAdded[customColumn(id)] ?? -1
    return [customColumn(id), usedColumns.has(index) ? -1 : index]
  })
  const standard = fieldNames.map((name) => [name, map[name]])
  return { ...noColumns, ...Object.fromEntries([...standard, ...keptColumns, ...addedColumns]) }
}

const headMatchers: readonly ((field: CustomField, head: string) => boolean)[] = [
  ({ id }, head) => head === id,
  ({ label }, head) => head === label.toLowerCase(),
  ({ key }, head) => head === key,
  ({ label }, head) => comparableHead(head) !== '' && comparableHead(head) === comparableHead(label),
]

/** Returns the number of standard fields that have a column. */
export function countKnownColumns(map: ColumnMap): number {
  return fieldNames.filter((name) => map[name] >= 0).length
}

/**
 * Whether a file may be imported without showing its columns to the person: each column with a head (see `FileSummary`) is mapped, one of them to
 * email or phone, and none to a custom field, whose values may be unreadable.
 */
export function mayImportUnseen(header: readonly string[], map: ColumnMap): boolean {
  const hasCustom = Object.keys(map).some((field) => !(field in noColumns))
  return hasEmailOrPhoneColumn(map) && unusedHeads(header, map).length === 0 && !hasCustom
}

/** Whether a column has email addresses or phone numbers: a contact needs one of the two. */
export function hasEmailOrPhoneColumn(map: ColumnMap): boolean {
  return map.email >= 0 || map.phone >= 0
}

/** Returns the heads of the unmapped columns, without the column of reasons that this app has written. */
export function unusedHeads(header: readonly string[], map: ColumnMap): string[] {
  const usedColumns = new Set(Object.values(map))
  return header.filter((head, index) => head.trim() !== '' && !usedColumns.has(index) && !isReasonHead(head))
}

/** Whether this is the head of the column of reasons, as in a file of rows to correct. */
export function isReasonHead(head: string): boolean {
  return head.trim() === reasonHead
}

/** Returns the column map with this column mapped to this field, or to nothing. The field's former column becomes unmapped. */
export function withColumn(map: ColumnMap, index: number, field: Target | null): ColumnMap {
  const others = targetsOf(map).map((name) => [name, map[name] === index ? -1 : map[name]])
  return { ...noColumns, ...Object.fromEntries(others), ...(field && { [field]: index }) }
}

/** Returns the field of this column, or null. */
export function fieldOfColumn(map: ColumnMap, index: number): Target | null {
  return targetsOf(map).find((name) => map[name] === index) ?? null
}

/** Returns the fields that a column map can have a column for. */
export function targetsOf(map: ColumnMap): Target[] {
  const custom = Object.keys(map).filter((name): name is CustomColumn => name.startsWith('custom.'))
  return [...fieldNames, ...custom]
}

/** Returns the head without brackets and their text, and without a number at the end: 'Phone' for 'Phone 2' and 'Phone (work)'. */
function headWithoutNumber(head: string): string {
  return head.slice(0, 200).replace(/\([^)]*\)|[\d\s]+$/g, '')
}

/**
 * Returns the normalised head without 'Person -', with which Pipedrive begins its heads: 'emailwork' for 'Person - Email - Work'. '' for other heads.
 */
function headWithoutPerson(head: string): string {
  const rest = /^\s*person\s+-\s(.*)/is.exec(head.slice(0, 200))?.[1] ?? ''
  return comparableHead(rest)
}

/** If a column such as 'Name' is beside a column of first names, maps it to the last name, and the other way round. */
function assignAmbiguousName(map: ColumnMap, header: readonly string[]): ColumnMap {
  if (map.name < 0 || !nameWords.has(comparableHead(headWithoutNumber(header[map.name] ?? '')))) return map
  if (map.first_name >= 0 && map.last_name < 0) return { ...map, last_name: map.name, name: -1 }
  if (map.last_name >= 0 && map.first_name < 0) return { ...map, first_name: map.name, name: -1 }
  return map
}
