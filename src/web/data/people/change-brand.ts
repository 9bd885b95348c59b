import { type Device } from '#web/data/browser/device.ts'
import { activeBrandState, clearActiveBrand } from './active-brand.ts'
import { forgetMembership, loadMemberships } from './brands.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { sessionState } from '#web/data/session/session.ts'
import { wipeBrand } from '#web/data/store/wipe-brand.ts'

/** What is done to a brand as a whole; online only, never 'queued'. */

/** Gives it another name (owners). Refusal code 23505: another brand has that name. */
export async function renameBrand(device: Device, name: string): Promise<Outcome> {
  const id = activeBrandState(device).get().brandId ?? ''
  const outcome = await changeOnline(device, id, (server) =>
    server.from('brands').update({ name: name.trim() }).eq('id', id).select('id'),
  )
  if (outcome.status === 'saved') await loadMemberships(device)
  return outcome
}

/** Deletes it with everything in it, for everybody (owners). Then no brand is active, and nothing of it is left on this device. */
export async function deleteBrand(device: Device): Promise<Outcome> {
  const id = activeBrandState(device).get().brandId ?? ''
  return andLeave(
    device,
    id,
    changeOnline(device, id, (server) => server.from('brands').delete().eq('id', id).select('id')),
  )
}

/**
 * Ends my own membership of the active brand, or of another one, which need not be opened for it. Refusal LAST_OWNER: hand it over first.
 * Then it is no longer active, and nothing of it is left on this device.
 */
export async function leaveBrand(device: Device, brandId?: string): Promise<Outcome> {
  const id = brandId ?? activeBrandState(device).get().brandId ?? ''
  const me = sessionState(device).get().session?.userId ?? ''
  return andLeave(
    device,
    id,
    changeOnline(device, id, (server) =>
      server.from('memberships').delete().eq('brand_id', id).eq('user_id', me).select('user_id'),
    ),
  )
}

async function andLeave(device: Device, brandId: string, change: Promise<Outcome>): Promise<Outcome> {
  const outcome = await change
  if (outcome.status !== 'saved') return outcome
  const userId = sessionState(device).get().session?.userId ?? ''
  // First: from here on no screen and no pull of this tab asks for it any more.
  const cleared = activeBrandState(device).get().brandId === brandId ? clearActiveBrand(device) : undefined
  forgetMembership(device, brandId)
  await wipeBrand(device, userId, brandId)
  await cleared
  await loadMemberships(device)
  return outcome
}
