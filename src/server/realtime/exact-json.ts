import { randomUUID } from 'node:crypto'

/**
 * The beginning of each string that replaces a long integer while JSON is parsed or written. It is random, so that no row
 * contains it.
 */
const integerMark = `integer ${randomUUID()} `
const stringOrNumberPattern = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const markedIntegerPattern = new RegExp(`"${integerMark}(-?\\d+)"`, 'g')

/**
 * Parses JSON. An integer beyond ±(2^53 − 1), the safe range of JavaScript's numbers, becomes a bigint if it is written without an exponent.
 * PostgreSQL writes such integers for the types int8 and numeric.
 */
export function parseExactly(text: string): unknown {
  // 2^53 has 16 digits. If the text has no 16 digits in a row, it contains no long integer and is parsed as usual.
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const marked = text.replace(stringOrNumberPattern, (found) =>
    isLongInteger(found) ? `"${integerMark}${found}"` : found,
  )
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(integerMark) ? BigInt(value.slice(integerMark.length)) : value,
  )
}

/** Writes a value of `parseExactly` as JSON. A bigint is written as a number with all its digits. */
export function writeExactly(value: unknown): string {
  let hasMarks = false
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'bigint') return item
    hasMarks = true
    return `${integerMark}${item}`
  })
  return hasMarks ? text.replace(markedIntegerPattern, '$1') : text
}

function isLongInteger(text: string): boolean {
  return /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text))
}
