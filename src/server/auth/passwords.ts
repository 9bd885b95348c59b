import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { refusal } from '#server/http/errors.ts'
import { isCommonPassword } from './common-passwords.ts'
import { isStorableText } from './storable-text.ts'

const minCharacters = 6
const maxBytes = 72
const commonPasswordMessage = 'Password is known to be weak and easy to guess, please choose a different one.'

/** The library's `Algorithm.Argon2id`. The compiler cannot inline its const enum. */
const argon2id = 2

/**
 * Above OWASP's minimum for Argon2id (19 MiB, two passes, one lane). Above 32 MiB on purpose: glibc keeps smaller freed
 * blocks in each thread's arena, and the idle process stays 80 MB larger (measured).
 */
const argon2Parameters = { algorithm: argon2id, memoryCost: 34 * 1024, timeCost: 2, parallelism: 1 } as const

/** What a new hash costs: memory in KiB, and passes over it. */
export interface HashCost {
  memoryCost: number
  timeCost: number
}

/**
 * Refuses a new password that is empty, over 72 bytes, or contains a NUL or half a surrogate pair (400), that has under
 * 6 characters, or that is one of the 3,000 most used (422).
 * Passwords are never truncated or changed. Characters are code points: an emoji counts as one.
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

/** The hash to store, with its parameters and salt. Call it inside the hash queue. `cost`: less than usual, for tests only. */
export function hashPassword(password: string, cost?: HashCost): Promise<string> {
  return argon2Hash(password, { ...argon2Parameters, ...cost })
}

/**
 * Whether `password` matches `hash`. Without a hash (no such user, no password) it returns false after the same time.
 * Call it inside the hash queue.
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const usable = isStorableText(password) && Buffer.byteLength(password) <= maxBytes
  const matches = await argon2Verify(hash ?? (await decoyHash()), usable ? password : 'x')
  return matches && usable && hash !== null
}

let decoy: Promise<string> | undefined

/** The hash of a random password with the same parameters, computed once. */
export function decoyHash(): Promise<string> {
  decoy ??= hashPassword(crypto.randomUUID())
  return decoy
}
