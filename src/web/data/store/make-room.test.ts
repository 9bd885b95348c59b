import { expect, test, vi } from 'vitest'
import { ana, openLoneTab } from '#tests/harness/lone-tab.ts'
import { rowsDatabaseName } from '#web/data/session/stored-user.ts'
import { localDatabase } from './local-db.ts'
import { writeMakingRoom } from './make-room.ts'
import { isStorageFull } from './storage-full.ts'
import { stopStoringRows } from './store-rows.ts'

test('if the copies of server rows cannot be deleted to make room, their database is deleted', async () => {
  const { device } = await openLoneTab()
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const failure = new DOMException('Internal error opening backing store.', 'UnknownError')
  for (const name of ['keepOnly', 'clear'] as const)
    vi.spyOn(localDatabase(device, ana), name).mockRejectedValue(failure)
  const write = async () => {
    const databases = await device.indexedDB.databases()
    if (databases.some(({ name }) => name === rowsDatabaseName(ana)))
      throw new DOMException('The disk is full.', 'QuotaExceededError')
    return 'written'
  }
  try {
    expect(await writeMakingRoom(device, ana, write)).toBe('written')
    // This tab can open the database again.
    expect(await localDatabase(device, ana).brandIds()).toEqual([])
  } finally {
    warn.mockRestore()
  }
})

test('a tab whose rows another tab has deleted to make room says that the storage is full once its own write fails', async () => {
  const { device } = await openLoneTab()
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  try {
    stopStoringRows(device, null)
    expect(isStorageFull(device).get()).toBe(false)
    const full = new DOMException('The disk is full.', 'QuotaExceededError')
    await expect(writeMakingRoom(device, ana, () => Promise.reject(full))).rejects.toBe(full)
    expect(isStorageFull(device).get()).toBe(true)
  } finally {
    warn.mockRestore()
  }
})
