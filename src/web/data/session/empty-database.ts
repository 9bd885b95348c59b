import type { Device } from '#web/data/browser/device.ts'

/** Empties a database, also if another tab keeps it open. Waits at most `limitMs`. Returns whether it is empty or does not exist. */
export function emptyDatabase(device: Device, name: string, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    device.clock.setTimeout(() => resolve(false), limitMs)
    const request = device.indexedDB.open(name)
    // The database does not exist, and must not be created.
    request.addEventListener('upgradeneeded', () => request.transaction?.abort())
    request.addEventListener('error', () => resolve(request.error?.name === 'AbortError'))
    request.addEventListener('success', () => {
      const database = request.result
      database.addEventListener('versionchange', () => database.close())
      const stores = [...database.objectStoreNames]
      const end = (isEmpty: boolean) => {
        database.close()
        resolve(isEmpty)
      }
      if (stores.length === 0) return end(true)
      const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' })
      for (const store of stores) transaction.objectStore(store).clear()
      transaction.addEventListener('complete', () => end(true))
      transaction.addEventListener('abort', () => end(false))
    })
  })
}
