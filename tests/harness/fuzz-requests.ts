import * as fc from 'fast-check'
import { jsonBodies } from './fuzz-json.ts'

/** A request. The path is already escaped. The body is text and need not be JSON. */
export interface FuzzRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
}

/** Names that exist in the database, so that many requests are almost valid. */
export interface FuzzTarget {
  relations: { name: string; columns: string[] }[]
  functions: { name: string; args: string[] }[]
}

/** Escaped query values that often cause errors, including invalid UTF-8 and lone surrogates. */
const hostileQueryValues = [
  '',
  '%00',
  '%ff',
  '%zz',
  '%ED%A0%80',
  'eq.',
  'eq.%00',
  'eq.NaN',
  'eq.1e308',
  'eq.99999999999999999999',
  'eq.2020-99-99',
  'not.not.eq.1',
  'in.(',
  'in.()',
  'in.(%22',
  'in.(1,,2)',
  'is.maybe',
  'like(any).{',
  'like.%25%25%25%25',
  'match.(',
  'fts(nolanguage).x',
  'cs.{',
  'cs.[1,2)',
  'ov.{null}',
  'adj.x',
  'eq(any).{1,2}',
  'isdistinct.null',
  '('.repeat(500),
  '%22'.repeat(51),
  '*',
  ')',
  ',',
  '->',
  '->>0',
  '::',
  'a'.repeat(3000),
  '__proto__',
  'constructor',
  'eq.%F0%9F%98%80',
]

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'TRACE', 'OPTIONS', 'PROPFIND']
const preferences = [
  'return=representation',
  'count=exact',
  'resolution=merge-duplicates',
  'resolution=ignore-duplicates',
  'missing=default',
  'handling=strict',
  'max-affected=1',
  'tx=rollback',
  'return=',
  '=,=',
]
const filterOperators = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'in',
  'is',
  'cs',
  'cd',
  'ov',
  'fts',
  'match',
  'isdistinct',
  'xx',
]

/** Generates requests to the tables and functions under `/rest/v1/`. */
export function restRequests(target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  const relation = fc.constantFrom(...target.relations)
  const routine = fc.constantFrom(...target.functions)
  const table = relation.chain(({ name, columns }) => requestsTo(name, columns, target))
  const call = routine.chain(({ name, args }) => requestsTo(`rpc/${name}`, args, target))
  const invalidPath = fc.constantFrom(
    '',
    'rpc',
    'rpc/',
    'a/b',
    '__proto__',
    '%00',
    '%ff',
    'rpc/__proto__',
    '..%2f',
    'x'.repeat(200),
  )
  return fc.oneof(
    { arbitrary: table, weight: 6 },
    { arbitrary: call, weight: 3 },
    { arbitrary: invalidPath.chain((path) => requestsTo(path, ['id'], target)), weight: 1 },
  )
}

