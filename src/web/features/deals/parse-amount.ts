/**
 * Reads a typed or pasted amount as a number with at most `digits` decimals (spec section 5: non-negative, step 0.01; empty or non-numeric
 * becomes 0). Spaces and a currency symbol at either end are ignored; thousands may be grouped as in Britain, India, Switzerland or on the
 * Continent (`1.234,56`); a single comma otherwise is the decimal mark. A negative amount and too many decimals are errors, because
 * rounding would change money silently.
 */
export function parseAmount(text: string, digits: number): { amount: number } | { error: string } {
  const number = ungrouped(plain(text))
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(number)) return { amount: 0 }
  const amount = Number(number)
  if (amount < 0) return { error: 'Amount cannot be negative' }
  const decimals = number.split('.')[1]?.replace(/0+$/, '').length ?? 0
  if (decimals > digits) return { error: digits === 0 ? 'Whole numbers only' : `At most ${digits} decimals` }
  if (amount >= limit) return { error: 'Amount is too large' }
  return { amount }
}

/** The database's limit; below it a double represents two decimals exactly. */
const limit = 1_000_000_000_000

/** Removes blanks, the currency symbol and apostrophes between groups, and reads a typographic minus as '-'. */
function plain(text: string): string {
  return text
    .replaceAll(/\s/g, '')
    .replaceAll('−', '-')
    .replace(/^(-?)\p{Sc}/u, '$1')
    .replace(/(\d)\p{Sc}$/u, '$1')
    .replaceAll(/(\d)['’](?=\d{3})/g, '$1')
}

/** With a point as the decimal mark and no group separators. */
function ungrouped(text: string): string {
  if (/^-?\d{1,3}(,\d{2,3})*,\d{3}(\.\d*)?$/.test(text)) return text.replaceAll(',', '')
  if (/^-?\d{1,3}(\.\d{3})+(,\d*)$/.test(text) || /^-?\d{1,3}(\.\d{3}){2,}$/.test(text)) {
    return text.replaceAll('.', '').replace(',', '.')
  }
  return text.replace(/^(-?\d*),(\d*)$/, '$1.$2')
}
