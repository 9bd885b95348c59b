/** An amount in one currency (ISO 4217 code). A list has one entry per currency. */
export interface Money {
  currency: string
  amount: number
}

const locale = 'en-GB'
const formats = new Map<string, Intl.NumberFormat>()

/** Formats an amount with the symbol of its currency: '£12,400', '£12,400.50', '€3,000', '¥1,850,000'. Whole amounts have no decimals. */
export function formatMoney(amount: number, currency: string): string {
  const isWhole = Number.isInteger(amount)
  const key = `${currency}${isWhole}`
  let format = formats.get(key)
  if (!format) {
    format = moneyFormat(currency, isWhole)
    formats.set(key, format)
  }
  return format.format(amount)
}

/**
 * Formats the sums of several currencies as one text: '£12,400 + €3,000'. Pounds come first, the others in the given order. A currency
 * whose sum is zero is left out. If all sums are zero, a single zero is shown (`shownSums`).
 */
export function formatSums(sums: readonly Money[]): string {
  return shownSums(sums)
    .map((sum) => formatMoney(sum.amount, sum.currency))
    .join(' + ')
}

/**
 * Formats the sums of several currencies as two texts: `main` is the first of the shown sums, and `rest` is the others, '+ €50,400 +
 * ¥1,850,000' ('' if there are none).
 */
export function splitSums(sums: readonly Money[]): { main: string; rest: string } {
  const [first, ...others] = shownSums(sums)
  const rest = others.map((sum) => `+ ${formatMoney(sum.amount, sum.currency)}`).join(' ')
  return { main: formatMoney(first.amount, first.currency), rest }
}

/**
 * Returns the sums that are not zero, pounds first. If there are none: a single zero, in pounds if `sums` has pounds or is empty, otherwise in the
 * first currency of `sums`.
 */
export function shownSums(sums: readonly Money[]): readonly [Money, ...Money[]] {
  const sorted = poundsFirst(sums)
  const [first = sorted[0] ?? { currency: 'GBP', amount: 0 }, ...others] = sorted.filter(({ amount }) => amount !== 0)
  return [first, ...others]
}

/** Sorts amounts so that pounds come first. The others stay in the same order. */
export function poundsFirst(sums: readonly Money[]): Money[] {
  return [...sums].sort((a, b) => Number(b.currency === 'GBP') - Number(a.currency === 'GBP'))
}

/** Returns the symbol that stands before an amount in this currency: '£' for GBP. */
export function currencySymbol(currency: string): string {
  const parts = moneyFormat(currency, true).formatToParts(0)
  return parts.find((part) => part.type === 'currency')?.value ?? currency
}

function moneyFormat(currency: string, isWhole: boolean): Intl.NumberFormat {
  const options: Intl.NumberFormatOptions = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }
  if (isWhole) options.maximumFractionDigits = 0
  return new Intl.NumberFormat(locale, options)
}
