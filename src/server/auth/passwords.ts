import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { refusal } from '#server/http/errors.ts'
import { isCommonPassword } from './common-passwords.ts'
import { isStorableText } from './storable-text.ts'

const minCharacters = 6
const maxBytes = 72
const commonPasswordMessage = 'Password is known to be weak and easy to guess, please choose a different one.'

/** The value of `Algorithm.Argon2id`, a const enum of the library that the compiler cannot inline. */
const argon2id = 2

/**
 * The cost of password hashes. It is above OWASP's minimum for Argon2id (19 MiB, two passes, one lane). The memory is above
 * 32 MiB on purpose: glibc does not return smaller blocks to the system, so the idle process would need 80 MB more
 * (measured).
 */
const argon2Parameters = { algorithm: argon2id, memoryCost: 34 * 1024, timeCost: 2, parallelism: 1 } as const

/** The cost of a new hash: memory in KiB, and the number of passes over this memory. */
export interface HashCost {
  memoryCost: number
  timeCost: number
}

/**
 * Throws 400 for a new password that is empty, longer than 72 bytes, or contains a NUL or half a surrogate pair; 422 for
 * one that has fewer than 6 characters or is one of the 3,000 most used passwords. Passwords are never truncated or
 * changed. A character is a code point, so an emoji counts as one.
 */
export function checkNewPassword(password: string): void {
  if (password === '') throw refusal('validation_failed', { message: 'Signup requires a valid password' })
  if (!isStorableText(password))
    throw refusal('validation_failed', { message: 'Password contains characters that cannot be used' })
  if (Buffer.byteLength(password) > maxBytes) {
    throw refusal('validation_failed', { message: 'Password cannot be longer than 72 bytes' })
  }
  if (Array.from(password).length < minCharacters) {
    throw refusal('weak_password', { members: { weak_password: { reasons: ['length'] } } })
  }
  if (isCommonPassword(password))
    throw refusal('weak_password', {
      message: commonPasswordMessage,
      members: { weak_password: { reasons: ['pwned'] } },
    })
}

/**
 * Returns the hash to store for a password, with its parameters and salt. Call it inside the hash queue. `cost` is for
 * tests only.
 */
export function hashPassword(password: string, cost?: HashCost): Promise<string> {
  return argon2Hash(password, { ...argon2Parameters, ...cost })
}

/**
 * Returns whether `password` matches `hash`. If `hash` is null (no such user, or a user without a password), returns false
 * after the same time. Call it inside the hash queue.
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const isUsable = isStorableText(password) && Buffer.byteLength(password) <= maxBytes
  const matches = await argon2Verify(hash ?? (await decoyHash()), isUsable ? password : 'x')
  return matches && isUsable && hash !== null
}

let decoyHashPromise: Promise<string> | undefined

/** Returns the hash of a random password with the usual cost, for `verifyPassword` without a hash. It is computed once. */
export function decoyHash(): Promise<string> {
  decoyHashPromise ??= hashPassword(crypto.randomUUID())
  return decoyHashPromise
}
