import { decimalOf } from './decimal-of.ts'

/** Reads a typed number: '12', '1,200.50', '1.200,50', '-3', '£1,200', '12k'. Null if the text is not a number. */
export function typedNumber(text: string): number | null {
  const plain = text
    .replace(/\p{Sc}/gu, '')
    .replaceAll('−', '-')
    .trim()
  if (/^-?\d+(\.\d+)?$/.test(plain)) return Number(plain)
  const [, sign = '', digits, unit = ''] = /^(-?)\s*([\d.,' ]*\d)\s*(k|m)?$/i.exec(plain) ?? []
  const decimal = digits && decimalOf(digits.replaceAll('\u00A0', ' '), zerosOfUnit[unit.toLowerCase()] ?? 0)
  return decimal ? Number(`${sign}${decimal}`) : null
}

const zerosOfUnit: Readonly<Record<string, number>> = { k: 3, m: 6 }
