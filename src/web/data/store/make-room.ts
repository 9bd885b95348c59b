import { type Device } from '#web/data/browser/device.ts'
import { openBrand } from './brand-data.ts'
import { localDatabase } from './local-db.ts'
import { isNoRoom } from './no-room.ts'
import { stopKeepingRows } from './store-rows.ts'
import { tableNames } from '#web/data/server/tables.ts'

/**
 * Writes what exists only on this device. Where there is no room for it, copies of what the server has are let go and it is tried again:
 * first those of other brands and of tables that are read by windows, then all. Throws what the disk said when that was not enough.
 */
export async function writeWithRoom<T>(device: Device, userId: string, write: () => Promise<T>): Promise<T> {
  for (const letGo of [letOthersGo, letAllGo]) {
    try {
      return await write()
    } catch (error) {
      if (!isNoRoom(error)) throw error
      console.warn('This device has no room left: copies of what the server has are let go.', error)
      stopKeepingRows(device, error)
      await letGo(device, userId).catch((failure: unknown) => console.warn('The copies could not be let go.', failure))
    }
  }
  return write()
}

async function letOthersGo(device: Device, userId: string): Promise<void> {
  const open = openBrand(device).get()
  const windowed = tableNames.filter((table) => open?.state.get().tables[table]?.mode === 'windowed')
  await localDatabase(device, userId).keepOnly(open?.brandId ?? null, windowed)
}

async function letAllGo(device: Device, userId: string): Promise<void> {
  await localDatabase(device, userId).clear()
}
