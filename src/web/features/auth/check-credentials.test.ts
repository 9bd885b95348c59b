import { expect, test } from 'vitest'
import { bareAddress, checkCredentials } from './check-credentials.ts'

test('both fields are required to sign in and to sign up', () => {
  for (const mode of ['sign-in', 'sign-up'] as const) {
    expect(checkCredentials(mode, '  ', '')).toEqual({ email: 'Email is required', password: 'Password is required' })
  }
})

test('a new password needs at least six characters', () => {
  expect(checkCredentials('sign-up', 'ana@acme.example', '12345').password).toBe('Password needs at least 6 characters')
  expect(checkCredentials('sign-up', 'ana@acme.example', '123456')).toEqual({})
})

test('a short password is accepted at sign-in: only the server checks it', () => {
  expect(checkCredentials('sign-in', ' ana@acme.example ', '1')).toEqual({})
})

test('an invalid email address is refused before it is sent', () => {
  expect(checkCredentials('sign-in', 'ana', 'secret').email).toBe('Enter an email address')
})

test.each([
  ['Tom Hale <tom@muster.example> ', 'tom@muster.example'],
  ['<tom@muster.example>', 'tom@muster.example'],
  ['Tom Hale <tom', 'Tom Hale <tom'],
  ['tom@muster.example', 'tom@muster.example'],
])('typed in the email field, %s becomes %s', (typed, address) => expect(bareAddress(typed)).toBe(address))
