import { countryCode, digitsOf } from './search-text.ts'

/** A number with fewer digits than this is an extension or only a part of a telephone number. */
const leastDigits = 6

/**
 * Returns the search word that finds a typed telephone number: its digits and, if it begins with a plus, the plus. Null if the text has too
 * few digits for a telephone number.
 */
export function phoneSearchWord(typed: string): string | null {
  const number = typed.trim().replace(/(?!^\+)\D/g, '')
  return digitsOf(number).replace(/^0+/, '').length < leastDigits ? null : number
}

/**
 * Whether two texts are the same telephone number. The signs between the digits do not matter: +49 171 …, 0049 171 …, +49 (0)171 … and 0171 …
 * are the same. Numbers with different country codes are different.
 */
export function isSamePhoneNumber(one: string, other: string): boolean {
  const [a, b] = [readNumber(one), readNumber(other)]
  return a.national === b.national && (a.country === b.country || a.country === '' || b.country === '')
}

function readNumber(phone: string): { country: string; national: string } {
  const number = phone.replace(/[^\d+]/g, '')
  const digits = number.replace(/\D/g, '').replace(/^0+/, '')
  const country = /^(\+|00)/.test(number) ? (countryCode.exec(digits)?.[0] ?? '') : ''
  return { country, national: digits.slice(country.length).replace(/^0+/, '') }
}
