import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { refusal } from '#server/http/errors.ts'
import { isCommonPassword } from './common-passwords.ts'
import { isStorableText } from './storable-text.ts'

const MIN_CHARACTERS = 6
const MAX_BYTES = 72
const COMMON = 'Password is known to be weak and easy to guess, please choose a different one.'

/** The library's `Algorithm.Argon2id`, whose enum the compiler cannot inline. */
const ARGON2ID = 2

/**
 * Above OWASP's floor for Argon2id (19 MiB, two passes, one lane), and above 32 MiB: up to that, glibc keeps what is freed
 * in the arena of each thread of the pool, and the idle process stays 80 MB larger (measured); above it, memory goes back.
 */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 34 * 1024, timeCost: 2, parallelism: 1 } as const

/**
 * Refuses a new password: empty, over 72 bytes, with a NUL or half a surrogate pair (400), under 6 characters, or one of the
 * 3,000 most used (422).
 * Nothing is ever cut off or rewritten. Characters are code points: an emoji counts once.
 */
export function checkNewPassword(password: string): void {
  if (password === '') throw refusal('validation_failed', { message: 'Signup requires a valid password' })
  if (!isStorableText(password))
    throw refusal('validation_failed', { message: 'Password contains characters that cannot be used' })
  if (Buffer.byteLength(password) > MAX_BYTES) {
    throw refusal('validation_failed', { message: 'Password cannot be longer than 72 bytes' })
  }
  if (Array.from(password).length < MIN_CHARACTERS) {
    throw refusal('weak_password', { members: { weak_password: { reasons: ['length'] } } })
  }
  if (isCommonPassword(password))
    throw refusal('weak_password', { message: COMMON, members: { weak_password: { reasons: ['pwned'] } } })
}

/** The hash to store, with its parameters and salt inside. Call it inside the hash queue. */
export function hashPassword(password: string): Promise<string> {
  return argon2Hash(password, PARAMETERS)
}

/**
 * Whether `password` is the one of `hash`. Where there is no hash (no such user, no password) it takes the same time and
 * is false. Call it inside the hash queue.
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const usable = isStorableText(password) && Buffer.byteLength(password) <= MAX_BYTES
  const matches = await argon2Verify(hash ?? (await nobodysHash()), usable ? password : 'x')
  return matches && usable && hash !== null
}

let nobodys: Promise<string> | undefined

/** The hash of a password that nobody has, made once with the same parameters. */
export function nobodysHash(): Promise<string> {
  nobodys ??= hashPassword(crypto.randomUUID())
  return nobodys
}
