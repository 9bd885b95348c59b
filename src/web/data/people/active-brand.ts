import { useEffect } from 'react'
import { forgetMembership, type Membership, membershipsOf, readMemberships } from './brands.ts'
import { userValueKey } from '#web/data/session/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import type { Role } from '#web/data/server/rows.ts'
import { readSession, sessionState } from '#web/data/session/session.ts'

export interface ActiveBrand {
  id: string
  name: string
  slug: string
  /** My role in it. */
  role: Role
  /** Somebody added me, and I have not opened it yet. */
  added?: Membership['added']
}

interface ActiveBrandState {
  ready: boolean
  brandId: string | null
  /** What it was called when it was chosen: my memberships may be read anew, without it, before I am told that I was removed. */
  name?: string | null
  lost: 'removed' | 'closed' | null
}

const tabKey = 'brand'
const lastBrand = 'brand'

/** The brand of this tab, as an id; the rest of `data/` watches it. */
export const activeBrandState = observable<ActiveBrandState>({ ready: false, brandId: null, lost: null })

/** From which brand the server no longer counts me among the members, and how many unsent changes went with it. */
export interface RemovedFrom {
  name: string | null
  unsent: number
}

/** What /select-brand says to somebody who was removed, until the next brand is chosen. */
const removedFrom = observable<RemovedFrom | null>(null)

/** Tells somebody who was just removed from a brand; null: nobody was. */
export function useRemovedFrom(): RemovedFrom | null {
  return useObservable(removedFrom)
}

/**
 * The brand this tab works in. `lost` is 'removed' when the server said that I am no longer a member: its data is gone from
 * this device; 'closed' when the brand demands a second factor that this session has not shown. Say so, then call
 * `clearActiveBrand()` and go to /select-brand.
 */
export function useActiveBrand(): { ready: boolean; brand: ActiveBrand | null; lost: 'removed' | 'closed' | null } {
  const { ready, brandId, lost } = useObservable(activeBrandState)
  const known = useObservable(membershipsOf)
  useEffect(() => {
    if (!ready) void readActiveBrandId()
  }, [ready])
  const membership = known.memberships.find((candidate) => candidate.brandId === brandId)
  if (!brandId || !membership) return { ready: ready && known.ready, brand: null, lost }
  const { name, slug, role, added } = membership
  return { ready: true, brand: { id: brandId, name, slug, role, ...(added && { added }) }, lost }
}

/** For router guards: this tab's brand, else the one used last on this device, else null. Local only. */
export async function readActiveBrandId(): Promise<string | null> {
  const session = await readSession()
  if (!session) {
    activeBrandState.set({ ready: true, brandId: null, lost: null })
    return null
  }
  if (activeBrandState.get().ready && activeBrandState.get().brandId) return activeBrandState.get().brandId
  const stored = globalThis.sessionStorage?.getItem(tabKey) ?? (await keyValueStore.get(lastBrandKey(session.userId)))
  await readMemberships()
  const brandId = stored || null
  activeBrandState.set({ ready: true, brandId, name: nameOf(brandId), lost: null })
  return brandId
}

/** Makes a brand of mine the active one of this tab and the last one of this device. */
export async function chooseBrand(brandId: string): Promise<void> {
  const session = await readSession()
  if (!session) return
  globalThis.sessionStorage?.setItem(tabKey, brandId)
  removedFrom.set(null)
  activeBrandState.set({ ready: true, brandId, name: nameOf(brandId), lost: null })
  await keyValueStore.set(lastBrandKey(session.userId), brandId)
}

/** 'Switch Brand': no active brand any more, in this tab and stored. */
export async function clearActiveBrand(): Promise<void> {
  globalThis.sessionStorage?.removeItem(tabKey)
  activeBrandState.set({ ready: true, brandId: null, lost: null })
  const session = await readSession()
  if (session) await keyValueStore.remove(lastBrandKey(session.userId))
}

/** The server no longer counts me among the members of this brand; `unsent`: how many changes can no longer be sent. */
export function markBrandLost(brandId: string, unsent: number): void {
  const state = activeBrandState.get()
  if (state.brandId !== brandId || state.lost) return
  removedFrom.set({ name: nameOf(brandId) ?? state.name ?? null, unsent })
  forgetMembership(brandId)
  activeBrandState.set({ ...state, lost: 'removed' })
}

/** The brand demands a second factor, and this session has shown none: what is here of it stays, unseen, until it has. */
export function markBrandClosed(brandId: string): void {
  const state = activeBrandState.get()
  if (state.brandId === brandId && !state.lost) activeBrandState.set({ ...state, lost: 'closed' })
}

function nameOf(brandId: string | null): string | null {
  return membershipsOf.get().memberships.find((mine) => mine.brandId === brandId)?.name ?? null
}

function lastBrandKey(userId: string): string {
  return userValueKey(userId, lastBrand)
}

sessionState.subscribe(() => {
  if (!sessionState.get().session) removedFrom.set(null)
  if (sessionState.get().session || !activeBrandState.get().brandId) return
  globalThis.sessionStorage?.removeItem(tabKey)
  activeBrandState.set({ ready: true, brandId: null, lost: null })
})
