import type { Money } from '#web/lib/money.ts'

/**
 * The number of rows and the sum of their amounts, by currency. Amounts are whole numbers of hundredths, so that adding and subtracting
 * thousands of them is as exact as SQL's numeric. All supported currencies have at most two decimals.
 */
export type Sums = Map<string, { count: number; hundredths: number }>

/** Adds `count` rows, whose amounts are `amount` in total, to the entry of a currency. With `sign` -1, subtracts them. */
export function addAmount(sums: Sums, currency: string, amount: number, sign: 1 | -1, count = 1): void {
  const sum = sums.get(currency) ?? { count: 0, hundredths: 0 }
  sum.hundredths += sign * Math.round(amount * 100)
  sum.count += sign * count
  if (sum.count === 0 && sum.hundredths === 0) sums.delete(currency)
  else sums.set(currency, sum)
}

/** Returns the number of rows in all currencies together. */
export function rowCountOf(sums: Sums): number {
  let count = 0
  for (const sum of sums.values()) count += sum.count
  return count
}

/** Returns the sums in the order in which screens show them: pounds first, then by currency code. */
export function moneyOf(sums: Sums): Money[] {
  return [...sums]
    .map(([currency, { hundredths }]) => ({ currency, amount: hundredths / 100 }))
    .sort((a, b) => rank(a.currency) - rank(b.currency) || (a.currency < b.currency ? -1 : 1))
}

function rank(currency: string): number {
  return currency === 'GBP' ? 0 : 1
}
