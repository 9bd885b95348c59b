import { expect, test } from 'vitest'
import { type RefusalName, refusalCodes } from '#shared/refusal-codes.ts'
import { isRefusal } from './is-refusal.ts'

const names = Object.keys(refusalCodes) as RefusalName[]

test.each(names)('%s is recognised by its code, and is not confused with another refusal', (name) => {
  const otherNames = names.filter((other) => other !== name)
  expect(isRefusal({ message: name, code: refusalCodes[name] }, name)).toBe(true)
  expect(otherNames.filter((other) => isRefusal({ message: other, code: refusalCodes[other] }, name))).toEqual([])
})

test('the code alone decides if no other refusal shares it', () => {
  expect(isRefusal({ message: 'A brand needs an owner.', code: 'BY001' }, 'LAST_OWNER')).toBe(true)
  expect(isRefusal({ message: 'LAST_OWNER', code: '23505' }, 'LAST_OWNER')).toBe(false)
})

test('the message decides between the refusals that share P0001', () => {
  expect(isRefusal({ message: 'USER_NOT_FOUND', code: 'P0001' }, 'NOT_AUTHORIZED')).toBe(false)
  expect(isRefusal({ message: 'A sentence', code: 'P0001' }, 'NOT_AUTHORIZED')).toBe(false)
})

test('an error without a code is not a named refusal', () => {
  expect(isRefusal({ message: 'NOT_AUTHORIZED', code: null }, 'NOT_AUTHORIZED')).toBe(false)
  expect(isRefusal({ message: 'NOT_AUTHORIZED' }, 'NOT_AUTHORIZED')).toBe(false)
})
