/**
 * Parses an amount with any grouping ('1,234.56', '1.234,56', '1 234,56', "1'234.56", '12,34,567.50'). Returns a decimal with a point and no trailing
 * zeros, multiplied by 10^`zeros`. Null if the text is not a number.
 *
 * A single comma or point is ambiguous. With one to three digits before it and three digits after it, it separates thousands ('1.234' and '1,234' are
 * 1234), because no amount has three decimals. Otherwise it is the decimal mark ('12,5' is 12.5). After a leading zero it is always the decimal mark
 * ('0,125'). A point before k, m or bn (`zeros`) is always the decimal mark, too: '1.234m' is 1234000.
 */
export function decimalOf(text: string, zeros: number): string | null {
  const marks = text.replaceAll(/\d/g, '')
  const last = marks.at(-1) ?? ''
  const isDecimal =
    /[.,]/.test(last) &&
    marks.indexOf(last) === marks.length - 1 &&
    (marks.length > 1 || !isThousandsGroup(text, zeros))
  const end = isDecimal ? text.lastIndexOf(last) : text.length
  const whole = removeSeparators(text.slice(0, end))
  return whole === null ? null : movePoint(whole, text.slice(end + 1), zeros)
}

/** Whether the only comma or point of '1.234' separates thousands. */
function isThousandsGroup(text: string, zeros: number): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(text) && !(zeros > 0 && text.includes('.'))
}

/** Removes the separators between groups of digits: '1.234' becomes '1234'. Null if the groups are neither thousands nor lakhs. */
function removeSeparators(text: string): string | null {
  const isThousands = /^\d*$/.test(text) || /^\d{1,3}([., '])\d{3}(\1\d{3})*$/.test(text)
  return isThousands || /^\d{1,2}(,\d{2})*,\d{3}$/.test(text) ? text.replaceAll(/\D/g, '') : null
}

/** Returns the number `whole`.`fraction` with its decimal point moved `zeros` digits to the right. */
function movePoint(whole: string, fraction: string, zeros: number): string {
  const digits = fraction.padEnd(zeros, '0')
  const decimals = digits.slice(zeros).replace(/0+$/, '')
  return `${whole + digits.slice(0, zeros) || '0'}${decimals && '.'}${decimals}`
}
