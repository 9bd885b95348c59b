import { currencies } from '#web/lib/currencies.ts'

/**
 * For each currency, its signs and abbreviations other than the ISO code, in lower case. Letters come before the sign, because `currenciesNamedBy`
 * puts them in this order.
 */
const signs: Readonly<Record<string, readonly string[]>> = {
  GBP: ['£', 'gb£', 'uk£'],
  EUR: ['€'],
  USD: ['$', 'us$'],
  JPY: ['¥', 'jp¥', '円'],
  CHF: ['fr', 'sfr'],
  SEK: ['kr', 'skr'],
  NOK: ['kr', 'nkr'],
  DKK: ['kr', 'dkr'],
  PLN: ['zł', 'zl'],
  CAD: ['$', 'c$', 'ca$'],
  AUD: ['$', 'a$', 'au$'],
  NZD: ['$', 'nz$'],
  SGD: ['$', 's$', 'sg$'],
  HKD: ['$', 'hk$'],
  INR: ['₹', 'rs'],
  ZAR: ['r'],
}

/**
 * Returns the currency of the given signs or codes: '€', 'EUR', 'US$', '$US', or several that agree, such as '$' and 'CAD'. A sign of several
 * currencies means `current` if `current` is one of them, otherwise the first of `currencies`. Without words, returns `current`. Null if a word names
 * no known currency, or if the words disagree.
 */
export function currencyNamed(words: readonly string[], current: string): string | null {
  let matching: readonly string[] = [current, ...currencies]
  for (const word of words) matching = currenciesNamedBy(matching, word)
  return matching.includes(current) ? current : (matching[0] ?? null)
}

function currenciesNamedBy(from: readonly string[], word: string): readonly string[] {
  const folded = word.toLowerCase().replaceAll(/[\s.]/g, '')
  const sign = folded.replace(/\P{Sc}/gu, '')
  const letters = folded.replace(sign, '')
  const isNamedBy = (part: string) => (code: string) => part === code.toLowerCase() || signs[code]?.includes(part)
  const matchingWhole = from.filter(isNamedBy(letters + sign))
  return matchingWhole.length > 0 || !letters || !sign
    ? matchingWhole
    : from.filter(isNamedBy(letters)).filter(isNamedBy(sign))
}

/** Returns the number of decimals of a currency (ISO 4217 code), at most two, as in the database: 2 for GBP, 0 for JPY. */
export function currencyDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return Math.min(2, format.resolvedOptions().maximumFractionDigits ?? 2)
}
