import type { Device } from '#web/data/browser/device.ts'
import { activeBrandState } from './active-brand.ts'
import { inPieces } from './in-pieces.ts'
import { countsInWords, sumOfCounts } from './member-records.ts'
import { reloadMembers } from './members.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import type { Role } from '#web/data/server/rows.ts'
import { sessionState } from '#web/data/session/session.ts'

/**
 * Changes of the members of the active brand. They work only online, so the outcome is never 'queued'. Refusals: NOT_AUTHORIZED, LAST_OWNER (a brand
 * needs at least one), USER_NOT_FOUND (no longer a member). Before the promise resolves, the list of members is loaded again, and a pull updates
 * the rows on this device.
 */

/**
 * Changes a member's role. Admins can set member and admin, owners all roles. Nobody can set their own role. If `was` is given and the
 * member has another role than `was`, the change is refused with NOT_AUTHORIZED.
 */
export function setMemberRole(device: Device, userId: string, role: Role, was?: Role): Promise<Outcome> {
  return reloadAfter(
    device,
    changeOnline(device, userId, (server) => {
      const update = server.from('memberships').update({ role }).eq('brand_id', brandIdOf(device)).eq('user_id', userId)
      return (was ? update.eq('role', was) : update).select('user_id')
    }),
  )
}

/**
 * Removes a member from the brand. The member's records go to the member `to` in the same transaction, or, if they are too many for it, by earlier
 * requests (`inPieces`). If `to` is null, the records have no owner after that. `onMoved` gets the words for the records that went to `to`: '3 deals
 * and 1 contact', '' if there were none.
 */
export function removeMember(
  device: Device,
  userId: string,
  to: string | null,
  onMoved?: (records: string) => void,
): Promise<Outcome> {
  // Read once: the person may open another brand before the last request is sent.
  const id = brandIdOf(device)
  const args = { p_brand_id: id, p_user_id: userId, p_to: to }
  let moved: unknown = {}
  const onCounts = (counts: unknown) => {
    moved = sumOfCounts(moved, counts)
  }
  const remove = () =>
    to
      ? changeOnline(
          device,
          userId,
          (server) => server.rpc('remove_member', args),
          'call',
          (counts) => onMoved?.(countsInWords(sumOfCounts(moved, counts))),
        )
      : changeOnline(device, userId, (server) =>
          server.from('memberships').delete().eq('brand_id', id).eq('user_id', userId).select('user_id'),
        )
  return reloadAfter(
    device,
    inPieces(device, remove, async () => [{ name: 'release_records', args, onCounts }]),
  )
}

/** Makes another member an owner and the user, who is an owner, an admin, in one transaction (RPC hand_over_brand). */
export function handOverBrand(device: Device, userId: string): Promise<Outcome> {
  const args = { p_brand_id: brandIdOf(device), p_user_id: userId }
  return reloadAfter(
    device,
    changeOnline(device, userId, (server) => server.rpc('hand_over_brand', args), 'call'),
  )
}

/** Changes the user's name in this brand: 1 to 200 characters, trimmed. */
export function renameMyself(device: Device, displayName: string): Promise<Outcome> {
  const me = sessionState(device).get().session?.userId ?? ''
  return reloadAfter(
    device,
    changeOnline(device, me, (server) =>
      server
        .from('memberships')
        .update({ display_name: displayName.trim() })
        .eq('brand_id', brandIdOf(device))
        .eq('user_id', me)
        .select('user_id'),
    ),
  )
}

function brandIdOf(device: Device): string {
  return activeBrandState(device).get().brandId ?? ''
}

async function reloadAfter(device: Device, change: Promise<Outcome>): Promise<Outcome> {
  const outcome = await change
  // Reloads after a refusal too, because somebody else may have changed the members.
  await Promise.all([reloadMembers(device), requestPull(device)])
  return outcome
}
