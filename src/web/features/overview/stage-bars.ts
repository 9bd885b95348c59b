import { type Money, shownSums } from '#web/lib/money.ts'

/** The value of a stage in one currency, and the length of its bar, 0 to 1. */
export interface Bar extends Money {
  share: number
}

/**
 * Returns the bars of each stage, one for each sum that `shownSums` returns. A bar's length is relative to the longest bar of the same
 * currency, because amounts of different currencies are neither added nor compared.
 */
export function stageBars(totals: readonly (readonly Money[])[]): Bar[][] {
  const longest = new Map<string, number>()
  for (const { currency, amount } of totals.flat()) {
    longest.set(currency, Math.max(amount, longest.get(currency) ?? 0))
  }
  return totals.map((sums) => {
    return shownSums(sums).map((sum) => ({
      ...sum,
      share: sum.amount && sum.amount / (longest.get(sum.currency) ?? 0),
    }))
  })
}
