/** Where the client keeps its session (key of the durable store). */
export const sessionStorageKey = 'session'

/** Header that names the user on whose behalf a request is made; never leaves the browser (client.ts). */
export const asUserHeader = 'x-as-user'

/** Where the user of this device is noted (key of the durable store): its id and address outlive the session. */
export const knownUserKey = 'user'

/** What is read of a session of the official client, in memory or as it lies in the store. */
export interface StoredSession {
  access_token: string
  /** Seconds since the epoch. */
  expires_at?: number
  user: { id: string; email?: string; factors?: readonly { status: string }[] }
}

/** The `sub` of a token, unchecked (the server checks); null when it is none. */
export function subjectOf(token: string): string | null {
  return claimOf(token, 'sub')
}

/** The session of a token, unchecked; null when it names none. */
export function sessionIdOf(token: string): string | null {
  return claimOf(token, 'session_id')
}

/**
 * True when a second factor is still to come: the token's assurance level is not aal2 although a verified factor exists (spec section 4).
 * The client's getAuthenticatorAssuranceLevel says the same, but guards ask before the client is there.
 */
export function asksForCode({ access_token, user }: StoredSession): boolean {
  return claimOf(access_token, 'aal') !== 'aal2' && (user.factors ?? []).some(({ status }) => status === 'verified')
}

/** Whether the token's time is over at this time of the device's clock (milliseconds). */
export function hasRunOut({ expires_at }: StoredSession, now: number): boolean {
  return expires_at !== undefined && expires_at * 1000 <= now
}

function claimOf(token: string, name: string): string | null {
  try {
    const payload = token.split('.')[1] ?? ''
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const claim = (JSON.parse(text) as Record<string, unknown>)[name]
    return typeof claim === 'string' ? claim : null
  } catch {
    return null
  }
}
