export type AuthMode = 'sign-in' | 'sign-up'

/** Spec section 5. */
export const PASSWORD_LENGTH = 6

export interface AuthErrors {
  email?: string
  password?: string
}

/** What is wrong before anything is sent: an e-mail and a password are needed; a new password has 6 characters at least. */
export function checkCredentials(mode: AuthMode, email: string, password: string): AuthErrors {
  const errors: AuthErrors = {}
  if (!email.trim()) errors.email = 'Email is required'
  else if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) errors.email = 'Enter an email address'
  if (!password) errors.password = 'Password is required'
  else if (mode === 'sign-up' && password.length < PASSWORD_LENGTH) {
    errors.password = `Password needs at least ${PASSWORD_LENGTH} characters`
  }
  return errors
}
