import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { daysBetween, daysFromToday, formatDay, formatDue, isOverdue, isoToLocal, localToIso } from './dates.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

/** Sets the time zone of the device, and the time to `now` (UTC). */
function setZoneAndTime(zone: string, now: string): void {
  vi.stubEnv('TZ', zone)
  vi.setSystemTime(new Date(now))
}

describe('due dates are described in local time', () => {
  test.each([
    // An ordinary evening. In other time zones, the same moment is on another day.
    ['Europe/London', '2026-11-21T22:00Z', '2026-11-22T04:30Z', 'Tomorrow, 04:30'],
    ['America/New_York', '2026-11-21T22:00Z', '2026-11-22T04:30Z', 'Today, 23:30'],
    ['Asia/Kolkata', '2026-11-21T22:00Z', '2026-11-22T04:30Z', 'Today, 10:00'],
    ['Australia/Lord_Howe', '2026-11-21T22:00Z', '2026-11-22T04:30Z', 'Today, 15:30'],
    // Nights in which the clock is put forward: the day has 23 hours (on Lord Howe 23 and a half).
    ['Europe/London', '2026-03-28T23:30Z', '2026-03-29T22:59Z', 'Tomorrow, 23:59'],
    ['Europe/London', '2026-03-29T00:30Z', '2026-03-29T01:30Z', 'Today, 02:30'],
    ['America/New_York', '2026-03-08T06:30Z', '2026-03-08T07:30Z', 'Today, 03:30'],
    ['Australia/Lord_Howe', '2026-10-03T13:00Z', '2026-10-03T16:00Z', 'Tomorrow, 03:00'],
    // Nights in which the clock is put back: the day has 25 hours, and one hour occurs twice. In Kolkata, the clock is never changed.
    ['Europe/London', '2026-10-24T22:30Z', '2026-10-25T00:30Z', 'Tomorrow, 01:30'],
    ['Europe/London', '2026-10-24T23:30Z', '2026-10-25T01:30Z', 'Today, 01:30'],
    ['Europe/London', '2026-10-24T23:30Z', '2026-10-25T23:59Z', 'Today, 23:59'],
    ['America/New_York', '2026-11-01T04:30Z', '2026-11-02T04:59Z', 'Today, 23:59'],
    ['Asia/Kolkata', '2026-10-24T22:30Z', '2026-10-25T18:29Z', 'Today, 23:59'],
    ['Asia/Kolkata', '2026-10-24T22:30Z', '2026-10-25T18:30Z', 'Tomorrow, 00:00'],
  ])('the words for a due date follow local time: in %s, now %s: %s is %s', (zone, now, due, text) => {
    setZoneAndTime(zone, now)
    expect(formatDue(due)).toBe(text)
  })
})

