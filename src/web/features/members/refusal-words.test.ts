import { expect, test } from 'vitest'
import { refusalWords } from './refusal-words.ts'

test.each([
  ['NOT_AUTHORIZED', 'P0001', { title: 'Only admins and owners can add members' }],
  ['USER_NOT_FOUND', 'P0001', { title: 'User with this email not found. They must sign up first.' }],
  ['ALREADY_MEMBER', 'BY002', { title: 'Error adding member', description: 'They are in this brand already.' }],
  ['something else', null, { title: 'Error adding member', description: 'something else' }],
])('%s (%s)', (message, code, words) => {
  expect(refusalWords({ message, code })).toEqual(words)
})
