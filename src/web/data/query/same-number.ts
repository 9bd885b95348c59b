import { countryCode, digitsOf } from './search-text.ts'

/** Fewer digits than this are an extension or a part of a number. */
const leastDigits = 6

/**
 * Returns a typed telephone number as a search word: its digits, with the plus of an international number. Null if it has too few digits.
 */
export function wholeNumber(typed: string): string | null {
  const number = typed.replace(/(?!^\s*\+)[^\d]/g, '').trim()
  return digitsOf(number).replace(/^0+/, '').length < leastDigits ? null : number
}

/**
 * Whether two telephone numbers are the same, whatever signs are between their digits: +49 171 …, 0049 171 …, +49 (0)171 … and 0171 ….
 * Numbers with different country codes are different.
 */
export function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [readNumber(one), readNumber(other)]
  return a.national === b.national && (a.country === b.country || a.country === '' || b.country === '')
}

function readNumber(phone: string): { country: string; national: string } {
  const number = phone.replace(/[^\d+]/g, '')
  const digits = number.replace(/\D/g, '').replace(/^0+/, '')
  const country = /^(\+|00)/.test(number) ? (countryCode.exec(digits)?.[0] ?? '') : ''
  return { country, national: digits.slice(country.length).replace(/^0+/, '') }
}
