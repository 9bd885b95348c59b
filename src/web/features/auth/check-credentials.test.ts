import { expect, test } from 'vitest'
import { checkCredentials } from './check-credentials.ts'

test('both fields are required, on either tab', () => {
  for (const mode of ['sign-in', 'sign-up'] as const) {
    expect(checkCredentials(mode, '  ', '')).toEqual({ email: 'Email is required', password: 'Password is required' })
  }
})

test('a new password has six characters at least', () => {
  expect(checkCredentials('sign-up', 'ana@acme.example', '12345').password).toBe('Password needs at least 6 characters')
  expect(checkCredentials('sign-up', 'ana@acme.example', '123456')).toEqual({})
})

test('an old password may be of any length: the server knows', () => {
  expect(checkCredentials('sign-in', ' ana@acme.example ', '1')).toEqual({})
})

test('what is no address is told before it is sent', () => {
  expect(checkCredentials('sign-in', 'ana', 'secret').email).toBe('Enter an email address')
})
