import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { refusal } from '#server/http/errors.ts'
import { isCommonPassword } from './common-passwords.ts'
import { isStorableText } from './storable-text.ts'

const minCharacters = 6
const maxBytes = 72
const commonPasswordMessage = 'Password is known to be weak and easy to guess, please choose a different one.'

/** The library's `Algorithm.Argon2id`, whose enum the compiler cannot inline. */
const argon2id = 2

/**
 * Above OWASP's floor for Argon2id (19 MiB, two passes, one lane), and above 32 MiB: up to that, glibc keeps what is freed
 * in the arena of each thread of the pool, and the idle process stays 80 MB larger (measured); above it, memory goes back.
 */
const argon2Parameters = { algorithm: argon2id, memoryCost: 34 * 1024, timeCost: 2, parallelism: 1 } as const

/**
 * Refuses a new password: empty, over 72 bytes, with a NUL or half a surrogate pair (400), under 6 characters, or one of the
 * 3,000 most used (422).
 * Nothing is ever cut off or rewritten. Characters are code points: an emoji counts once.
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

/** The hash to store, with its parameters and salt inside. Call it inside the hash queue. */
export function hashPassword(password: string): Promise<string> {
  return argon2Hash(password, argon2Parameters)
}

/**
 * Whether `password` is the one of `hash`. Where there is no hash (no such user, no password) it takes the same time and
 * is false. Call it inside the hash queue.
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const usable = isStorableText(password) && Buffer.byteLength(password) <= maxBytes
  const matches = await argon2Verify(hash ?? (await nobodysHash()), usable ? password : 'x')
  return matches && usable && hash !== null
}

let nobodys: Promise<string> | undefined

/** The hash of a password that nobody has, made once with the same parameters. */
export function nobodysHash(): Promise<string> {
  nobodys ??= hashPassword(crypto.randomUUID())
  return nobodys
}
