/** An amount in one currency (ISO 4217 code). A list has one entry for each currency. */
export interface Money {
  currency: string
  amount: number
}

const locale = 'en-GB'
const formats = new Map<string, Intl.NumberFormat>()

/** '£12,400', '£12,400.50', '€3,000', '¥1,850,000': whole amounts have no decimals. */
export function formatMoney(amount: number, currency: string): string {
  const whole = Number.isInteger(amount)
  const key = `${currency}${whole}`
  let format = formats.get(key)
  if (!format) {
    format = moneyFormat(currency, whole)
    formats.set(key, format)
  }
  return format.format(amount)
}

/** '£12,400 + €3,000': pounds first, the others in the given order; '£0' for an empty list. */
export function formatSums(sums: readonly Money[]): string {
  if (sums.length === 0) return formatMoney(0, 'GBP')
  return poundsFirst(sums)
    .map((sum) => formatMoney(sum.amount, sum.currency))
    .join(' + ')
}

/** The amount in pounds (or the first, if there are no pounds), and the others as '+ €50,400 + ¥1,850,000' ('' if there are none). */
export function splitSums(sums: readonly Money[]): { main: string; rest: string } {
  const [first, ...others] = poundsFirst(sums)
  const rest = others.map((sum) => `+ ${formatMoney(sum.amount, sum.currency)}`).join(' ')
  return { main: first ? formatMoney(first.amount, first.currency) : formatMoney(0, 'GBP'), rest }
}

/** The same amounts with pounds first; otherwise in the same order. */
export function poundsFirst(sums: readonly Money[]): Money[] {
  return [...sums].sort((a, b) => Number(b.currency === 'GBP') - Number(a.currency === 'GBP'))
}

/** The symbol that is shown before a typed amount: '£' for GBP. */
export function currencySymbol(currency: string): string {
  const parts = moneyFormat(currency, true).formatToParts(0)
  return parts.find((part) => part.type === 'currency')?.value ?? currency
}

function moneyFormat(currency: string, whole: boolean): Intl.NumberFormat {
  const options: Intl.NumberFormatOptions = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }
  if (whole) options.maximumFractionDigits = 0
  return new Intl.NumberFormat(locale, options)
}
