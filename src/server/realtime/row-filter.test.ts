import { describe, expect, it } from 'vitest'
import { parseRowFilter } from './row-filter.ts'

const types: Record<string, string> = {
  id: 'uuid',
  title: 'text',
  amount: 'numeric',
  small: 'int2',
  whole: 'int4',
  big: 'int8',
  single: 'float4',
  double: 'float8',
  day: 'date',
  at: 'timestamptz',
  moment: 'timestamp',
  is_done: 'bool',
}
const typeOf = (column: string) => types[column]

/** Returns the values of the column that pass the filter. */
function passingValues(filter: string, column: string, values: unknown[]): unknown[] {
  const parsed = parseRowFilter(filter, typeOf)
  if (parsed === null) throw new Error(`${filter} was not read`)
  return values.filter((value) => parsed.passes({ [column]: value }))
}

describe('the operators', () => {
  it.each([
    ['eq', [2]],
    ['neq', [1, 3, 10]],
    ['lt', [1]],
    ['lte', [1, 2]],
    ['gt', [3, 10]],
    ['gte', [2, 3, 10]],
  ])('the operator %s compares numbers as numbers', (operator, expected) => {
    expect(passingValues(`whole=${operator}.2`, 'whole', [1, 2, 3, 10])).toEqual(expected)
  })

  it('the operator “in” accepts a list, in which items with a comma or a quote are quoted', () => {
    expect(passingValues('title=in.(a,"b,c","d\\"e")', 'title', ['a', 'b', 'b,c', 'd"e', ''])).toEqual([
      'a',
      'b,c',
      'd"e',
    ])
  })

  it('the operator “in” accepts at most a hundred values, and only in parentheses', () => {
    const list = (length: number) => `whole=in.(${Array.from({ length }, (_, index) => index).join(',')})`
    expect(passingValues(list(100), 'whole', [-1, 0, 99, 100])).toEqual([0, 99])
    for (const text of [list(101), 'whole=in.1,2', 'whole=in.(1,2', 'whole=in.1,2)'])
      expect(parseRowFilter(text, typeOf)).toBeNull()
  })
})

describe('the values', () => {
  it.each(['amount', 'small', 'whole', 'big', 'single', 'double'])(
    'the column %s is compared as a number: 10 is more than 9, and 2.0 equals 2',
    (column) => {
      expect(passingValues(`${column}=gt.9`, column, [10, '10', 9, null, undefined])).toEqual([10, '10'])
      expect(passingValues(`${column}=eq.2.0`, column, [2, '2.00', 20])).toEqual([2, '2.00'])
      expect(passingValues(`${column}=eq. 2 `, column, [2])).toEqual([2])
      for (const text of ['', ' ', 'two', '2x']) expect(parseRowFilter(`${column}=eq.${text}`, typeOf)).toBeNull()
    },
  )

  it.each(['at', 'moment', 'day'])('the column %s is compared as a point in time, in any notation', (column) => {
    const values = ['2026-11-22', '2026-11-22T00:00:00Z', '2026-11-22T01:00:00+01:00', '2026-11-21']
    expect(passingValues(`${column}=eq.2026-11-22T00:00:00Z`, column, values)).toEqual(values.slice(0, 3))
    expect(parseRowFilter(`${column}=eq.soon`, typeOf)).toBeNull()
  })

  it('uuids are compared in any notation of PostgreSQL', () => {
    const id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'
    const others = ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12', null]
    for (const text of [
      id,
      id.toUpperCase(),
      `{${id}}`,
      id.replaceAll('-', ''),
      `{${id.replaceAll('-', '')}}`,
      'a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11',
    ]) {
      expect(passingValues(`id=eq.${text}`, 'id', [id, ...others])).toEqual([id])
      expect(passingValues(`id=neq.${text}`, 'id', [id, ...others])).toEqual(others.slice(0, 1))
      expect(passingValues(`id=in.(${others[0]}, ${text})`, 'id', [id, ...others])).toEqual([id, others[0]])
      expect(parseRowFilter(`id=eq.${text}`, typeOf)?.equals).toBe(id)
    }
  })

  it.each([
    '',
    'zz',
    'null',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a111',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1g',
    'a0-eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    'a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11-',
    '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}',
  ])('the text %j is not accepted as a uuid', (text) => {
    for (const filter of [`id=eq.${text}`, `id=neq.${text}`, `id=in.("${text}")`])
      expect(parseRowFilter(filter, typeOf), filter).toBeNull()
  })

  it('texts are compared case-sensitively', () => {
    expect(passingValues('title=eq.AB', 'title', ['ab', 'AB'])).toEqual(['AB'])
  })

  it('texts are compared exactly: empty ones, digits and line breaks too', () => {
    expect(passingValues('title=eq.', 'title', ['', ' '])).toEqual([''])
    expect(passingValues('title=gt.9', 'title', ['10', '91'])).toEqual(['91'])
    expect(passingValues('title=eq.a.b\nc', 'title', ['a.b\nc', 'a.b'])).toEqual(['a.b\nc'])
    expect(passingValues('is_done=eq.true', 'is_done', [true, false])).toEqual([true])
  })

  it('null passes no filter, as in SQL', () => {
    for (const operator of ['eq', 'neq', 'lt', 'lte', 'gt', 'gte'])
      expect(passingValues(`title=${operator}.null`, 'title', [null, undefined])).toEqual([])
    expect(passingValues('title=in.(null)', 'title', [null])).toEqual([])
  })
})

it('a parsed filter has its value in “equals” only for the operator “eq”', () => {
  expect(parseRowFilter('title=eq.a', typeOf)).toMatchObject({ column: 'title', equals: 'a' })
  expect(parseRowFilter('title=neq.a', typeOf)).toMatchObject({ column: 'title', equals: null })
})

it.each([
  '',
  'title',
  'title=a',
  'title=like.a',
  'title=eq',
  'other=eq.a',
  ' title=eq.a',
  '1=eq.a',
  `${'a'.repeat(64)}=eq.a`,
])('the text %j is not accepted as a filter', (text) => {
  expect(parseRowFilter(text, (column) => (column === 'other' || column === '' ? undefined : 'text'))).toBeNull()
})

it('the column name of a filter may have 63 letters', () => {
  expect(parseRowFilter(`${'a'.repeat(63)}=eq.a`, () => 'text')).not.toBeNull()
})
