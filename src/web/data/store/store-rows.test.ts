import { expect, test } from 'vitest'
import { acme, ana, openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import * as productDefinitions from '#web/data/definitions.ts'
import { openBrandData } from './brand-data.ts'
import { rowsOfTable } from './definition.ts'
import { localDatabase } from './local-db.ts'
import { storeRows } from './store-rows.ts'

const deals = { userId: ana, brandId: acme, table: 'deals' } as const

test('a row that is restored while a pull is removing it stays in memory and on the disk', async () => {
  const { device, data } = await openLoneTab()
  await storeRows(device, { ...deals, rows: [serverRow({ id: 'roof' }), serverRow({ id: 'wall' })] })
  const restored = serverRow({ id: 'roof', version: 3, rev: 3 })
  await Promise.all([
    storeRows(device, { ...deals, deletedIds: ['roof', 'wall'] }),
    storeRows(device, { ...deals, rows: [restored] }),
  ])
  expect([...data.tables.deals.values()].map(({ id }) => id)).toEqual(['roof'])
  expect(await localDatabase(device, ana).getRows('deals', acme, ['roof', 'wall'])).toEqual([restored, undefined])
})

test('a deleted row is removed from a brand that was opened again while the row was being removed', async () => {
  const { device, data } = await openLoneTab()
  putRows(data, 'deals', { id: 'roof' })
  const removal = storeRows(device, { ...deals, deletedIds: ['roof'] })
  const again = openBrandData(device, ana, acme, productDefinitions)
  const rows = rowsOfTable(again, 'deals')
  rows.read([serverRow({ id: 'roof' })])
  await removal
  expect(rows.onServer('roof')).toBeUndefined()
})

test('a deleted row is removed although the rows were still being read from the local database', async () => {
  const { device } = await openLoneTab()
  const loading = openBrandData(device, ana, acme, productDefinitions)
  const rows = rowsOfTable(loading, 'deals')
  const removal = storeRows(device, { ...deals, deletedIds: ['roof'] })
  rows.read([serverRow({ id: 'roof' })])
  await removal
  expect(rows.onServer('roof')).toBeUndefined()
})
