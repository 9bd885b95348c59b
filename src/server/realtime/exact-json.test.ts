import { expect, it } from 'vitest'
import { parseExactly, writeExactly } from './exact-json.ts'

it.each([
  '{"id":9007199254740993,"below":-9007199254740993}',
  '[9007199254740991,1,-2.5,null,true,"9007199254740993"]',
  '{"a \\" 9007199254740993 \\\\":{"deep":[18446744073709551616]}}',
  '"text"',
])('JSON is the same after it was parsed exactly and written again: %s', (text) => {
  expect(writeExactly(parseExactly(text))).toBe(text)
})

it('only integers beyond ±(2^53 − 1) that are written without an exponent are parsed as bigints', () => {
  expect(parseExactly('[9007199254740993, 9007199254740991, 1.5, 1e30, "9007199254740993"]')).toEqual([
    9007199254740993n,
    9007199254740991,
    1.5,
    1e30,
    '9007199254740993',
  ])
})
