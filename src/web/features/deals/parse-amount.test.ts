import { expect, test } from 'vitest'
import { parseAmount } from './parse-amount.ts'

test.each(['', '   ', 'abc', '12a', '1.2.3', '--5', ',', '.', '£', '5%', '1,2,3', '1,23,45', '1.23,456'])(
  '%j becomes 0',
  (text) => {
    expect(parseAmount(text, 2)).toEqual({ amount: 0 })
  },
)

test.each([
  ['12400', 12_400],
  ['12,400.00', 12_400],
  ['1,234,567.5', 1_234_567.5],
  ['12 400', 12_400],
  ['12,5', 12.5],
  ['0.10', 0.1],
  ['.5', 0.5],
  ['5.', 5],
  ['£12,400', 12_400],
  ['12.500', 12.5],
  ['1.234,56', 1234.56],
  ['1.234.567', 1_234_567],
  ['5.000,00 €', 5000],
  ['5,000 €', 5000],
  ['₹5,00,000', 500_000],
  ['1,23,456.78', 123_456.78],
  ["12'400.50", 12_400.5],
  ['12’400', 12_400],
  ['12\u202f400,50', 12_400.5],
])('%j is read as a number', (text, amount) => {
  expect(parseAmount(text, 2)).toEqual({ amount })
})

test.each(['-5', '−5', '-£5', '£-5', '-5.000,50', '-5 €'])('a negative amount is refused: %j', (text) => {
  expect(parseAmount(text, 2)).toEqual({ error: 'Amount cannot be negative' })
})

test('more decimals than the currency has are refused', () => {
  expect(parseAmount('1.234', 2)).toEqual({ error: 'At most 2 decimals' })
  expect(parseAmount('1.5', 0)).toEqual({ error: 'Whole numbers only' })
})

test('an amount beyond what the database takes is refused', () => {
  expect(parseAmount('999999999999.99', 2)).toEqual({ amount: 999_999_999_999.99 })
  expect(parseAmount('1000000000000', 2)).toEqual({ error: 'Amount is too large' })
})
