/**
 * The amount that somebody typed or pasted, as a number of whole currency units with at most `digits` decimals (spec section 5:
 * non-negative, step 0.01; empty or non-numeric becomes 0). Spaces and a currency sign at either end are overlooked; groups may be cut as
 * here, in India, in Switzerland or on the Continent (`1.234,56`); a single comma elsewhere is the decimal mark. A negative amount and
 * too many decimals are errors, because rounding them would change money silently.
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

/** The database's limit; below it a double holds two decimals exactly. */
const limit = 1_000_000_000_000

/** Without blanks, sign of the currency and apostrophes between groups; a typographic minus is one. */
function plain(text: string): string {
  return text
    .replaceAll(/\s/g, '')
    .replaceAll('−', '-')
    .replace(/^(-?)\p{Sc}/u, '$1')
    .replace(/(\d)\p{Sc}$/u, '$1')
    .replaceAll(/(\d)['’](?=\d{3})/g, '$1')
}

/** With a point as the decimal mark and nothing between groups. */
function ungrouped(text: string): string {
  if (/^-?\d{1,3}(,\d{2,3})*,\d{3}(\.\d*)?$/.test(text)) return text.replaceAll(',', '')
  if (/^-?\d{1,3}(\.\d{3})+(,\d*)$/.test(text) || /^-?\d{1,3}(\.\d{3}){2,}$/.test(text)) {
    return text.replaceAll('.', '').replace(',', '.')
  }
  return text.replace(/^(-?\d*),(\d*)$/, '$1.$2')
}
