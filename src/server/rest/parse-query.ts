import { refusal } from '#server/http/errors.ts'
import { maxFilters, maxParameters } from './limits.ts'
import { parseField } from './parse-field.ts'
import { parseIs, parseLogic, parseOperator } from './parse-filter.ts'
import { parseOrder } from './parse-order.ts'
import { parseSelect } from './parse-select.ts'
import type { Condition, Level, Query } from './request.ts'
import { Scanner } from './scanner.ts'

/** A query string, split into the part that determines the SQL (`key`) and the values that are bound (`slots`). */
export interface SplitQuery {
  /** The query string without the number of the offset and without the values that are in `slots`. Queries with equal keys have equal plans. */
  key: string
  /** The values of the query. The first two slots are for the offset and the body (`request.ts`). */
  slots: string[]
  parameters: QueryParameter[]
}

interface QueryParameter {
  name: string
  /**
   * The parameter's text. If the parameter's value is in a slot, `text` contains only the part before the value: `eq.` of
   * `eq.5`, and '' for an argument of a function.
   */
  text: string
  /** The index of the slot that contains the parameter's value. Null if the value is part of `text`. */
  slot: number | null
}

const reservedParameters = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
  'and',
  'or',
  'not.and',
  'not.or',
])
/** Matches the operator of a filter with the full stop after it: 'eq.', 'not.fts(english).'. */
const operatorPattern = /^(?:not\.)?[a-z]+(?:\([A-Za-z_]{1,63}\))?\./
const countPattern = /^\+?\d{1,18}$/
/** Matches the operator `is`. Its values are not put into slots. */
const patternOfIs = /^(?:not\.)?is\./i

/**
 * Splits a query string into its key and its values. `acceptsBareArguments` says whether a parameter without an operator is
 * accepted, as the argument of a function that is called by GET or HEAD. Throws PGRST100 for invalid percent-encoding and
 * for more than 400 parameters.
 */
export function splitQuery(query: string, acceptsBareArguments: boolean): SplitQuery {
  // The first slot is for the offset, the second for the body. The values of the query follow.
  const slots = ['0', '']
  const parameters: QueryParameter[] = []
  let key = ''
  if (query === '') return { key, slots, parameters }
  const parts = query.split('&')
  if (parts.length > maxParameters)
    throw refusal('PGRST100', {
      message: `More than ${maxParameters} parameters. Use in.(…) for many values of one column`,
    })
  for (const part of parts) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const rawName = equals < 0 ? part : part.slice(0, equals)
    const name = decode(rawName)
    const text = equals < 0 ? '' : decode(part.slice(equals + 1))
    const prefix =
      isReserved(name) || patternOfIs.test(text)
        ? null
        : (operatorPattern.exec(text)?.[0] ?? (acceptsBareArguments ? '' : null))
    if (prefix === null) {
      // An invalid offset stays in the key. Otherwise the cached plan of a valid offset would be used, and the invalid
      // one would not be refused.
      key += name === 'offset' && countPattern.test(text) ? `&offset=${Number(text) > 0}` : `&${part}`
      parameters.push({ name, text, slot: null })
    } else {
      key += `&${rawName}=${prefix}`
      parameters.push({ name, text: prefix, slot: slots.length })
      slots.push(text.slice(prefix.length))
    }
  }
  return { key, slots, parameters }
}

/**
 * Parses a query string that `splitQuery` has split. If a parameter with a single value, such as `limit`, is repeated, the
 * last one is used; filters, `and` and `or` are all applied. `isArgument` says whether a name is an argument of the
 * function that is called by GET or HEAD, even if the argument's value looks like a filter (`name=eq.x` may be the text "eq.x"). Throws
 * PGRST100 if a parameter is not valid, PGRST103 for a negative limit or offset, and the refusals of `parseSelect`.
 */
export function parseQuery(split: SplitQuery, isArgument: (name: string) => boolean): Query {
  const query: Query = { select: [{ kind: 'all' }], levels: new Map(), columns: null, onConflict: null, args: [] }
  for (const parameter of split.parameters) {
    if (isArgument(parameter.name)) query.args.push(toArgument(parameter))
    else readParameter(query, parameter)
  }
  refuseManyFilters(query)
  return query
}

function refuseManyFilters(query: Query): void {
  let filters = 0
  for (const { conditions } of query.levels.values())
    for (const condition of conditions) filters += filtersIn(condition)
  if (filters <= maxFilters) return
  throw refusal('PGRST100', { message: `More than ${maxFilters} filters. Use in.(…) for many values of one column` })
}

function filtersIn(condition: Condition): number {
  return condition.kind === 'filter' ? 1 : condition.terms.reduce((sum, term) => sum + filtersIn(term), 0)
}

