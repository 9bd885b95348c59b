import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { maxTokenLength } from '#server/http/caller.ts'
import type { SigningKeys } from './keys.ts'
import type { UserRow } from './users.ts'

/** Life of an access token (seconds). */
export const accessTokenLifeSeconds = 3600

/** The facts about a session that its access tokens contain. */
export interface SessionFacts {
  id: string
  aal: string
  /** The authentication methods, newest first. `timestamp`: Unix seconds. */
  amr: readonly { method: string; timestamp: number }[]
}

export interface AccessToken {
  token: string
  /** The time at which the access token expires (Unix seconds). */
  expiresAt: number
}

export interface TokenSigner {
  sign: (user: UserRow, session: SessionFacts) => Promise<AccessToken>
  /** Verifies an access token and returns its claims. Throws jose's errors for an invalid or expired token. */
  verify: (token: string) => Promise<JWTPayload>
}

/**
 * Creates the object that signs and verifies access tokens (ES256, claims as in docs/supabase-protocol.md, section 2).
 * `issuer` is the URL of `/auth/v1`. `updateKeys` reads the key file; it is called when a token names an unknown key.
 */
export function createTokenSigner(keys: SigningKeys, issuer: string, updateKeys: () => Promise<void>): TokenSigner {
  /**
   * Returns the key of this installation with this id; throws if it is unknown. Keys that a token's header refers to (`jku`,
   * `jwk`, `x5u`) are never loaded.
   */
  async function keyOf(kid = '') {
    if (!keys.verificationKeys.has(kid)) await updateKeys()
    const key = keys.verificationKeys.get(kid)
    if (key === undefined) throw new errors.JWSSignatureVerificationFailed('signing key is unknown')
    return key
  }

  async function sign(user: UserRow, session: SessionFacts): Promise<AccessToken> {
    const issuedAt = Math.floor(Date.now() / 1000)
    const expiresAt = issuedAt + accessTokenLifeSeconds
    const token = await new SignJWT({
      iss: issuer,
      sub: user.id,
      aud: 'authenticated',
      exp: expiresAt,
      iat: issuedAt,
      email: user.email ?? '',
      phone: '',
      app_metadata: user.raw_app_meta_data ?? {},
      user_metadata: user.raw_user_meta_data ?? {},
      role: 'authenticated',
      aal: session.aal,
      amr: session.amr,
      session_id: session.id,
      is_anonymous: false,
    })
      .setProtectedHeader({ alg: 'ES256', kid: keys.kid, typ: 'JWT' })
      .sign(keys.signingKey)
    return { token, expiresAt }
  }

  async function verify(token: string): Promise<JWTPayload> {
    if (token.length > maxTokenLength) throw new errors.JWTInvalid('token is too long')
    const { payload } = await jwtVerify(token, ({ kid }) => keyOf(kid), {
      algorithms: ['ES256'],
      issuer,
      audience: 'authenticated',
      requiredClaims: ['sub', 'exp', 'iat', 'role', 'session_id'],
    })
    return payload
  }

  return { sign, verify }
}
