import { timingSafeEqual } from 'node:crypto'
import { errors as joseErrors, type JWTPayload } from 'jose'
import { HttpError, refusal } from './errors.ts'
import type { HttpRequest } from './exchange.ts'

/** The role and claims with which a request runs SQL. */
export interface Caller {
  role: 'anon' | 'authenticated' | 'service_role'
  /** The claims as JSON text. SQL reads them as `request.jwt.claims`. */
  claims: string
  /** The user's id. Null if the request has only an API key. */
  sub: string | null
  /** The claim `session_id` of the user's token. Null if the request has only an API key, or the token lacks the claim. */
  sessionId: string | null
  /**
   * The claim `aal` of the user's token: the level of its session. Null if the request has only an API key, or the token lacks
   * this claim.
   */
  aal: string | null
  /**
   * The time at which the token expires (Unix seconds). Null if the request has only an API key, because keys do not
   * expire.
   */
  expiresAt: number | null
}

export interface CallerOptions {
  publishableKey: string
  secretKey: string
  /** Checks the token's signature, algorithm, issuer, audience and times, and returns its claims. Throws jose's errors. */
  verify: (token: string) => Promise<JWTPayload>
  /**
   * Returns an object that represents the accepted signing keys. Returns the same object until the keys change, and another
   * object afterwards.
   */
  keySet: () => object
}

const maxCachedTokens = 2000
/** Maximum length of a token (characters). Longer tokens are refused without being parsed. */
export const maxTokenLength = 16_384

/**
 * Creates the function that reads the headers `apikey` and `Authorization` (docs/supabase-protocol.md, section 1). The
 * API key selects the role anon or service_role; a user's token selects the role authenticated and the user. Verified tokens are
 * cached until they expire or the signing keys change, because checking a signature is slow. The function throws HttpError 401:
 * - `no_api_key` or `invalid_api_key` for a missing or wrong API key
 * - PGRST301 for an invalid token, PGRST303 for an expired token
 */
export function createCallerReader(options: CallerOptions): (request: HttpRequest) => Promise<Caller> {
  const { publishableKey, secretKey, verify, keySet } = options
  let acceptedKeys = keySet()
  const verifiedCallers = new Map<string, Caller>()
  const roleOfKey = createKeyRoleReader({ publishableKey, secretKey })
  const keyCallers = { anon: keyCaller('anon'), service_role: keyCaller('service_role') }

  /** Returns the caller of a valid token, from the cache if possible. */
  async function callerOfToken(token: string): Promise<Caller> {
    if (keySet() !== acceptedKeys) verifiedCallers.clear()
    acceptedKeys = keySet()
    const cached = verifiedCallers.get(token)
    if (cached) {
      if (cached.expiresAt !== null && cached.expiresAt > Date.now() / 1000) return cached
      verifiedCallers.delete(token)
      throw tokenRefusal('PGRST303', 'JWT expired')
    }
    const caller = tokenCaller(await verifyOrRefuse(token, verify))
    if (verifiedCallers.size >= maxCachedTokens) deleteOldest(verifiedCallers)
    if (keySet() === acceptedKeys) verifiedCallers.set(token, caller)
    return caller
  }

  return async (request) => {
    const role = roleOfKey(request)
    const token = bearerToken(request)
    if (token === null || token === request.headers.apikey) return keyCallers[role]
    if (token === publishableKey) return keyCallers.anon
    if (token.length > maxTokenLength) throw tokenRefusal('PGRST301', 'JWT too long')
    return callerOfToken(token)
  }
}

/**
 * Creates the function that returns the role of a request's API key. It reads only the header `apikey`, and throws HttpError 401 for a missing
 * or wrong key. It compares the secret key in constant time.
 */
export function createKeyRoleReader(
  keys: Pick<CallerOptions, 'publishableKey' | 'secretKey'>,
): (request: HttpRequest) => 'anon' | 'service_role' {
  const secret = Buffer.from(keys.secretKey)
  return ({ headers }) => {
    const key = headers.apikey
    if (typeof key !== 'string' || key === '') throw refusal('no_api_key')
    if (key === keys.publishableKey) return 'anon'
    const givenKey = Buffer.from(key)
    if (givenKey.length === secret.length && timingSafeEqual(givenKey, secret)) return 'service_role'
    throw refusal('invalid_api_key')
  }
}

/**
 * Returns the token of the header `Authorization: Bearer …`. Returns null if the header is missing or empty. Throws PGRST301
 * for another scheme than Bearer.
 */
export function bearerToken(request: HttpRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined || header === '') return null
  if (header.slice(0, 7).toLowerCase() !== 'bearer ')
    throw tokenRefusal('PGRST301', 'Authorization must be a Bearer token')
  return header.slice(7).trim() || null
}

async function verifyOrRefuse(token: string, verify: CallerOptions['verify']): Promise<JWTPayload> {
  try {
    return await verify(token)
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired) throw tokenRefusal('PGRST303', 'JWT expired')
    if (error instanceof joseErrors.JOSEError) throw tokenRefusal('PGRST301', 'JWT invalid')
    throw error
  }
}

function tokenCaller(payload: JWTPayload): Caller {
  const { role, sub, exp, session_id: sessionId, aal } = payload
  if (role !== 'authenticated' || typeof sub !== 'string' || typeof exp !== 'number') {
    throw tokenRefusal('PGRST301', 'JWT invalid')
  }
  return {
    role,
    claims: JSON.stringify(payload),
    sub,
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    aal: typeof aal === 'string' ? aal : null,
    expiresAt: exp,
  }
}

function keyCaller(role: 'anon' | 'service_role'): Caller {
  return { role, claims: JSON.stringify({ role }), sub: null, sessionId: null, aal: null, expiresAt: null }
}

function tokenRefusal(code: 'PGRST301' | 'PGRST303', message: string): HttpError {
  const description = `Bearer error="invalid_token", error_description="${message}"`
  return refusal(code, { message, headers: { 'WWW-Authenticate': description } })
}

/**
 * Deletes the oldest token: a Map keeps insertion order. Tokens live one hour, so their age is as good a criterion as their
 * last use.
 */
function deleteOldest(tokens: Map<string, Caller>): void {
  const { value } = tokens.keys().next()
  if (value !== undefined) tokens.delete(value)
}
