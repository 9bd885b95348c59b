import { expect, test } from 'vitest'
import { refusalWords } from './refusal-words.ts'

test.each([
  ['NOT_AUTHORIZED', 'Only admins and owners can add members'],
  ['USER_NOT_FOUND', 'User with this email not found. They must sign up first.'],
  ['ALREADY_MEMBER', 'Error adding member'],
  ['something else', 'Error adding member'],
])('%s: %s', (message, title) => {
  expect(refusalWords(message).title).toBe(title)
})
