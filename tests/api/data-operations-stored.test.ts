import { isOutOfDate } from '#web/data/store/out-of-date.ts'
import { queueLine } from '#web/data/changes/queue-lines.ts'
import { syncStatus } from '#web/data/sync/sync-status.ts'
import { type IDBPDatabase, wrap } from 'idb'
import { expect, test, vi } from 'vitest'
import { goOnline, dataOf, goOffline, makeDeal, stageOf, untilSent, waitOptions } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme } from '../harness/acme-scene.ts'
import type { Tab } from '../harness/fake-browser.ts'

setUpAcme()

type Stored = Record<string, unknown> & { id: string; kind: string; seq: number }

/** Returns the operations as the outbox stores them. First stores the operations that `change` returns. */
async function storedOperations(change?: (operations: readonly Stored[]) => readonly object[]): Promise<Stored[]> {
  const database = await (wrap(acme.browser.indexedDB.open(`banyan-outbox-${acme.userId}`)) as Promise<IDBPDatabase>)
  const operationsBefore: Stored[] = await database.getAll('operations')
  for (const operation of change?.(operationsBefore) ?? []) await database.put('operations', operation)
  const operationsAfter: Stored[] = await database.getAll('operations')
  database.close()
  return operationsAfter
}

/** Reloads the page while the network is still lost. */
async function reload(): Promise<Tab> {
  const tab = await acme.browser.openTab()
  tab.reachable(tab.device).set(false)
  await vi.waitFor(() => expect(tab.openBrand(tab.device).get()?.loaded.get()).toBe(true), waitOptions)
  await vi.waitFor(() => expect(tab.queue(tab.device).get().isReady).toBe(true), waitOptions)
  return tab
}

const dealInDatabase = (id: string) => inDatabase('select name, stage_id, version from public.deals where id = $1', id)
const rename = (tab: Tab, id: string, name: string) => tab.updateRecord(tab.device, 'deals', id, { name })
const queueDeal = (tab: Tab) =>
  tab.createDeal(tab.device, { name: 'Data migration', amount: 100, stage_id: stageOf(tab, 'Incoming').id })

const commonFields =
  `at awaited base brandId call code conflicts icon id kind lastWriteStands preview reason rowId seq shape state table theirsAt theirsBy
  title userId values version`.split(/\s+/)

// If this test fails, the shape of operations has changed: add a function to `upgrades` in src/web/data/store/operation-shape.ts, with its test.
test('each kind of operation is stored in the shape with version 5', async () => {
  const { tab } = acme
  const [first, second] = [await makeDeal(tab), await makeDeal(tab)]
  goOffline(acme)
  await queueDeal(tab)
  await tab.addContact(tab.device, { email: 'zoe@acme.test', first_name: 'Zoe', last_name: null, company: null })
  await rename(tab, first, 'Renamed')
  await tab.updateRecords(tab.device, 'deals', [first, second], { owner_id: null })
  await tab.deleteRecords(tab.device, 'deals', [first, second])
  await tab.restoreRecords(tab.device, 'deals', [first, second])
  await rename(tab, first, 'Renamed again')
  tab.undoStep(tab.device)
  const eightOperations = await vi.waitFor(async () => {
    const operations = await storedOperations()
    expect(operations).toHaveLength(8)
    return operations
  })
  const extraFields = eightOperations.map((operation) => {
    const names = Object.keys(operation).filter((key) => !commonFields.includes(key))
    return [operation.kind, names.toSorted()]
  })
  expect(extraFields).toEqual([
    ['insert', []],
    ['call', []],
    ['update', []],
    ['update-all', ['bases', 'rowIds']],
    ['delete', ['bases', 'rowIds']],
    ['restore', ['restored', 'rowIds']],
    ['update', []],
    ['update', ['givesWay']],
  ])
  for (const operation of eightOperations) {
    expect(operation).toMatchObject({ shape: 5, state: 'waiting' })
    expect(Object.keys(operation)).toEqual(expect.arrayContaining(commonFields))
  }
})

