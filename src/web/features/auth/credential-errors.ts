import type { AuthErrors, AuthMode } from './check-credentials.ts'

const tooManyAttempts = 'Too many attempts. Wait a few minutes, then try again.'
const notInvited = 'This address cannot sign up here. Ask a colleague to invite it.'

/** The texts about a refused sign-in, by the server's error code. */
const signInErrors: Readonly<Record<string, AuthErrors>> = {
  invalid_credentials: { password: 'The email or the password is not right. Check both, or set a new password.' },
  email_not_confirmed: { email: 'This address is not confirmed yet. Open the link in the mail that we sent.' },
  user_banned: { email: 'This account is blocked. Ask the administrator of your Banyan CRM.' },
  over_request_rate_limit: { password: tooManyAttempts },
}

const signUpErrors: Readonly<Record<string, AuthErrors>> = {
  user_already_exists: { email: 'This address has an account already. Sign in instead.' },
  email_exists: { email: 'This address has an account already. Sign in instead.' },
  signup_disabled: { email: notInvited },
  weak_password: { password: 'This password is too easy to guess. Choose another one.' },
  over_request_rate_limit: { password: tooManyAttempts },
}

/**
 * Returns for each field what is wrong and what to do. Empty if the refusal is not about a field, for example if the server did not
 * respond.
 */
export function credentialErrors(mode: AuthMode, refusal: { message: string; code: string | null }): AuthErrors {
  const { code, message } = refusal
  if (code === 'validation_failed') return /^password/i.test(message) ? { password: message } : { email: message }
  const errorsByCode = mode === 'sign-in' ? signInErrors : signUpErrors
  return code !== null && Object.hasOwn(errorsByCode, code) ? (errorsByCode[code] ?? {}) : {}
}
