import type { Device } from '#web/data/browser/device.ts'
import { type AccountDeletion, deleteMyAccount } from '#web/data/session/account.ts'
import { sessionState } from '#web/data/session/session.ts'
import { membershipsOf } from './brands.ts'
import { inPieces } from './in-pieces.ts'

/**
 * Deletes the account of the signed-in user, whose records then have no owner (many records: in pieces before it, brand by brand). Call
 * `checkPassword` just before it and `signOut` after it.
 */
export async function deleteOwnAccount(device: Device): Promise<AccountDeletion> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const calls = membershipsOf(device)
    .get()
    .memberships.map(({ brandId }) => ({
      name: 'release_records' as const,
      args: { p_brand_id: brandId, p_user_id: userId, p_to: null },
    }))
  let lastOwnerOf: readonly string[] = []
  const remove = async () => {
    const deletion = await deleteMyAccount(device)
    if (deletion.ok) return { status: 'saved', id: userId } as const
    lastOwnerOf = deletion.lastOwnerOf
    return { status: 'refused', message: deletion.message, code: deletion.code } as const
  }
  const outcome = await inPieces(device, remove, calls)
  return outcome.status === 'refused'
    ? { ok: false, message: outcome.message, code: outcome.code, lastOwnerOf }
    : { ok: true }
}
