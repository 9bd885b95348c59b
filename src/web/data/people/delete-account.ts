import { refusalCodes } from '#shared/refusal-codes.ts'
import type { Device } from '#web/data/browser/device.ts'
import { type AccountDeletion, deleteMyAccount, giveUpUnopenedBrands } from '#web/data/session/account.ts'
import { sessionState } from '#web/data/session/session.ts'
import { loadMemberships, membershipsOf } from './brands.ts'
import { inPieces } from './in-pieces.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'

/**
 * Deletes the account of the signed-in user, whose records then have no owner (many records: in pieces before it, brand by brand). Brands whose last
 * owner the user is without having ever opened them go to another member, or are deleted if the user is the only member; if the user is the last owner
 * of a brand that they have opened, nothing changes. Call `checkPassword` just before it and `signOut` after it.
 */
export async function deleteOwnAccount(device: Device): Promise<AccountDeletion> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const readCalls = async () => {
    // The page of the account has not loaded them.
    await loadMemberships(device)
    return membershipsOf(device)
      .get()
      .memberships.map(({ brandId }) => ({
        name: 'release_records' as const,
        args: { p_brand_id: brandId, p_user_id: userId, p_to: null },
      }))
  }
  let lastOwnerOf: readonly string[] = []
  let attempts = 0
  const remove = async () => {
    attempts += 1
    let deletion = await deleteMyAccount(device)
    if (!deletion.ok && isRefusal(deletion, 'LAST_OWNER')) {
      const givenUp = await giveUpUnopenedBrands(device)
      deletion = givenUp.ok ? await deleteMyAccount(device) : givenUp
    }
    if (deletion.ok) return { status: 'saved', id: userId } as const
    lastOwnerOf = deletion.lastOwnerOf
    return { status: 'refused', message: deletion.message, code: deletion.code } as const
  }
  const outcome = await inPieces(device, remove, readCalls)
  if (outcome.status !== 'refused') return { ok: true }
  const { code } = outcome
  // The pieces took longer than the check of the password counts.
  const isTooLate = attempts > 1 && code === refusalCodes.REAUTHENTICATION_NEEDED
  const message = isTooLate ? 'A part is done. Enter your password again to finish.' : outcome.message
  return { ok: false, message, code, lastOwnerOf }
}
