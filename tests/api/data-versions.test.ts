import { UserDatabase } from '#web/data/store/user-database.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { localUpgrades } from '#web/data/store/local-upgrades.ts'
import { isOutOfDate } from '#web/data/store/out-of-date.ts'
import { Dexie } from 'dexie'
import { expect, test, vi } from 'vitest'
import type { Upgrade } from '#web/data/store/user-database.ts'
import { goOnline, dataOf, makeDeal, waitOptions, stageOf, untilSent } from '../harness/acme.ts'
import { acme, setUpAcme } from '../harness/acme-scene.ts'

/** The version of the local database of rows that the current app writes. */
const rowsVersion = localUpgrades.at(-1)?.version

setUpAcme()

const rowsOf = (userId: string) => `banyan-rows-${userId}`
const outboxOf = (userId: string) => `banyan-outbox-${userId}`

/** Declares the local database of rows like the app's first version, with the library that it used. */
function declareFirstRowsDatabase(userId: string): Dexie {
  const tables = ['deal_stages', 'memberships', 'tasks', 'deals', 'companies', 'contacts']
  const stores = Object.fromEntries(tables.map((table) => [table, '[brand_id+id]']))
  const database = new Dexie(rowsOf(userId), { indexedDB: acme.browser.indexedDB, IDBKeyRange })
  database.version(1).stores({ ...stores, lists: '[brand_id+key]', states: 'brandId' })
  return database
}

function declareFirstOutbox(userId: string): Dexie {
  const database = new Dexie(outboxOf(userId), { indexedDB: acme.browser.indexedDB, IDBKeyRange })
  database.version(1).stores({ operations: '++seq,&id' })
  return database
}

/** Upgrades a database to this version, like a later version of the app. */
function upgrade(name: string, version: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = acme.browser.indexedDB.open(name, version)
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')))
    request.addEventListener('success', () => {
      request.result.close()
      resolve()
    })
  })
}

async function databaseVersions(): Promise<Record<string, number | undefined>> {
  return Object.fromEntries((await acme.browser.indexedDB.databases()).map(({ name = '', version }) => [name, version]))
}

test('data of the app’s first version is shown offline, its waiting change is sent once, and its rows are pulled again', async () => {
  const { tab, userId, brandId, browser } = acme
  const id = await makeDeal(tab, { name: 'Kept before' })
  const data = dataOf(tab)
  await vi.waitFor(() => expect(data.tables.deals.serverRow(id)?.version).toBe(1), waitOptions)
  const { owner_id: _, ...deal } = data.tables.deals.serverRow(id) ?? expect.fail('no deal')
  const stages = [...data.tables.deal_stages.values()]
  const [won, incoming] = [stageOf(tab, 'Won').id, stageOf(tab, 'Incoming').id]
  tab.sessionState(tab.device).set({ ready: true, session: null })
  for (const name of [rowsOf(userId), outboxOf(userId)])
    await new Dexie(name, { indexedDB: acme.browser.indexedDB, IDBKeyRange }).delete()

  const rows = declareFirstRowsDatabase(userId)
  await rows.table('deals').put(deal)
  await rows.table('deal_stages').bulkPut(stages)
  await rows.table('states').put(data.state.get())
  rows.close()
  const outbox = declareFirstOutbox(userId)
  await outbox.table('operations').add({
    id: crypto.randomUUID(),
    userId,
    brandId,
    table: 'deals',
    rowId: id,
    kind: 'update',
    icon: 'move',
    values: { stage_id: won },
    preview: { stage_id: won },
    base: { stage_id: incoming },
    version: 1,
    call: null,
    lastWriteStands: true,
    at: new Date().toISOString(),
    title: 'Move “Kept before” to Won',
    state: 'waiting',
    reason: null,
    code: null,
    conflicts: [],
    theirsAt: null,
    theirsBy: null,
  })
  outbox.close()

  browser.network.offline = true
  const reloadedTab = await browser.openTab()
  await vi.waitFor(() => expect(reloadedTab.openBrand(reloadedTab.device).get()?.loaded.get()).toBe(true), waitOptions)
  await vi.waitFor(() => expect(dataOf(reloadedTab).tables.deals.get(id)?.stage_id).toBe(won), waitOptions)
  expect(dataOf(reloadedTab).tables.deals.get(id)).not.toHaveProperty('owner_id')
  expect((await databaseVersions())[rowsOf(userId)]).toBe(rowsVersion)

  await goOnline({ browser, tab: reloadedTab })
  await untilSent(reloadedTab)
  await reloadedTab.requestPull(reloadedTab.device)
  expect(dataOf(reloadedTab).tables.deals.get(id)).toMatchObject({ name: 'Kept before', stage_id: won, version: 2 })
  expect(dataOf(reloadedTab).tables.deals.get(id)).toHaveProperty('owner_id')
  for (const stage of dataOf(reloadedTab).tables.deal_stages.values()) expect(stage.rev).toBeGreaterThan(0)
})

