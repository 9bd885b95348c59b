import { textOf } from '#web/lib/read-unknown.ts'

/** The key of the client's session in the key-value store. */
export const sessionStorageKey = 'session'

/** The header that names the user of a request. client.ts removes it before the request leaves the browser. */
export const asUserHeader = 'x-as-user'

/** The key of the known user in the key-value store: id and email address, kept after the session has ended. */
export const knownUserKey = 'user'

/** The fields that the app uses of the official client's session, in memory or stored. */
export interface StoredSession {
  access_token: string
  /** Unix time (s). */
  expires_at?: number | null
  /** `factors`: the second factors as the server returns them. */
  user: { factors?: readonly unknown[] }
}

/** Returns the `sub` claim of a token. Does not verify the token, because the server does. Null if the text is not a token. */
export function subjectOf(token: string): string | null {
  return claimOf(token, 'sub')
}

/** Returns the session id of a token. Does not verify the token. Null if the token has no session id. */
export function sessionIdOf(token: string): string | null {
  return claimOf(token, 'session_id')
}

/**
 * Whether a second factor must be proved: the token's assurance level is not aal2 although a verified factor exists (spec section 4).
 * The client's getAuthenticatorAssuranceLevel returns the same, but router guards run before the client is loaded.
 */
export function needsSecondFactor({ access_token, user }: StoredSession): boolean {
  return claimOf(access_token, 'aal') !== 'aal2' && (user.factors ?? []).some(isVerified)
}

/** Whether a second factor is verified. Unverified factors do not count. */
export function isVerified(factor: unknown): boolean {
  return textOf(factor, 'status') === 'verified'
}

/** Whether the token has expired at the time `now` of the device's clock (Unix time, ms). */
export function isExpired({ expires_at }: StoredSession, now: number): boolean {
  return typeof expires_at === 'number' && expires_at * 1000 <= now
}

function claimOf(token: string, name: string): string | null {
  try {
    const payload = token.split('.')[1] ?? ''
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    return textOf(JSON.parse(text), name)
  } catch {
    return null
  }
}
