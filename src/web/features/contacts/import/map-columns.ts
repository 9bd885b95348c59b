import { columnWords, type FieldName, fieldNames, folded, nameWords } from './column-words.ts'

/** The columns of the template, in its order. */
export const columnNames = ['email', 'first_name', 'last_name', 'company'] as const

/** The index of each of our columns in the file; -1 if it is missing. */
export type ColumnMap = Record<FieldName, number>

export const noColumns: ColumnMap = {
  email: -1,
  phone: -1,
  first_name: -1,
  last_name: -1,
  name: -1,
  title: -1,
  company: -1,
  tags: -1,
}

/**
 * Finds our columns by name: in any case and order, with or without accents, blanks, dots, hyphens or underscores; 'Phone 1' and
 * 'Phone (work)' as 'Phone'. Of two equal names the first.
 */
export function mapColumns(header: readonly string[]): ColumnMap {
  const places = new Map<string, number>()
  const note = (key: string, index: number) => {
    if (key !== '' && !places.has(key)) places.set(key, index)
  }
  for (const [index, head] of header.entries()) note(folded(head), index)
  for (const [index, head] of header.entries()) note(folded(bare(head)), index)
  const map = { ...noColumns }
  for (const field of fieldNames) {
    const word = columnWords[field].find((each) => places.has(each))
    if (word !== undefined) map[field] = places.get(word) ?? -1
  }
  return withNameOfOne(map, header)
}

/** How many of our columns the map has. */
export function knownColumns(map: ColumnMap): number {
  return fieldNames.filter((name) => map[name] >= 0).length
}

/** Whether each column that has a head becomes something, and a contact of it can be reached. */
export function isUnderstood(header: readonly string[], map: ColumnMap): boolean {
  return isReachable(map) && unusedHeads(header, map).length === 0
}

/** Whether the map has what a contact needs: an e-mail address or a phone number. */
export function isReachable(map: ColumnMap): boolean {
  return map.email >= 0 || map.phone >= 0
}

/** The heads of the columns that become nothing. */
export function unusedHeads(header: readonly string[], map: ColumnMap): string[] {
  const used = new Set(Object.values(map))
  return header.filter((head, index) => head.trim() !== '' && !used.has(index))
}

/** The map in which this column becomes this field, or nothing. What was the field before becomes nothing. */
export function withColumn(map: ColumnMap, index: number, field: FieldName | null): ColumnMap {
  const others = fieldNames.map((name) => [name, map[name] === index ? -1 : map[name]])
  return { ...noColumns, ...Object.fromEntries(others), ...(field && { [field]: index }) }
}

/** What this column becomes. */
export function fieldOfColumn(map: ColumnMap, index: number): FieldName | null {
  return fieldNames.find((name) => map[name] === index) ?? null
}

/** 'Phone 2' and 'Phone (work)' are 'Phone'. */
function bare(head: string): string {
  return head.slice(0, 200).replace(/\([^)]*\)|[\d\s]+$/g, '')
}

function withNameOfOne(map: ColumnMap, header: readonly string[]): ColumnMap {
  if (map.name < 0 || !nameWords.has(folded(bare(header[map.name] ?? '')))) return map
  if (map.first_name >= 0 && map.last_name < 0) return { ...map, last_name: map.name, name: -1 }
  if (map.last_name >= 0 && map.first_name < 0) return { ...map, first_name: map.name, name: -1 }
  return map
}
