import { wait } from '#web/data/browser/wait.ts'
import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { useEffect } from 'react'
import { storeHasSession } from '#web/lib/first-frame.ts'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { claimTabStorage, deleteData, readKnownUser, wipeData, wipeUserRows } from './stored-user.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { onClientLoaded, loadClient } from '#web/data/server/load-client.ts'
import { isOnLine } from '#web/data/server/network.ts'
import { sessionEnded } from '#web/data/server/rpc.ts'
import {
  needsSecondFactor,
  isExpired,
  knownUserKey,
  type StoredSession,
  sessionStorageKey,
  subjectOf,
} from '#web/data/server/session-token.ts'
import { readStoredSession } from '#web/data/server/stored-session.ts'
import { onTabMessage, postToTabs } from '#web/data/browser/tab-channel.ts'
import { clearWipeRecord, mustBeWiped, recordWipe, unfinishedWipes } from './unfinished-wipe.ts'

/**
 * The user who is signed in on this browser. `expired`: the session has ended or is not stored, or a second factor is missing. Unsent operations then
 * wait for the next sign-in. `needsCode`: the password was right, and a second factor must be proved (spec section 4).
 */
export interface Session {
  userId: string
  email: string
  expired: boolean
  needsCode?: true
  /**
   * True if the token had expired when the page was opened, and there was no network to renew it. Nothing can be sent before it is
   * renewed.
   */
  ranOut?: true
}

/**
 * The outcome of a call for sign-in or the account. `message` is the server's or the app's. `code` is null if no answer came or the answer has
 * none. `signedIn` is false if, for example, the email address must be confirmed first. `needsCode` is true if a second factor must be proved.
 */
export type AuthOutcome =
  | { ok: true; signedIn: boolean; needsCode?: true }
  | { ok: false; message: string; code: string | null }

/** A new session of the official client, with its user. */
type NewSession = StoredSession & { user: { id: string; email?: string } }

interface SessionState {
  ready: boolean
  session: Session | null
  /** True if another user's sign-in has ended the session of this tab. The unsent operations of its user stay on this device. */
  replaced?: true
}

/** The session of this tab. */
export const sessionState = devicePart(() => observable<SessionState>({ ready: false, session: null }))

const loadOnce = devicePart(loadSession)

/** Returns the session on this device. Needs the network only if the URL contains a session, as in links of Supabase's emails. */
export function useSession(): SessionState {
  const device = useDevice()
  useEffect(() => void start(device), [device])
  return useObservable(sessionState(device))
}

/** Reads the session for router guards from the key-value store (a few milliseconds). Needs the network only if the URL contains a session. */
export async function readSession(device: Device): Promise<Session | null> {
  await start(device)
  return sessionState(device).get().session
}

/**
 * Whether this user may see the data on this device. An expired session leads to /auth, except while offline: without a network the user cannot
 * sign in, but can still work with the data on this device.
 */
export function mayEnter(session: Session | null): session is Session {
  return session !== null && !session.needsCode && (!session.expired || !isOnLine())
}

/** Uses a session that a call returned (links, codes) as the session of this tab, before the next screen reads it. */
export async function adoptSession(device: Device, session: NewSession): Promise<AuthOutcome> {
  await setSession(device, session)
  return { ok: true, signedIn: true, ...(needsSecondFactor(session) && { needsCode: true }) }
}

/**
 * Ends the session on this device and wipes all data of the user from it, including unsent operations. Ask the user first if `countUnsent()` of
 * sync-status.ts is not 0. Waits at most 2 s for the server, and needs no network.
 */
