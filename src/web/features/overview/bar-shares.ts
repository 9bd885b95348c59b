import type { Money } from '#web/lib/money.ts'

/**
 * The length of each stage's bar, 0 to 1, relative to the longest: its value in pounds, because amounts of different currencies are never
 * added. If no stage has pounds, the currency that most stages have.
 */
export function barShares(totals: readonly (readonly Money[])[]): number[] {
  const currency = commonCurrency(totals)
  const amounts = totals.map((sums) => sums.find((sum) => sum.currency === currency)?.amount ?? 0)
  const longest = Math.max(0, ...amounts)
  return amounts.map((amount) => (longest > 0 ? amount / longest : 0))
}

function commonCurrency(totals: readonly (readonly Money[])[]): string {
  const counts = new Map<string, number>()
  for (const { currency, amount } of totals.flat()) {
    if (amount > 0) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  }
  if (counts.has('GBP')) return 'GBP'
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'GBP'
}
