import { expect, test } from 'vitest'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { unrestoredMessage } from './restore-words.ts'

const contact = (email: string | null) => ({ first_name: 'Zoe', email })

/** Returns the message if the rows `a`, `b` … of these contacts are missing. `count`: the number of rows of the operation. */
function messageOf(
  restored: NonNullable<Operation['restored']>,
  count: number,
  table: Operation['table'] = 'contacts',
) {
  const ids = Object.keys(restored)
  const others = Array.from({ length: count - ids.length }, (_, index) => `other-${index}`)
  return unrestoredMessage(testOperation({ kind: 'restore', table, restored, rowIds: [...ids, ...others] }), ids)
}

test('a contact that cannot be restored is reported with the email address that another contact has', () => {
  expect(messageOf({ a: contact('b0@x.example') }, 1)).toBe('Another contact now has b0@x.example.')
  expect(messageOf({ a: contact('b0@x.example') }, 5)).toBe(
    '1 of 5 contacts could not be brought back: another contact now has b0@x.example.',
  )
})

test('several contacts that cannot be restored are reported with up to three addresses', () => {
  const three = { a: contact('a@x.example'), b: contact('b@x.example'), c: contact('c@x.example') }
  expect(messageOf(three, 3)).toBe(
    '3 of 3 contacts could not be brought back: other contacts now have a@x.example, b@x.example and c@x.example.',
  )
  const manyWords = 'contacts could not be brought back: other contacts now have their email addresses.'
  expect(messageOf({ ...three, d: contact('d@x.example') }, 9)).toBe(`4 of 9 ${manyWords}`)
  expect(messageOf({ a: contact('a@x.example'), b: contact(null) }, 9)).toBe(`2 of 9 ${manyWords}`)
})

test('a contact whose address is not on this device is reported without the address', () => {
  const operation = testOperation({ kind: 'restore', table: 'contacts', rowIds: ['a'] })
  expect(unrestoredMessage(operation, ['a'])).toBe('Another contact has this email address.')
})

test('a record without a value that can be taken was deleted too long ago', () => {
  expect(messageOf({ a: contact(null) }, 1)).toBe('It was deleted too long ago.')
  expect(messageOf({ a: { name: 'Roof' }, b: { name: 'Wall' } }, 3, 'deals')).toBe(
    '2 of 3 deals could not be brought back: they were deleted too long ago.',
  )
  expect(messageOf({ a: { name: 'VIP' } }, 1, 'tags')).toBe('Another tag has this name.')
})
