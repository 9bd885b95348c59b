import { expect, it } from 'vitest'
import { credentialErrors } from './credential-errors.ts'

it.each([
  ['sign-in', 'invalid_credentials', 'Invalid login credentials', 'password', /not right/],
  ['sign-in', 'email_not_confirmed', 'Email not confirmed', 'email', /not confirmed yet/],
  ['sign-in', 'over_request_rate_limit', 'Request rate limit reached', 'password', /Too many attempts/],
  ['sign-up', 'user_already_exists', 'User already registered', 'email', /Sign in instead/],
  ['sign-up', 'weak_password', 'Password is known to be weak', 'password', /easy to guess/],
  ['sign-up', 'signup_disabled', 'Signups not allowed', 'email', /invite/],
  ['sign-up', 'validation_failed', 'Password cannot be longer than 72 bytes', 'password', /72 bytes/],
  ['sign-up', 'validation_failed', 'Unable to validate email address: invalid format', 'email', /email address/],
] as const)('a refusal is shown at one field: %s: %s', (mode, code, message, field, words) => {
  expect(credentialErrors(mode, { code, message })).toEqual({ [field]: expect.stringMatching(words) })
})

it.each([null, 'unexpected_failure', 'constructor'])('a refusal with the code %s is shown at no field', (code) => {
  expect(credentialErrors('sign-in', { code, message: 'The server does not answer.' })).toEqual({})
})
