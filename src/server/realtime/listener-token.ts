import { decodeProtectedHeader, errors as joseErrors, type JWTPayload } from 'jose'

/** On whose behalf a channel listens. */
export interface Listener {
  role: 'anon' | 'authenticated' | 'service_role'
  /** JSON text of the claims, as SQL reads them. */
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
  /** Whether tokens of this key are taken now. */
  takes: (kid: string) => boolean
}

/** Who listens without a token. */
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
 * Reads the access token of a join or a renewal (wire facts, section 4): none, or a key, is somebody anonymous. Returns a
 * text where it is refused. `byKey`: what the socket's own key allows.
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

/** What the socket's key alone allows. */
export function listenerOfKey(role: 'anon' | 'service_role'): Listener {
  return role === 'anon' ? anonymousListener : serviceListener
}

/** Whether the time of the listener's token is over. */
export function isExpired(listener: Listener): boolean {
  return listener.expiresAt !== null && listener.expiresAt <= Date.now() / 1000
}

/** Whether the key of the listener's token has been withdrawn since. */
export function isWithdrawn({ kid }: Listener, { takes }: ListenerKeys): boolean {
  return kid !== null && !takes(kid)
}
