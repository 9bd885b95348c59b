import { decodeProtectedHeader, errors as joseErrors, type JWTPayload } from 'jose'

/** The role and claims that a channel listens with. */
export interface Listener {
  role: 'anon' | 'authenticated' | 'service_role'
  /** The claims as JSON text, for SQL. */
  claims: string
  /** The user's id; null for the bare keys. */
  sub: string | null
  /** Unix seconds; null for the bare keys. */
  expiresAt: number | null
  /** The key that signed the token; null for the bare keys. */
  kid: string | null
}

export interface ListenerKeys {
  publishableKey: string
  secretKey: string
  /** Checks signature, algorithm, issuer, audience and times; throws jose's errors. */
  verify: (token: string) => Promise<JWTPayload>
  /** Whether tokens of this key are accepted now. */
  accepts: (kid: string) => boolean
}

/** The listener without a token. */
export const anonymousListener: Listener = {
  role: 'anon',
  claims: '{"role":"anon"}',
  sub: null,
  expiresAt: null,
  kid: null,
}
const serviceListener: Listener = {
  role: 'service_role',
  claims: '{"role":"service_role"}',
  sub: null,
  expiresAt: null,
  kid: null,
}
const maxTokenLength = 16_384

/**
 * Reads the access token of a join or a renewal (docs/supabase-protocol.md, section 4). Without a token, or with a key, the listener
 * is anonymous. A string is the reason for a refusal. `byKey`: the listener that the socket's own key allows.
 */
export async function readListener(token: unknown, keys: ListenerKeys, byKey: Listener): Promise<Listener | string> {
  if (token === undefined || token === null || token === '') return byKey
  if (typeof token !== 'string' || token.length > maxTokenLength) return 'Invalid JWT'
  if (token === keys.publishableKey) return anonymousListener
  if (token === keys.secretKey) return serviceListener
  try {
    const claims = await keys.verify(token)
    const { sub, exp } = claims
    if (claims['role'] !== 'authenticated' || typeof exp !== 'number' || typeof sub !== 'string') return 'Invalid JWT'
    return {
      role: 'authenticated',
      claims: JSON.stringify(claims),
      sub,
      expiresAt: exp,
      kid: decodeProtectedHeader(token).kid ?? null,
    }
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired) return 'Token has expired'
    if (error instanceof joseErrors.JOSEError) return 'Invalid JWT'
    throw error
  }
}

/** The listener of a socket's key alone. */
export function listenerOfKey(role: 'anon' | 'service_role'): Listener {
  return role === 'anon' ? anonymousListener : serviceListener
}

/** Whether the listener's token has expired. */
export function isExpired(listener: Listener): boolean {
  return listener.expiresAt !== null && listener.expiresAt <= Date.now() / 1000
}

/** Whether the key of the listener's token is no longer accepted. */
export function isKeyWithdrawn({ kid }: Listener, { accepts }: ListenerKeys): boolean {
  return kid !== null && !accepts(kid)
}
