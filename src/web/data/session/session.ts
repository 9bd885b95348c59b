import type { SupabaseClient } from '@supabase/supabase-js'
import { useEffect } from 'react'
import { noteFirstFrame } from '#web/lib/first-frame.ts'
import { noAnswer } from '#web/data/server/ask-server.ts'
import { forgetUser, wipeUser } from './device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { onClientLoaded, loadClient } from '#web/data/server/load-client.ts'
import { isOnLine } from '#web/data/server/network.ts'
import { sessionEnded } from '#web/data/server/rpc.ts'
import {
  asksForCode,
  hasRunOut,
  knownUserKey,
  type StoredSession,
  sessionStorageKey,
  subjectOf,
} from '#web/data/server/session-token.ts'
import { onTabMessage, postToTabs } from '#web/data/browser/tab-channel.ts'
import { forgetWipe, isToBeWiped, noteWipe, unfinishedWipes } from './unfinished-wipe.ts'

/**
 * The person signed in on this browser. `expired`: the server ended the session, or its code is still to come; what is unsent stays
 * and waits for the next sign-in. `needsCode`: the password was right, a second factor is asked for (spec section 4).
 */
export interface Session {
  userId: string
  email: string
  expired: boolean
  needsCode?: true
  /** Its time was over when the page was opened, and no network was there to renew it: nothing can be sent before that. */
  ranOut?: true
}

/**
 * `message` is the server's; `code` its error code or null when no answer came. `signedIn` is false when an e-mail must be confirmed
 * first; `needsCode` is true when a second factor is asked for.
 */
export type AuthOutcome =
  | { ok: true; signedIn: boolean; needsCode?: true }
  | { ok: false; message: string; code: string | null }

interface SessionState {
  ready: boolean
  session: Session | null
}

/** The session of this tab's screens; the rest of `data/` watches it. */
export const sessionState = observable<SessionState>({ ready: false, session: null })

let starting: Promise<void> | undefined

/** The session as this device knows it. Never waits for the network. */
export function useSession(): SessionState {
  useEffect(() => void start(), [])
  return useObservable(sessionState)
}

/** The same for router guards: reads the durable local copy only (a few milliseconds), never the network. */
export async function readSession(): Promise<Session | null> {
  await start()
  return sessionState.get().session
}

/**
 * Whether this person may see what this device holds. An ended session leads to /auth, but not without a network: nobody could sign in
 * there, and what is here can be read and worked on.
 */
export function mayEnter(session: Session | null): session is Session {
  return session !== null && !session.needsCode && (!session.expired || !isOnLine())
}

/** Signs in with e-mail and password (spec section 7). */
export async function signIn(email: string, password: string): Promise<AuthOutcome> {
  await start()
  const client = await loadClient().catch(() => null)
  if (!client) return { ok: false, message: noAnswer, code: null }
  const { data, error } = await client.auth.signInWithPassword({ email: email.trim(), password })
  if (error) return refusal(error)
  return adopted(data.session)
}

/** Signs up; confirmation mails lead back to /select-brand (spec section 7). */
export async function signUp(email: string, password: string): Promise<AuthOutcome> {
  await start()
  const emailRedirectTo = `${globalThis.location?.origin ?? ''}/select-brand`
  const client = await loadClient().catch(() => null)
  if (!client) return { ok: false, message: noAnswer, code: null }
  const { data, error } = await client.auth.signUp({ email: email.trim(), password, options: { emailRedirectTo } })
  if (error) return refusal(error)
  return data.session ? adopted(data.session) : { ok: true, signedIn: false }
}

/** For the other calls that bring a session (links, codes): makes it this tab's before the next screen asks for it. */
export async function adopted(session: StoredSession): Promise<AuthOutcome> {
  await adopt(session)
  return { ok: true, signedIn: true, ...(asksForCode(session) && { needsCode: true }) }
}

/**
 * Ends the session on this device and wipes everything of this user from it, unsent operations included: ask first when
 * `countUnsent()` of sync-status.ts is not 0. Resolves within 3 s also without a network.
 */
export async function signOut(): Promise<void> {
  await start()
  const { session } = sessionState.get()
  if (session) await noteWipe(session.userId)
  await keyValueStore.remove(knownUserKey)
  sessionState.set({ ready: true, session: null })
  if (session) postToTabs({ type: 'signed-out', userId: session.userId })
  // `local`: this device only; the client removes its own copy before it asks the server, so an answer is not needed.
  const ended = loadClient()
    .then((client) => client.auth.signOut({ scope: 'local' }))
    .catch(() => {})
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 2000))])
  // A person who signed in again meanwhile (another tab) keeps their data.
  if (!session || !(await isToBeWiped(session.userId))) return
  await keyValueStore.remove(sessionStorageKey)
  await wipeUser(session.userId)
}

