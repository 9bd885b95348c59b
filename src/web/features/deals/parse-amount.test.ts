import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencies } from '#web/lib/currencies.ts'
import { currencyDigits } from './currency.ts'
import { amountHint, parseAmount } from './parse-amount.ts'

/** Returns what a field in this currency reads: 'EUR 12000', the error, or null for a text that is not a number. */
function readAmount(text: string, currency = 'GBP') {
  const amount = parseAmount(text, currency)
  return amount && 'amount' in amount ? `${amount.currency} ${amount.amount}` : amount
}

test('an empty amount is 0', () => {
  expect(readAmount('')).toBe('GBP 0')
  expect(readAmount('   ')).toBe('GBP 0')
})

test.each([
  'abc',
  '12a',
  'k',
  '1.2.3',
  ',',
  '.',
  '£',
  '5%',
  '½',
  '5²',
  '1 2 3',
  '1,2,3',
  '1,23,45',
  '1.23,456',
  '1e5',
  '2026-11-23',
  '€5 GBP',
  '500 XYZ',
  '₽500',
  'A 500',
])('the amount %j is not a number', (text) => {
  expect(parseAmount(text, 'GBP')).toBeNull()
})

test.each([
  ['12400', 12_400],
  ['12,400.00', 12_400],
  ['1,234,567.5', 1_234_567.5],
  ['12 400', 12_400],
  ['12,5', 12.5],
  ['0.10', 0.1],
  ['.5', 0.5],
  ['5.', 5],
  ['5.–', 5],
  ['+5', 5],
  ['£12,400', 12_400],
  ['1.234,56', 1234.56],
  ['1.234.567', 1_234_567],
  ['1,23,456.78', 123_456.78],
  ["12'400.50", 12_400.5],
  ['12’400', 12_400],
  ['12\u202f400,50', 12_400.5],
  ['١٬٢٣٤٫٥٦', 1234.56],
  ['１２，４００', 12_400],
])('the amount %j is read as a number', (text, amount) => {
  expect(readAmount(text)).toBe(`GBP ${amount}`)
})

test.each([
  ['1.234', 1234],
  ['1,234', 1234],
  ['12.500', 12_500],
  ['0.50', 0.5],
  ['1.234m', 1_234_000],
  ['1,234m', 1_234_000_000],
])('a single separator before three digits groups thousands, except a point before k, m and bn: %j', (text, amount) => {
  expect(readAmount(text)).toBe(`GBP ${amount}`)
})

test.each([
  ['12k', 'GBP 12000'],
  ['15K', 'GBP 15000'],
  ['1.5m', 'GBP 1500000'],
  ['1,5 Mio. €', 'EUR 1500000'],
  ['2 bn', 'GBP 2000000000'],
  ['1.25 million', 'GBP 1250000'],
  ['€12k', 'EUR 12000'],
  ['12k€', 'EUR 12000'],
  ['12 kEUR', 'EUR 12000'],
  ['0.0125k', 'GBP 12.5'],
])('the amount %j is read as %s', (text, amount) => {
  expect(readAmount(text)).toBe(amount)
})

test.each([
  ['€12,000', 'EUR 12000'],
  ['EUR 4200', 'EUR 4200'],
  ['4200eur', 'EUR 4200'],
  ['5.000,00 €', 'EUR 5000'],
  ['₹5,00,000', 'INR 500000'],
  ['$1.23M', 'USD 1230000'],
  ['US$ 5', 'USD 5'],
  ['5 $ US', 'USD 5'],
  ['$5 CAD', 'CAD 5'],
  ['CA$5', 'CAD 5'],
  ['€5 EUR', 'EUR 5'],
  ['500 kr', 'SEK 500'],
  ['Fr.500', 'CHF 500'],
  ['R 1 234,56', 'ZAR 1234.56'],
  ['￥500', 'JPY 500'],
  ['12 zł', 'PLN 12'],
])('a sign or code before or after the number names its currency: %j is %s', (text, amount) => {
  expect(readAmount(text)).toBe(amount)
})

test('a sign of several currencies means the currency of the field, if it is one of them, otherwise the first in the list', () => {
  expect(readAmount('$5', 'CAD')).toBe('CAD 5')
  expect(readAmount('5 kr', 'DKK')).toBe('DKK 5')
  expect(readAmount('$5', 'EUR')).toBe('USD 5')
  expect(readAmount('5 KWD', 'KWD')).toBe('KWD 5')
})

test.each(['-5', '−5', '--5', '-£5', '£-5', '-5.000,50', '-5 €', '5-', '(5,000)', '-12k'])(
  'a negative amount is refused: %j',
  (text) => {
    expect(parseAmount(text, 'GBP')).toEqual({ error: 'Amount cannot be negative' })
  },
)

