import { expect, test } from 'vitest'
import { refusalWords, emailFieldError } from './refusal-words.ts'

test.each([
  ['NOT_AUTHORIZED', 'P0001', { title: 'Only admins and owners can add members' }],
  ['USER_NOT_FOUND', 'P0001', { title: 'User with this email not found. They must sign up first.' }],
  [
    'ALREADY_MEMBER',
    'BY002',
    { title: 'Error adding member', description: 'This person is already a member of this brand.' },
  ],
  ['Email is not valid', '22023', { title: 'Error adding member', description: 'This is not an email address' }],
  ['something else', null, { title: 'Error adding member', description: 'something else' }],
])('a refused invitation is explained: %s (%s)', (message, code, words) => {
  expect(refusalWords({ message, code })).toEqual(words)
})

test('only an error of the email address is shown at the field', () => {
  const invisibleCharacterMessage = 'The email has an invisible character in it. Type it again by hand.'
  expect(emailFieldError({ message: 'Email is not valid', code: '22023' })).toBe('This is not an email address')
  expect(emailFieldError({ message: invisibleCharacterMessage, code: '22023' })).toBe(invisibleCharacterMessage)
  expect(emailFieldError({ message: 'NOT_AUTHORIZED', code: 'P0001' })).toBeNull()
})
