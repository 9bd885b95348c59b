import { expect, test } from 'vitest'
import {
  daysBetween,
  daysFromToday,
  formatDay,
  formatDue,
  formatDueMoment,
  formatMoment,
  formatTime,
  isOverdue,
  isoToLocal,
  localToIso,
  parseDay,
} from './dates.ts'

const now = new Date(2026, 10, 21, 9, 30)
const isoAt = (...parts: [number, number, number, number?, number?]) =>
  new Date(parts[0], parts[1], parts[2], parts[3] ?? 0, parts[4] ?? 0).toISOString()

test('a day of another year is shown with its year', () => {
  expect(formatDay('2026-12-07', now)).toBe('7 Dec')
  expect(formatDay('2027-01-29', now)).toBe('29 Jan 2027')
  expect(formatDay('2026-09-01', now)).toBe('1 Sep')
  expect(formatDay(null, now)).toBe('–')
})

test('a date without a time is parsed as that local day; an invalid date gives null', () => {
  expect(parseDay('2026-12-07')?.getDate()).toBe(7)
  expect(parseDay('2026-02-30')).toBeNull()
  expect(parseDay('soon')).toBeNull()
})

test('a due date is shown as Today or Tomorrow, within two weeks with its weekday, otherwise as a date', () => {
  expect(formatDue(isoAt(2026, 10, 21, 15), now)).toBe('Today, 15:00')
  expect(formatDue(isoAt(2026, 10, 22, 9, 5), now)).toBe('Tomorrow, 09:05')
  expect(formatDue(isoAt(2026, 10, 27, 12), now)).toBe('Fri 27 Nov, 12:00')
  expect(formatDue(isoAt(2026, 10, 20, 12), now)).toBe('20 Nov, 12:00')
  expect(formatDue(isoAt(2026, 11, 24, 12), now)).toBe('24 Dec, 12:00')
  expect(formatDue(null, now)).toBe('–')
})

test('the end of a day is shown as the day, without a time', () => {
  const endOf = (day: number) => new Date(2026, 10, day, 23, 59, 59, 999).toISOString()
  expect(formatDue(endOf(21), now)).toBe('Today')
  expect(formatDue(endOf(22), now)).toBe('Tomorrow')
  expect(formatDue(endOf(27), now)).toBe('Fri 27 Nov')
  expect(formatDueMoment(endOf(21), now)).toBe('Today')
  expect(formatDueMoment(endOf(27), now)).toBe('27 Nov')
  expect(formatDueMoment(isoAt(2026, 10, 21, 23, 59), now)).toBe('Today, 23:59')
  expect(isoToLocal(endOf(27))).toBe('2026-11-27')
  expect(localToIso('2026-11-27')).toBe(endOf(27))
  expect(daysFromToday(1, endOf(3), now)).toBe(endOf(22))
  expect(isOverdue(endOf(21), new Date(2026, 10, 21, 23, 59, 59))).toBe(false)
})

test('a moment of today is shown as Today, an earlier moment with its date', () => {
  expect(formatMoment(isoAt(2026, 10, 21, 8, 31), now)).toBe('Today, 08:31')
  expect(formatMoment(isoAt(2026, 10, 19, 8, 31), now)).toBe('19 Nov, 08:31')
  expect(formatTime(isoAt(2026, 10, 19, 0, 1))).toBe('00:01')
})

test('a moment before now is overdue', () => {
  expect(isOverdue(isoAt(2026, 10, 21, 9, 29), now)).toBe(true)
  expect(isOverdue(isoAt(2026, 10, 21, 9, 31), now)).toBe(false)
  expect(isOverdue(null, now)).toBe(false)
})

test('the days between two moments are counted as calendar days, also when summer time begins or ends', () => {
  expect(daysBetween(new Date(2026, 9, 24, 23, 59), new Date(2026, 9, 26, 0, 1))).toBe(2)
  expect(daysBetween(new Date(2026, 10, 21, 23, 59), new Date(2026, 10, 22, 0, 0))).toBe(1)
})

test('a local moment is the same after it was converted to UTC and back; an empty or invalid text gives null', () => {
  expect(isoToLocal(localToIso('2026-11-27T15:45'))).toBe('2026-11-27T15:45')
  expect(localToIso('')).toBeNull()
  expect(localToIso('never')).toBeNull()
  expect(isoToLocal(null)).toBe('')
})