describe('a postponed task keeps its time of day', () => {
  test.each([
    ['Europe/London', '2026-11-21T22:00Z', 1, '2026-11-20T15:00Z', '2026-11-22T15:00'],
    ['America/New_York', '2026-11-22T03:00Z', 1, '2026-11-20T15:00Z', '2026-11-22T10:00'],
    ['Asia/Kolkata', '2026-11-21T22:00Z', 7, '2026-11-20T15:00Z', '2026-11-29T20:30'],
    ['Australia/Lord_Howe', '2026-11-21T22:00Z', 7, '2026-11-20T15:00Z', '2026-11-29T02:00'],
    // A task without a due date is postponed to 09:00.
    ['Europe/London', '2026-11-21T22:00Z', 1, null, '2026-11-22T09:00'],
    ['Asia/Kolkata', '2026-11-21T22:00Z', 1, null, '2026-11-23T09:00'],
    // The clock changes in between, or skips the time of day.
    ['Europe/London', '2026-03-28T12:00Z', 1, '2026-03-28T15:00Z', '2026-03-29T15:00'],
    ['Europe/London', '2026-03-28T12:00Z', 1, '2026-03-28T01:30Z', '2026-03-29T02:30'],
    ['Europe/London', '2026-10-24T12:00Z', 1, '2026-10-24T14:00Z', '2026-10-25T15:00'],
    ['Europe/London', '2026-10-20T12:00Z', 7, '2026-10-20T14:00Z', '2026-10-27T15:00'],
    ['America/New_York', '2026-03-07T17:00Z', 1, '2026-03-07T07:30Z', '2026-03-08T03:30'],
    ['America/New_York', '2026-10-31T17:00Z', 1, '2026-10-31T05:30Z', '2026-11-01T01:30'],
    ['Australia/Lord_Howe', '2026-10-03T01:00Z', 1, '2026-10-02T15:45Z', '2026-10-04T02:45'],
    ['Australia/Lord_Howe', '2026-04-04T01:00Z', 1, '2026-04-04T04:00Z', '2026-04-05T15:00'],
    // The new day is in the next month or year, or is 29 February.
    ['Europe/London', '2026-12-31T12:00Z', 1, '2026-12-31T15:00Z', '2027-01-01T15:00'],
    ['Asia/Kolkata', '2028-02-27T20:00Z', 1, null, '2028-02-29T09:00'],
  ])(
    'a postponed task keeps its time of day: in %s, now %s, by %i days, from %s to %s',
    (zone, now, days, due, local) => {
      setZoneAndTime(zone, now)
      expect(isoToLocal(daysFromToday(days, due))).toBe(local)
    },
  )

  test('a time that occurs twice on a day means the first one', () => {
    setZoneAndTime('Europe/London', '2026-10-24T12:00Z')
    expect(daysFromToday(1, '2026-10-24T00:30Z')).toBe('2026-10-25T00:30:00.000Z')
  })
})

describe.each(['Europe/London', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])('%s', (zone) => {
  test('calendar days are counted correctly at every hour of a year, and a moment that is formatted and parsed stays the same', () => {
    setZoneAndTime(zone, '2026-01-01T00:00Z')
    let previous = new Date()
    for (let hour = 1; hour <= 366 * 24; hour += 1) {
      const next = new Date(previous.getTime() + 3_600_000)
      const midnights = next.getDate() === previous.getDate() ? 0 : 1
      expect(daysBetween(previous, next)).toBe(midnights)
      const local = isoToLocal(next.toISOString())
      expect(isoToLocal(localToIso(local))).toBe(local)
      previous = next
    }
  })

  test('a task that is postponed by one or seven days is due that many calendar days after today, on every day of the year', () => {
    for (let day = 0; day < 366; day += 1) {
      setZoneAndTime(zone, new Date(Date.UTC(2026, 0, 1 + day, 12)).toISOString())
      for (const time of [null, '2026-06-01T00:30Z', '2026-06-01T15:00Z']) {
        expect(daysBetween(new Date(), new Date(daysFromToday(1, time)))).toBe(1)
        expect(daysBetween(new Date(), new Date(daysFromToday(7, time)))).toBe(7)
      }
    }
  })

  test('a date without a time is the same day in every zone', () => {
    for (const now of ['2026-03-28T23:30Z', '2026-10-24T22:30Z', '2026-11-21T00:10Z']) {
      setZoneAndTime(zone, now)
      expect(formatDay('2026-03-29')).toBe('29 Mar')
      expect(formatDay('2026-10-25')).toBe('25 Oct')
    }
  })

  test('whether a task is overdue depends on the moment, not on the time zone', () => {
    setZoneAndTime(zone, '2026-10-25T01:00Z')
    expect(isOverdue('2026-10-25T00:59:59Z')).toBe(true)
    expect(isOverdue('2026-10-25T01:00:01Z')).toBe(false)
  })
})

test('when the time zone of the device changes, an open page uses the new one', () => {
  setZoneAndTime('Europe/London', '2026-11-21T12:00Z')
  expect(formatDue('2026-11-21T22:30Z')).toBe('Today, 22:30')
  setZoneAndTime('Asia/Kolkata', '2026-11-21T12:00Z')
  expect(formatDue('2026-11-21T22:30Z')).toBe('Tomorrow, 04:00')
})
