import { expect, it } from 'vitest'
import { fullMoment, relativeTime } from './relative-time.ts'

const now = new Date(2026, 10, 23, 14, 30)
const isoAt = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute).toISOString()

it.each([
  [isoAt(23, 14, 30), 'Just now'],
  [isoAt(23, 14, 31), 'Just now'],
  [isoAt(23, 14, 29), '1 min ago'],
  [isoAt(23, 13, 31), '59 min ago'],
  [isoAt(23, 12, 20), '2 h ago'],
  [isoAt(22, 23, 50), 'Yesterday, 23:50'],
  [isoAt(21, 23, 50), '21 Nov'],
  [isoAt(23, 16, 0), 'Today, 16:00'],
  [isoAt(25, 9, 0), '25 Nov, 09:00'],
])('the moment %s is shown as %s', (value, words) => {
  expect(relativeTime(value, now)).toBe(words)
})

it('the full text of a moment has weekday, date and time', () => {
  expect(fullMoment(isoAt(23, 9, 5))).toBe('Mon 23 Nov 2026, 09:05')
})
