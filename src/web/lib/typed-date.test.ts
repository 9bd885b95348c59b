import { afterEach, describe, expect, test, vi } from 'vitest'
import { isoToLocal } from './dates.ts'
import { describeDate, readTypedDate, typedMoment, typedText, typedTextOf } from './typed-date.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Monday, 23 November 2026. */
const now = new Date(2026, 10, 23, 9, 30)

/** Returns '2026-11-30', '2026-11-30 15:00', the problem, or '' for an empty text. */
function read(text: string, locale = 'en-GB', withTime = true): string {
  const result = readTypedDate(text, { locale, withTime, now })
  if (!result) return ''
  if ('problem' in result) return result.problem
  return result.time === null ? result.day : `${result.day} ${result.time}`
}

test.each([
  ['', ''],
  ['today', '2026-11-23'],
  ['Tomorrow', '2026-11-24'],
  ['tom', '2026-11-24'],
  ['yesterday', '2026-11-22'],
  ['fri', '2026-11-27'],
  ['Friday', '2026-11-27'],
  // Today is a Monday, so 'mon' means the Monday of the next week.
  ['mon', '2026-11-30'],
  ['+3d', '2026-11-26'],
  ['+ 2 weeks', '2026-12-07'],
  ['in 3 days', '2026-11-26'],
  ['-1d', '2026-11-22'],
  ['next week', '2026-11-30'],
  ['+1m', '2026-12-23'],
  ['+3m', '2027-02-23'],
  ['+1y', '2027-11-23'],
  ['30.11.', '2026-11-30'],
  ['30. 11. 2026', '2026-11-30'],
  ['30.11.26', '2026-11-30'],
  ['30/11', '2026-11-30'],
  ['30-11-2026', '2026-11-30'],
  ['30 Nov', '2026-11-30'],
  ['Nov 30', '2026-11-30'],
  ['Nov 30th, 2026', '2026-11-30'],
  ['30 November 2026', '2026-11-30'],
  ['30-Nov-2026', '2026-11-30'],
  ['the 30th of nov', '2026-11-30'],
  ['Mon, 30 Nov 2026', '2026-11-30'],
  ['2026-11-30', '2026-11-30'],
  ['2026/11/30', '2026-11-30'],
  // A date without a year means the next such date, or today.
  ['23 Nov', '2026-11-23'],
  ['22 Nov', '2027-11-22'],
  ['29 Feb', '2028-02-29'],
  ['fri 9:30', '2026-11-27 09:30'],
  ['tomorrow 3pm', '2026-11-24 15:00'],
  ['tomorrow at 12:15 am', '2026-11-24 00:15'],
  ['30.11. 3.30 p.m.', '2026-11-30 15:30'],
  ['today noon', '2026-11-23 12:00'],
  ['2026-11-30T15:00', '2026-11-30 15:00'],
  ['30 Nov 2026, 15:00:59', '2026-11-30 15:00'],
  ['  30\u00a0Nov ', '2026-11-30'],
])('the typed date %j is read as %s', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each([
  ['en-US', '11/30/2026', '2026-11-30'],
  ['en-US', '03/04', '2027-03-04'],
  ['en-US', '4.4.2027', '2027-04-04'],
  ['en-GB', '03/04', '2027-04-03'],
  ['sv-SE', '30/11', '2026-11-30'],
  ['ja-JP', '11/30', '2026-11-30'],
  ['de-DE', 'morgen 15 Uhr', '2026-11-24 15:00'],
  ['de-DE', 'Fr', '2026-11-27'],
  ['de-DE', '3. März', '2027-03-03'],
  ['de-DE', 'Montag, den 30.11.', '2026-11-30'],
  ['fr-FR', "aujourd'hui 15h", '2026-11-23 15:00'],
  ['fr-FR', 'le 1er févr.', '2027-02-01'],
  ['fr-FR', 'demain à 15h30', '2026-11-24 15:30'],
  ['sv-SE', 'i morgon kl. 15:00', '2026-11-24 15:00'],
  ['sv-SE', 'on', '2026-11-25'],
])('a typed date is read in the language %s: %j is %s', (locale, text, expected) => {
  expect(read(text, locale)).toBe(expected)
})

test.each([
  ['en-US', '30.11.2026', 'There is no month 30: for 30 Nov 2026, type 30 Nov 2026'],
  ['en-US', '4.3.2027', 'That can be 4 Mar 2027 or 3 Apr 2027: type the one you mean'],
  ['en-US', '4.3.', 'That can be 4 Mar or 3 Apr: type the one you mean'],
  ['en-US', '30.11', 'There is no month 30: for 30 Nov, type 30 Nov'],
  ['en-GB', '11/30/2026', 'There is no month 30: for 30 Nov 2026, type 30 Nov 2026'],
  ['en-GB', '31.02.', 'Feb has 29 days at most: type one of them'],
  ['en-GB', '29.02.2027', 'Feb 2027 has 28 days: type one of them'],
  ['en-GB', '40/40', 'There is no month 40: type the day and the name of its month, such as 30 Nov'],
  ['en-GB', '2026-13-01', 'There is no month 13: type one from 1 to 12'],
  ['en-GB', '0/11', 'There is no day 0: type one from 1 to 30'],
  ['en-GB', '0/2', 'There is no day 0: type one from 1 to 29'],
  ['en-GB', '0/2/2027', 'There is no day 0: type one from 1 to 28'],
  ['en-GB', '11.11.031', 'Write the year with four digits'],
  ['en-GB', '26-11-30', 'Write the year with four digits'],
  ['sv-SE', '26.11.30', 'Write the year with four digits'],
  ['en-GB', 'fri 30 nov 2026', '30 Nov 2026 is a Monday: correct the weekday or leave it out'],
  ['en-GB', 'fri 25:00', 'There is no time 25:00: type one such as 9:30'],
  ['en-GB', 'fri 13pm', 'There is no time 13pm: type one such as 9:30'],
  ['en-GB', '9:30', 'Type a day, too: today 09:30'],
  ['en-GB', '+9999y', 'Type a year from 1000 to 9998'],
  ['en-GB', '0026-11-30', 'Type a year from 1000 to 9998'],
  ['en-GB', 'soon', 'Type a date such as 30 Nov, fri 9:30 or +3d'],
  ['en-GB', '1111', 'Type a date such as 30 Nov, fri 9:30 or +3d'],
  ['fr-FR', '3 jui', 'Type a date such as 30 Nov, fri 9:30 or +3d'],
])('the typed date is refused with a problem: in %s, %j: %s', (locale, text, problem) => {
  expect(read(text, locale)).toBe(problem)
})

test('a typed time is refused in a field for a day without a time', () => {
  expect(read('fri 9:30', 'en-GB', false)).toBe('Type the day without a time')
  expect(read('soon', 'en-GB', false)).toBe('Type a date such as 30 Nov, fri or +3d')
})

test('a number of months or years leads to the last day of the month if that month is too short', () => {
  const localDate = (year: number, month: number, day: number) => new Date(year, month - 1, day)
  const readFrom = (text: string, from: Date) => readTypedDate(text, { locale: 'en-GB', now: from })
  expect(readFrom('+1m', localDate(2026, 1, 31))).toEqual({ day: '2026-02-28', time: null })
  expect(readFrom('-1m', localDate(2028, 3, 31))).toEqual({ day: '2028-02-29', time: null })
  expect(readFrom('+1y', localDate(2028, 2, 29))).toEqual({ day: '2029-02-28', time: null })
})

describe('moments', () => {
  test('a pasted moment with a time zone is converted to local time', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo')
    expect(read('2026-11-30T15:00:00.000Z')).toBe('2026-12-01 00:00')
    expect(read('2026-11-30T15:00:00-05:00')).toBe('2026-12-01 05:00')
    // The end of a day means the day.
    expect(read('2026-11-30T14:59:59.999Z')).toBe('2026-11-30')
  })

  test('a time that the clock skips is refused', () => {
    vi.stubEnv('TZ', 'Europe/London')
    expect(read('29 Mar 2026 1:30')).toBe('The clock skips 01:30 on that day: type another time')
    expect(read('29 Mar 2026 2:30')).toBe('2026-03-29 02:30')
  })

  test.each([
    ['Europe/London', '30 Nov 2026', '2026-11-30T23:59:59.999Z'],
    ['America/New_York', '30 Nov 2026', '2026-12-01T04:59:59.999Z'],
    ['Asia/Tokyo', '30 Nov 2026', '2026-11-30T14:59:59.999Z'],
    // Days of 23 and 25 hours, and a day whose last hour occurs twice.
    ['Europe/London', '29 Mar 2026', '2026-03-29T22:59:59.999Z'],
    ['Europe/London', '25 Oct 2026', '2026-10-25T23:59:59.999Z'],
    ['America/Santiago', '4 Apr 2026', '2026-04-05T03:59:59.999Z'],
    ['Europe/London', '30 Nov 2026 23:59', '2026-11-30T23:59:00.000Z'],
  ])('the typed moment is read in the time zone %s: %s is %s', (zone, text, iso) => {
    vi.stubEnv('TZ', zone)
    expect(typedMoment(text)).toBe(iso)
    expect(typedTextOf(iso)).toBe(text)
    expect(isoToLocal(iso)).toHaveLength(text.includes(':') ? 16 : 10)
  })
})

test('a date is described with its weekday, and written for a text field without it', () => {
  expect(describeDate({ day: '2026-11-30', time: null })).toBe('Mon 30 Nov 2026')
  expect(describeDate({ day: '2026-11-30', time: '15:00' })).toBe('Mon 30 Nov 2026, 15:00')
  expect(typedText({ day: '2026-11-30', time: '15:00' })).toBe('30 Nov 2026 15:00')
})
