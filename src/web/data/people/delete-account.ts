import { refusalCodes } from '#shared/refusal-codes.ts'
import type { Device } from '#web/data/browser/device.ts'
import { type AccountDeletion, deleteMyAccount, readLastUnopenedBrands } from '#web/data/session/account.ts'
import { sessionState } from '#web/data/session/session.ts'
import { loadMemberships, membershipsOf } from './brands.ts'
import { giveUpBrand } from './change-brand.ts'
import { inPieces } from './in-pieces.ts'
import { isUnopenedOwner } from './membership.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'

/**
 * Deletes the account of the signed-in user, whose records then have no owner. If the records are too many for one request, earlier requests remove
 * their owner, brand by brand (`inPieces`). If the user is the last owner of a brand that they have opened, nothing is deleted. If the user is the
 * last owner of brands that they have never opened, these brands are given up first (`giveUpBrand`), and stay so even if the account cannot be
 * deleted. Call `checkPassword` just before this function and `signOut` after it.
 */
export async function deleteOwnAccount(device: Device): Promise<AccountDeletion> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const readCalls = async () => {
    // The page of the account has not loaded the memberships.
    await loadMemberships(device)
    return membershipsOf(device)
      .get()
      .memberships.filter((mine) => !isUnopenedOwner(mine))
      .map(({ brandId }) => ({
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
      const unopened = await readLastUnopenedBrands(device)
      if (!('brandIds' in unopened)) deletion = unopened
      else deletion = (await giveUpBrands(device, unopened.brandIds)) ?? (await deleteMyAccount(device))
    }
    if (deletion.ok) return { status: 'saved', id: userId } as const
    lastOwnerOf = deletion.lastOwnerOf
    return { status: 'refused', message: deletion.message, code: deletion.code } as const
  }
  const outcome = await inPieces(device, remove, readCalls)
  if (outcome.status !== 'refused') return { ok: true }
  const { code } = outcome
  // The earlier requests took so long that the check of the password is no longer valid.
  const isTooLate = attempts > 1 && code === refusalCodes.REAUTHENTICATION_NEEDED
  const message = isTooLate ? 'A part is done. Enter your password again to finish.' : outcome.message
  return { ok: false, message, code, lastOwnerOf }
}

/** Gives up these brands. Returns the first refusal, or undefined if all were given up. */
async function giveUpBrands(device: Device, brandIds: readonly string[]): Promise<AccountDeletion | undefined> {
  for (const brandId of brandIds) {
    const outcome = await giveUpBrand(device, brandId)
    if (outcome.status === 'refused')
      return { ok: false, message: outcome.message, code: outcome.code, lastOwnerOf: [] }
  }
  return undefined
}
