import { expect, test } from 'vitest'
import { currencySymbol, formatMoney, formatSums, splitSums } from './money.ts'

test('pounds have a thousands separator, and no decimals if they are whole', () => {
  expect(formatMoney(12400, 'GBP')).toBe('£12,400')
  expect(formatMoney(12400.5, 'GBP')).toBe('£12,400.50')
  expect(formatMoney(0, 'GBP')).toBe('£0')
  expect(formatMoney(0.01, 'GBP')).toBe('£0.01')
})

test('other currencies have their own symbol and number of decimals', () => {
  expect(formatMoney(3000, 'EUR')).toBe('€3,000')
  expect(formatMoney(1850000, 'JPY')).toBe('¥1,850,000')
  expect(formatMoney(99.95, 'USD')).toBe('$99.95')
  expect(formatMoney(1.255, 'KWD')).toContain('1.255')
})

test('the text of sums shows each currency, pounds first', () => {
  const sums = [
    { currency: 'EUR', amount: 3000 },
    { currency: 'GBP', amount: 12400 },
    { currency: 'JPY', amount: 5 },
  ]
  expect(formatSums(sums)).toBe('£12,400 + €3,000 + ¥5')
  expect(splitSums(sums)).toEqual({ main: '£12,400', rest: '+ €3,000 + ¥5' })
})

test('the text of an empty list of sums is zero pounds', () => {
  expect(formatSums([])).toBe('£0')
  expect(splitSums([])).toEqual({ main: '£0', rest: '' })
  expect(splitSums([{ currency: 'EUR', amount: 7 }])).toEqual({ main: '€7', rest: '' })
})

test('a currency whose sum is zero is left out; if all sums are zero, a single zero is shown', () => {
  const sum = (currency: string, amount: number) => ({ currency, amount })
  expect(formatSums([sum('GBP', 0), sum('USD', 12000), sum('EUR', 0), sum('JPY', 5)])).toBe('$12,000 + ¥5')
  expect(splitSums([sum('GBP', 0), sum('USD', 12000)])).toEqual({ main: '$12,000', rest: '' })
  expect(formatSums([sum('USD', 0), sum('GBP', 0)])).toBe('£0')
  expect(formatSums([sum('USD', 0), sum('EUR', 0)])).toBe('$0')
  expect(formatSums([sum('GBP', -5), sum('USD', 3)])).toBe('-£5 + $3')
})

test('an amount field has the symbol of its currency', () => {
  expect(currencySymbol('GBP')).toBe('£')
  expect(currencySymbol('EUR')).toBe('€')
})
