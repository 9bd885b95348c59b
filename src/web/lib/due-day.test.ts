import { afterEach, expect, test, vi } from 'vitest'
import { formatDue, isOverdue, isoToLocal, localToIso } from './dates.ts'
import { dueDay, dueTime, localDay } from './due-day.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Time zones from 12 hours behind UTC to 14 ahead, some with days of 23 and 25 hours, and days that begin at 01:00. */
const zones = [
  'Etc/GMT+12 Pacific/Pago_Pago Pacific/Honolulu Pacific/Marquesas America/New_York America/St_Johns',
  'America/Santiago America/Havana Atlantic/Azores Europe/London Europe/Berlin Africa/Cairo Asia/Beirut',
  'Asia/Kolkata Asia/Kathmandu Asia/Tokyo Australia/Lord_Howe Pacific/Auckland Pacific/Chatham',
  'Pacific/Apia Pacific/Kiritimati',
].flatMap((line) => line.split(' '))

test('a due day is the same day for everybody, in every time zone of the person who sets it and of the person who reads it', () => {
  const moments: [day: string, moment: string][] = []
  for (const setterZone of zones) {
    vi.stubEnv('TZ', setterZone)
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 13 * 86_400_000) {
      const day = new Date(at).toISOString().slice(0, 10)
      const moment = localToIso(day) ?? ''
      expect([setterZone, dueDay(moment)]).toEqual([setterZone, day])
      moments.push([day, moment])
    }
  }
  for (const readerZone of zones) {
    vi.stubEnv('TZ', readerZone)
    const readDays = moments.map(([, moment]) => [
      isoToLocal(moment),
      localDay(dueTime(moment)),
      localDay(dueTime(moment) + 1),
    ])
    expect(readDays.every(([, last, next]) => last !== next)).toBe(true)
    expect(readDays.map(([day, last]) => [day, last])).toEqual(moments.map(([day]) => [day, day]))
  }
})

test('a due day stays the same day on every day of a year, also when the clock is changed', () => {
  for (const zone of zones) {
    vi.stubEnv('TZ', zone)
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 11 * 3_600_000) {
      const day = localDay(at)
      expect(dueDay(localToIso(day))).toBe(day)
    }
  }
})

test('a day that is set in New York is that day in Tokyo and Berlin, and is overdue when the day has ended there', () => {
  vi.stubEnv('TZ', 'America/New_York')
  const moment = localToIso('2026-11-25') ?? ''
  expect(moment).toBe('2026-11-26T04:59:59.999Z')
  vi.stubEnv('TZ', 'Asia/Tokyo')
  expect(formatDue(moment, new Date('2026-11-24T16:00Z'))).toBe('Today')
  expect(isOverdue(moment, new Date('2026-11-25T14:59:59Z'))).toBe(false)
  expect(isOverdue(moment, new Date('2026-11-25T15:00Z'))).toBe(true)
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect(formatDue(moment, new Date('2026-11-24T12:00Z'))).toBe('Tomorrow')
  // SQL writes moments in another format. Moments that have a time do not mean a day.
  expect(dueDay('2026-11-26T04:59:59.999+00:00')).toBe('2026-11-25')
  expect([dueDay('2026-11-25T22:59:00Z'), dueDay('2026-11-25T22:59:59Z'), dueDay(null)]).toEqual([null, null, null])
})

test('a due day also stays the same day in very early and very late years', () => {
  for (const zone of zones) {
    vi.stubEnv('TZ', zone)
    for (const day of ['1000-01-01', '1850-06-30', '9998-12-31'])
      expect([zone, dueDay(localToIso(day))]).toEqual([zone, day])
  }
})