function toArgument({ name, text, slot }: QueryParameter): Query['args'][number] {
  if (slot === null) return { name, value: { from: text, as: 'text' } }
  return { name, value: { from: slot, as: 'text', ...(text === '' ? {} : { prefix: text }) } }
}

/**
 * Returns the parameters of the level at this path of embedded resources. Adds the level to the query if it does not exist.
 */
export function getOrAddLevel(query: Query, path: readonly string[]): Level {
  const key = levelKey(path)
  const existingLevel = query.levels.get(key)
  if (existingLevel) return existingLevel
  const level: Level = { conditions: [], order: [], limit: null, offset: 0 }
  query.levels.set(key, level)
  return level
}

/** Returns the text that identifies a level's path in `Query.levels`. Names cannot contain NUL. */
export function levelKey(path: readonly string[]): string {
  return path.join('\0')
}

function readParameter(query: Query, { name, text, slot }: QueryParameter): void {
  if (slot === null && name === 'select') query.select = parseSelect(text)
  else if (slot === null && name === 'columns')
    query.columns = text === '' ? null : parseNames(text, 'columns parameter')
  else if (slot === null && name === 'on_conflict') {
    query.onConflict = text === '' ? null : parseNames(text, 'on_conflict parameter')
  } else if (slot === null && isReserved(name)) readLevelParameter(query, name, text)
  else readFilter(query, name, text, slot)
}

/**
 * Reads a parameter `order`, `limit`, `offset`, `and` or `or`. With a path before the word, the parameter belongs to an
 * embedded resource, otherwise to the requested resource.
 */
function readLevelParameter(query: Query, name: string, text: string): void {
  const path = parsePath(name)
  const word = path.pop() ?? ''
  const negated = (word === 'and' || word === 'or') && path.at(-1) === 'not'
  if (negated) path.pop()
  const level = getOrAddLevel(query, path)
  if (word === 'order') level.order = text === '' ? [] : parseOrder(text)
  else if (word === 'limit') level.limit = parseCount(text, 'limit')
  else if (word === 'offset') level.offset = parseCount(text, 'offset') ?? 0
  else if (word === 'and' || word === 'or') level.conditions.push(parseLogic(word, negated, text))
}

function readFilter(query: Query, name: string, text: string, slot: number | null): void {
  const parsedIs = slot === null ? parseIs(text) : null
  const parsedOperator = parsedIs ? null : slot !== null && text !== '' ? parseOperator(text) : null
  if (!parsedIs && !parsedOperator && slot !== null) {
    const value =
      text === '' ? ({ from: slot, as: 'text' } as const) : ({ from: slot, as: 'text', prefix: text } as const)
    query.args.push({ name, value })
    return
  }
  const scanner = new Scanner(name, 'filter')
  const path: string[] = []
  let field = parseField(scanner)
  while (field.path.length === 0 && scanner.take('.')) {
    path.push(field.column)
    field = parseField(scanner)
  }
  scanner.end()
  const negated = (parsedIs ?? parsedOperator)?.negated ?? false
  const test = parsedIs?.test ?? (slot === null ? undefined : parsedOperator?.test(slot))
  if (!test) {
    new Scanner(text, 'filter').fail('"not" or an operator (eq, gt, …)')
    return
  }
  const condition: Condition = { kind: 'filter', field, negated, test }
  getOrAddLevel(query, path).conditions.push(condition)
}

function isReserved(name: string): boolean {
  if (reservedParameters.has(name)) return true
  const dot = name.lastIndexOf('.')
  return dot > 0 && embedParameters.has(name.slice(dot + 1))
}

const embedParameters = new Set(['order', 'limit', 'offset', 'and', 'or'])

function parsePath(name: string): string[] {
  const scanner = new Scanner(name, 'embedded path')
  const path: string[] = []
  do path.push(scanner.name())
  while (scanner.take('.'))
  scanner.end()
  return path
}

function parseNames(text: string, what: string): string[] {
  const scanner = new Scanner(text, what)
  const names: string[] = []
  do {
    names.push(scanner.name('a column name'))
    scanner.skipSpaces()
  } while (scanner.take(','))
  scanner.end()
  return [...new Set(names)]
}

function parseCount(text: string, what: string): number | null {
  if (text === '') return null
  const count = /^[+-]?\d{1,18}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(count)) throw refusal('PGRST100', { message: `${what} is not an integer` })
  if (count < 0) throw refusal('PGRST103', { details: `The ${what} should be greater than or equal to zero.` })
  return count
}

/** Decodes a text in form encoding (the encoding of `URLSearchParams`), which the official client uses. */
function decode(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw refusal('PGRST100', { message: 'The query string is not valid percent-encoded UTF-8' })
  }
}
