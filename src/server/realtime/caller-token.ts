import { decodeProtectedHeader, errors as joseErrors, type JWTPayload } from 'jose'
import { type ApiKeys, roleOfKey } from './socket-key.ts'

/** The role and claims of the person or the API key that uses a channel. They decide which changes and messages the channel receives. */
export interface SocketCaller {
  role: 'anon' | 'authenticated' | 'service_role'
  /** The claims of the user's token as JSON text, in the form that SQL gets them. Without a user's token: only the role. */
  claims: string
  /** The user's id. Null without a user's token. */
  sub: string | null
  /** The time at which the user's token expires (Unix seconds). Null without a user's token. */
  expiresAt: number | null
  /** The id of the key that signed the user's token. Null without a user's token, or if the token does not name its key. */
  kid: string | null
}

export interface CallerKeys extends ApiKeys {
  /**
   * Verifies the signature, algorithm, issuer, audience and times of a token, and returns its claims. Throws jose's errors.
   */
  verify: (token: string) => Promise<JWTPayload>
  /** Whether the server now accepts tokens that were signed with the key with this id. */
  accepts: (kid: string) => boolean
}

/** The caller of a channel that has the publishable key and no user's token. */
export const anonymousCaller: SocketCaller = {
  role: 'anon',
  claims: '{"role":"anon"}',
  sub: null,
  expiresAt: null,
  kid: null,
}
const serviceCaller: SocketCaller = {
  role: 'service_role',
  claims: '{"role":"service_role"}',
  sub: null,
  expiresAt: null,
  kid: null,
}
const maxTokenLength = 16_384

/**
 * Reads the access token of a join or a renewal (docs/supabase-protocol.md, section 4). The token may also be an API key.
 * If there is no token, returns `keyCaller`, the caller of the socket's API key. If the token is refused, returns the reason
 * as text.
 */
export async function readSocketCaller(
  token: unknown,
  keys: CallerKeys,
  keyCaller: SocketCaller,
): Promise<SocketCaller | string> {
  if (token === undefined || token === null || token === '') return keyCaller
  if (typeof token !== 'string' || token.length > maxTokenLength) return 'Invalid JWT'
  const role = roleOfKey(token, keys)
  if (role !== null) return callerOfKey(role)
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

/** Returns the caller of an API key with this role. */
export function callerOfKey(role: 'anon' | 'service_role'): SocketCaller {
  return role === 'anon' ? anonymousCaller : serviceCaller
}

/** Whether the caller's token has expired. */
export function isExpired(caller: SocketCaller): boolean {
  return caller.expiresAt !== null && caller.expiresAt <= Date.now() / 1000
}

/** Whether the key that signed the caller's token is no longer accepted. False if the token does not name its key (`kid` is null). */
export function isKeyWithdrawn({ kid }: SocketCaller, { accepts }: CallerKeys): boolean {
  return kid !== null && !accepts(kid)
}
