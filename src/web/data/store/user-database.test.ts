import { expect, test } from 'vitest'
import { ana, openLoneTab, untilIdle } from '#tests/harness/lone-tab.ts'
import { UserDatabase } from './user-database.ts'

test('if another tab keeps a database from being opened, the first wait ends after 10 s with an error, later accesses do not wait, and the database opens later', async () => {
  const { device, clock } = await openLoneTab()
  const earlierVersion = device.indexedDB.open('held', 1)
  await new Promise((resolve) => earlierVersion.addEventListener('success', resolve))
  const upgrades = [{ version: 2, up: (made: IDBDatabase) => void made.createObjectStore('values') }]
  const database = new UserDatabase(device, 'held', ana, upgrades, 'relaxed')
  const countStores = () => database.run('values' as never, 'readonly', async ({ db }) => db.objectStoreNames.length)
  const refused = expect(countStores()).rejects.toThrow('The database does not open.')
  await untilIdle()
  clock.advance(10_000)
  await refused
  // While the first attempt has not ended, no further access waits.
  await expect(countStores()).rejects.toThrow('The database does not open.')
  earlierVersion.result.close()
  await untilIdle()
  expect(await countStores()).toBe(1)
  // The connection of the first attempt is closed, so that it delays no deletion.
  database.close()
  const deletion = device.indexedDB.deleteDatabase('held')
  await new Promise((resolve) => deletion.addEventListener('success', resolve))
})
