import type { Money } from '#web/lib/money.ts'

/**
 * Sums by currency in hundredths, as whole numbers: adding and taking away thousands of amounts is exact, as SQL's numeric is.
 * No currency here has more than two decimals.
 */
export type Sums = Map<string, { count: number; hundredths: number }>

/** Adds `times` (1 or -1) of an amount. */
export function addAmount(sums: Sums, currency: string, amount: number, times: 1 | -1, count = 1): void {
  const sum = sums.get(currency) ?? { count: 0, hundredths: 0 }
  sum.hundredths += times * Math.round(amount * 100)
  sum.count += times * count
  if (sum.count === 0 && sum.hundredths === 0) sums.delete(currency)
  else sums.set(currency, sum)
}

/** All rows of the sums. */
export function countOf(sums: Sums): number {
  let count = 0
  for (const sum of sums.values()) count += sum.count
  return count
}

/** As screens show them: pounds first, then by code. */
export function moneyOf(sums: Sums): Money[] {
  return [...sums]
    .map(([currency, { hundredths }]) => ({ currency, amount: hundredths / 100 }))
    .sort((a, b) => place(a.currency) - place(b.currency) || (a.currency < b.currency ? -1 : 1))
}

function place(currency: string): number {
  return currency === 'GBP' ? 0 : 1
}
