export type AuthMode = 'sign-in' | 'sign-up'

/** Minimum number of characters (spec section 5). */
export const minPasswordLength = 6

export interface AuthErrors {
  email?: string
  password?: string
}

/** Checks credentials before they are sent: an email address and a password are required; a new password needs at least 6 characters. */
export function checkCredentials(mode: AuthMode, email: string, password: string): AuthErrors {
  const errors: AuthErrors = {}
  const emailProblem = checkEmail(email)
  if (emailProblem) errors.email = emailProblem
  const passwordProblem = mode === 'sign-up' ? checkNewPassword(password) : checkPassword(password)
  if (passwordProblem) errors.password = passwordProblem
  return errors
}

/** Returns what is wrong with the email address, or undefined. */
export function checkEmail(email: string): string | undefined {
  if (!email.trim()) return 'Email is required'
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : 'Enter an email address'
}

/** Returns the email address in a typed or pasted text such as 'Tom Hale <tom@muster.example>'. Other texts are returned unchanged. */
export function bareAddress(typed: string): string {
  return typed.replace(/^.*<(.+@.+)>\s*$/, '$1')
}

/** Returns what is wrong with a new password, or undefined. */
export function checkNewPassword(password: string): string | undefined {
  if (password && password.length < minPasswordLength) return `Password needs at least ${minPasswordLength} characters`
  return checkPassword(password)
}

function checkPassword(password: string): string | undefined {
  return password ? undefined : 'Password is required'
}
