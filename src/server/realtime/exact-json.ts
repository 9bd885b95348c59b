import { randomUUID } from 'node:crypto'

/**
 * The beginning of each string that replaces a long integer while JSON is parsed or written. It is random, so that no row
 * contains it.
 */
const mark = `integer ${randomUUID()} `
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const markedInteger = new RegExp(`"${mark}(-?\\d+)"`, 'g')

/**
 * Parses JSON. An integer beyond ±(2^53 − 1), the safe range of JavaScript's numbers, becomes a bigint. PostgreSQL writes such integers for the
 * types int8 and numeric.
 */
export function parseExactly(text: string): unknown {
  // 2^53 has 16 digits. If the text has no 16 digits in a row, it contains no long integer and is parsed as usual.
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const marked = text.replace(stringOrNumber, (found) => (isLongInteger(found) ? `"${mark}${found}"` : found))
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}

/** Writes a value of `parseExactly` as JSON. A bigint is written as a number with all its digits. */
export function writeExactly(value: unknown): string {
  let hasMarks = false
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'bigint') return item
    hasMarks = true
    return `${mark}${item}`
  })
  return hasMarks ? text.replace(markedInteger, '$1') : text
}

function isLongInteger(text: string): boolean {
  return /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text))
}