function requestsTo(path: string, names: readonly string[], target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  const name = fc.oneof(
    { arbitrary: fc.constantFrom(...names, 'id'), weight: 14 },
    {
      arbitrary: fc.constantFrom('nope', '__proto__', 'toString', '%22', 'a.b', 'id->x', 'id->>0', '', '%00'),
      weight: 1,
    },
  )
  return fc.record({
    method: fc.oneof(
      { arbitrary: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'), weight: 8 },
      { arbitrary: fc.constantFrom(...methods), weight: 1 },
    ),
    path: fc.array(queryParameter(name, target), { maxLength: 3 }).map((list) => `/rest/v1/${path}?${list.join('&')}`),
    headers: restHeaders(),
    body: fc.option(jsonBodies(name, names), { freq: 4 }),
  })
}

function queryParameter(name: fc.Arbitrary<string>, target: FuzzTarget): fc.Arbitrary<string> {
  const hostile = fc.constantFrom(...hostileQueryValues)
  const text = fc.oneof(
    {
      arbitrary: fc.constantFrom(
        '1',
        'x',
        '0',
        'true',
        '2020-01-01',
        '00000000-0000-0000-0000-000000000001',
        '(1,2)',
        '%7B%7D',
        'null',
      ),
      weight: 4,
    },
    { arbitrary: hostile, weight: 2 },
    { arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }).map(escapeText), weight: 1 },
  )
  const operator = fc.constantFrom(...filterOperators)
  const filter = fc
    .tuple(name, fc.constantFrom('', 'not.'), operator, text)
    .map(([column, not, operatorName, value]) => `${column}=${not}${operatorName}.${value}`)
  const logicalTree = fc
    .tuple(fc.constantFrom('or', 'and', 'not.or', 'x.or'), name, operator, text)
    .map(([word, column, operatorName, value]) => `${word}=(${column}.${operatorName}.${value},and(${column}.is.null))`)
  const embed = fc.constantFrom(...target.relations.map((relation) => relation.name), 'nowhere')
  const plainSelect = fc.array(name, { maxLength: 3 }).map((list) => `select=${list.join(',')}`)
  const select = fc
    .tuple(
      name,
      embed,
      fc.constantFrom('(*)', '!inner(*)', '!x(id)', '()', '(', '(id,*)', '::text', ':', '->a->>b'),
      text,
    )
    .map(([column, e, shape, value]) => `select=${column},${e}${shape},${value}`)
  const order = fc
    .tuple(name, fc.constantFrom('', '.asc', '.desc.nullslast', '.up', '(id)'))
    .map(([column, direction]) => `order=${column}${direction}`)
  const pageParameter = fc
    .tuple(
      fc.constantFrom('limit', 'offset', 'x.limit'),
      fc.constantFrom('0', '1', '-1', '1e9', '99999999999999999999', 'x', ''),
    )
    .map(([word, value]) => `${word}=${value}`)
  const listParameter = fc
    .tuple(fc.constantFrom('columns', 'on_conflict', 'select', 'order'), text)
    .map(([word, value]) => `${word}=${value}`)
  const hostileParameter = fc.tuple(name, hostile).map(([column, value]) => `${column}=${value}`)
  const doubledFilter = filter.map((once) => `${once}&${once}`)
  return fc.oneof(
    { arbitrary: filter, weight: 6 },
    { arbitrary: plainSelect, weight: 2 },
    ...[logicalTree, select, order, pageParameter, listParameter, hostileParameter, doubledFilter].map((arbitrary) => ({
      arbitrary,
      weight: 1,
    })),
  )
}

function restHeaders(): fc.Arbitrary<Record<string, string>> {
  return fc.record(
    {
      'content-type': mostly('application/json', 'text/csv', 'application/x-www-form-urlencoded', ';'),
      accept: mostly('application/json', 'application/vnd.pgrst.object+json', 'text/csv', '*/*', ';;', ''),
      'accept-profile': mostly('public', 'auth', 'pg_catalog', ''),
      'content-profile': mostly('public', 'auth', 'pg_catalog', ''),
      prefer: fc.array(fc.constantFrom(...preferences), { maxLength: 2 }).map((list) => list.join(',')),
      range: mostly('0-9', '5-1', '-', '0-99999999999999999999', 'bytes=0-1'),
      'idempotency-key': fc.constantFrom('k', 'x'.repeat(2000), '"', "'"),
    },
    { requiredKeys: ['content-type'] },
  )
}

/** Generates the usual header twelve times as often as a strange one, so that most requests have valid headers. */
function mostly(usual: string, ...strange: string[]): fc.Arbitrary<string> {
  return fc.oneof({ arbitrary: fc.constant(usual), weight: 12 }, { arbitrary: fc.constantFrom(...strange), weight: 1 })
}

/** Percent-encodes text for a URL. Returns `%ED%A0%80`, which is invalid UTF-8, for a text that is invalid UTF-16. */
export function escapeText(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}
