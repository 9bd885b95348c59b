import { expect, test } from 'vitest'
import { acme, ana, openAgain, openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { collectionOf } from './definition.ts'
import { localDatabase } from './local-db.ts'
import { storeRows } from './store-rows.ts'
import { inAnyVersion } from './deletions.ts'

const dealsOfAcme = { userId: ana, brandId: acme, table: 'deals' } as const

test('a row that is restored while a pull is removing it stays in memory and on the disk', async () => {
  const { device, data } = await openLoneTab()
  await storeRows(device, { ...dealsOfAcme, rows: [serverRow({ id: 'roof' }), serverRow({ id: 'wall' })] })
  const restored = serverRow({ id: 'roof', version: 3, rev: 3 })
  await Promise.all([
    storeRows(device, { ...dealsOfAcme, deleted: inAnyVersion(['roof', 'wall']) }),
    storeRows(device, { ...dealsOfAcme, rows: [restored] }),
  ])
  expect([...data.tables.deals.values()].map(({ id }) => id)).toEqual(['roof'])
  expect(await localDatabase(device, ana).getRows('deals', acme, ['roof', 'wall'])).toEqual([restored, undefined])
})

test('a deleted row is removed from a brand that was opened again while the row was being removed', async () => {
  const tab = await openLoneTab()
  putRows(tab.data, 'deals', { id: 'roof' })
  const removal = storeRows(tab.device, { ...dealsOfAcme, deleted: inAnyVersion(['roof']) })
  const rows = collectionOf(openAgain(tab), 'deals')
  rows.add([serverRow({ id: 'roof' })])
  await removal
  expect(rows.serverRow('roof')).toBeUndefined()
})

test('a deleted row is removed although the rows were still being read from the local database', async () => {
  const tab = await openLoneTab()
  const rows = collectionOf(openAgain(tab), 'deals')
  const removal = storeRows(tab.device, { ...dealsOfAcme, deleted: inAnyVersion(['roof']) })
  rows.add([serverRow({ id: 'roof' })])
  await removal
  expect(rows.serverRow('roof')).toBeUndefined()
})
