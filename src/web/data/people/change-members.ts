import { type Device } from '#web/data/browser/device.ts'
import { activeBrandState } from './active-brand.ts'
import { reloadMembers } from './members.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import type { Role } from '#web/data/server/rows.ts'
import { sessionState } from '#web/data/session/session.ts'

/**
 * What is done to the members of the active brand; online only, never 'queued'. Refusals: NOT_AUTHORIZED, LAST_OWNER (a brand keeps one),
 * USER_NOT_FOUND (no member any more). The list and this device's copy are up to date when the promise resolves.
 */

/** Gives a member another role. Admins set member and admin, owners every role, nobody their own (design section 3). */
export function setMemberRole(device: Device, userId: string, role: Role): Promise<Outcome> {
  return andReload(
    device,
    changeOnline(device, userId, (server) =>
      server
        .from('memberships')
        .update({ role })
        .eq('brand_id', brandId(device))
        .eq('user_id', userId)
        .select('user_id'),
    ),
  )
}

/** Takes somebody out of the brand. What they owned belongs to nobody then. */
export function removeMember(device: Device, userId: string): Promise<Outcome> {
  return andReload(
    device,
    changeOnline(device, userId, (server) =>
      server.from('memberships').delete().eq('brand_id', brandId(device)).eq('user_id', userId).select('user_id'),
    ),
  )
}

/** Makes another member owner and me an admin, in one go (RPC hand_over_brand). */
export function handOverBrand(device: Device, userId: string): Promise<Outcome> {
  const args = { p_brand_id: brandId(device), p_user_id: userId }
  return andReload(
    device,
    changeOnline(device, userId, (server) => server.rpc('hand_over_brand', args), 'call'),
  )
}

/** What I am called in this brand, 1 to 200 characters; trimmed. */
export function renameMyself(device: Device, displayName: string): Promise<Outcome> {
  const me = sessionState(device).get().session?.userId ?? ''
  return andReload(
    device,
    changeOnline(device, me, (server) =>
      server
        .from('memberships')
        .update({ display_name: displayName.trim() })
        .eq('brand_id', brandId(device))
        .eq('user_id', me)
        .select('user_id'),
    ),
  )
}

function brandId(device: Device): string {
  return activeBrandState(device).get().brandId ?? ''
}

async function andReload(device: Device, change: Promise<Outcome>): Promise<Outcome> {
  const outcome = await change
  // A refusal too may mean that somebody else was faster.
  await Promise.all([reloadMembers(device), requestPull(device)])
  return outcome
}
