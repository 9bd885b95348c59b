import { refusal } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import { parseBody } from './parse-body.ts'
import { checkProfile, parseAccept, parsePreferences, parseRange } from './parse-headers.ts'
import { parseQuery, type SplitQuery, splitQuery } from './parse-query.ts'
import { type AcceptedFormat, type Body, bodySlot, offsetSlot, type Preferences, type Query } from './request.ts'

export const restPrefix = '/rest/v1/'

/**
 * A parsed request. Requests with the same `key` have the same plan; they differ only in the contents of their `slots`
 * and in the value of the offset.
 */
export interface RestRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  target: { kind: 'relation' | 'function'; name: string }
  key: string
  slots: readonly string[]
  accept: AcceptedFormat
  preferences: Preferences
  body: Body
  /**
   * The rows to return: `offset` is the number of rows to skip, and `limit` the maximum number of rows. `parseRequest`
   * replaces a missing or higher limit by the server's maximum, so `limit` is never null in its result.
   */
  window: { offset: number; limit: number | null }
  /**
   * Parses the query string. It is called only if no cached plan exists for the key, and for the parameter `columns`.
   * `isArgument`: see `parseQuery`.
   */
  query: (isArgument?: (name: string) => boolean) => Query
}

/**
 * Parses a request. Does not need the schema, and reads only the keys of the body, not its values. Throws the PGRST1xx refusals
 * of docs/supabase-protocol.md, section 3.
 */
export function parseRequest(request: HttpRequest, schemaName: string, maxRows: number): RestRequest {
  const method = checkMethod(request)
  const target = parsePath(request.path)
  const isRead = method === 'GET' || method === 'HEAD'
  if (target.kind === 'function' && !isRead && method !== 'POST')
    throw refusal('PGRST101', { headers: { Allow: functionMethods } })
  checkProfile(method, request.headers, schemaName)

  const split = splitQuery(request.query, target.kind === 'function' && isRead)
  const query = (isArgument = (_name: string) => false) => parseQuery(split, isArgument)
  const { window, slots } = withWindow(split, isRead ? request.headers.range : undefined)
  const { body, text } = readBody(request, method, target.kind === 'function', split, query)
  slots[bodySlot] = text
  const prefer = request.headers.prefer
  const preferHeader = Array.isArray(prefer) ? prefer.join(',') : prefer
  const limit = Math.min(window.limit ?? maxRows, maxRows)
  const accept = parseAccept(request.headers.accept)
  return {
    method,
    target,
    key: [
      method,
      request.path,
      split.key,
      limit,
      window.offset > 0,
      accept.contentType,
      preferHeader,
      body.kind,
      // NUL separates the keys of the body below, but a key may itself contain NUL. So the number of keys is added.
      body.keys.length,
      body.keys.join('\0'),
    ].join('\n'),
    slots,
    accept,
    preferences: parsePreferences(preferHeader),
    body,
    window: { offset: window.offset, limit },
    query,
  }
}

/** The methods in the header `Allow` of a refusal with 405. `app.ts` responds to OPTIONS. */
const relationMethods = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'
const functionMethods = 'GET, HEAD, POST, OPTIONS'

function checkMethod({ method, path }: HttpRequest): RestRequest['method'] {
  if (method === 'GET' || method === 'HEAD' || method === 'POST' || method === 'PATCH' || method === 'DELETE')
    return method
  throw refusal('PGRST117', {
    message: `Unsupported HTTP method: ${method.slice(0, 20)}`,
    headers: { Allow: path.startsWith(`${restPrefix}rpc/`) ? functionMethods : relationMethods },
  })
}

function parsePath(path: string): RestRequest['target'] {
  let decoded: string
  try {
    decoded = decodeURIComponent(path.slice(restPrefix.length))
  } catch {
    throw refusal('PGRST125')
  }
  const [first = '', second, ...furtherParts] = decoded.split('/')
  if (first !== '' && second === undefined) return { kind: 'relation', name: first }
  if (first === 'rpc' && second && furtherParts.length === 0) return { kind: 'function', name: second }
  throw refusal('PGRST125')
}

/**
 * Returns the window that the parameters `limit` and `offset` and the header `Range` describe together, and the slots with
 * the window's offset.
 */
function withWindow(query: SplitQuery, range: string | undefined): { window: RestRequest['window']; slots: string[] } {
  const lastTextOf = (name: string) =>
    query.parameters.findLast((parameter) => parameter.name === name && parameter.slot === null)?.text
  const requested = parseRange(range)
  const limit = lastTextOf('limit')
  const window = { offset: toNumber(lastTextOf('offset')), limit: limit ? toNumber(limit) : null }
  if (requested) {
    window.offset += requested.offset
    window.limit = requested.limit === null ? window.limit : Math.min(requested.limit, window.limit ?? requested.limit)
  }
  const slots = [...query.slots]
  slots[offsetSlot] = String(window.offset)
  return { window, slots }
}

/** Converts a text into a number. Returns 0 for a missing text, and for an invalid number, which `parseQuery` refuses later. */
function toNumber(text: string | undefined): number {
  return text !== undefined && /^\+?\d{1,18}$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : 0
}

function readBody(
  request: HttpRequest,
  method: RestRequest['method'],
  isCall: boolean,
  split: SplitQuery,
  query: () => Query,
): { body: Body; text: string } {
  if (method !== 'POST' && method !== 'PATCH') return { body: { kind: 'none', keys: [] }, text: '' }
  if (isCall && request.body.length === 0) return { body: { kind: 'object', keys: [] }, text: '{}' }
  const hasColumns = split.parameters.some((parameter) => parameter.name === 'columns' && parameter.slot === null)
  const parsed = parseBody(request.body, request.headers['content-type'], hasColumns ? query().columns : null)
  if (isCall && parsed.body.kind !== 'object') {
    throw refusal('PGRST102', { details: 'The arguments of a function must be an object' })
  }
  return parsed
}
