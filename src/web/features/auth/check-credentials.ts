export type AuthMode = 'sign-in' | 'sign-up'

/** Spec section 5. */
export const passwordLength = 6

export interface AuthErrors {
  email?: string
  password?: string
}

/** Checks credentials before they are sent: an e-mail address and a password are required; a new password has at least 6 characters. */
export function checkCredentials(mode: AuthMode, email: string, password: string): AuthErrors {
  const errors: AuthErrors = {}
  const wrongEmail = checkEmail(email)
  if (wrongEmail) errors.email = wrongEmail
  const wrongPassword = mode === 'sign-up' ? checkNewPassword(password) : checkPassword(password)
  if (wrongPassword) errors.password = wrongPassword
  return errors
}

/** The error of the e-mail address, or nothing. */
export function checkEmail(email: string): string | undefined {
  if (!email.trim()) return 'Email is required'
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : 'Enter an email address'
}

/** What was typed or pasted; of 'Tom Hale <tom@muster.example>' the address. */
export function bareAddress(typed: string): string {
  return typed.replace(/^.*<(.+@.+)>\s*$/, '$1')
}

/** The error of a new password, or nothing. */
export function checkNewPassword(password: string): string | undefined {
  if (password && password.length < passwordLength) return `Password needs at least ${passwordLength} characters`
  return checkPassword(password)
}

function checkPassword(password: string): string | undefined {
  return password ? undefined : 'Password is required'
}
