import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hangsOnTime, indexKey, type Query, queryKey, readQueryKey } from './query.ts'

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

test('a query is read from its key, and its key is the same', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const read = readQueryKey(queryKey(query))
      expect(read).toEqual({ where: {}, search: '', order: 'newest', ...query })
      expect(queryKey(read)).toBe(queryKey(query))
    }),
  )
})

test('queries that ask the same have one key, in whichever order their conditions stand', () => {
  const one = queryKey({ table: 'deals', where: { owner_id: 'x', stage_id: 'y' } })
  expect(queryKey({ table: 'deals', where: { stage_id: 'y', owner_id: 'x' }, order: 'newest', search: '' })).toBe(one)
  expect(queryKey({ table: 'deals', where: { owner_id: 'y', stage_id: 'x' } })).not.toBe(one)
  expect(queryKey({ table: 'deals', where: { owner_id: 'x', stage_id: 'y' }, limit: 5 })).not.toBe(one)
})

const ofDeals = (where: object, narrowed: Partial<Query> = {}): Query => ({ table: 'deals', where, ...narrowed })
const ofTasks = (where: object): Query => ({ table: 'tasks', where })

test('rows that are kept in order serve whatever is searched for in them, and however many are shown', () => {
  const whole = indexKey(ofDeals({ owner_id: 'x' }, { order: 'name' }))
  expect(indexKey(ofDeals({ owner_id: 'x' }, { order: 'name', search: 'roof', limit: 5 }))).toBe(whole)
  expect(indexKey(ofDeals({ owner_id: 'x' }))).not.toBe(whole)
  expect(indexKey({ table: 'deals', order: 'name' })).not.toBe(whole)
})

test('time alone changes a query with a moment relative to now', () => {
  expect(hangsOnTime(ofTasks({ due_at: { lt: { now: 0 } } }))).toBe(true)
  expect(hangsOnTime(ofTasks({ due_at: { lt: '2026-11-20' } }))).toBe(false)
  expect(hangsOnTime({ table: 'tasks' })).toBe(false)
})
