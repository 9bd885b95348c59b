import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { daysFromToday } from '#web/lib/dates.ts'
import { dueGroup, dueText } from './due-group.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

test.each([
  ['Europe/London', '2026-11-21T22:00Z', '2026-11-22T04:30Z', 'Tomorrow', '04:30'],
  ['America/New_York', '2026-11-21T22:00Z', '2026-11-22T04:30Z', 'Today', '23:30'],
  ['America/New_York', '2026-11-21T22:00Z', '2026-11-22T05:00Z', 'Tomorrow', '00:00'],
  ['Asia/Kolkata', '2026-11-21T18:31Z', '2026-11-21T18:29Z', 'Overdue', '21 Nov, 23:59 (Overdue)'],
  ['Asia/Kolkata', '2026-11-21T18:31Z', '2026-11-22T18:29Z', 'Today', '23:59'],
  ['Australia/Lord_Howe', '2026-11-21T13:30Z', '2026-11-28T12:59Z', 'This week', 'Sat 28 Nov, 23:59'],
  ['Australia/Lord_Howe', '2026-11-21T13:30Z', '2026-11-28T13:00Z', 'Later', 'Sun 29 Nov, 00:00'],
  // London, the nights in which the clock changes: 29 March (01:00 becomes 02:00) and 25 October (02:00 becomes 01:00).
  ['Europe/London', '2026-03-28T23:30Z', '2026-03-29T00:59Z', 'Tomorrow', '00:59'],
  ['Europe/London', '2026-03-28T23:30Z', '2026-03-29T23:00Z', 'This week', 'Mon 30 Mar, 00:00'],
  ['Europe/London', '2026-03-29T00:30Z', '2026-03-29T22:59Z', 'Today', '23:59'],
  ['Europe/London', '2026-03-29T00:30Z', '2026-03-29T23:00Z', 'Tomorrow', '00:00'],
  ['Europe/London', '2026-03-29T00:30Z', '2026-04-04T22:59Z', 'This week', 'Sat 4 Apr, 23:59'],
  ['Europe/London', '2026-03-29T00:30Z', '2026-04-04T23:00Z', 'Later', 'Sun 5 Apr, 00:00'],
  ['Europe/London', '2026-10-24T22:59Z', '2026-10-24T23:30Z', 'Tomorrow', '00:30'],
  ['Europe/London', '2026-10-25T00:59Z', '2026-10-25T01:00Z', 'Today', '01:00'],
  ['Europe/London', '2026-10-25T01:01Z', '2026-10-25T00:59Z', 'Overdue', 'Today, 01:59 (Overdue)'],
  ['Europe/London', '2026-10-24T23:30Z', '2026-10-25T23:59Z', 'Today', '23:59'],
  ['Europe/London', '2026-10-24T23:30Z', '2026-10-26T00:00Z', 'Tomorrow', '00:00'],
  // New York, the nights in which the clock changes: 8 March and 1 November.
  ['America/New_York', '2026-03-08T05:30Z', '2026-03-09T03:59Z', 'Today', '23:59'],
  ['America/New_York', '2026-03-08T05:30Z', '2026-03-09T04:00Z', 'Tomorrow', '00:00'],
  ['America/New_York', '2026-11-01T04:30Z', '2026-11-02T04:59Z', 'Today', '23:59'],
  ['America/New_York', '2026-11-01T04:30Z', '2026-11-02T05:00Z', 'Tomorrow', '00:00'],
] as const)(
  'a due date is in the group of its local day: in %s, now %s: %s is %s, %s',
  (zone, now, due, group, text) => {
    vi.stubEnv('TZ', zone)
    vi.setSystemTime(new Date(now))
    expect(dueGroup(due, new Date())).toBe(group)
    expect(dueText(due, new Date(), group)).toBe(text)
  },
)

test.each(['Europe/London', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
  '%s: at any hour, a task postponed to tomorrow is in the group Tomorrow, and one postponed to next week is in the group Later',
  (zone) => {
    vi.stubEnv('TZ', zone)
    for (let hour = 0; hour < 366 * 24; hour += 5) {
      const now = new Date(Date.UTC(2026, 0, 1, hour, 20))
      vi.setSystemTime(now)
      expect(dueGroup(daysFromToday(1, null), now)).toBe('Tomorrow')
      expect(dueGroup(daysFromToday(7, '2026-05-05T01:10Z'), now)).toBe('Later')
    }
  },
)
