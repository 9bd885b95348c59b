import { wait } from '#web/data/browser/wait.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { type Device, devicePart } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { useEffect } from 'react'
import { noteFirstFrame } from '#web/lib/first-frame.ts'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { forgetUser, wipeUser } from './stored-user.ts'
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
export const sessionState = devicePart(() => observable<SessionState>({ ready: false, session: null }))

const loaded = devicePart(load)

/** The session as this device knows it. Never waits for the network. */
export function useSession(): SessionState {
  const device = useDevice()
  useEffect(() => void start(device), [device])
  return useObservable(sessionState(device))
}

/** The same for router guards: reads the durable local copy only (a few milliseconds), never the network. */
export async function readSession(device: Device): Promise<Session | null> {
  await start(device)
  return sessionState(device).get().session
}

/**
 * Whether this person may see what this device holds. An ended session leads to /auth, but not without a network: nobody could sign in
 * there, and what is here can be read and worked on.
 */
export function mayEnter(session: Session | null): session is Session {
  return session !== null && !session.needsCode && (!session.expired || !isOnLine())
}

/** Signs in with e-mail and password (spec section 7). */
export async function signIn(device: Device, email: string, password: string): Promise<AuthOutcome> {
  await start(device)
  const client = await loadClient(device).catch(() => null)
  if (!client) return { ok: false, message: noAnswerMessage, code: null }
  const { data, error } = await client.auth.signInWithPassword({ email: email.trim(), password })
  if (error) return refusal(error)
  return adopted(device, data.session)
}

/** Signs up; confirmation mails lead back to /select-brand (spec section 7). */
export async function signUp(device: Device, email: string, password: string): Promise<AuthOutcome> {
  await start(device)
  const emailRedirectTo = `${globalThis.location?.origin ?? ''}/select-brand`
  const client = await loadClient(device).catch(() => null)
  if (!client) return { ok: false, message: noAnswerMessage, code: null }
  const { data, error } = await client.auth.signUp({ email: email.trim(), password, options: { emailRedirectTo } })
  if (error) return refusal(error)
  return data.session ? adopted(device, data.session) : { ok: true, signedIn: false }
}

/** For the other calls that bring a session (links, codes): makes it this tab's before the next screen asks for it. */
export async function adopted(device: Device, session: StoredSession): Promise<AuthOutcome> {
  await adopt(device, session)
  return { ok: true, signedIn: true, ...(asksForCode(session) && { needsCode: true }) }
}

/**
 * Ends the session on this device and wipes everything of this user from it, unsent operations included: ask first when
 * `countUnsent()` of sync-status.ts is not 0. Resolves within 3 s also without a network.
 */
export async function signOut(device: Device): Promise<void> {
  await start(device)
  const { session } = sessionState(device).get()
  if (session) await noteWipe(device, session.userId)
  await keyValueStore(device).remove(knownUserKey)
  sessionState(device).set({ ready: true, session: null })
  if (session) postToTabs(device, { type: 'signed-out', userId: session.userId })
  // `local`: this device only; the client removes its own copy before it asks the server, so an answer is not needed.
  const ended = loadClient(device)
    .then((client) => client.auth.signOut({ scope: 'local' }))
    .catch(() => {})
  await Promise.race([ended, wait(device, 2000)])
  // A person who signed in again meanwhile (another tab) keeps their data.
  if (!session || !(await isToBeWiped(device, session.userId))) return
  await keyValueStore(device).remove(sessionStorageKey)
  await wipeUser(device, session.userId)
}

/** Notes that the server ended the session: what is here stays for the same user, sending waits. */
export function markExpired(device: Device): void {
  const { session } = sessionState(device).get()
  if (session && !session.expired) sessionState(device).set({ ready: true, session: { ...session, expired: true } })
}

function start(device: Device): Promise<void> {
  return loaded(device)
}

