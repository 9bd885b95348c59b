import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addAmount, rowCountOf, moneyOf, type Sums } from './sums.ts'

test('the sums of each currency are exact where floating point is not, and pounds come first', () => {
  const sums: Sums = new Map()
  for (let i = 0; i < 1000; i += 1) addAmount(sums, 'GBP', 0.1, 1)
  addAmount(sums, 'EUR', 12_400.5, 1)
  addAmount(sums, 'CHF', 1, 1)
  expect(moneyOf(sums)).toEqual([
    { currency: 'GBP', amount: 100 },
    { currency: 'CHF', amount: 1 },
    { currency: 'EUR', amount: 12_400.5 },
  ])
  expect(rowCountOf(sums)).toBe(1002)
})

test('a currency without deals is removed', () => {
  const sums: Sums = new Map()
  addAmount(sums, 'EUR', 3, 1)
  addAmount(sums, 'EUR', 3, -1)
  expect(moneyOf(sums)).toEqual([])
})

test('a deal with the amount 0 is counted', () => {
  const sums: Sums = new Map()
  addAmount(sums, 'GBP', 0, 1)
  expect(rowCountOf(sums)).toBe(1)
  expect(moneyOf(sums)).toEqual([{ currency: 'GBP', amount: 0 }])
})

test('amounts that are added and subtracted leave nothing, and their order does not matter', () => {
  const anyAmount = fc.record({
    currency: fc.constantFrom('GBP', 'EUR', 'CHF', 'USD'),
    hundredths: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
    count: fc.integer({ min: 1, max: 5 }),
  })
  fc.assert(
    fc.property(fc.array(anyAmount, { maxLength: 30 }), (amounts) => {
      const [sums, reversed]: [Sums, Sums] = [new Map(), new Map()]
      for (const { currency, hundredths, count } of amounts) addAmount(sums, currency, hundredths / 100, 1, count)
      for (const { currency, hundredths, count } of amounts.toReversed())
        addAmount(reversed, currency, hundredths / 100, 1, count)
      expect(moneyOf(sums)).toEqual(moneyOf(reversed))
      expect(rowCountOf(sums)).toBe(amounts.reduce((all, { count }) => all + count, 0))
      for (const { currency, hundredths, count } of amounts) addAmount(sums, currency, hundredths / 100, -1, count)
      expect([sums.size, rowCountOf(sums)]).toEqual([0, 0])
    }),
  )
})

test('a currency with an amount but no rows is kept, and so are rows whose amounts add up to 0', () => {
  const sums: Sums = new Map()
  addAmount(sums, 'EUR', 3, 1)
  addAmount(sums, 'EUR', -3, 1)
  expect([moneyOf(sums), rowCountOf(sums)]).toEqual([[{ currency: 'EUR', amount: 0 }], 2])
  addAmount(sums, 'USD', 3, 1)
  addAmount(sums, 'USD', 1, -1)
  expect(moneyOf(sums)).toContainEqual({ currency: 'USD', amount: 2 })
})
