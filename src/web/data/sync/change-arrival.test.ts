import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { caughtUpBrand, whenChangeWasMade, markCaughtUp } from './change-arrival.ts'

test('a change counts as "first" before the first pull, as "live" up to 45 seconds after a pull, and as "away" after that', async () => {
  const { device, data, clock } = await openLoneTab()
  expect([whenChangeWasMade(data), caughtUpBrand(device).get()]).toEqual(['first', null])
  markCaughtUp(data)
  expect(caughtUpBrand(device).get()).toBe(data)
  clock.advance(45_000)
  expect(whenChangeWasMade(data)).toBe('live')
  clock.advance(1)
  expect(whenChangeWasMade(data)).toBe('away')
  markCaughtUp(data)
  expect(whenChangeWasMade(data)).toBe('live')
})
