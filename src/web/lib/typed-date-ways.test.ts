import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { seededRandom } from '#tests/harness/seeded-random.ts'
import { readTypedDate, typedMoment, typedText, typedTextOf } from './typed-date.ts'

/**
 * Number of random texts that are read as dates, for each pair of a locale and a time zone. The expected day does not come from the tested code: the
 * test chooses a day, and writes it with Intl or as '+3d'. Intl also knows which day is today in the time zone.
 */
const textCount = 300
const dayMs = 86_400_000
const locales = ['en-GB', 'en-US', 'de-DE', 'fr-FR', 'sv-SE']
const zones = ['Europe/London', 'America/New_York', 'Asia/Tokyo']

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10)

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Returns a formatter that is created once, because creating one takes longer than the rest of a test case. */
function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, formatter)
  return formatter
}

/** Returns today's day in the time zone, as noon in UTC. */
function todayIn(zone: string, now: Date): number {
  const day = formatterOf('en-CA', { timeZone: zone, dateStyle: 'short' }).format(now)
  return Date.parse(`${day}T12:00Z`)
}

describe.each(locales)('%s', (locale) => {
  const formatDate = (time: number, options: Intl.DateTimeFormatOptions) =>
    formatterOf(locale, { ...options, timeZone: 'UTC' }).format(time)
  const nearDayName = (days: number) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day')

  /** Returns a random text and the day that it means, as noon in UTC (ms). `today`: today in this format. */
  function randomDateText(random: () => number, today: number): [text: string, day: number] {
    const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
      items[Math.floor(random() * items.length)] ?? items[0]
    const anyDay = today + Math.floor(random() * 2000 - 500) * dayMs
    // Written without its year, so it must be within a year from today.
    const withinYear = today + Math.floor(random() * 365) * dayMs
    const weekdayAhead = 1 + Math.floor(random() * 7)
    const count = Math.floor(random() * 400)
    return pick<() => [string, number]>([
      () => [formatDate(anyDay, { dateStyle: pick(['short', 'medium', 'long', 'full']) }), anyDay],
      () => [formatDate(anyDay, { day: 'numeric', month: 'numeric', year: 'numeric' }), anyDay],
      () => [formatDate(anyDay, { day: '2-digit', month: '2-digit', year: 'numeric' }), anyDay],
      () => [
        formatDate(anyDay, { day: 'numeric', month: pick(['short', 'long']), year: 'numeric', weekday: 'short' }),
        anyDay,
      ],
      () => [formatterOf('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(anyDay), anyDay],
      () => [isoDay(anyDay), anyDay],
      () => [formatDate(withinYear, { day: 'numeric', month: pick(['numeric', 'short', 'long']) }), withinYear],
      () => [
        formatDate(today + weekdayAhead * dayMs, { weekday: pick(['long', 'short']) }),
        today + weekdayAhead * dayMs,
      ],
      () => [`+${count}d`, today + count * dayMs],
      () => [`+${count % 60}w`, today + (count % 60) * 7 * dayMs],
      () => {
        const days = pick([-1, 0, 1])
        return [nearDayName(days), today + days * dayMs]
      },
    ])()
  }

  test.each(zones)(`each of ${textCount} ways of typing a date is read as the day that it means, in %s`, (zone) => {
    vi.stubEnv('TZ', zone)
    const random = seededRandom(zones.indexOf(zone) * 100 + locales.indexOf(locale))
    for (let textIndex = 0; textIndex < textCount; textIndex += 1) {
      const now = new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 3 * 365 * dayMs))
      const [text, time] = randomDateText(random, todayIn(zone, now))
      const hours = [Math.floor(random() * 24), Math.floor(random() * 60)] as const
      const typedTime = formatDate(Date.UTC(2026, 0, 1, ...hours), { timeStyle: 'short' })
      const clock = hours.map((part) => String(part).padStart(2, '0')).join(':')
      const day = isoDay(time)
      const typed = random() < 0.5 ? text.toUpperCase() : ` ${text} `
      expect(readTypedDate(typed, { locale, now }), `${typed} at ${now.toISOString()}`).toEqual({ day, time: null })
      // In the night in which the clock is put forward, the time may not exist.
      const local = new Date(`${day}T${clock}`)
      const exists = local.getHours() === hours[0] && local.getMinutes() === hours[1]
      if (exists)
        expect(
          readTypedDate(`${text} ${typedTime}`, { locale, now, withTime: true }),
          `${text} ${typedTime} at ${now.toISOString()}`,
        ).toEqual({ day, time: clock })

      vi.setSystemTime(now)
      for (const value of [{ day, time: null }, ...(exists ? [{ day, time: clock }] : [])]) {
        const shown = typedText(value)
        expect(readTypedDate(shown, { locale, withTime: true })).toEqual(value)
        expect(typedTextOf(typedMoment(shown))).toBe(shown)
      }
    }
  })

  test('every pair of numbers is read in the order of the locale, or refused if it makes no date in that order', () => {
    const now = new Date(2027, 5, 15)
    for (let first = 0; first <= 32; first += 1) {
      for (let second = 0; second <= 32; second += 1) {
        const pad = (value: number) => String(value).padStart(2, '0')
        const text = `${pad(first)}/${pad(second)}/2028`
        const monthFirst = locale === 'en-US'
        const [month, day] = monthFirst ? [first, second] : [second, first]
        const date = new Date(Date.UTC(2028, month - 1, day))
        const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
        const result = readTypedDate(text, { locale, now })
        if (isReal) expect(result, text).toEqual({ day: `2028-${pad(month)}-${pad(day)}`, time: null })
        else expect(result, text).toHaveProperty('problem')
      }
    }
  })
})