export async function signOut(device: Device): Promise<void> {
  await start(device)
  const { session } = sessionState(device).get()
  const isRecorded = session !== null && (await recordWipe(device, session.userId))
  await keyValueStore(device).remove(knownUserKey)
  device.tabStorage?.clear()
  sessionState(device).set({ ready: true, session: null })
  if (session) postToTabs(device, { type: 'signed-out', userId: session.userId })
  // `local`: this device only. The client removes its own copy before it sends the request, so that no answer is needed.
  const signOutRequest = loadClient(device)
    .then((client) => client.auth.signOut({ scope: 'local' }))
    .catch(() => {})
  // The data is wiped without waiting for the server's answer.
  const isWiped = session !== null && (await wipeData(device, session.userId))
  await Promise.race([signOutRequest, wait(device, 2000)])
  // If the user has signed in again meanwhile, that sign-in has wiped the data, and the session is the new one.
  if (!session || (isRecorded && !(await mustBeWiped(device, session.userId)))) return
  await removeStoredSession(device, session.userId)
  if (isWiped) await clearWipeRecord(device, session.userId)
  // Without the record, no later start would remove the data.
  else if (!isRecorded) throw new Error('Your data could not be removed from this device.')
}

/** Removes the stored session and the known user, if they are this user's. Another user may have signed in meanwhile. */
async function removeStoredSession(device: Device, userId: string): Promise<void> {
  for (const key of [knownUserKey, sessionStorageKey]) {
    if ((await keyValueStore(device).get(key))?.includes(userId)) await keyValueStore(device).remove(key)
  }
}

/** Records that the server has ended the session. The data stays for the same user, and sending waits. */
export function markExpired(device: Device): void {
  const { session } = sessionState(device).get()
  if (session && !session.expired) sessionState(device).set({ ready: true, session: { ...session, expired: true } })
}

function start(device: Device): Promise<void> {
  return loadOnce(device)
}

async function loadSession(device: Device): Promise<void> {
  sessionEnded(device).subscribe(() => markExpired(device))
  sessionState(device).subscribe(() => storeHasSession(mayEnter(sessionState(device).get().session)))
  onTabMessage(device, (message) => {
    if (message.type === 'signed-in') void followSignIn(device, message.userId)
    if (message.type !== 'signed-out') return
    const { session } = sessionState(device).get()
    if (session && session.userId !== message.userId) return
    device.tabStorage?.clear()
    sessionState(device).set({ ready: true, session: null, ...(message.replaced && { replaced: true }) })
  })
  onClientLoaded(device, (client) => followAuthEvents(device, client))
  await finishWipes(device)
  // On Supabase, a link from an email opens the app with a session in the URL. Links of the bundled server have a token instead. Only the client can
  // read a session from the URL.
  if (/[#&](access_token|code)=/.test(globalThis.location?.hash ?? '')) {
    const { data } = await (await loadClient(device)).auth.getSession()
    if (data.session) await setSession(device, data.session)
  }
  const knownSession = await readKnownSession(device)
  if (!sessionState(device).get().ready) {
    claimTabStorage(device, knownSession?.userId ?? null)
    sessionState(device).set({ ready: true, session: knownSession })
  }
  // The first paint does not need the client, so the client is loaded with the first request, or when a person uses the page.
  if (typeof document === 'undefined') device.clock.setTimeout(() => fetchClient(device), 0)
  else
    for (const event of ['focusin', 'pointerdown', 'keydown'])
      document.addEventListener(event, () => fetchClient(device), { once: true })
}

/**
 * Finishes each sign-out whose data could not be wiped, for example because the browser was closed. Also removes the session and the known user. If
 * another user is signed in, does not wait for the deletion, and does not clear this tab's storage, because it belongs to that user.
 */
async function finishWipes(device: Device): Promise<void> {
  for (const userId of await unfinishedWipes(device)) {
    await removeStoredSession(device, userId)
    const isOtherKnown = (await readKnownUser(device)) !== null
    const wipe = (isOtherKnown ? deleteData : wipeData)(device, userId)
      .then(async (isWiped) => {
        if (isWiped) await clearWipeRecord(device, userId)
      })
      // The record stays, so that the next start tries again.
      .catch(() => {})
    if (!isOtherKnown) await wipe
  }
}

/** Loads the client. If that fails, the next request tries again. */
function fetchClient(device: Device): void {
  void loadClient(device).catch(() => {})
}

function followAuthEvents(device: Device, client: SupabaseClient): void {
  client.auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') {
      // A sign-out in the app removes the known user first. If the known user is still stored, the server has ended the session.
      void keyValueStore(device)
        .get(knownUserKey)
        .then((knownSession) => knownSession && markExpired(device))
    } else if (session) void setSession(device, session)
  })
}

