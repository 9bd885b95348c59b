import { expect, test } from 'vitest'
import { isSamePhoneNumber, phoneSearchWord } from './same-number.ts'

test.each([
  ['0171 1234567', '+49 171 1234567', true],
  ['+49 (0)171/123-4567', '0049171 1234567', true],
  ['01711234567', '0171 123 45 67', true],
  ['+43 171 1234567', '+49 171 1234567', false],
  ['0171 1234567', '0171 1234568', false],
  ['1234567', '0171 1234567', false],
  ['+1 212 5550100', '+44 212 5550100', false],
  ['+1 212 5550100', '+1 212 5550100', true],
  ['49171 1234567', '+49 171 1234567', false],
  ['171 00 1234567', '0171 001234567', true],
  ['0171 001234567', '+49 171 001234567', true],
  ['(+49) 171 1234567', '+43 171 1234567', false],
  ['0171 1034567', '0171 134567', false],
])('whether %s and %s are the same telephone number: %s', (one, other, same) => {
  expect(isSamePhoneNumber(one, other)).toBe(same)
  expect(isSamePhoneNumber(other, one)).toBe(same)
})

test.each([
  ['+49 (0)171 / 123', '+490171123'],
  [' 0171-1234567', '01711234567'],
  [' +49 171 1234567', '+491711234567'],
  ['040 12', null],
  ['0040 12345', '004012345'],
  ['0 123456', '0123456'],
  ['00 12345', null],
  ['120345', '120345'],
  ['a+49 171 12', '4917112'],
  ['', null],
])('the typed text %j is searched as the telephone number %s', (typed, number) => {
  expect(phoneSearchWord(typed)).toBe(number)
})
