import type { Device } from '#web/data/browser/device.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'
import { openBrand } from './brand-data.ts'
import { localDatabase } from './local-db.ts'
import { wipeBrand } from './wipe-brand.ts'

/**
 * Wipes the brands that are on this device but not among `brandIds`, if the server refuses a pull of them: the user was removed from them
 * while this device was offline. `brandIds` alone does not prove that, because it is also empty if the session has expired. Does not
 * wipe the open brand.
 */
export async function wipeLostBrands(device: Device, userId: string, brandIds: readonly string[]): Promise<void> {
  if (sessionState(device).get().session?.userId !== userId) return
  const openBrandId = openBrand(device).get()?.brandId
  const currentBrandIds = new Set(brandIds)
  try {
    const storedBrandIds = await localDatabase(device, userId).brandIds()
    for (const brandId of storedBrandIds) {
      // The pulls of the open brand notice a removal themselves, and the screen shows it (`brandLost`).
      if (brandId !== openBrandId && !currentBrandIds.has(brandId) && (await isPullRefused(device, userId, brandId)))
        await wipeBrand(device, userId, brandId)
    }
  } catch (error) {
    console.warn('Lost brands could not be wiped.', error)
  }
}

/** Whether the server refuses a pull of this brand, because the user is no longer a member. */
async function isPullRefused(device: Device, userId: string, brandId: string): Promise<boolean> {
  try {
    await rpc(device, userId, 'pull', { p_brand_id: brandId, p_cursor: 'now', p_tables: [], p_limit: 1 })
    return false
  } catch (error) {
    return error instanceof RpcError && isRefusal(error, 'NOT_AUTHORIZED')
  }
}
