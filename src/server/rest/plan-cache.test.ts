import { expect, it } from 'vitest'
import { PlanCache } from './plan-cache.ts'

it('a full plan cache removes the least recently used entry', () => {
  const cache = new PlanCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
  cache.set('d', 4)
  expect([cache.get('a'), cache.get('c'), cache.get('d')]).toEqual([undefined, 3, 4])
  cache.clear()
  expect([cache.get('c'), cache.get('d')]).toEqual([undefined, undefined])
})
