import { expect, test } from 'vitest'
import { daysLeft } from './days-left.ts'

test.each([
  ['2026-11-28T12:00:59Z', '7 days left'],
  ['2026-11-28T12:00:00Z', '7 days left'],
  ['2026-11-26T11:59:00Z', '5 days left'],
  ['2026-11-22T12:00:00Z', '1 day left'],
  ['2026-11-21T12:00:01Z', '1 day left'],
  ['2026-11-21T12:00:00Z', 'expired'],
  ['2026-11-01T12:00:00Z', 'expired'],
])('the days left until %s are shown as: %s', (expiresAt, words) => {
  expect(daysLeft(expiresAt, new Date('2026-11-21T12:00:00Z'))).toBe(words)
})
