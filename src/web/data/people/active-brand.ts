import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { removeMembership, membershipsOf, readMemberships } from './brands.ts'
import type { Membership } from './membership.ts'
import { userValueKey } from '#web/data/session/stored-user.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import type { Role } from '#web/data/server/rows.ts'
import { readSession, sessionState } from '#web/data/session/session.ts'

/** The brand that this tab shows, as the user's membership describes it. */
export interface ActiveBrand {
  id: string
  name: string
  slug: string
  /** The user's role. */
  role: Role
  /** Set if somebody else added the user, until the user opens the brand. */
  added?: Membership['added']
}

interface ActiveBrandState {
  ready: boolean
  brandId: string | null
  /** The brand's name when the brand was chosen. `markBrandLost` needs the name if the memberships were already reloaded without the brand. */
  name?: string | null
  lost: 'removed' | 'closed' | null
}

const tabKey = 'brand'
const lastBrandValueName = 'brand'

/** The active brand of this tab. `lost`: why the tab has lost the brand, or null. */
export const activeBrandState = devicePart((device) => {
  const active = observable<ActiveBrandState>({ ready: false, brandId: null, lost: null })
  sessionState(device).subscribe(() => {
    if (sessionState(device).get().session) return
    lostBrand(device).set(null)
    if (!active.get().brandId) return
    device.tabStorage?.removeItem(tabKey)
    active.set({ ready: true, brandId: null, lost: null })
  })
  return active
})

/** A brand that the user was removed from. `unsent`: number of unsent operations that were dropped with it. */
export interface LostBrand {
  name: string | null
  unsent: number
}

/** The brand that the user was just removed from. /select-brand shows it until the next brand is chosen or the session ends. */
const lostBrand = devicePart(() => observable<LostBrand | null>(null))

/** Returns the brand that the user was just removed from, or null. */
export function useLostBrand(): LostBrand | null {
  const device = useDevice()
  return useObservable(lostBrand(device))
}

/**
 * Returns the brand of this tab, or null. `lost` is 'removed' if the user is no longer a member and the brand's data is wiped from this device. It is
 * 'closed' if the brand requires a second factor that this session has not proved. Show the reason, then call `clearActiveBrand()` and go to
 * /select-brand.
 */
export function useActiveBrand(): { ready: boolean; brand: ActiveBrand | null; lost: 'removed' | 'closed' | null } {
  const device = useDevice()
  const { ready, brandId, lost } = useObservable(activeBrandState(device))
  const membershipState = useObservable(membershipsOf(device))
  useEffect(() => {
    if (!ready) void readActiveBrandId(device)
  }, [device, ready])
  const membership = membershipState.memberships.find((candidate) => candidate.brandId === brandId)
  if (!brandId || !membership) return { ready: ready && membershipState.ready, brand: null, lost }
  const { name, slug, role, added } = membership
  return { ready: true, brand: { id: brandId, name, slug, role, ...(added && { added }) }, lost }
}

/** Returns, for router guards, the id of this tab's brand, or else of the user's last brand on this device, or else null. Sends no request. */
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
  // If a brand was chosen during these reads, it stays the active one.
  const chosen = activeBrandState(device).get()
  if (chosen.ready && chosen.brandId) return chosen.brandId
  const brandId = stored || null
  activeBrandState(device).set({ ready: true, brandId, name: nameOf(device, brandId), lost: null })
  return brandId
}

/** Makes a brand the active brand of this tab and the user's last brand on this device. */
export async function chooseBrand(device: Device, brandId: string): Promise<void> {
  const session = await readSession(device)
  if (!session) return
  device.tabStorage?.setItem(tabKey, brandId)
  lostBrand(device).set(null)
  activeBrandState(device).set({ ready: true, brandId, name: nameOf(device, brandId), lost: null })
  await keyValueStore(device).remember(lastBrandKey(session.userId), brandId)
}

/** 'Switch Brand': clears the active brand of this tab and the user's last brand on this device. */
export async function clearActiveBrand(device: Device): Promise<void> {
  device.tabStorage?.removeItem(tabKey)
  activeBrandState(device).set({ ready: true, brandId: null, lost: null })
  const session = await readSession(device)
  if (session) await keyValueStore(device).remove(lastBrandKey(session.userId))
}

/** Records that the user is no longer a member of this brand, if it is this tab's. `unsent`: number of operations that can no longer be sent. */
export function markBrandLost(device: Device, brandId: string, unsent: number): void {
  const state = activeBrandState(device).get()
  if (state.brandId !== brandId || state.lost) return
  lostBrand(device).set({ name: nameOf(device, brandId) ?? state.name ?? null, unsent })
  removeMembership(device, brandId)
  activeBrandState(device).set({ ...state, lost: 'removed' })
}

/** Records that the brand, if it is this tab's, requires a second factor that this session has not proved. The data stays and is not shown. */
export function markBrandClosed(device: Device, brandId: string): void {
  const state = activeBrandState(device).get()
  if (state.brandId === brandId && !state.lost) activeBrandState(device).set({ ...state, lost: 'closed' })
}

function nameOf(device: Device, brandId: string | null): string | null {
  return (
    membershipsOf(device)
      .get()
      .memberships.find((membership) => membership.brandId === brandId)?.name ?? null
  )
}

function lastBrandKey(userId: string): string {
  return userValueKey(userId, lastBrandValueName)
}
