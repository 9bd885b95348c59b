import { expect, test } from 'vitest'
import { barShares } from './bar-shares.ts'

const gbp = (amount: number) => ({ currency: 'GBP', amount })
const jpy = (amount: number) => ({ currency: 'JPY', amount })

test('bars compare pounds; different currencies are never added', () => {
  expect(barShares([[gbp(50), jpy(1_000_000)], [gbp(100)], [], [jpy(5)]])).toEqual([0.5, 1, 0, 0])
})

test('without pounds, bars compare the most common currency', () => {
  expect(barShares([[jpy(10)], [jpy(40)], [{ currency: 'EUR', amount: 3 }]])).toEqual([0.25, 1, 0])
})

test('without deals there are no bars', () => {
  expect(barShares([[], [gbp(0)]])).toEqual([0, 0])
})
