import { expect, test } from 'vitest'
import { acme, ana, openAgain, openLoneTab, serverRow, setModes } from '#tests/harness/lone-tab.ts'
import { isListRead } from './is-answered-here.ts'
import { rowsOf } from './rows-of.ts'
import { tableNames } from '#web/data/server/tables.ts'
import { loadBrandData } from '#web/data/store/load-brand-data.ts'
import { storeRows } from '#web/data/store/store-rows.ts'

/** Opens a brand again whose local database has a contact, its company and a deal. Returns its data before the rows are read. */
async function openTabWithRows() {
  const tab = await openLoneTab()
  const brand = { userId: ana, brandId: acme }
  await storeRows(tab.device, { ...brand, table: 'companies', rows: [serverRow({ id: 'roof' })] })
  await storeRows(tab.device, { ...brand, table: 'contacts', rows: [serverRow({ id: 'owen', company_id: 'roof' })] })
  await storeRows(tab.device, { ...brand, table: 'deals', rows: [serverRow({ id: 'job' })] })
  const data = openAgain(tab)
  await data.stateKnown
  setModes(data, [])
  return data
}

test('the tables that the list on the screen needs are read before the other tables', async () => {
  const data = await openTabWithRows()
  const list = rowsOf(data, { table: 'contacts' })
  const loadedStates: unknown[] = []
  data.listRead.subscribe(() => {
    const { contacts, companies, deals } = data.tables
    loadedStates.push([contacts.isReady, companies.isReady, deals.isReady, data.loaded.get(), list.read().ready])
  })
  expect(list.read().ready).toBe(false)
  await loadBrandData(data, 'contacts')
  expect(loadedStates).toEqual([[true, true, false, false, true]])
  expect(isListRead(data, 'contacts')).toBe(true)
  expect(tableNames.filter((table) => !data.tables[table].isReady)).toEqual([])
  expect([data.loaded.get(), data.tables.deals.get('job')?.id]).toEqual([true, 'job'])
})

test('without a list on the screen, all tables are read, too', async () => {
  const data = await openTabWithRows()
  const notifiedTables: string[] = []
  for (const table of tableNames) data.tables[table].subscribe(() => notifiedTables.push(table))
  await loadBrandData(data)
  expect(new Set(notifiedTables)).toEqual(new Set(tableNames))
  expect(data.loaded.get()).toBe(true)
})
