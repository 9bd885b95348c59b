import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

test('paths take turns, each in the order of its arrivals', () => {
  const queue = new FairQueue<string>(9)
  for (const job of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(job.slice(0, 1), job)
  const taken = Array.from({ length: 7 }, () => queue.take())
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  expect(queue.size).toBe(0)
})

test('a path at its limit waits, the others go on', () => {
  const queue = new FairQueue<string>(1)
  for (const job of ['a1', 'a2', 'b1']) queue.add(job.slice(0, 1), job)
  expect([queue.take(), queue.take(), queue.take()]).toEqual(['a1', 'b1', undefined])
  expect(queue.size).toBe(1)
  queue.done('a')
  expect(queue.take()).toBe('a2')
})

test('what is over is taken out, and so is what is dropped', () => {
  const queue = new FairQueue<string>(1)
  for (const job of ['a1', 'a2', 'b1']) queue.add(job.slice(0, 1), job)
  expect(queue.expire((job) => job.endsWith('1'))).toEqual(['a1', 'b1'])
  expect(queue.size).toBe(1)
  expect([queue.drop(), queue.drop()]).toEqual(['a2', undefined])
  expect(queue.size).toBe(0)
})
