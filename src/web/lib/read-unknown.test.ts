import { expect, test } from 'vitest'
import { fieldOf, listOf, numberOf, textOf } from './read-unknown.ts'

test('a field of an unknown value is read only in the requested type', () => {
  const value: unknown = JSON.parse('{"name":"Acme","count":3,"empty":null,"list":["a"]}')
  expect(textOf(value, 'name')).toBe('Acme')
  expect(textOf(value, 'count')).toBeNull()
  expect(numberOf(value, 'count')).toBe(3)
  expect(numberOf(value, 'name')).toBeNull()
  expect(fieldOf(value, 'empty')).toBeNull()
  expect(listOf(fieldOf(value, 'list'))).toEqual(['a'])
})

test('a value that is not an object is read as an object without fields, and a value that is not a list as an empty list', () => {
  for (const value of [null, undefined, 'text', 7]) {
    expect(fieldOf(value, 'length')).toBeUndefined()
    expect(textOf(value, 'name')).toBeNull()
    expect(listOf(value)).toEqual([])
  }
})
