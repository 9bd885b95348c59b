import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { refusal } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import { isStorableText, isVisibleText } from './storable-text.ts'

/**
 * Returns the request's body, validated by `schema`. Throws bad_json if the body is not a JSON object, validation_failed
 * for an invalid member.
 */
export function readInput<T extends z.ZodType>(request: HttpRequest, schema: T): z.infer<T> {
  const parsed = schema.safeParse(readObject(request.body))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const name = issue?.path.map(String).join('.') ?? ''
  throw refusal('validation_failed', {
    message: `${name === '' ? 'The body' : name}: ${issue?.message ?? 'not valid'}`,
  })
}

function readObject(body: Buffer): unknown {
  if (!isUtf8(body)) throw refusal('bad_json')
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    throw refusal('bad_json')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal('bad_json')
  return value
}

const maxEmailLength = 255
const badEmailMessage = 'Unable to validate email address: invalid format'

/**
 * Returns an e-mail address in the form in which accounts are looked up: trimmed and in lower case. Throws
 * validation_failed unless it has one @ with text on both sides, at most 255 characters, and no white space, control
 * characters or halves of a surrogate pair.
 */
export function readEmail(text: string | null | undefined): string {
  const email = (text ?? '').trim().toLowerCase()
  const canBeStored = email.length >= 3 && email.length <= maxEmailLength && isStorableText(email)
  if (!canBeStored || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email))
    throw refusal('validation_failed', { message: badEmailMessage })
  return email
}

const misleadingEmailMessage =
  'Unable to validate email address: it contains characters that cannot be seen or that look like others. Type it again'

/**
 * Returns the e-mail address of a new account, in the same form as `readEmail`. Throws validation_failed also for
 * misleading characters (`isPlainEmail`).
 */
export function readNewEmail(text: string | null | undefined): string {
  const email = readEmail(text)
  if (!isPlainEmail(email)) throw refusal('validation_failed', { message: misleadingEmailMessage })
  return email
}

/**
 * Whether an e-mail address has no invisible characters (`isVisibleText`), and Unicode's normalization form NFKC does not change
 * it: it has no full-width letters, ligatures, circled digits, or accents as separate characters. With such characters, two
 * addresses that look the same could have two accounts. Letters of different scripts that look the same are not refused.
 */
export function isPlainEmail(email: string): boolean {
  return isVisibleText(email) && email.normalize('NFKC') === email
}

/**
 * Maximum size of the JSON of a user's metadata (bytes). Every access token contains the metadata, and every request sends
 * the token.
 */
const maxMetadataBytes = 4096

const maxMetadataDepth = 32

/** The schema of a user's metadata: a JSON object that the database can store, within the maximum size and depth. */
export const metadataSchema = z
  .record(z.string(), z.unknown())
  .refine((data) => isStorable(data, 0), {
    error: 'contains characters that cannot be stored, or is nested too deeply',
    abort: true,
  })
  .refine(isMetadataSmallEnough, `at most ${maxMetadataBytes} bytes of JSON`)

/** Whether a user's metadata is small enough for access tokens. */
export function isMetadataSmallEnough(data: Record<string, unknown>): boolean {
  return Buffer.byteLength(JSON.stringify(data)) <= maxMetadataBytes
}

/**
 * Whether a column of type jsonb accepts the value: its texts must contain no NUL and no half of a surrogate pair. False also
 * for a value that is nested more than `maxMetadataDepth` levels deep.
 */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > maxMetadataDepth) return false
  return Object.entries(value).every(([name, member]) => isStorable(name) && isStorable(member, depth + 1))
}
