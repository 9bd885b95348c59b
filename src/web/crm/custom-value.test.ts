import { expect, test } from 'vitest'
import { fieldProblem } from './custom-value.ts'

test.each([
  ['number', '0.000001', null],
  ['number', '0.0000001', 'At most 6 decimals'],
  ['money', '0.005', 'At most 2 decimals'],
  ['money', '0.0000001', 'At most 2 decimals'],
] as const)('a %s field checks the decimals of %s: %s', (type, typed, problem) => {
  expect(fieldProblem({ type, currency: null }, typed)).toBe(problem)
})