test('when another tab runs a newer version of the app, this tab asks for a reload, and refuses changes instead of losing them', async () => {
  const { tab, userId, browser } = acme
  const id = await makeDeal(tab)
  browser.network.offline = true
  tab.reachable(tab.device).set(false)
  expect(await tab.moveDeal(tab.device, id, stageOf(tab, 'Won').id)).toEqual({ status: 'queued', id })
  expect(isOutOfDate(tab.device)).toBe(false)
  for (const name of [rowsOf(userId), outboxOf(userId)]) await upgrade(name, 1000)
  expect(isOutOfDate(tab.device)).toBe(true)
  expect(await tab.moveDeal(tab.device, id, stageOf(tab, 'Lost').id)).toMatchObject({
    status: 'refused',
    message: 'This page is out of date. Reload it, then try again.',
  })

  // After a reload, the old version of the page does not read data of the newer version, and leaves it unchanged.
  const reloadedTab = await browser.openTab()
  expect((await reloadedTab.readSession(reloadedTab.device))?.userId).toBe(userId)
  await vi.waitFor(() => expect(isOutOfDate(reloadedTab.device)).toBe(true), waitOptions)
  await vi.waitFor(() => expect(reloadedTab.openBrand(reloadedTab.device).get()?.loaded.get()).toBe(true), waitOptions)
  expect(await reloadedTab.moveDeal(reloadedTab.device, id, stageOf(tab, 'Lost').id)).toMatchObject({
    status: 'refused',
  })
  expect(await databaseVersions()).toMatchObject({ [rowsOf(userId)]: 1000, [outboxOf(userId)]: 1000 })
  const outbox = new Dexie(outboxOf(userId), { indexedDB: acme.browser.indexedDB, IDBKeyRange })
  await outbox.open()
  expect(await outbox.table('operations').count()).toBe(1)
  outbox.close()
})

test('an upgrade from version 20 of the local database deletes lists that were stored by name, and keeps rows and cursor', async () => {
  const { tab, userId, brandId, browser } = acme
  const id = await makeDeal(tab, { name: 'Kept before' })
  await tab.requestPull(tab.device)
  const deal = dataOf(tab).tables.deals.serverRow(id) ?? expect.fail('no deal')
  const state = dataOf(tab).state.get()
  expect(state.cursor).not.toBeNull()
  tab.sessionState(tab.device).set({ ready: true, session: null })
  await new Dexie(rowsOf(userId), { indexedDB: acme.browser.indexedDB, IDBKeyRange }).delete()
  const rows = declareFirstRowsDatabase(userId)
  rows.version(2).stores({})
  await rows.table('deals').put(deal)
  await rows.table('states').put(state)
  await rows.table('lists').put({ brand_id: brandId, key: 'closing', ids: [id], total: 1 })
  rows.close()
  expect((await databaseVersions())[rowsOf(userId)]).toBe(20)

  browser.network.offline = true
  const reloadedTab = await browser.openTab()
  await vi.waitFor(() => expect(reloadedTab.openBrand(reloadedTab.device).get()?.loaded.get()).toBe(true), waitOptions)
  expect((await databaseVersions())[rowsOf(userId)]).toBe(rowsVersion)
  expect(dataOf(reloadedTab).tables.deals.serverRow(id)).toEqual(deal)
  expect(dataOf(reloadedTab).state.get()).toMatchObject({ cursor: state.cursor, epoch: state.epoch })
  expect(await localDatabase(reloadedTab.device, userId).getList(brandId, 'closing')).toBeUndefined()
})

