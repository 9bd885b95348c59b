import { expect, it } from 'vitest'
// @ts-expect-error: plain JavaScript, so that `npm start` needs no compiler
import { restartDelays } from './restart-delay.mjs'

it('waits longer each time for a server that dies before it is ready, 30 s at most', () => {
  const delay = restartDelays()
  const waits = Array.from({ length: 10 }, () => delay({ lived: 300, wasReady: false }))
  expect(waits).toEqual([0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

it('brings a server that has served back at once, thirty times', () => {
  const delay = restartDelays()
  const waits = Array.from({ length: 61 }, () => delay({ lived: 1500, wasReady: true }))
  expect(new Set(waits.slice(0, 30))).toEqual(new Set([0]))
  expect(new Set(waits.slice(30, 60))).toEqual(new Set([500]))
  expect(waits[60]).toBe(1000)
})

it('forgets what was before a life of a minute', () => {
  const delay = restartDelays()
  for (let i = 0; i < 5; i++) delay({ lived: 300, wasReady: false })
  expect(delay({ lived: 60_000, wasReady: true })).toBe(0)
  expect(delay({ lived: 300, wasReady: false })).toBe(0)
  expect(delay({ lived: 300, wasReady: false })).toBe(500)
})
