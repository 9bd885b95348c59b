import { expect, it } from 'vitest'
// @ts-expect-error: plain JavaScript, so that `npm start` needs no compiler
import { restartDelays } from './restart-delay.mjs'

it('delays grow up to 30 s for a server that crashes before it is ready', () => {
  const nextDelay = restartDelays()
  const delays = Array.from({ length: 10 }, () => nextDelay({ lengthMs: 300, wasReady: false }))
  expect(delays).toEqual([0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

it('a server that was ready is restarted without delay thirty times, then with a longer delay after each thirty crashes', () => {
  const nextDelay = restartDelays()
  const delays = Array.from({ length: 61 }, () => nextDelay({ lengthMs: 1500, wasReady: true }))
  expect(new Set(delays.slice(0, 30))).toEqual(new Set([0]))
  expect(new Set(delays.slice(30, 60))).toEqual(new Set([500]))
  expect(delays[60]).toBe(1000)
})

it('a run of a minute resets the delay', () => {
  const nextDelay = restartDelays()
  for (let i = 0; i < 5; i++) nextDelay({ lengthMs: 300, wasReady: false })
  expect(nextDelay({ lengthMs: 60_000, wasReady: true })).toBe(0)
  expect(nextDelay({ lengthMs: 300, wasReady: false })).toBe(0)
  expect(nextDelay({ lengthMs: 300, wasReady: false })).toBe(500)
})
