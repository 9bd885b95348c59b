import { type Device, devicePart } from '#web/data/browser/device.ts'
import { openBrand } from './brand-data.ts'
import { newBrandState } from './brand-state.ts'
import { localDatabase } from './local-db.ts'
import { queue, readOperations, updateQueue } from './queue.ts'
import { sessionState } from '#web/data/session/session.ts'
import { draftsKey } from '#web/data/session/stored-user.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import { isStoringRows, stopStoringRows } from './store-rows.ts'
import { tableNames } from '#web/data/server/tables.ts'

/**
 * Removes all data of a brand from this device when the user is no longer a member: rows, lists, state, and unsent operations. (These
 * contain data of the brand, and the server would refuse them.) Other tabs remove the data, too. Returns how many unsent operations were
 * removed.
 */
export async function wipeBrand(device: Device, userId: string, brandId: string): Promise<number> {
  const removedBefore = removedCounts(device).get(brandId) ?? 0
  const unsentCount = removedBefore + (await dropOperations(device, userId, brandId))
  removedCounts(device).set(brandId, unsentCount)
  // The brand is removed from memory first, so that rows that are about to be stored are not stored.
  wipeInMemory(device, userId, brandId)
  postToTabs(device, { type: 'brand-lost', userId, brandId })
  await deleteBrandFromDisk(device, userId, brandId)
  removedCounts(device).delete(brandId)
  return unsentCount
}

/** How many unsent operations were removed by wipes that the disk has refused, by brand. */
const removedCounts = devicePart(() => new Map<string, number>())

/**
 * Removes a brand from the local database. Rejects the first time that the disk refuses it, so that the next pull tries again. After that, a
 * refusal is only logged, because this tab works from memory: `wipeLostBrands` then removes the data at a later start.
 */
async function deleteBrandFromDisk(device: Device, userId: string, brandId: string): Promise<void> {
  try {
    await localDatabase(device, userId).deleteBrand(brandId)
  } catch (error) {
    // The user has signed out.
    if (sessionState(device).get().session?.userId !== userId) throw error
    const isFirst = isStoringRows(device)
    stopStoringRows(device, error)
    if (isFirst) throw error
    console.warn('Lost brands could not be wiped.', error)
  }
}

/** Removes the drafts of a brand from this tab. If the brand is open, also removes its rows from memory. */
export function wipeInMemory(device: Device, userId: string, brandId: string): void {
  device.tabStorage?.removeItem(draftsKey(userId, brandId))
  const data = openBrand(device).get()
  if (data?.userId !== userId || data.brandId !== brandId) return
  data.firstLook.set(null)
  for (const table of tableNames) {
    data.tables[table].write([], [...data.tables[table].serverIds()])
    data.tables[table].forgetRemovedRows()
  }
  data.state.set(newBrandState(brandId))
}

async function dropOperations(device: Device, userId: string, brandId: string): Promise<number> {
  if (queue(device).get().userId !== userId) return 0
  const ids = (await readOperations(device, userId))
    .filter((operation) => operation.brandId === brandId)
    .map(({ id }) => id)
  if (ids.length > 0) await updateQueue(device, userId, ids, [])
  return ids.length
}