test('an upgrade from version 45 of the local database puts the rows of each brand into buckets, and keeps the snapshot of the first screen', async () => {
  const { tab, userId, brandId, browser } = acme
  const id = await makeDeal(tab, { name: 'Kept before' })
  await tab.requestPull(tab.device)
  const data = dataOf(tab)
  const deal = data.tables.deals.serverRow(id) ?? expect.fail('no deal')
  const dealOfOtherBrand = { ...deal, brand_id: crypto.randomUUID() }
  const manyDeals = Array.from({ length: 600 }, (_, index) => ({
    ...deal,
    id: crypto.randomUUID(),
    name: `Deal ${index}`,
  }))
  tab.sessionState(tab.device).set({ ready: true, session: null })
  await new Dexie(rowsOf(userId), { indexedDB: acme.browser.indexedDB, IDBKeyRange }).delete()
  const rows = declareFirstRowsDatabase(userId)
  const addedTables = ['pipelines', 'tags', 'notes', 'deal_contacts', 'custom_fields']
  rows
    .version(4.5)
    .stores({ ...Object.fromEntries(addedTables.map((table) => [table, '[brand_id+id]'])), looks: 'brand_id' })
  await rows.table('deals').bulkPut([deal, dealOfOtherBrand, ...manyDeals])
  await rows.table('states').put(data.state.get())
  await rows.table('looks').put({ brand_id: brandId, writes: 7 })
  rows.close()
  expect((await databaseVersions())[rowsOf(userId)]).toBe(45)

  browser.network.offline = true
  const reloadedTab = await browser.openTab()
  await vi.waitFor(() => expect(reloadedTab.openBrand(reloadedTab.device).get()?.loaded.get()).toBe(true), waitOptions)
  expect((await databaseVersions())[rowsOf(userId)]).toBe(rowsVersion)
  const { deals } = dataOf(reloadedTab).tables
  expect([...deals.serverIds()].sort()).toEqual([id, ...manyDeals.map((row) => row.id)].sort())
  expect(deals.serverRow(id)).toEqual(deal)
  const database = localDatabase(reloadedTab.device, userId)
  expect(await database.getRows('deals', dealOfOtherBrand.brand_id, [id])).toEqual([dealOfOtherBrand])
  expect((await database.getLook(brandId))?.writes).toBe(7)
})

test('a table that is new to the app is fetched completely, and the cursor of the others stays', async () => {
  const { tab, browser } = acme
  const id = await makeDeal(tab)
  await tab.requestPull(tab.device)
  const data = dataOf(tab)
  const { cursor, tables } = data.state.get()
  const { deals: _, ...otherTables } = tables
  data.state.set({ ...data.state.get(), tables: otherTables })
  data.tables.deals.write([], [id])
  const requests: unknown[] = []
  browser.network.judge = (url, { body }) => {
    if (url.endsWith('/rpc/pull') && typeof body === 'string') requests.push(JSON.parse(body))
    return 'pass'
  }
  await tab.requestPull(tab.device)
  expect(data.tables.deals.get(id)).toMatchObject({ name: 'Data migration' })
  expect(data.state.get().tables.deals).toEqual({ mode: 'complete', complete: true })
  expect(requests[0]).toMatchObject({ p_cursor: null, p_tables: ['deals'] })
  expect(requests[1]).toMatchObject({ p_cursor: cursor })
})

test('an upgrade that fails leaves the local database at its version, with all its data', async () => {
  const { tab, userId } = acme
  const name = `banyan-notes-${userId}`
  const firstUpgrade = { version: 10, up: (database: IDBDatabase) => void database.createObjectStore('notes') }
  const before = new UserDatabase(tab.device, name, userId, [firstUpgrade], 'strict')
  await before.run('notes', 'readwrite', (transaction) => transaction.objectStore('notes').put('kept', 1))
  before.close()
  const brokenUpgrade: Upgrade = {
    version: 20,
    up: async (_, transaction) => {
      transaction.objectStore('notes').clear()
      throw new Error('This upgrade fails.')
    },
  }
  const errorSpy = vi.spyOn(console, 'error').mockImplementation(() => {})
  const broken = new UserDatabase(tab.device, name, userId, [firstUpgrade, brokenUpgrade], 'strict')
  await expect(broken.run('notes', 'readonly', () => Promise.resolve())).rejects.toThrow()
  expect(errorSpy).toHaveBeenCalledWith(expect.stringContaining('could not be upgraded'), expect.any(Error))
  errorSpy.mockRestore()
  expect((await databaseVersions())[name]).toBe(10)
  const reopened = new UserDatabase(tab.device, name, userId, [firstUpgrade], 'strict')
  expect(await reopened.run('notes', 'readonly', (transaction) => transaction.objectStore('notes').get(1))).toBe('kept')
  reopened.close()
})