test('operations without a version, which an older app stored, are sent by this version of the app, each once', async () => {
  const { tab } = acme
  const [renamedDealId, deletedDealId] = [await makeDeal(tab), await makeDeal(tab)]
  goOffline(acme)
  await rename(tab, renamedDealId, 'Kept before')
  await tab.deleteRecords(tab.device, 'deals', [deletedDealId])
  await storedOperations((operations) =>
    operations.map((operation) => {
      const { shape: _, ...unversioned } = operation
      return operation.kind === 'delete' ? { ...unversioned, tried: false } : unversioned
    }),
  )
  const reloadedTab = await reload()
  expect(dataOf(reloadedTab).tables.deals.get(renamedDealId)).toMatchObject({ name: 'Kept before' })
  expect(dataOf(reloadedTab).tables.deals.get(deletedDealId)).toBeUndefined()
  await goOnline({ browser: acme.browser, tab: reloadedTab })
  await untilSent(reloadedTab)
  expect(await dealInDatabase(renamedDealId)).toMatchObject([{ name: 'Kept before', version: 2 }])
  expect(await dealInDatabase(deletedDealId)).toEqual([])
})

test('an operation that a newer version of the app wrote stays as it is stored, and is not sent; the others are sent', async () => {
  const { tab, browser } = acme
  const [newerDealId, otherDealId] = [await makeDeal(tab), await makeDeal(tab)]
  goOffline(acme)
  await rename(tab, newerDealId, 'First')
  await rename(tab, newerDealId, 'Second')
  await rename(tab, otherDealId, 'Elsewhere')
  const newerShape = { shape: 6, kind: 'patch', patches: [{ op: 'replace', path: '/name', value: 'First' }] }
  const before = await storedOperations(([first]) => {
    const { values: _, preview: __, ...operation } = first ?? expect.fail('no operation')
    return [{ ...operation, ...newerShape }]
  })
  browser.network.log.length = 0

  const reloadedTab = await reload()
  expect(isOutOfDate(reloadedTab.device)).toBe(true)
  await goOnline({ browser, tab: reloadedTab })
  await vi.waitFor(
    async () => expect(await dealInDatabase(otherDealId)).toMatchObject([{ name: 'Elsewhere' }]),
    waitOptions,
  )
  await vi.waitFor(() => expect(reloadedTab.queue(reloadedTab.device).get().operations).toHaveLength(2), waitOptions)
  expect(await dealInDatabase(newerDealId)).toMatchObject([{ name: 'Data migration', version: 1 }])
  expect(await storedOperations()).toEqual(before.slice(0, 2))
  expect(browser.network.log.filter(({ key }) => key !== null).map(({ key }) => key)).toEqual([before[2]?.id])

  const { operations } = reloadedTab.queue(reloadedTab.device).get()
  expect(operations.map((operation) => queueLine(reloadedTab.device, operation, operations))).toMatchObject([
    {
      state: 'newer',
      title: before[0]?.title,
      reason: 'This page is out of date. Reload it, then try again.',
    },
    { state: 'waiting', reason: 'waits for the deal' },
  ])
  expect(syncStatus(reloadedTab.device).get()).toEqual({ state: 'attention', count: 1 })
  expect(await reloadedTab.countUnsent(reloadedTab.device)).toBe(2)

  // A person who cannot wait for the newer version discards the operation.
  await reloadedTab.discardOperation(reloadedTab.device, before[0]?.id ?? '')
  expect(await storedOperations()).toEqual([])
})

test('a response does not overwrite an operation that a newer version of the app wrote', async () => {
  const { tab, browser } = acme
  goOffline(acme)
  const addition = await tab.addContact(tab.device, {
    email: 'zoe@acme.test',
    first_name: 'Zoe',
    last_name: 'Ng',
    company: null,
  })
  if (addition.status === 'refused') return expect.fail(addition.message)
  // A colleague adds the same contact before this device is online again.
  const [existing] = await inDatabase<{ id: string }>(
    `insert into public.contacts (brand_id, email) values ($1, 'zoe@acme.test') returning id`,
    acme.brandId,
  )
  await tab.updateRecord(tab.device, 'contacts', addition.id, { title: 'Buyer' })
  const before = await storedOperations(([, later]) => [{ ...later, shape: 6, kind: 'patch' }])

  const reloadedTab = await reload()
  await goOnline({ browser, tab: reloadedTab })
  // The new contact became the existing one. Later operations get its id, except those of a newer shape, which this version may not write.
  await vi.waitFor(() => expect(reloadedTab.queue(reloadedTab.device).get().operations).toHaveLength(1), waitOptions)
  expect(dataOf(reloadedTab).tables.contacts.get(existing?.id ?? '')).toMatchObject({ last_name: 'Ng' })
  expect(await storedOperations()).toEqual(before.slice(1))
})
