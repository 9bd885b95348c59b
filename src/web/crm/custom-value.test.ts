import { expect, test } from 'vitest'
import { fieldProblem, parseFieldText } from './custom-value.ts'

test.each([
  ['number', '0.000001', null],
  ['number', '0.0000001', 'At most 6 decimals'],
  ['money', '0.005', 'At most 2 decimals'],
  ['money', '0.0000001', 'At most 2 decimals'],
] as const)('a %s field checks the decimals of %s: %s', (type, typed, problem) => {
  expect(fieldProblem({ type, currency: null }, typed)).toBe(problem)
})

test.each(['12.04.85', '12/4/85', '12 Apr 85', 'Apr 12, 85', "12 April '85", 'fri 12.04.85'])(
  'a year of two digits is refused in a date field, because the field may be a date of birth: %s',
  (typed) => {
    const field = { type: 'date', currency: null } as const
    expect(fieldProblem(field, typed)).toBe('Write the year with four digits')
    expect(parseFieldText(field, typed)).toBeNull()
  },
)

test('a date field takes a year of four digits, and a date without a year', () => {
  const field = { type: 'date', currency: null } as const
  expect(parseFieldText(field, '12 Apr 1985')).toBe('1985-04-12')
  expect(fieldProblem(field, '12 Apr')).toBeNull()
})

test.each([
  ['EUR 4200', null, 4200],
  ['EUR 4.200', null, 4200],
  ['eur4.200,50', null, 4200.5],
  ['4200EUR', null, 4200],
  ['4.2k eur', null, 4200],
  ['EUR 4200.555', 'At most 2 decimals', 4200.555],
  ['USD 4200', 'Type a number, such as 12,400', null],
  ['EUR', 'Type a number, such as 12,400', null],
] as const)('an amount in euros may have the code of its currency: %s', (typed, problem, value) => {
  const field = { type: 'money', currency: 'EUR' } as const
  expect(fieldProblem(field, typed)).toBe(problem)
  expect(parseFieldText(field, typed)).toBe(value)
})
