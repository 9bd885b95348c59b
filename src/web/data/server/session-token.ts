import { textOf } from '#web/lib/read-unknown.ts'

/** Key of the client's session in the key-value store. */
export const sessionStorageKey = 'session'

/** Header with the user as whom a request is sent. client.ts removes it before the request leaves the browser. */
export const asUserHeader = 'x-as-user'

/** Key of the known user in the key-value store: id and address, kept after the session has ended. */
export const knownUserKey = 'user'

/** The fields used here of a session of the official client, in memory or stored. */
export interface StoredSession {
  access_token: string
  /** Seconds since the epoch. */
  expires_at?: number | null
  /** `factors`: in the protocol's words. */
  user: { factors?: readonly unknown[] }
}

/** The `sub` claim of a token, not verified (the server does that); null when the text is no token. */
export function subjectOf(token: string): string | null {
  return claimOf(token, 'sub')
}

/** The session id of a token, not verified; null when it has none. */
export function sessionIdOf(token: string): string | null {
  return claimOf(token, 'session_id')
}

/**
 * Whether a second factor must be proved: the token's assurance level is not aal2 although a verified factor exists (spec section 4).
 * The client's getAuthenticatorAssuranceLevel returns the same, but router guards run before the client is loaded.
 */
export function asksForCode({ access_token, user }: StoredSession): boolean {
  return claimOf(access_token, 'aal') !== 'aal2' && (user.factors ?? []).some(isVerified)
}

/** Whether a second factor is verified. Others do not count. */
export function isVerified(factor: unknown): boolean {
  return textOf(factor, 'status') === 'verified'
}

/** Whether the token has expired at this time of the device's clock (milliseconds since the epoch). */
export function hasRunOut({ expires_at }: StoredSession, now: number): boolean {
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
