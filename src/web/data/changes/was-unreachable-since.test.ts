import { expect, test, vi } from 'vitest'
import { clockStart, openLoneTab } from '#tests/harness/lone-tab.ts'
import { reachable, serverNow } from '#web/data/server/network.ts'
import { recordAnswer } from '#web/data/server/record-answer.ts'
import { lastUnreachable } from './last-unreachable.ts'
import { wasUnreachableSince } from './was-unreachable-since.ts'

test('`wasUnreachableSince` is true for an edit that was made before the server was unreachable, or before tracking began', async () => {
  const { device, clock } = await openLoneTab()
  clock.advance(1000)
  lastUnreachable(device)
  expect(wasUnreachableSince(device, clockStart)).toBe(true)
  expect(wasUnreachableSince(device, serverNow(device))).toBe(true)
  clock.advance(5001)
  const freshEditAt = serverNow(device)
  expect(wasUnreachableSince(device, freshEditAt)).toBe(false)
  clock.advance(5000)
  expect(wasUnreachableSince(device, freshEditAt)).toBe(false)
  reachable(device).set(false)
  clock.advance(1000)
  reachable(device).set(true)
  expect(wasUnreachableSince(device, freshEditAt)).toBe(true)
  clock.advance(4001)
  expect(wasUnreachableSince(device, serverNow(device))).toBe(false)
})

test('`wasUnreachableSince` is true for an edit before the server was unreachable, also if a later response sets the server’s time back', async () => {
  const { device, clock } = await openLoneTab()
  lastUnreachable(device)
  clock.advance(10_000)
  const editedAt = serverNow(device)
  clock.advance(20)
  reachable(device).set(false)
  clock.advance(20)
  // The server is busy, and its Date header is four seconds old. So the server's time seems to be three seconds behind.
  const headers = { date: new Date(clock.now() - 4000).toUTCString() }
  recordAnswer(device, new Response(null, { headers }), clock.now(), true)
  expect(Date.parse(serverNow(device))).toBeLessThan(Date.parse(editedAt))
  expect(wasUnreachableSince(device, editedAt)).toBe(true)
})

test('a change of the device’s clock does not count as an unreachable server', async () => {
  const { device, clock } = await openLoneTab()
  lastUnreachable(device)
  clock.advance(6000)
  clock.jump(-3_600_000)
  const editedAt = serverNow(device)
  clock.advance(10)
  expect(wasUnreachableSince(device, editedAt)).toBe(false)
})

test('`wasUnreachableSince` is true even if the process is interrupted between the reads of the two clocks', async () => {
  const { device, clock } = await openLoneTab()
  lastUnreachable(device)
  clock.advance(1000)
  const editedAt = serverNow(device)
  clock.advance(5)
  reachable(device).set(false)
  const now = clock.now.bind(clock)
  vi.spyOn(clock, 'now').mockImplementation(() => {
    const read = now()
    clock.advance(50)
    return read
  })
  expect(wasUnreachableSince(device, editedAt)).toBe(true)
})
