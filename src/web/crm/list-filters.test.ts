import { expect, test } from 'vitest'
import { type Filters, filterConditions, filterSearch, filtersIn } from './list-filters.ts'

test.each([
  [{ 'to.a': ['100..200.5'] }, { 'custom.a': { gte: 100, lte: 200.5 } }],
  [{ 'to.a': ['-3..'] }, { 'custom.a': { gte: -3 } }],
  [{ 'to.a': ['..2026-12-07'] }, { 'custom.a': { lte: '2026-12-07' } }],
  [
    { 'to.a': ['2026-11-23..2026-11-23'], 'one.b': ['a,b', 'c;d'], tags: ['t'] },
    { tag_ids: { has: ['t'] }, 'custom.a': { gte: '2026-11-23', lte: '2026-11-23' }, 'custom.b': ['a,b', 'c;d'] },
  ],
  [{ 'to.a': [] }, undefined],
] as const)('the filters %j are written to the URL and become the condition %j', (filters: Filters, where) => {
  const search = filterSearch(filters)
  const readFilters = filtersIn(search)
  expect(filterConditions(readFilters)).toEqual(where)
  expect(filterSearch(readFilters)).toEqual(search)
})

test.each([
  ['to.a:x..y', { gte: 'x', lte: 'y' }],
  ['to.a:1e999..-Infinity', { gte: '1e999', lte: '-Infinity' }],
  ['to.a:5', { gte: 5 }],
  ['to.a:..', {}],
  ['to.a:0..0', { gte: 0, lte: 0 }],
  ['to.a:x', { gte: 'x' }],
])('the URL parameter %s becomes a condition that JSON does not change', (fields, condition) => {
  const where = filterConditions(filtersIn({ fields }))
  expect(where).toEqual({ 'custom.a': condition })
  expect(JSON.parse(JSON.stringify(where))).toEqual(where)
})
