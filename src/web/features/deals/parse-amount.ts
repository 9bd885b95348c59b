/**
 * The amount that somebody typed, as a number of whole currency units with at most `digits` decimals (spec section 5:
 * non-negative, step 0.01; empty or non-numeric becomes 0). Spaces, a currency sign in front and commas between groups
 * of three digits are overlooked, a single comma elsewhere is the decimal mark. A negative amount and too many decimals are errors,
 * because rounding them would change money silently.
 */
export function parseAmount(text: string, digits: number): { amount: number } | { error: string } {
  const plain = text.replaceAll(/\s/g, '').replace(/^(-?)[£€$¥]/, '$1')
  const grouped = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain)
  const number = grouped ? plain.replaceAll(',', '') : plain.replace(/^(-?\d*),(\d*)$/, '$1.$2')
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(number)) return { amount: 0 }
  const amount = Number(number)
  if (amount < 0) return { error: 'Amount cannot be negative' }
  const decimals = number.split('.')[1]?.replace(/0+$/, '').length ?? 0
  if (decimals > digits) return { error: digits === 0 ? 'Whole numbers only' : `At most ${digits} decimals` }
  if (amount >= limit) return { error: 'Amount is too large' }
  return { amount }
}

/** The database's limit; below it a double holds two decimals exactly. */
const limit = 1_000_000_000_000
