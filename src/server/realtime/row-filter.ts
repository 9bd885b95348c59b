import { writeExactly } from './exact-json.ts'

/** A function that says whether a row passes the filter. The row's values are in PostgreSQL's JSON format, as `parseExactly` reads it. */
export type RowFilter = (row: Readonly<Record<string, unknown>>) => boolean

export interface ParsedFilter {
  column: string
  /** The value with which an `eq` filter compares, for a uuid in PostgreSQL's own notation. Null for other operators. */
  equals: string | null
  passes: RowFilter
}

const filterPattern = /^([A-Za-z_][A-Za-z0-9_]{0,62})=(eq|neq|lt|lte|gt|gte|in)\.([\s\S]*)$/
const exactTypes = new Set(['int2', 'int4', 'int8', 'numeric'])
const floatTypes = new Set(['float4', 'float8'])
const timeTypes = new Set(['timestamptz', 'timestamp', 'date'])

/**
 * Parses the filter of a subscription, `column=operator.value` (docs/supabase-protocol.md, section 4). `typeOf` returns
 * PostgreSQL's short name of a column's type, or undefined for an unknown column. Returns null for an invalid filter.
 */
export function parseRowFilter(text: string, typeOf: (column: string) => string | undefined): ParsedFilter | null {
  const [, column = '', operator = '', value = ''] = filterPattern.exec(text) ?? []
  const type = typeOf(column)
  if (type === undefined) return null
  const valueTexts = operator === 'in' ? readList(value) : [value]
  if (valueTexts === null) return null
  const operands = valueTexts.map((item) => toComparable(item, type))
  if (operands.some((item) => typeof item === 'number' && Number.isNaN(item))) return null
  const [first = ''] = operands
  const test = testOf(operator, first, operands)
  const passes: RowFilter = (row) => {
    const rowValue = row[column]
    if (rowValue === null || rowValue === undefined) return false
    return test(toComparable(typeof rowValue === 'string' ? rowValue : writeExactly(rowValue), type))
  }
  return { column, equals: operator === 'eq' ? (type === 'uuid' ? String(first) : value) : null, passes }
}

type Comparable = string | number | bigint

function testOf(operator: string, first: Comparable, all: Comparable[]): (rowValue: Comparable) => boolean {
  switch (operator) {
    case 'neq':
      return (rowValue) => rowValue !== first
    case 'lt':
      return (rowValue) => rowValue < first
    case 'lte':
      return (rowValue) => rowValue <= first
    case 'gt':
      return (rowValue) => rowValue > first
    case 'gte':
      return (rowValue) => rowValue >= first
    default:
      return (rowValue) => all.includes(rowValue)
  }
}

/** Returns a value that can be compared with others of the type. Returns NaN for a text that is no value of the type. */
function toComparable(value: string, type: string): Comparable {
  if (exactTypes.has(type)) return toNumber(value)
  if (floatTypes.has(type)) return value.trim() === '' ? Number.NaN : Number(value)
  if (timeTypes.has(type)) return Date.parse(value)
  return type === 'uuid' ? (toUuid(value) ?? Number.NaN) : value
}

/**
 * Returns a uuid in the notation in which PostgreSQL sends it: lower case, with four hyphens. As in PostgreSQL, the text may have braces,
 * and a hyphen after each group of four digits. Spaces around it are accepted, as around numbers. Returns null for other texts.
 */
function toUuid(text: string): string | null {
  const notation = text.trim().replace(/^\{(.*)\}$/, '$1')
  if (!/^(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}$/i.test(notation)) return null
  return notation
    .replaceAll('-', '')
    .toLowerCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/**
 * Returns a whole number as a bigint, because a JavaScript number is not exact above 2^53, and any other number as a number.
 * JavaScript's `<` compares a bigint with a number exactly. Here, a bigint and a number are never equal, because the number is
 * not whole.
 */
function toNumber(text: string): number | bigint {
  const [, whole] = /^\s*([+-]?\d+)(?:\.0*)?\s*$/.exec(text) ?? []
  if (whole !== undefined) return BigInt(whole.replace('+', ''))
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isInteger(number) ? BigInt(number) : number
}

/**
 * Parses a list of values, such as `(a,b,"c,d")`. Returns null for an invalid list and for more than 100 values (as in
 * Supabase).
 */
function readList(text: string): string[] | null {
  if (!text.startsWith('(') || !text.endsWith(')')) return null
  const items = text.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? []
  if (items.length > 100) return null
  return items.map((item) => (item.startsWith('"') ? item.slice(1, -1).replace(/\\(.)/g, '$1') : item))
}
