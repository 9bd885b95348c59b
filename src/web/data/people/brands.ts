import { useEffect } from 'react'
import { askServer, noAnswer } from '#web/data/server/ask-server.ts'
import { compareNames } from '#web/lib/names.ts'
import { userValueKey } from '#web/data/session/device.ts'
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
export const membershipsOf = observable<MembershipState>(nothing)

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
  useEffect(() => void acceptInvitations().then(loadMemberships), [])
  return { ...useObservable(membershipsOf), reload }
}

/** What this device remembers of my brands. Local only. */
export async function readMemberships(): Promise<readonly Membership[]> {
  const session = await readSession()
  if (!session) return []
  if (membershipsOf.get().userId === session.userId) return membershipsOf.get().memberships
  const stored = await keyValueStore.get(userValueKey(session.userId, 'memberships'))
  if (stored && membershipsOf.get().userId !== session.userId) {
    const memberships = JSON.parse(stored) as Membership[]
    membershipsOf.set({ userId: session.userId, ready: true, fresh: false, memberships, error: null })
  }
  return membershipsOf.get().memberships
}

/** What waits for my confirmed address becomes a membership; a backend without invitations has no such call. */
async function acceptInvitations(): Promise<void> {
  await readMemberships()
  // My brands are not kept waiting by a network that does not answer.
  const accepted = askServer((server) => server.rpc('accept_invitations'))
  await Promise.race([accepted, new Promise((resolve) => setTimeout(resolve, 1500))])
}

/** Asks the server for my brands and remembers them. */
export async function loadMemberships(): Promise<void> {
  await readMemberships()
  const session = await readSession()
  if (!session) return
  const { data, error } = await askServer((server) =>
    server.from('memberships').select('*,brand:brands(id,name,slug)').eq('user_id', session.userId),
  )
  const rows = (data ?? []) as unknown as MembershipRow[]
  const addedBy = rows.some(isUnopened) ? await whoAddedMe() : new Map<string, string | null>()
  const { userId } = sessionState.get().session ?? {}
  if (userId !== session.userId) return
  if (error) {
    const remembered = membershipsOf.get().userId === userId ? membershipsOf.get().memberships : []
    membershipsOf.set({ userId, ready: true, fresh: false, memberships: remembered, error: error.message })
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
  await keyValueStore.set(userValueKey(userId, 'memberships'), JSON.stringify(memberships))
  membershipsOf.set({ userId, ready: true, fresh: true, memberships, error: null })
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
async function whoAddedMe(): Promise<Map<string, string | null>> {
  const { data } = await askServer((server) => server.rpc('unopened_brands'))
  const rows = (data ?? []) as { brand_id: string; added_by: string | null }[]
  return new Map(rows.map(({ brand_id, added_by }) => [brand_id, added_by]))
}

/**
 * Takes a brand from my memberships before the server is asked again: /select-brand opens a single brand by itself, and it must not be
 * one that I have just lost or left.
 */
export function forgetMembership(brandId: string): void {
  const known = membershipsOf.get()
  membershipsOf.set({ ...known, memberships: known.memberships.filter((mine) => mine.brandId !== brandId) })
}

/**
 * Creates a brand (online only: never 'queued'); its creator becomes owner. Refusal code 23505 or a message with 'duplicate key
 * value' means that the name exists (spec section 8). The id of the outcome is the brand's.
 */
export async function createBrand(name: string): Promise<Outcome> {
  // After no answer the same name is sent with the same id and key again: what was applied then is not applied twice.
  const attempt = unanswered?.name === name ? unanswered : { name, id: newId(), key: newId() }
  unanswered = null
  // Its own id and no `select()`: the membership that makes it readable comes only after the insert (design section 5).
  const brand = { id: attempt.id, name: name.trim(), slug: slugOf(name) }
  const { error, status } = await askServer((server) =>
    server.from('brands').insert(brand).setHeader('Idempotency-Key', attempt.key),
  )
  if (status === 0) unanswered = attempt
  if (error && error.code !== 'PT409') {
    return { status: 'refused', message: status === 0 ? noAnswer : error.message, code: error.code || null }
  }
  await loadMemberships()
  return { status: 'saved', id: attempt.id }
}

let unanswered: { name: string; id: string; key: string } | null = null

function reload(): void {
  void loadMemberships()
}

sessionState.subscribe(() => {
  if (!sessionState.get().session) membershipsOf.set(nothing)
})
