import { HttpError, refusal } from '#server/http/errors.ts'
import { maxBodyRows, maxKeys } from './limits.ts'
import type { Body } from './request.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Returns the body's text, which PostgreSQL will parse, and the kind and the keys of the body, which determine the statement. All
 * objects of a list must have the same keys. If the parameter `columns` is given, its names replace the keys, and neither the keys
 * nor the elements of a list are checked. A missing content type counts as JSON. Throws:
 * - 400 PGRST102 if the body is not JSON in UTF-8, is neither an object nor a list of objects, has differing keys, or exceeds a
 *   limit
 * - 415 for another content type than JSON
 */
export function parseBody(
  bytes: Buffer,
  contentType: string | undefined,
  columns: readonly string[] | null,
): { body: Body; text: string } {
  if (contentType !== undefined && !jsonContentType.test(contentType)) {
    throw new HttpError(415, 'PGRST107', `Content-Type not acceptable: ${contentType.slice(0, 200)}`)
  }
  const text = decode(bytes)
  const value = parse(text)
  if (Array.isArray(value) && value.length > maxBodyRows) {
    throw refusal('PGRST102', { message: `More than ${maxBodyRows} rows in the body. Send them in several requests` })
  }
  if (Array.isArray(value)) return { body: { kind: 'list', keys: columns ? [...columns] : listKeys(value) }, text }
  if (!isObject(value)) throw refusal('PGRST102', { details: 'The body must be an object or a list of objects' })
  return { body: { kind: 'object', keys: columns ? [...columns] : refuseManyKeys(Object.keys(value)) }, text }
}

/** Returns the common keys of all objects of the list. Throws PGRST102 if they differ, or if an element is no object. */
function listKeys(list: readonly unknown[]): string[] {
  const [first] = list
  if (list.length === 0) return []
  if (!isObject(first)) throw refusal('PGRST102', { details: 'The elements of the list must be objects' })
  const keys = refuseManyKeys(Object.keys(first))
  const keysOfFirst = new Set(keys)
  for (const item of list) {
    const keysOfItem = isObject(item) ? Object.keys(item) : []
    if (keysOfItem.length !== keys.length || !keysOfItem.every((key) => keysOfFirst.has(key))) {
      throw refusal('PGRST102', { message: 'All object keys must match' })
    }
  }
  return keys
}

function refuseManyKeys(keys: string[]): string[] {
  if (keys.length > maxKeys) throw refusal('PGRST102', { message: `More than ${maxKeys} keys in an object` })
  return keys
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw refusal('PGRST102', { message: 'The body is not valid UTF-8' })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal('PGRST102')
  }
}

const jsonContentType = /^\s*application\/(?:[a-z.+-]+\+)?json\s*(?:;|$)/i
