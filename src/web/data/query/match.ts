import type { TableName, TableRows } from '#web/data/server/tables.ts'
import { customFieldId, readField } from '#web/data/store/row-fields.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { dueDay } from '#web/lib/due-day.ts'
import type { Bound, Condition, Query } from './query.ts'
import { searchedWords } from './search-text.ts'

/**
 * Returns a function that tells whether a row meets the conditions of a query. A condition that is relative to the current time is evaluated for
 * the time at which the returned function is called.
 */
export function whereMatcher<Table extends TableName>({ where }: Query<Table>): (row: TableRows[Table]) => boolean {
  const conditions = Object.entries(where ?? {}) as [keyof TableRows[Table], Condition][]
  const tests = conditions.map(([column, condition]) => {
    const name = String(column)
    if (customFieldId(name) === null) {
      const meets = conditionMatcher(condition)
      return (row: TableRows[Table]) => meets(row[column])
    }
    const meets = customMatcher(condition)
    return (row: TableRows[Table]) => meets(readField(row, name) ?? null)
  })
  const [only] = tests
  if (only && tests.length === 1) return only
  return (row) => tests.every((meets) => meets(row))
}

/**
 * Returns a function that tells whether a row contains each word of the query's search, in one of the forms of the word. Null if the query
 * has no search or its table cannot be searched.
 */
export function searchMatcher<Table extends TableName>(
  data: BrandData,
  { table, search = '' }: Query<Table>,
): ((row: TableRows[Table]) => boolean) | null {
  const words = searchedWords(search)
  const { matches } = data.definitions[table]
  if (words.length === 0 || !matches) return null
  return (row) => words.every((forms) => forms.some((form) => matches(data, row, form)))
}

function conditionMatcher(condition: Condition): (value: unknown) => boolean {
  if (Array.isArray(condition)) {
    const values = new Set<unknown>(condition)
    return (value) => value !== null && values.has(value)
  }
  if (typeof condition !== 'object' || condition === null) return (value) => value === condition
  if ('has' in condition) {
    const ids = new Set<unknown>(condition.has)
    return (value) => Array.isArray(value) && value.some((id) => ids.has(id))
  }
  const { gt, gte, lt, lte, not } = condition as Exclude<Condition, string | readonly unknown[]> & {
    [bound in 'gt' | 'gte' | 'lt' | 'lte']?: Bound
  } & { not?: null }
  const matchers: ((value: string | number) => boolean)[] = []
  if (gt !== undefined) matchers.push((value) => compare(value, gt) > 0)
  if (gte !== undefined) matchers.push((value) => compare(value, gte) >= 0)
  if (lt !== undefined) matchers.push((value) => compare(value, lt) < 0)
  if (lte !== undefined) matchers.push((value) => compare(value, lte) <= 0)
  if (not === undefined && matchers.length === 0) return () => true
  return (value) => (typeof value === 'string' || typeof value === 'number') && matchers.every((meets) => meets(value))
}

/**
 * Returns a function that tells whether the value of a custom field meets a condition. As in SQL's `private.custom_condition`, a value
 * never meets a bound of another type.
 */
function customMatcher(condition: Condition): (value: unknown) => boolean {
  if (Array.isArray(condition) || typeof condition !== 'object' || condition === null || 'has' in condition)
    return conditionMatcher(condition)
  const bounds = Object.entries(condition)
  return (value) =>
    bounds.every(([operator, bound]) => {
      if (operator === 'not') return value !== null
      if (typeof value !== 'string' && typeof value !== 'number') return false
      if (typeof value !== typeof bound || typeof bound === 'object') return false
      if (value === bound) return operator.endsWith('e')
      return operator.startsWith('g') === value > bound
    })
}

/**
 * Compares a value with a bound: moments as times, the due date of a task that is due on a day by the `day` of a `DueBound`, numbers as
 * numbers, and everything else as text. (Dates and ids sort correctly as text.)
 */
function compare(value: string | number, bound: Bound): number {
  if (typeof bound === 'object' && 'day' in bound) {
    const day = dueDay(String(value))
    if (day !== null) return day < bound.day ? -1 : 1
  }
  const boundValue = valueOfBound(bound)
  if (typeof value === 'number' && typeof boundValue === 'number') return value - boundValue
  const isMoment = typeof bound === 'object' || (typeof value === 'string' && value.includes('T'))
  if (isMoment)
    return Date.parse(String(value)) - (typeof boundValue === 'number' ? boundValue : Date.parse(boundValue))
  const [text, bounding] = [String(value), String(boundValue)]
  return text === bounding ? 0 : text < bounding ? -1 : 1
}

function valueOfBound(bound: Bound): string | number {
  if (typeof bound !== 'object') return bound
  return 'at' in bound ? bound.at : Date.now() + bound.now * 1000
}
