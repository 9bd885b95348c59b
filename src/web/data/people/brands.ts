import { wait } from '#web/data/browser/wait.ts'
import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { compareNames } from '#web/lib/names.ts'
import { userValueKey } from '#web/data/session/stored-user.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { newId } from '#web/lib/new-id.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { listOf, textOf } from '#web/lib/read-unknown.ts'
import { readSession, sessionState } from '#web/data/session/session.ts'
import { type Membership, membershipRow, storedMembership } from './membership.ts'
import { slugOf } from './slug.ts'

interface MembershipState {
  userId: string | null
  ready: boolean
  fresh: boolean
  memberships: readonly Membership[]
  error: string | null
}

const noMemberships: MembershipState = { userId: null, ready: false, fresh: false, memberships: [], error: null }

/** The user's memberships. */
export const membershipsOf = devicePart((device) => {
  const state = observable<MembershipState>(noMemberships)
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) state.set(noMemberships)
  })
  return state
})

/**
 * Returns the user's memberships: first the stored ones (so that /select-brand works offline), then the server's answer. `ready`: the stored or the
 * server's memberships are available, or the request failed. `fresh`: they are the server's answer. `error`: the message of a failed request.
 */
export function useMemberships(): {
  ready: boolean
  fresh: boolean
  memberships: readonly Membership[]
  error: string | null
  reload: () => void
} {
  const device = useDevice()
  useEffect(() => void acceptInvitations(device).then(() => loadMemberships(device)), [device])
  return { ...useObservable(membershipsOf(device)), reload: (...given) => reload(device, ...given) }
}

/** Returns the memberships in memory, or else the stored ones. Empty if there are none, or if nobody is signed in. Sends no request. */
export async function readMemberships(device: Device): Promise<readonly Membership[]> {
  const session = await readSession(device)
  if (!session) return []
  if (membershipsOf(device).get().userId === session.userId) return membershipsOf(device).get().memberships
  const stored = await keyValueStore(device).get(userValueKey(session.userId, 'memberships'))
  if (stored && membershipsOf(device).get().userId !== session.userId) {
    const memberships = listOf(JSON.parse(stored)).flatMap(storedMembership)
    membershipsOf(device).set({ userId: session.userId, ready: true, fresh: false, memberships, error: null })
  }
  return membershipsOf(device).get().memberships
}

/** Turns invitations to the user's confirmed email address into memberships. A backend without invitations does not have this RPC. */
async function acceptInvitations(device: Device): Promise<void> {
  await readMemberships(device)
  // An unreachable server must not delay the memberships by more than this time.
  const acceptance = askServer(device, (server) => server.rpc('accept_invitations'))
  await Promise.race([acceptance, wait(device, 1500)])
}

/** Reads the user's memberships from the server and stores them. */
export async function loadMemberships(device: Device): Promise<void> {
  await readMemberships(device)
  const session = await readSession(device)
  if (!session) return
  const { data, error } = await askServer(device, (server) =>
    server.from('memberships').select('*,brand:brands(id,name,slug)').eq('user_id', session.userId),
  )
  const rows = listOf(data).flatMap(membershipRow)
  const addedBy = rows.some(({ isUnopened }) => isUnopened)
    ? await readAdders(device)
    : new Map<string, string | null>()
  const { userId } = sessionState(device).get().session ?? {}
  if (userId !== session.userId) return
  if (error) {
    const previous = membershipsOf(device).get().userId === userId ? membershipsOf(device).get().memberships : []
    membershipsOf(device).set({ userId, ready: true, fresh: false, memberships: previous, error: error.message })
    return
  }
  const memberships = rows
    .map(({ mine, isUnopened }) => (isUnopened ? { ...mine, added: { by: addedBy.get(mine.brandId) ?? null } } : mine))
    .sort((a, b) => compareNames(a.name, b.name))
  await keyValueStore(device).remember(userValueKey(userId, 'memberships'), JSON.stringify(memberships))
  membershipsOf(device).set({ userId, ready: true, fresh: true, memberships, error: null })
}

/** Reads the names of the members who added the user, by brand. Empty if the server does not answer. */
async function readAdders(device: Device): Promise<Map<string, string | null>> {
  const { data } = await askServer(device, (server) => server.rpc('unopened_brands'))
  return new Map(listOf(data).map((row) => [textOf(row, 'brand_id') ?? '', textOf(row, 'added_by')]))
}

/**
 * Removes a membership from the list in memory, before the memberships are reloaded from the server. /select-brand automatically opens a single
 * brand, which must not be the one that the user has just lost or left.
 */
export function removeMembership(device: Device, brandId: string): void {
  const known = membershipsOf(device).get()
  membershipsOf(device).set({ ...known, memberships: known.memberships.filter((mine) => mine.brandId !== brandId) })
}

/**
 * Creates a brand and makes its creator the owner. Works only online, so the outcome is never 'queued'. Code 23505, or a message with 'duplicate key
 * value', means that the name exists (spec section 8). The id of the outcome is the id of the brand.
 */
export async function createBrand(device: Device, name: string): Promise<Outcome> {
  // After an attempt without an answer, the same name is sent with the same id and key, so that the brand is not created twice.
  const previousAttempt = unansweredCreation(device).attempt
  const attempt = previousAttempt?.name === name ? previousAttempt : { name, id: newId(), key: newId() }
  unansweredCreation(device).attempt = null
  // The client generates the id and does not use `select()`, because the row is readable only after the membership exists.
  const brand = { id: attempt.id, name: name.trim(), slug: slugOf(name) }
  const { error, status } = await askServer(device, (server) =>
    server.from('brands').insert(brand).setHeader('Idempotency-Key', attempt.key),
  )
  // A proxy may answer with 502 or 504 although the server has created the brand.
  if (status === 0 || status >= 500) unansweredCreation(device).attempt = attempt
  if (error && error.code !== 'PT409') {
    return { status: 'refused', message: status === 0 ? noAnswerMessage : error.message, code: error.code || null }
  }
  await loadMemberships(device)
  return { status: 'saved', id: attempt.id }
}

/** The last attempt to create a brand, if it is not known whether the server has created the brand. Otherwise null. */
const unansweredCreation = devicePart((): { attempt: { name: string; id: string; key: string } | null } => ({
  attempt: null,
}))

function reload(device: Device): void {
  void loadMemberships(device)
}
