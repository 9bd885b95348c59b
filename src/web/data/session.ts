/** The person signed in on this browser. `expired`: the server ended the session; local work goes on, sending waits for the next sign-in. */
export interface Session {
  userId: string
  email: string
  expired: boolean
}

/** `message` is the server's; `code` its error code or null when no answer came. `signedIn` is false when an e-mail must be confirmed first. */
export type AuthOutcome = { ok: true; signedIn: boolean } | { ok: false; message: string; code: string | null }

/** The session as this device knows it. Never waits for the network. */
export function useSession(): { ready: boolean; session: Session | null } {
  return { ready: false, session: null }
}

/** The same for router guards: reads the durable local copy only (a few milliseconds), never the network. */
export function readSession(): Promise<Session | null> {
  return Promise.resolve(null)
}

/** Signs in with e-mail and password (spec section 7). */
export function signIn(_email: string, _password: string): Promise<AuthOutcome> {
  return Promise.resolve({ ok: false, message: '', code: null })
}

/** Signs up; confirmation mails lead back to /select-brand (spec section 7). */
export function signUp(_email: string, _password: string): Promise<AuthOutcome> {
  return Promise.resolve({ ok: false, message: '', code: null })
}

/**
 * Ends the session on this device and wipes everything of this user from it, unsent operations included: ask first when
 * `countUnsent()` of sync-status.ts is not 0. Resolves within 3 s also without a network.
 */
export function signOut(): Promise<void> {
  return Promise.resolve()
}
