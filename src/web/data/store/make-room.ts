import type { Device } from '#web/data/browser/device.ts'
import { deleteDatabase, rowsDatabaseName } from '#web/data/session/stored-user.ts'
import { openBrand } from './brand-data.ts'
import { closeLocalDatabase, localDatabase } from './local-db.ts'
import { isStorageFullError } from './storage-full.ts'
import { stopStoringRows } from './store-rows.ts'
import { tableNames } from '#web/data/server/tables.ts'

/**
 * Writes data that exists only on this device. If the storage is full, deletes copies of server rows and tries again: first the copies of
 * other brands and of windowed tables, then all copies. Throws the error of the last attempt.
 */
export async function writeMakingRoom<T>(device: Device, userId: string, write: () => Promise<T>): Promise<T> {
  for (const makeRoom of [deleteOtherCopies, deleteAllCopies]) {
    try {
      return await write()
    } catch (error) {
      if (!isStorageFullError(error)) throw error
      console.warn('The storage of this device is full.', error)
      stopStoringRows(device, error)
      await makeRoom(device, userId).catch((failure: unknown) =>
        console.warn('The copies could not be deleted.', failure),
      )
    }
  }
  return write()
}

async function deleteOtherCopies(device: Device, userId: string): Promise<void> {
  const shownBrand = openBrand(device).get()
  const windowed = tableNames.filter((table) => shownBrand?.state.get().tables[table]?.mode === 'windowed')
  await localDatabase(device, userId).keepOnly(shownBrand?.brandId ?? null, windowed)
}

/** Deletes all copies. If the local database cannot be opened or written, deletes the database itself. */
async function deleteAllCopies(device: Device, userId: string): Promise<unknown> {
  return localDatabase(device, userId)
    .clear()
    .catch(() => {
      // The next access opens a new database. A connection that the deletion has closed would not open again.
      closeLocalDatabase(device)
      return deleteDatabase(device, rowsDatabaseName(userId))
    })
}
