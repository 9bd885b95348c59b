import { expect, test } from 'vitest'
import { acme, type LoneTab, openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { reachable } from '#web/data/server/network.ts'
import { sessionState } from '#web/data/session/session.ts'
import { queue } from '#web/data/store/queue.ts'
import { deletedRow, deleteRecords, restoreRecords } from './delete-records.ts'

async function openOffline(): Promise<LoneTab> {
  const tab = await openLoneTab()
  reachable(tab.device).set(false)
  putRows(tab.data, 'deals', { id: 'roof', name: 'Roof' }, { id: 'wall', name: 'Wall' })
  return tab
}

const queuedIn = ({ device }: LoneTab) => queue(device).get().operations
const shownIdsIn = ({ data }: LoneTab) => [...data.tables.deals.values()].map(({ id }) => id)

test('deleted records leave the screen at once, and an undo of the delete shows them again at once, as they were', async () => {
  const tab = await openOffline()
  void deleteRecords(tab.device, 'deals', ['roof', 'wall', 'gone'])
  expect(shownIdsIn(tab)).toEqual([])
  void restoreRecords(tab.device, 'deals', ['roof', 'gone'])
  expect(shownIdsIn(tab)).toEqual(['roof'])
  expect(queuedIn(tab)).toMatchObject([
    { kind: 'delete', title: 'Delete 3 deals', rowIds: ['roof', 'wall', 'gone'] },
    { kind: 'restore', title: 'Bring back 2 deals', rowIds: ['roof', 'gone'], restored: { roof: { name: 'Roof' } } },
  ])
  expect(queuedIn(tab)[0]?.givesWay).toBeUndefined()
  expect(Object.keys(queuedIn(tab)[1]?.restored ?? {})).toEqual(['roof'])
})

test('a record that a colleague deleted is shown again at once when it is restored, if it was on this device', async () => {
  const tab = await openOffline()
  tab.data.tables.deals.write([], ['roof'])
  await restoreRecords(tab.device, 'deals', ['roof'])
  expect(shownIdsIn(tab)).toEqual(['wall', 'roof'])
  expect(queuedIn(tab)).toMatchObject([{ title: 'Bring back “Roof”', restored: { roof: { name: 'Roof' } } }])
})

test('a delete that undoes a creation gives way to a colleague’s change', async () => {
  const tab = await openOffline()
  await deleteRecords(tab.device, 'deals', ['roof'], true)
  expect(queuedIn(tab)).toMatchObject([{ givesWay: true, title: 'Delete “Roof”' }])
})

test('a delete of more records than fit into a request becomes several operations', async () => {
  const tab = await openOffline()
  const ids = Array.from({ length: 101 }, (_, index) => `deal ${index}`)
  expect(await deleteRecords(tab.device, 'deals', ids)).toEqual({ status: 'queued', id: 'deal 0' })
  await restoreRecords(tab.device, 'deals', ids)
  expect(queuedIn(tab).map(({ rowIds }) => rowIds?.length)).toEqual([100, 1, 100, 1])
})

test('records are restored in the brand that they were deleted from', async () => {
  const tab = await openOffline()
  putRows(tab.data, 'deals', { id: 'other', brand_id: 'other' })
  await deleteRecords(tab.device, 'deals', ['other'])
  await restoreRecords(tab.device, 'deals', ['unknown', 'other'])
  await restoreRecords(tab.device, 'deals', ['unknown'])
  expect(queuedIn(tab).map(({ brandId }) => brandId)).toEqual([acme, 'other', acme])
})

test('the last 5,000 deleted records of the tab are remembered, until the person signs out', async () => {
  const tab = await openOffline()
  const ids = Array.from({ length: 5001 }, (_, index) => `deal ${index}`)
  tab.data.tables.deals.write([])
  putRows(tab.data, 'deals', ...ids.map((id) => serverRow({ id })))
  const deleting = deleteRecords(tab.device, 'deals', ids)
  expect([0, 1, 5000].map((index) => deletedRow(tab.device, `deal ${index}`)?.id)).toEqual([
    undefined,
    'deal 1',
    'deal 5000',
  ])
  await deleting
  sessionState(tab.device).set({ ...sessionState(tab.device).get() })
  expect(deletedRow(tab.device, 'deal 1')).toBeDefined()
  sessionState(tab.device).set({ ready: true, session: null })
  expect(deletedRow(tab.device, 'deal 1')).toBeUndefined()
})
