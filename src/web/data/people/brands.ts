import { wait } from '#web/data/browser/wait.ts'
import { type Device, useDevice } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { compareNames } from '#web/lib/names.ts'
import { userValueKey } from '#web/data/session/stored-user.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { newId } from '#web/lib/new-id.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { Role } from '#web/data/server/rows.ts'
import { readSession, sessionState } from '#web/data/session/session.ts'
import { slugOf } from './slug.ts'

export interface Membership {
  brandId: string
  name: string
  slug: string
  role: Role
  /** Somebody added me, and I have not opened the brand yet; `by`: what they are called, null where they have left. */
  added?: { by: string | null }
}

interface MembershipState {
  userId: string | null
  ready: boolean
  fresh: boolean
  memberships: readonly Membership[]
  error: string | null
}

const nothing: MembershipState = { userId: null, ready: false, fresh: false, memberships: [], error: null }

/** My brands in this tab; active-brand.ts watches it. */
export const membershipsOf = devicePart((device) => {
  const mine = observable<MembershipState>(nothing)
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) mine.set(nothing)
  })
  return mine
})

/**
 * My brands: first what this device remembers (so /select-brand works offline), then the server's answer.
 * `ready` is true as soon as either is there; `fresh` when the server has answered; `error` its message when it could not.
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

/** What this device remembers of my brands. Local only. */
export async function readMemberships(device: Device): Promise<readonly Membership[]> {
  const session = await readSession(device)
  if (!session) return []
  if (membershipsOf(device).get().userId === session.userId) return membershipsOf(device).get().memberships
  const stored = await keyValueStore(device).get(userValueKey(session.userId, 'memberships'))
  if (stored && membershipsOf(device).get().userId !== session.userId) {
    const memberships = JSON.parse(stored) as Membership[]
    membershipsOf(device).set({ userId: session.userId, ready: true, fresh: false, memberships, error: null })
  }
  return membershipsOf(device).get().memberships
}

/** What waits for my confirmed address becomes a membership; a backend without invitations has no such call. */
async function acceptInvitations(device: Device): Promise<void> {
  await readMemberships(device)
  // My brands are not kept waiting by a network that does not answer.
  const accepted = askServer(device, (server) => server.rpc('accept_invitations'))
  await Promise.race([accepted, wait(device, 1500)])
}

/** Asks the server for my brands and remembers them. */
export async function loadMemberships(device: Device): Promise<void> {
  await readMemberships(device)
  const session = await readSession(device)
  if (!session) return
  const { data, error } = await askServer(device, (server) =>
    server.from('memberships').select('*,brand:brands(id,name,slug)').eq('user_id', session.userId),
  )
  const rows = (data ?? []) as unknown as MembershipRow[]
  const addedBy = rows.some(isUnopened) ? await whoAddedMe(device) : new Map<string, string | null>()
  const { userId } = sessionState(device).get().session ?? {}
  if (userId !== session.userId) return
  if (error) {
    const remembered = membershipsOf(device).get().userId === userId ? membershipsOf(device).get().memberships : []
    membershipsOf(device).set({ userId, ready: true, fresh: false, memberships: remembered, error: error.message })
    return
  }
  const memberships = rows
    .flatMap((row) => {
      const { role, brand } = row
      if (!brand) return []
      const mine: Membership = { brandId: brand.id, name: brand.name, slug: brand.slug, role }
      return [isUnopened(row) ? { ...mine, added: { by: addedBy.get(brand.id) ?? null } } : mine]
    })
    .sort((a, b) => compareNames(a.name, b.name))
  await keyValueStore(device).set(userValueKey(userId, 'memberships'), JSON.stringify(memberships))
  membershipsOf(device).set({ userId, ready: true, fresh: true, memberships, error: null })
}

interface MembershipRow {
  role: Role
  /** Not there in a backend that knows no opening: then everything is opened. */
  opened_at?: string | null
  brand: { id: string; name: string; slug: string } | null
}

function isUnopened({ opened_at }: MembershipRow): boolean {
  return opened_at === null
}

/** By brand. Where the server does not say it now, nobody is named. */
async function whoAddedMe(device: Device): Promise<Map<string, string | null>> {
  const { data } = await askServer(device, (server) => server.rpc('unopened_brands'))
  const rows = (data ?? []) as { brand_id: string; added_by: string | null }[]
  return new Map(rows.map(({ brand_id, added_by }) => [brand_id, added_by]))
}

/**
 * Takes a brand from my memberships before the server is asked again: /select-brand opens a single brand by itself, and it must not be
 * one that I have just lost or left.
 */
export function forgetMembership(device: Device, brandId: string): void {
  const known = membershipsOf(device).get()
  membershipsOf(device).set({ ...known, memberships: known.memberships.filter((mine) => mine.brandId !== brandId) })
}

/**
 * Creates a brand (online only: never 'queued'); its creator becomes owner. Refusal code 23505 or a message with 'duplicate key
 * value' means that the name exists (spec section 8). The id of the outcome is the brand's.
 */
export async function createBrand(device: Device, name: string): Promise<Outcome> {
  // After no answer the same name is sent with the same id and key again: what was applied then is not applied twice.
  const before = unanswered(device).attempt
  const attempt = before?.name === name ? before : { name, id: newId(), key: newId() }
  unanswered(device).attempt = null
  // Its own id and no `select()`: the membership that makes it readable comes only after the insert (design section 5).
  const brand = { id: attempt.id, name: name.trim(), slug: slugOf(name) }
  const { error, status } = await askServer(device, (server) =>
    server.from('brands').insert(brand).setHeader('Idempotency-Key', attempt.key),
  )
  if (status === 0) unanswered(device).attempt = attempt
  if (error && error.code !== 'PT409') {
    return { status: 'refused', message: status === 0 ? noAnswerMessage : error.message, code: error.code || null }
  }
  await loadMemberships(device)
  return { status: 'saved', id: attempt.id }
}

/** The making of a brand that no answer came to. */
const unanswered = devicePart((): { attempt: { name: string; id: string; key: string } | null } => ({ attempt: null }))

function reload(device: Device): void {
  void loadMemberships(device)
}
