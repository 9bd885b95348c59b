import { expect, test, vi } from 'vitest'
import { acme, ana, openAgain, openLoneTab, serverRow, untilIdle } from '#tests/harness/lone-tab.ts'
import { followStoredCursor } from './follow-tabs.ts'
import { loadBrandData } from './load-brand-data.ts'
import { localDatabase } from './local-db.ts'
import { storeRows, storeState } from './store-rows.ts'

test('if one stored table cannot be read, the others are read to their end, and the next pull begins from the beginning', async () => {
  const tab = await openLoneTab()
  const rowsOf = (table: 'contacts' | 'deals') => ({
    userId: ana,
    brandId: acme,
    table,
    rows: [serverRow({ id: table })],
  })
  await storeRows(tab.device, rowsOf('contacts'))
  await storeRows(tab.device, rowsOf('deals'))
  await storeState(tab.data, tab.data.state.get(), { isNew: true })
  const data = openAgain(tab)
  await data.stateKnown
  const local = localDatabase(tab.device, ana)
  const readBuckets = local.readBuckets.bind(local)
  vi.spyOn(local, 'readBuckets').mockImplementation(async (table, ...range) => {
    if (table === 'contacts') throw new DOMException('Failed to read large IndexedDB value', 'DataError')
    await untilIdle(20)
    return readBuckets(table, ...range)
  })
  const sizesWhenLoaded: number[] = []
  data.loaded.subscribe(() => sizesWhenLoaded.push(data.tables.contacts.size, data.tables.deals.size))
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  try {
    await loadBrandData(data)
    await followStoredCursor(data)
  } finally {
    warn.mockRestore()
  }
  expect(sizesWhenLoaded).toEqual([0, 1])
  // Without a cursor, a pull begins from the beginning.
  expect(data.state.get().cursor).toBeNull()
})