/** Notes that the server ended the session: what is here stays for the same user, sending waits. */
export function markExpired(): void {
  const { session } = sessionState.get()
  if (session && !session.expired) sessionState.set({ ready: true, session: { ...session, expired: true } })
}

function start(): Promise<void> {
  starting ??= load()
  return starting
}

async function load(): Promise<void> {
  sessionState.subscribe(() => noteFirstFrame(mayEnter(sessionState.get().session)))
  onTabMessage((message) => {
    if (message.type !== 'signed-out') return
    globalThis.sessionStorage?.clear()
    sessionState.set({ ready: true, session: null })
  })
  onClientLoaded(listen)
  await finishWipes()
  // A link from an e-mail carries the session in the address; only the client can read it.
  if (/access_token=|code=/.test(globalThis.location?.hash ?? '')) {
    const { data } = await (await loadClient()).auth.getSession()
    if (data.session) await adopt(data.session)
  }
  const known = await readKnownUser()
  if (!sessionState.get().ready) sessionState.set({ ready: true, session: known })
  // The first look does not need the client: it comes with the first question to the server, or after this; with nobody here, when somebody comes.
  if (typeof document === 'undefined') setTimeout(fetchClient, 0)
  else if (known) setTimeout(fetchClient, 3000)
  else
    for (const sign of ['focusin', 'pointerdown', 'keydown'])
      document.addEventListener(sign, fetchClient, { once: true })
}

/** A sign-out that the browser did not live to end: the session and the note of the user are part of it. */
async function finishWipes(): Promise<void> {
  for (const userId of await unfinishedWipes()) {
    for (const key of [knownUserKey, sessionStorageKey]) {
      if ((await keyValueStore.get(key))?.includes(userId)) await keyValueStore.remove(key)
    }
    await wipeUser(userId)
  }
}

/** Not fetched: the next question to the server asks for it again. */
function fetchClient(): void {
  void loadClient().catch(() => {})
}

function listen(client: SupabaseClient): void {
  client.auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') {
      // Without a sign-out of ours (the known user is still there) the server has ended the session.
      void keyValueStore.get(knownUserKey).then((known) => known && markExpired())
    } else if (session) void adopt(session)
  })
}

async function readKnownUser(): Promise<Session | null> {
  const [known, stored] = await Promise.all([keyValueStore.get(knownUserKey), keyValueStore.get(sessionStorageKey)])
  if (!known) return null
  const user = JSON.parse(known) as { userId: string; email: string }
  const session = stored ? (JSON.parse(stored) as StoredSession) : null
  if (!session || subjectOf(session.access_token) !== user.userId) return { ...user, expired: true }
  if (asksForCode(session)) return { ...user, expired: true, needsCode: true }
  return { ...user, expired: false, ...(hasRunOut(session) && !isOnLine() && { ranOut: true }) }
}

/** Makes the user of a new session the one of this device; another user's rows go, their unsent operations stay (design 2.7). */
async function adopt(stored: StoredSession): Promise<void> {
  const { session } = sessionState.get()
  const user = { userId: stored.user.id, email: stored.user.email ?? '' }
  const needsCode = asksForCode(stored)
  const isKnown = session?.userId === user.userId && session.email === user.email
  if (isKnown && session.expired === needsCode && (session.needsCode ?? false) === needsCode && !session.ranOut) return
  // TabPresence at the start by what is stored; that is no news of a token that goes on.
  if (isKnown && session.ranOut && hasRunOut(stored)) return
  await forgetWipe(user.userId)
  const known = await keyValueStore.get(knownUserKey)
  const before = known ? (JSON.parse(known) as { userId: string }).userId : null
  if (before && before !== user.userId) {
    postToTabs({ type: 'signed-out', userId: before })
    await forgetUser(before)
  }
  await keyValueStore.set(knownUserKey, JSON.stringify(user))
  sessionState.set({
    ready: true,
    session: needsCode ? { ...user, expired: true, needsCode: true } : { ...user, expired: false },
  })
}

/** The server's words for a call that was refused, ours where no answer came. */
export function refusal(error: {
  message: string
  status?: number
  code?: string
  name: string
}): AuthOutcome & { ok: false } {
  const unanswered = error.name === 'AuthRetryableFetchError' && !error.status
  return { ok: false, message: unanswered ? noAnswer : error.message, code: error.code ?? null }
}

sessionEnded.subscribe(markExpired)
