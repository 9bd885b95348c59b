import { expect, test } from 'vitest'
import { createReconnectDelay } from './reconnect-delay.ts'

test('the socket of an unreachable server is opened again after 1, 2, 5 and 10 seconds, then every 10 seconds', () => {
  const delayFor = createReconnectDelay(() => 0)
  expect([1, 2, 3, 4, 5, 50].map(delayFor)).toEqual([1_000, 2_000, 5_000, 10_000, 10_000, 10_000])
})

test('a socket that the server closes at once is opened again after growing delays; one that stayed open for ten seconds is opened again after the first delay', () => {
  let nowMs = 0
  const delayFor = createReconnectDelay(() => nowMs)
  const lostAfter = (openMs: number) => {
    nowMs += openMs
    const delayMs = delayFor(1)
    nowMs += delayMs
    return delayMs
  }
  expect([60_000, 50, 50, 50, 50, 50].map(lostAfter)).toEqual([1_000, 3_000, 9_000, 27_000, 30_000, 30_000])
  expect([60_000, 50].map(lostAfter)).toEqual([1_000, 3_000])
  expect([60_000, 9_999].map(lostAfter)).toEqual([1_000, 3_000])
  expect([60_000, 10_000].map(lostAfter)).toEqual([1_000, 1_000])
})
