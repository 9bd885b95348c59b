import { expect, test, vi } from 'vitest'
import { clockStart, openLoneTab } from '#tests/harness/lone-tab.ts'
import { reachable, serverNow } from '#web/data/server/network.ts'
import { wasLostSince, trackServerLoss } from './lost-since.ts'

test('`wasLostSince` is true for an edit that was made before the server was unreachable, or before tracking began', async () => {
  const { device, clock } = await openLoneTab()
  clock.advance(1000)
  trackServerLoss(device)
  expect(wasLostSince(device, clockStart)).toBe(true)
  expect(wasLostSince(device, serverNow(device))).toBe(true)
  clock.advance(1)
  const fresh = serverNow(device)
  expect(wasLostSince(device, fresh)).toBe(false)
  clock.advance(5000)
  expect(wasLostSince(device, fresh)).toBe(false)
  reachable(device).set(false)
  clock.advance(1000)
  reachable(device).set(true)
  expect(wasLostSince(device, fresh)).toBe(true)
  expect(wasLostSince(device, serverNow(device))).toBe(false)
})

test('a change of the device’s clock is not taken for an unreachable server', async () => {
  const { device, clock } = await openLoneTab()
  trackServerLoss(device)
  clock.advance(1000)
  clock.jump(-3_600_000)
  const made = serverNow(device)
  clock.advance(10)
  expect(wasLostSince(device, made)).toBe(false)
})

test('`wasLostSince` is true even if the process is interrupted between the reads of the two clocks', async () => {
  const { device, clock } = await openLoneTab()
  trackServerLoss(device)
  clock.advance(1000)
  const made = serverNow(device)
  clock.advance(5)
  reachable(device).set(false)
  const now = clock.now.bind(clock)
  vi.spyOn(clock, 'now').mockImplementation(() => {
    const read = now()
    clock.advance(50)
    return read
  })
  expect(wasLostSince(device, made)).toBe(true)
})
