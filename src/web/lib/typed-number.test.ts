import { expect, test } from 'vitest'
import { typedNumber } from './typed-number.ts'

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
