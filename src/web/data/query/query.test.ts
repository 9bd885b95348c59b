import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dependsOnTime, indexKey, type Query, queryKey, queryOfKey } from './query.ts'

const anyQuery: fc.Arbitrary<Query> = fc.record(
  {
    table: fc.constantFrom('deals', 'tasks', 'contacts'),
    where: fc.dictionary(
      fc.constantFrom('owner_id', 'stage_id', 'due_at'),
      fc.constantFrom(null, 'x', ['y'], { gt: 5 }),
    ),
    search: fc.string(),
    order: fc.constantFrom('newest', 'name'),
    limit: fc.nat(),
  },
  { requiredKeys: ['table'] },
)

test('a query that is read from a key has the same key', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const read = queryOfKey(queryKey(query))
      expect(read).toEqual({ where: {}, search: '', order: 'newest', ...query })
      expect(queryKey(read)).toBe(queryKey(query))
    }),
  )
})

test('equal queries have equal keys, whatever the order of their conditions', () => {
  const key = queryKey({ table: 'deals', where: { owner_id: 'x', stage_id: 'y' } })
  expect(queryKey({ table: 'deals', where: { stage_id: 'y', owner_id: 'x' }, order: 'newest', search: '' })).toBe(key)
  expect(queryKey({ table: 'deals', where: { owner_id: 'y', stage_id: 'x' } })).not.toBe(key)
  expect(queryKey({ table: 'deals', where: { owner_id: 'x', stage_id: 'y' }, limit: 5 })).not.toBe(key)
})

const ofDeals = (where: object, parts: Partial<Query> = {}): Query => ({ table: 'deals', where, ...parts })
const ofTasks = (where: object): Query => ({ table: 'tasks', where })

test('queries that differ only in search and limit share an index key', () => {
  const unsearchedKey = indexKey(ofDeals({ owner_id: 'x' }, { order: 'name' }))
  expect(indexKey(ofDeals({ owner_id: 'x' }, { order: 'name', search: 'roof', limit: 5 }))).toBe(unsearchedKey)
  expect(indexKey(ofDeals({ owner_id: 'x' }))).not.toBe(unsearchedKey)
  expect(indexKey({ table: 'deals', order: 'name' })).not.toBe(unsearchedKey)
})

test('a query depends on time if it has a moment relative to now', () => {
  expect(dependsOnTime(ofTasks({ due_at: { lt: { now: 0 } } }))).toBe(true)
  expect(dependsOnTime(ofTasks({ due_at: { lt: '2026-11-20' } }))).toBe(false)
  expect(dependsOnTime({ table: 'tasks' })).toBe(false)
})