test('more decimals than the currency has are refused', () => {
  expect(parseAmount('1.2345', 'GBP')).toEqual({ error: 'At most 2 decimals' })
  expect(parseAmount('0.125', 'GBP')).toEqual({ error: 'At most 2 decimals' })
  expect(parseAmount('1.5', 'JPY')).toEqual({ error: 'Whole numbers only' })
  expect(parseAmount('¥1.5', 'GBP')).toEqual({ error: 'Whole numbers only' })
})

test("an amount above the database's limit is refused", () => {
  expect(readAmount('999999999999.99')).toBe('GBP 999999999999.99')
  expect(parseAmount('1000000000000', 'GBP')).toEqual({ error: 'Amount is too large' })
  expect(parseAmount('1000bn', 'GBP')).toEqual({ error: 'Amount is too large' })
})

test('the line below the field shows the amount that will be saved, unless the text is clear, is refused or is not an amount', () => {
  expect(amountHint('€12,000', 'GBP')).toBe('Saved as €12,000')
  expect(amountHint('12k', 'GBP')).toBe('Saved as £12,000')
  expect(amountHint('1.234', 'EUR')).toBe('Saved as €1,234')
  expect(amountHint('', 'EUR')).toBe('Saved as €0')
  for (const text of ['12', '12,400.50', '0.5', '-1', '0.125', 'abc']) expect(amountHint(text, 'GBP')).toBeNull()
})

const locales = (
  'en-GB en-US en-CA en-AU en-IN en-ZA en-SG de-DE de-AT de-CH fr-FR fr-CH fr-CA it-IT it-CH es-ES es-MX pt-BR pt-PT nl-NL ' +
  'sv-SE nb-NO da-DK fi-FI pl-PL cs-CZ hu-HU ru-RU tr-TR el-GR ja-JP zh-CN zh-HK ko-KR hi-IN-u-nu-deva ar-EG ar-AE fa-IR'
).split(' ')
const moneyArbitrary = fc
  .constantFrom(...currencies)
  .chain((currency) => {
    const minor = fc.oneof(fc.nat(99_999), fc.integer({ min: 0, max: 99_999_999_999_999 }))
    return fc.tuple(fc.constant(currency), minor, fc.boolean())
  })
  .map(([currency, minor, isWhole]) => {
    const amount = isWhole || currencyDigits(currency) === 0 ? Math.floor(minor / 100) : minor / 100
    return { currency, amount }
  })

test('an amount with its currency code, as any of these locales writes it, is read back exactly', () => {
  fc.assert(
    fc.property(moneyArbitrary, fc.constantFrom(...locales), fc.boolean(), ({ currency, amount }, locale, isShort) => {
      const format = new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'code',
        ...(isShort ? { minimumFractionDigits: 0 } : {}),
      })
      expect(parseAmount(format.format(amount), 'GBP')).toEqual({ amount, currency, isNamed: true })
    }),
    { numRuns: 3000 },
  )
})

test("an amount with the locale's sign is read back exactly in a field of that currency", () => {
  fc.assert(
    fc.property(
      moneyArbitrary,
      fc.constantFrom(...locales),
      fc.constantFrom('symbol', 'narrowSymbol'),
      ({ currency, amount }, locale, currencyDisplay) => {
        const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
        expect({ text: format.format(amount), read: readAmount(format.format(amount), currency) }).toEqual({
          text: format.format(amount),
          read: `${currency} ${amount}`,
        })
      },
    ),
    { numRuns: 3000 },
  )
})

test('a number without a currency, grouped or not, is read back exactly', () => {
  fc.assert(
    fc.property(
      moneyArbitrary,
      fc.constantFrom(...locales),
      fc.boolean(),
      ({ currency, amount }, locale, useGrouping) => {
        const format = new Intl.NumberFormat(locale, { useGrouping, maximumFractionDigits: 2 })
        expect(parseAmount(format.format(amount), currency)).toEqual({ amount, currency, isNamed: false })
      },
    ),
    { numRuns: 3000 },
  )
})

test('thousands, millions and billions are read exactly', () => {
  const powers = fc.constantFrom(['k', 3] as const, ['m', 6] as const, ['bn', 9] as const)
  fc.assert(
    fc.property(
      powers,
      fc.nat(999_99),
      fc.constantFrom('.', ','),
      fc.constantFrom('', ' '),
      (power, hundredths, mark, space) => {
        const [word, zeros] = power
        const [whole, decimals] = (hundredths / 100).toFixed(2).split('.')
        const amount = Number(`${whole}.${decimals}e${zeros}`)
        expect(readAmount(`${whole}${mark}${decimals}${space}${word}`)).toBe(`GBP ${amount}`)
      },
    ),
  )
})