async function readKnownSession(device: Device): Promise<Session | null> {
  const [user, session] = await Promise.all([readKnownUser(device), readStoredSession(device)])
  if (!user) return null
  if (!session || subjectOf(session.access_token) !== user.userId) return { ...user, expired: true }
  if (needsSecondFactor(session)) return { ...user, expired: true, needsCode: true }
  return { ...user, expired: false, ...(isExpired(session, device.clock.now()) && !isOnLine() && { ranOut: true }) }
}

/** Makes a session the session of this tab. Removes the rows of another user. That user's unsent operations stay (docs/offline.md). */
async function setSession(device: Device, stored: NewSession): Promise<void> {
  const { session } = sessionState(device).get()
  const user = { userId: stored.user.id, email: stored.user.email ?? '' }
  const needsCode = needsSecondFactor(stored)
  const isKnown = session?.userId === user.userId && session.email === user.email
  if (isKnown && session.expired === needsCode && (session.needsCode ?? false) === needsCode && !session.ranOut) return
  // When the client starts, it reports the stored session. If the token is still the expired one, the session was not renewed.
  if (isKnown && session.ranOut && isExpired(stored, device.clock.now())) return
  // A sign-out that has not finished must still wipe its data, even if the user signs in again at once.
  // After that, the data belongs to the new session.
  if (await mustBeWiped(device, user.userId)) {
    await wipeData(device, user.userId)
    await clearWipeRecord(device, user.userId)
  }
  const earlierUserId = (await readKnownUser(device))?.userId
  if (earlierUserId && earlierUserId !== user.userId) {
    postToTabs(device, { type: 'signed-out', userId: earlierUserId, replaced: true })
    await wipeUserRows(device, earlierUserId)
  }
  await keyValueStore(device).set(knownUserKey, JSON.stringify(user))
  const isReplacement = session !== null && session.userId !== user.userId && session.userId === earlierUserId
  openInTab(
    device,
    needsCode ? { ...user, expired: true, needsCode: true } : { ...user, expired: false },
    isReplacement,
  )
  postToTabs(device, { type: 'signed-in', userId: user.userId })
}

/** A user has signed in in another tab: makes that session the session of this tab, too. Does not wait for this tab's client. */
async function followSignIn(device: Device, userId: string): Promise<void> {
  const { session } = sessionState(device).get()
  if (session?.userId === userId && !session.expired) return
  const stored = await readKnownSession(device)
  if (stored?.userId === userId && (!stored.expired || stored.needsCode)) openInTab(device, stored)
}

/** Makes a session the session of this tab. `isReplacement`: true if it replaces the session of another user (`SessionState.replaced`). */
function openInTab(device: Device, session: Session, isReplacement = false): void {
  claimTabStorage(device, session.userId)
  const { session: earlier, replaced = isReplacement || undefined } = sessionState(device).get()
  const reason = replaced && { replaced }
  // What this tab keeps in memory for the earlier user ends with that user's session.
  if (earlier && earlier.userId !== session.userId) sessionState(device).set({ ready: true, session: null, ...reason })
  sessionState(device).set({ ready: true, session, ...reason })
}

/** Returns the refusal for an error of the client: with the server's message, or `noAnswerMessage`. */
export function refusal(error: {
  message: string
  status?: number
  code?: string
  name: string
}): AuthOutcome & { ok: false } {
  const isUnanswered = error.name === 'AuthRetryableFetchError' && !error.status
  return { ok: false, message: isUnanswered ? noAnswerMessage : error.message, code: error.code ?? null }
}
