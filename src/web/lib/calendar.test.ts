import { expect, test } from 'vitest'
import { addDays, addMonths, firstWeekdayOf, weekdayOf, weeksOf } from './calendar.ts'

test('adding days and months leads into the next or the previous month and year; a month that is too short gives its last day', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
  expect(addDays('0026-11-30', 1)).toBe('0026-12-01')
})

test.each([0, 1, 6])(
  'the weeks of a month begin with the weekday %i and contain each of its days once',
  (firstWeekday) => {
    for (let index = 0; index < 60; index += 1) {
      const month = addMonths('2026-01-01', index)
      const days = weeksOf(month, firstWeekday).flat()
      expect(days.length % 7).toBe(0)
      expect(weekdayOf(days[0] ?? '')).toBe(firstWeekday)
      const daysOfMonth = days.filter((day) => day.startsWith(month.slice(0, 7)))
      expect(daysOfMonth[0]).toBe(month)
      expect(daysOfMonth.at(-1)).toBe(addDays(addMonths(month, 1), -1))
      // Each week has at least one day of the month.
      expect(days.length - daysOfMonth.length).toBeLessThan(13)
    }
  },
)

test('the first day of a week depends on the locale', () => {
  expect(['en-GB', 'en-US', 'de-DE', 'ja-JP'].map(firstWeekdayOf)).toEqual([1, 0, 1, 0])
})