async function load(device: Device): Promise<void> {
  sessionEnded(device).subscribe(() => markExpired(device))
  sessionState(device).subscribe(() => noteFirstFrame(mayEnter(sessionState(device).get().session)))
  onTabMessage(device, (message) => {
    if (message.type !== 'signed-out') return
    device.tabStorage?.clear()
    sessionState(device).set({ ready: true, session: null })
  })
  onClientLoaded(device, (client) => listen(device, client))
  await finishWipes(device)
  // A link from an e-mail carries the session in the address; only the client can read it.
  if (/access_token=|code=/.test(globalThis.location?.hash ?? '')) {
    const { data } = await (await loadClient(device)).auth.getSession()
    if (data.session) await adopt(device, data.session)
  }
  const known = await readKnownUser(device)
  if (!sessionState(device).get().ready) sessionState(device).set({ ready: true, session: known })
  // The first paint does not need the client: it comes with the first question to the server, or when somebody uses the page.
  if (typeof document === 'undefined') device.clock.setTimeout(() => fetchClient(device), 0)
  else
    for (const sign of ['focusin', 'pointerdown', 'keydown'])
      document.addEventListener(sign, () => fetchClient(device), { once: true })
}

/** A sign-out that the browser did not live to end: the session and the note of the user are part of it. */
async function finishWipes(device: Device): Promise<void> {
  for (const userId of await unfinishedWipes(device)) {
    for (const key of [knownUserKey, sessionStorageKey]) {
      if ((await keyValueStore(device).get(key))?.includes(userId)) await keyValueStore(device).remove(key)
    }
    await wipeUser(device, userId)
  }
}

/** Not fetched: the next question to the server asks for it again. */
function fetchClient(device: Device): void {
  void loadClient(device).catch(() => {})
}

function listen(device: Device, client: SupabaseClient): void {
  client.auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') {
      // Without a sign-out of ours (the known user is still there) the server has ended the session.
      void keyValueStore(device)
        .get(knownUserKey)
        .then((known) => known && markExpired(device))
    } else if (session) void adopt(device, session)
  })
}

async function readKnownUser(device: Device): Promise<Session | null> {
  const [known, stored] = await Promise.all([
    keyValueStore(device).get(knownUserKey),
    keyValueStore(device).get(sessionStorageKey),
  ])
  if (!known) return null
  const user = JSON.parse(known) as { userId: string; email: string }
  const session = stored ? (JSON.parse(stored) as StoredSession) : null
  if (!session || subjectOf(session.access_token) !== user.userId) return { ...user, expired: true }
  if (asksForCode(session)) return { ...user, expired: true, needsCode: true }
  return { ...user, expired: false, ...(hasRunOut(session, device.clock.now()) && !isOnLine() && { ranOut: true }) }
}

/** Makes the user of a new session the one of this device; another user's rows go, their unsent operations stay (design 2.7). */
async function adopt(device: Device, stored: StoredSession): Promise<void> {
  const { session } = sessionState(device).get()
  const user = { userId: stored.user.id, email: stored.user.email ?? '' }
  const needsCode = asksForCode(stored)
  const isKnown = session?.userId === user.userId && session.email === user.email
  if (isKnown && session.expired === needsCode && (session.needsCode ?? false) === needsCode && !session.ranOut) return
  // TabPresence at the start by what is stored; that is no news of a token that goes on.
  if (isKnown && session.ranOut && hasRunOut(stored, device.clock.now())) return
  await forgetWipe(device, user.userId)
  const known = await keyValueStore(device).get(knownUserKey)
  const before = known ? (JSON.parse(known) as { userId: string }).userId : null
  if (before && before !== user.userId) {
    postToTabs(device, { type: 'signed-out', userId: before })
    await forgetUser(device, before)
  }
  await keyValueStore(device).set(knownUserKey, JSON.stringify(user))
  sessionState(device).set({
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
  return { ok: false, message: unanswered ? noAnswerMessage : error.message, code: error.code ?? null }
}
