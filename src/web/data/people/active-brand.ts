import { type Device, useDevice } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { forgetMembership, type Membership, membershipsOf, readMemberships } from './brands.ts'
import { userValueKey } from '#web/data/session/stored-user.ts'
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
export const activeBrandState = devicePart((device) => {
  const active = observable<ActiveBrandState>({ ready: false, brandId: null, lost: null })
  sessionState(device).subscribe(() => {
    if (sessionState(device).get().session) return
    removedFrom(device).set(null)
    if (!active.get().brandId) return
    device.tabStorage?.removeItem(tabKey)
    active.set({ ready: true, brandId: null, lost: null })
  })
  return active
})

/** From which brand the server no longer counts me among the members, and how many unsent changes went with it. */
export interface RemovedFrom {
  name: string | null
  unsent: number
}

/** What /select-brand says to somebody who was removed, until the next brand is chosen. */
const removedFrom = devicePart(() => observable<RemovedFrom | null>(null))

/** Tells somebody who was just removed from a brand; null: nobody was. */
export function useRemovedFrom(): RemovedFrom | null {
  const device = useDevice()
  return useObservable(removedFrom(device))
}

/**
 * The brand this tab works in. `lost` is 'removed' when the server said that I am no longer a member: its data is gone from
 * this device; 'closed' when the brand demands a second factor that this session has not shown. Say so, then call
 * `clearActiveBrand()` and go to /select-brand.
 */
export function useActiveBrand(): { ready: boolean; brand: ActiveBrand | null; lost: 'removed' | 'closed' | null } {
  const device = useDevice()
  const { ready, brandId, lost } = useObservable(activeBrandState(device))
  const known = useObservable(membershipsOf(device))
  useEffect(() => {
    if (!ready) void readActiveBrandId(device)
  }, [device, ready])
  const membership = known.memberships.find((candidate) => candidate.brandId === brandId)
  if (!brandId || !membership) return { ready: ready && known.ready, brand: null, lost }
  const { name, slug, role, added } = membership
  return { ready: true, brand: { id: brandId, name, slug, role, ...(added && { added }) }, lost }
}

/** For router guards: this tab's brand, else the one used last on this device, else null. Local only. */
export async function readActiveBrandId(device: Device): Promise<string | null> {
  const session = await readSession(device)
  if (!session) {
    activeBrandState(device).set({ ready: true, brandId: null, lost: null })
    return null
  }
  if (activeBrandState(device).get().ready && activeBrandState(device).get().brandId)
    return activeBrandState(device).get().brandId
  const stored = device.tabStorage?.getItem(tabKey) ?? (await keyValueStore(device).get(lastBrandKey(session.userId)))
  await readMemberships(device)
  // A brand that was chosen while this was read stays the active one.
  const chosen = activeBrandState(device).get()
  if (chosen.ready && chosen.brandId) return chosen.brandId
  const brandId = stored || null
  activeBrandState(device).set({ ready: true, brandId, name: nameOf(device, brandId), lost: null })
  return brandId
}

/** Makes a brand of mine the active one of this tab and the last one of this device. */
export async function chooseBrand(device: Device, brandId: string): Promise<void> {
  const session = await readSession(device)
  if (!session) return
  device.tabStorage?.setItem(tabKey, brandId)
  removedFrom(device).set(null)
  activeBrandState(device).set({ ready: true, brandId, name: nameOf(device, brandId), lost: null })
  await keyValueStore(device).set(lastBrandKey(session.userId), brandId)
}

/** 'Switch Brand': no active brand any more, in this tab and stored. */
export async function clearActiveBrand(device: Device): Promise<void> {
  device.tabStorage?.removeItem(tabKey)
  activeBrandState(device).set({ ready: true, brandId: null, lost: null })
  const session = await readSession(device)
  if (session) await keyValueStore(device).remove(lastBrandKey(session.userId))
}

/** The server no longer counts me among the members of this brand; `unsent`: how many changes can no longer be sent. */
export function markBrandLost(device: Device, brandId: string, unsent: number): void {
  const state = activeBrandState(device).get()
  if (state.brandId !== brandId || state.lost) return
  removedFrom(device).set({ name: nameOf(device, brandId) ?? state.name ?? null, unsent })
  forgetMembership(device, brandId)
  activeBrandState(device).set({ ...state, lost: 'removed' })
}

/** The brand demands a second factor, and this session has shown none: what is here of it stays, unseen, until it has. */
export function markBrandClosed(device: Device, brandId: string): void {
  const state = activeBrandState(device).get()
  if (state.brandId === brandId && !state.lost) activeBrandState(device).set({ ...state, lost: 'closed' })
}

function nameOf(device: Device, brandId: string | null): string | null {
  return (
    membershipsOf(device)
      .get()
      .memberships.find((mine) => mine.brandId === brandId)?.name ?? null
  )
}

function lastBrandKey(userId: string): string {
  return userValueKey(userId, lastBrand)
}
