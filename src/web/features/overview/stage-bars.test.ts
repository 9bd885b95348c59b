import { expect, test } from 'vitest'
import { stageBars } from './stage-bars.ts'

const gbp = (amount: number) => ({ currency: 'GBP', amount })
const jpy = (amount: number) => ({ currency: 'JPY', amount })

test('every currency has its own bar, pounds first, with its own scale', () => {
  expect(stageBars([[jpy(1_000_000), gbp(50)], [gbp(100)], [jpy(5)]])).toEqual([
    [
      { currency: 'GBP', amount: 50, share: 0.5 },
      { currency: 'JPY', amount: 1_000_000, share: 1 },
    ],
    [{ currency: 'GBP', amount: 100, share: 1 }],
    [{ currency: 'JPY', amount: 5, share: 0.000005 }],
  ])
})

test('a stage without deals has £0 and a bar of length 0; a sum of 0 is left out beside a sum in another currency', () => {
  expect(stageBars([[], [gbp(0)], [jpy(3), gbp(0)]])).toEqual([
    [{ currency: 'GBP', amount: 0, share: 0 }],
    [{ currency: 'GBP', amount: 0, share: 0 }],
    [{ currency: 'JPY', amount: 3, share: 1 }],
  ])
})
