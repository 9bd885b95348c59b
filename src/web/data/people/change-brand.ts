import type { Device } from '#web/data/browser/device.ts'
import { activeBrandState, clearActiveBrand } from './active-brand.ts'
import { loadMemberships, readMemberships, removeMembership } from './brands.ts'
import { inPieces } from './in-pieces.ts'
import { isUnopenedOwner } from './membership.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { sessionState } from '#web/data/session/session.ts'
import { wipeBrand } from '#web/data/store/wipe-brand.ts'

/** Changes of a brand itself. They work only online, so the outcome is never 'queued'. */

/** Renames the active brand (owners only). Code 23505: another brand has that name. */
export async function renameBrand(device: Device, name: string): Promise<Outcome> {
  const id = activeBrandState(device).get().brandId ?? ''
  const outcome = await changeOnline(device, id, (server) =>
    server.from('brands').update({ name: name.trim() }).eq('id', id).select('id'),
  )
  if (outcome.status === 'saved') await loadMemberships(device)
  return outcome
}

/**
 * Deletes the active brand with all its data, for everybody (owners only), and wipes it from this device. After that no brand is active. A large
 * brand is deleted by several requests (`inPieces`): if the server refuses one of them, the records that were deleted before do not come back.
 */
export async function deleteBrand(device: Device): Promise<Outcome> {
  const id = activeBrandState(device).get().brandId ?? ''
  const remove = () => changeOnline(device, id, (server) => server.from('brands').delete().eq('id', id).select('id'))
  return wipeAfter(
    device,
    id,
    inPieces(device, remove, async () => [{ name: 'clear_brand', args: { p_brand_id: id } }]),
  )
}

/**
 * Ends the user's membership of the active brand, or of `brandId`, which need not be open. The user's records go to the member `to`. If `to` is null,
 * the records have no owner after that. Refusal LAST_OWNER: hand the brand over first. The last owner of a brand that they have never opened may
 * leave: another member becomes the owner, or the brand is deleted if there is none. The brand is wiped from this device and is no longer active.
 */
export async function leaveBrand(device: Device, brandId: string | undefined, to: string | null): Promise<Outcome> {
  const id = brandId ?? activeBrandState(device).get().brandId ?? ''
  const me = sessionState(device).get().session?.userId ?? ''
  const args = { p_brand_id: id, p_user_id: me, p_to: to }
  const leave = () =>
    to
      ? changeOnline(device, id, (server) => server.rpc('remove_member', args), 'call')
      : changeOnline(device, id, (server) =>
          server.from('memberships').delete().eq('brand_id', id).eq('user_id', me).select('user_id'),
        )
  const leaveInPieces = () => inPieces(device, leave, async () => [{ name: 'release_records', args }])
  return wipeAfter(device, id, leaveOrGiveUp(device, id, leaveInPieces))
}

/** Leaves the brand. If the user is its last owner and has never opened it, gives up the brand (`giveUpBrand`), and leaves it if it still exists. */
async function leaveOrGiveUp(device: Device, id: string, leave: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await leave()
  if (outcome.status !== 'refused' || !isRefusal(outcome, 'LAST_OWNER')) return outcome
  const mine = (await readMemberships(device)).find(({ brandId }) => brandId === id)
  if (!mine || !isUnopenedOwner(mine)) return outcome
  let newOwner: unknown = null
  const givenUp = await giveUpBrand(device, id, (answer) => {
    newOwner = answer
  })
  return givenUp.status === 'saved' && newOwner !== null ? leave() : givenUp
}

/**
 * Gives up a brand that the user has never opened, although the user is its last owner: another member becomes the owner, or the brand is deleted if
 * there is no other member (a large brand by several requests, `inPieces`). `onOwner` gets the new owner's id, or null.
 */
export function giveUpBrand(device: Device, id: string, onOwner?: (owner: unknown) => void): Promise<Outcome> {
  const args = { p_brand_id: id }
  const giveUp = () => changeOnline(device, id, (server) => server.rpc('give_up_unopened_brand', args), 'call', onOwner)
  return inPieces(device, giveUp, async () => [{ name: 'clear_brand', args }])
}

async function wipeAfter(device: Device, brandId: string, change: Promise<Outcome>): Promise<Outcome> {
  const outcome = await change
  if (outcome.status !== 'saved') return outcome
  const userId = sessionState(device).get().session?.userId ?? ''
  // The active brand is cleared first, so that no screen and no pull of this tab still requests the brand.
  const cleared = activeBrandState(device).get().brandId === brandId ? clearActiveBrand(device) : undefined
  removeMembership(device, brandId)
  // The server has made the change, whether or not this device can be wiped now. `wipeLostBrands` tries again at a later start.
  await wipeBrand(device, userId, brandId).catch((error: unknown) =>
    console.warn('The brand could not be wiped.', error),
  )
  await cleared
  await loadMemberships(device)
  return outcome
}
