import { expect, test } from 'vitest'
import { fieldOf, listOf, numberOf, textOf } from './read-unknown.ts'

test('a field is read only in the type that is asked for', () => {
  const value: unknown = JSON.parse('{"name":"Acme","count":3,"empty":null,"list":["a"]}')
  expect(textOf(value, 'name')).toBe('Acme')
  expect(textOf(value, 'count')).toBeNull()
  expect(numberOf(value, 'count')).toBe(3)
  expect(numberOf(value, 'name')).toBeNull()
  expect(fieldOf(value, 'empty')).toBeNull()
  expect(listOf(fieldOf(value, 'list'))).toEqual(['a'])
})

test('what is no object has no fields, and what is no list is empty', () => {
  for (const value of [null, undefined, 'text', 7]) {
    expect(fieldOf(value, 'length')).toBeUndefined()
    expect(textOf(value, 'name')).toBeNull()
    expect(listOf(value)).toEqual([])
  }
})
