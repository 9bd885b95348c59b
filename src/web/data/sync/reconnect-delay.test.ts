import { expect, test } from 'vitest'
import { createReconnectDelay } from './reconnect-delay.ts'

test('the socket of an unreachable server is opened again after 1, 2, 5 and 10 seconds, then every 10 seconds', () => {
  const wait = createReconnectDelay(() => 0)
  expect([1, 2, 3, 4, 5, 50].map(wait)).toEqual([1_000, 2_000, 5_000, 10_000, 10_000, 10_000])
})

test('a socket that the server closes at once is opened again after growing delays, and a socket that stayed open for ten seconds after the first delay', () => {
  let clock = 0
  const wait = createReconnectDelay(() => clock)
  const lostAfter = (open: number) => {
    clock += open
    const next = wait(1)
    clock += next
    return next
  }
  expect([60_000, 50, 50, 50, 50, 50].map(lostAfter)).toEqual([1_000, 3_000, 9_000, 27_000, 30_000, 30_000])
  expect([60_000, 50].map(lostAfter)).toEqual([1_000, 3_000])
  expect([60_000, 9_999].map(lostAfter)).toEqual([1_000, 3_000])
  expect([60_000, 10_000].map(lostAfter)).toEqual([1_000, 1_000])
})
