import { expect, test } from 'vitest'
import { isSameNumber, wholeNumber } from './same-number.ts'

test.each([
  ['0171 1234567', '+49 171 1234567', true],
  ['+49 (0)171/123-4567', '0049171 1234567', true],
  ['01711234567', '0171 123 45 67', true],
  ['+43 171 1234567', '+49 171 1234567', false],
  ['0171 1234567', '0171 1234568', false],
  ['1234567', '0171 1234567', false],
])('%s and %s: the same number is %s', (one, other, same) => {
  expect(isSameNumber(one, other)).toBe(same)
  expect(isSameNumber(other, one)).toBe(same)
})

test.each([
  ['+49 (0)171 / 123', '+490171123'],
  [' 0171-1234567', '01711234567'],
  ['040 12', null],
  ['', null],
])('%s is looked for as %s', (typed, number) => {
  expect(wholeNumber(typed)).toBe(number)
})
