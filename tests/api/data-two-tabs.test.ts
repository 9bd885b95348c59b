import { localDatabase } from '#web/data/store/local-db.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { expect, test } from 'vitest'
import { dataOf, makeDeal, untilPulled } from '../harness/acme.ts'
import { acme, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme({ verifies: false })

/**
 * Creates a deal and opens a second tab, which has it in memory and on the disk. `put` writes a version of the row to the disk, like another tab;
 * `take` applies a version in the second tab, like a response. `kept` and `inMemory` return the version on the disk and in the second tab's memory.
 */
async function dealInTwoTabs() {
  const id = await makeDeal(acme.tab)
  const tab = await acme.browser.openTab()
  await untilPulled(tab)
  const row = dataOf(tab).tables.deals.serverRow(id) ?? expect.fail('the deal is not here')
  const database = localDatabase(tab.device, acme.userId)
  const put = (version: number) => database.putNewer('deals', acme.brandId, [{ ...row, version }], () => true)
  const take = (version: number) =>
    storeRows(tab.device, { userId: acme.userId, brandId: acme.brandId, table: 'deals', rows: [{ ...row, version }] })
  const storedVersion = async () => (await database.getRows('deals', acme.brandId, [id]))[0]?.version
  const inMemory = () => dataOf(tab).tables.deals.serverRow(id)?.version
  return { version: row.version, put, take, kept: storedVersion, inMemory }
}

test('an older response does not overwrite a newer row that another tab has stored', async () => {
  const { version, put, take, kept } = await dealInTwoTabs()
  await put(version + 2)
  await take(version + 1)
  expect(await kept()).toBe(version + 2)
})

test('a row that this tab has in memory is stored if the local database has an older version of it', async () => {
  const { version, put, take, kept, inMemory } = await dealInTwoTabs()
  await take(version + 1)
  await put(version)
  await take(version + 1)
  expect([await kept(), inMemory()]).toEqual([version + 1, version + 1])
})
