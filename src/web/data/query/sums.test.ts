import { expect, test } from 'vitest'
import { addAmount, countOf, moneyOf, type Sums } from './sums.ts'

test('sums are exact where floating point is not, each currency by itself, pounds first', () => {
  const sums: Sums = new Map()
  for (let i = 0; i < 1000; i += 1) addAmount(sums, 'GBP', 0.1, 1)
  addAmount(sums, 'EUR', 12_400.5, 1)
  addAmount(sums, 'CHF', 1, 1)
  expect(moneyOf(sums)).toEqual([
    { currency: 'GBP', amount: 100 },
    { currency: 'CHF', amount: 1 },
    { currency: 'EUR', amount: 12_400.5 },
  ])
  expect(countOf(sums)).toBe(1002)
})

test('a currency without deals is removed', () => {
  const sums: Sums = new Map()
  addAmount(sums, 'EUR', 3, 1)
  addAmount(sums, 'EUR', 3, -1)
  expect(moneyOf(sums)).toEqual([])
})

test('a deal of no amount is counted', () => {
  const sums: Sums = new Map()
  addAmount(sums, 'GBP', 0, 1)
  expect(countOf(sums)).toBe(1)
  expect(moneyOf(sums)).toEqual([{ currency: 'GBP', amount: 0 }])
})
