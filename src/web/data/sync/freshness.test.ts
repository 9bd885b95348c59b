import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { caughtUp, freshness, markCaughtUp } from './freshness.ts'

test('a change arrives first, live, or after the page was away for more than 45 seconds', async () => {
  const { device, data, clock } = await openLoneTab()
  expect([freshness(data), caughtUp(device).get()]).toEqual(['first', null])
  markCaughtUp(data)
  expect(caughtUp(device).get()).toBe(data)
  clock.advance(45_000)
  expect(freshness(data)).toBe('live')
  clock.advance(1)
  expect(freshness(data)).toBe('away')
  markCaughtUp(data)
  expect(freshness(data)).toBe('live')
})
