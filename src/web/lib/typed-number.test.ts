import { expect, test } from 'vitest'
import { typedAmount, typedNumber } from './typed-number.ts'

test.each([
  ['12', 12],
  ['1.234', 1.234],
  ['-3', -3],
  ['−3,5', -3.5],
  ['1,200.50', 1200.5],
  ['1.200,50', 1200.5],
  ['1 200', 1200],
  ['£1,200', 1200],
  ['12k', 12_000],
  ['1.5m', 1_500_000],
  ['', null],
  ['twelve', null],
  ['1.2.3,4', null],
  ['1e5', null],
])('the typed number %j is read as %s', (text, number) => {
  expect(typedNumber(text)).toBe(number)
})

test.each([
  ['12.000', 12_000],
  ['1.250', 1250],
  ['-2.500', -2500],
  ['£1.000', 1000],
  ['1.234,50', 1234.5],
  ['1.234.567,89', 1_234_567.89],
  ['1,250', 1250],
  ['1\u202F234,50 €', 1234.5],
  ['12k', 12_000],
  ['0.125', 0.125],
  ['1234.567', 1234.567],
  ['', null],
  ['twelve', null],
])('the typed amount %j is read as %s, as in a deal', (text, amount) => {
  expect(typedAmount(text)).toBe(amount)
})

test.each([0, 12, 1234.5, 12_000, 12.05, -3.1, 0.01, 999_999_999_999.99])(
  'the exported amount %s is read unchanged',
  (amount) => {
    for (const text of [`${amount}`, amount.toFixed(2)]) expect(typedAmount(text)).toBe(amount)
  },
)
