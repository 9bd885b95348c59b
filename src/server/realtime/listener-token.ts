import { decodeProtectedHeader, errors as joseErrors, type JWTPayload } from 'jose'

/** The role and claims of the person or the API key that uses a channel. They decide which changes and messages the channel receives. */
export interface SocketCaller {
  role: 'anon' | 'authenticated' | 'service_role'
  /** The claims of the token as JSON text, in the form that SQL gets them. */
  claims: string
  /** The user's id. Null for an API key without a user's token. */
  sub: string | null
  /** The time at which the token expires (Unix seconds). Null for an API key. */
  expiresAt: number | null
  /** The id of the key that signed the token. Null for an API key. */
  kid: string | null
}

export interface ListenerKeys {
  publishableKey: string
  secretKey: string
  /**
   * Verifies the signature, algorithm, issuer, audience and times of a token, and returns its claims. Throws jose's errors.
   */
  verify: (token: string) => Promise<JWTPayload>
  /** Whether the server now accepts tokens that were signed with the key with this id. */
  accepts: (kid: string) => boolean
}

/** The listener of the publishable key, without a user's token. */
export const anonymousListener: SocketCaller = {
  role: 'anon',
  claims: '{"role":"anon"}',
  sub: null,
  expiresAt: null,
  kid: null,
}
const serviceListener: SocketCaller = {
  role: 'service_role',
  claims: '{"role":"service_role"}',
  sub: null,
  expiresAt: null,
  kid: null,
}
const maxTokenLength = 16_384

/**
 * Reads the access token of a join or a renewal (docs/supabase-protocol.md, section 4). The token may also be an API key.
 * If there is no token, returns `byKey`, the listener of the socket's API key. If the token is refused, returns the reason
 * as text.
 */
export async function readSocketCaller(
  token: unknown,
  keys: ListenerKeys,
  byKey: SocketCaller,
): Promise<SocketCaller | string> {
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

/** Returns the listener of an API key with this role. */
export function listenerOfKey(role: 'anon' | 'service_role'): SocketCaller {
  return role === 'anon' ? anonymousListener : serviceListener
}

/** Whether the listener's token has expired. */
export function isExpired(listener: SocketCaller): boolean {
  return listener.expiresAt !== null && listener.expiresAt <= Date.now() / 1000
}

/** Whether the key that signed the listener's token is no longer accepted. False for a listener without a user's token. */
export function isKeyWithdrawn({ kid }: SocketCaller, { accepts }: ListenerKeys): boolean {
  return kid !== null && !accepts(kid)
}
