import { type Device } from '#web/data/browser/device.ts'
import { openBrand } from './brand-data.ts'
import { newBrandState } from './brand-state.ts'
import { localDatabase } from './local-db.ts'
import { queue, readOperations, updateQueue } from './queue.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import { tableNames } from '#web/data/server/tables.ts'

/**
 * Removes what this device holds of a brand that I no longer belong to: rows, lists, what is known about them, and unsent operations
 * (they carry rows of the brand, and the server would refuse them). Other tabs let go of it too. Returns how many changes were unsent.
 */
export async function wipeBrand(device: Device, userId: string, brandId: string): Promise<number> {
  const unsent = await dropOperations(device, userId, brandId)
  await localDatabase(device, userId).deleteBrand(brandId)
  forgetInMemory(device, userId, brandId)
  postToTabs(device, { type: 'brand-lost', userId, brandId })
  return unsent
}

/** Empties what this tab shows of a brand. */
export function forgetInMemory(device: Device, userId: string, brandId: string): void {
  const data = openBrand(device).get()
  if (data?.userId !== userId || data.brandId !== brandId) return
  for (const table of tableNames) data.tables[table].write([], [...data.tables[table].serverIds()])
  data.state.set(newBrandState(brandId))
}

/**
 * Brands whose rows are here although they are not among mine any more: I was removed while this device was away. Each is asked for
 * once more: an empty list alone may also come from a session that has ended.
 */
export async function wipeLostBrands(device: Device, userId: string, brandIds: readonly string[]): Promise<void> {
  if (sessionState(device).get().session?.userId !== userId) return
  const open = openBrand(device).get()?.brandId
  const mine = new Set(brandIds)
  try {
    const held = await localDatabase(device, userId).brandIds()
    for (const brandId of held) {
      // The brand that is open learns it by its own pull, which tells the screen.
      if (brandId !== open && !mine.has(brandId) && (await amRemoved(device, userId, brandId)))
        await wipeBrand(device, userId, brandId)
    }
  } catch (error) {
    console.warn('What is here of brands that are no longer mine could not be looked at.', error)
  }
}

async function amRemoved(device: Device, userId: string, brandId: string): Promise<boolean> {
  try {
    await rpc(device, userId, 'pull', { p_brand_id: brandId, p_cursor: 'now', p_tables: [], p_limit: 1 })
    return false
  } catch (error) {
    return error instanceof RpcError && isRefusal(error, 'NOT_AUTHORIZED')
  }
}

async function dropOperations(device: Device, userId: string, brandId: string): Promise<number> {
  if (queue(device).get().userId !== userId) return 0
  const ids = (await readOperations(device, userId))
    .filter((operation) => operation.brandId === brandId)
    .map(({ id }) => id)
  if (ids.length > 0) await updateQueue(device, userId, ids, [])
  return ids.length
}
