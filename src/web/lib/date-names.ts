import { plainWords } from './plain-words.ts'

/**
 * The order of day and month in numeric dates. `unclear`: some have the day first and some the month, so that a date with two possible meanings is
 * refused.
 */
export type NumericOrder = 'day-first' | 'month-first' | 'unclear'

/** The names of days and months, in English (the language of the app) and in the language of the browser. */
export interface DateNames {
  /** The names of near days, each with its distance from today (days): 'yesterday' is -1, 'today' is 0, 'demain' is 1. */
  near: ReadonlyMap<string, number>
  /** The names of weekdays, each with its number (Sunday is 0), and the names of months, each with its number (January is 1). */
  weekdays: readonly NamedNumber[]
  months: readonly NamedNumber[]
  /** True if numeric dates have the month first ('11/30'). */
  monthFirst: boolean
  /** The order of numeric dates where it does not depend on the locale, as in a file. */
  order?: NumericOrder
  /** True if numeric dates with a year have the year first ('2026-11-30'). */
  yearFirst: boolean
  /** True if a year of two digits is refused. Otherwise it is a year from 2000. */
  fullYear?: boolean
}

type NamedNumber = readonly [name: string, value: number]

const namesByLocale = new Map<string, DateNames>()

/**
 * Returns the names of days and months in a locale, and the order of numbers in its dates. The result is computed once per locale, because computing
 * it with Intl takes milliseconds.
 */
export function dateNames(locale: string): DateNames {
  const names = namesByLocale.get(locale) ?? namesOf(locale)
  namesByLocale.set(locale, names)
  return names
}

function namesOf(locale: string): DateNames {
  const near = new Map<string, number>()
  for (const language of ['en', locale]) {
    const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
    for (const days of [-1, 0, 1]) near.set(plainWords(words.format(days, 'day')), days)
  }
  const numeric: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'numeric' }
  const [firstPart] = orderOf(locale, numeric)
  return {
    near,
    weekdays: namesBy(locale, 'weekday', (index) => [Date.UTC(2023, 0, 1 + index), index]),
    months: namesBy(locale, 'month', (index) => [Date.UTC(2023, index, 1), index + 1]),
    monthFirst: firstPart === 'month',
    yearFirst: orderOf(locale, { ...numeric, year: 'numeric' })[0] === 'year',
  }
}

/**
 * Returns the number of the weekday or month with this name. `word` may also be the beginning of a name, with at least `minLetters` letters.
 * Null if no name begins with it, or if the names that begin with it have different numbers.
 */
export function numberOf(word: string, names: readonly NamedNumber[], minLetters: number): number | null {
  const exact = names.find(([name]) => name === word)
  if (exact) return exact[1]
  if (word.length < minLetters) return null
  const values = new Set(names.flatMap(([name, value]) => (name.startsWith(word) ? [value] : [])))
  return values.size === 1 ? ([...values][0] ?? null) : null
}

function namesBy(locale: string, part: 'weekday' | 'month', entryOf: (index: number) => [time: number, value: number]) {
  return ['en', locale].flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) => {
      // The month is formatted with a day, because some languages change its ending in a date.
      const format = new Intl.DateTimeFormat(language, { [part]: length, day: 'numeric', timeZone: 'UTC' })
      return Array.from({ length: part === 'month' ? 12 : 7 }, (_, index): NamedNumber => {
        const [time, value] = entryOf(index)
        const name = format.formatToParts(time).find(({ type }) => type === part)?.value ?? ''
        return [plainWords(name).replace(/\.$/, ''), value]
      })
    }),
  )
}

function orderOf(locale: string, options: Intl.DateTimeFormatOptions): string[] {
  const parts = new Intl.DateTimeFormat(locale, options).formatToParts(0)
  return parts.map(({ type }) => type).filter((type) => type !== 'literal')
}
