import { decimalOf } from './decimal-of.ts'

/**
 * Reads a typed number: '12', '1,200.50', '1.200,50', '-3', '£1,200', '12k'. A single point is the decimal mark ('1.234' is 1.234), because a number
 * may have three decimals. Null if the text is not a number.
 */
export function typedNumber(text: string): number | null {
  const plain = withoutSymbol(text)
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : typedAmount(plain)
}

/**
 * Reads a typed amount of money, as the amount of a deal is read: a single point before three digits separates thousands ('12.000' is 12000). Null
 * if the text is not a number.
 */
export function typedAmount(text: string): number | null {
  const [, sign = '', digits, unit = ''] = /^(-?)\s*([\d.,' ]*\d)\s*(k|m)?$/i.exec(withoutSymbol(text)) ?? []
  const decimal = digits && decimalOf(digits, zerosOfUnit[unit.toLowerCase()] ?? 0)
  return decimal ? Number(`${sign}${decimal}`) : null
}

/** Removes the sign of a currency. Minus and space are then the ones of the keyboard. */
export function withoutSymbol(text: string): string {
  return text
    .replace(/\p{Sc}/gu, '')
    .replaceAll('−', '-')
    .replaceAll(/\s/g, ' ')
    .trim()
}

const zerosOfUnit: Readonly<Record<string, number>> = { k: 3, m: 6 }
