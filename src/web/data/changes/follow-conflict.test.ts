import { expect, test, vi } from 'vitest'
import { acme, ana, bo, type LoneTab, openLoneTab, putRows, untilIdle } from '#tests/harness/lone-tab.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { addToQueue, queue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { followConflict } from './follow-conflict.ts'

const queuedIn = ({ device }: LoneTab) => queue(device).get().operations
const asked: Partial<Operation> = {
  userId: ana,
  brandId: acme,
  id: 'asked',
  rowId: 'roof',
  state: 'conflict',
  values: { amount: 3 },
  base: { amount: 1 },
  conflicts: [{ field: 'amount', base: 1, mine: 3, theirs: 6 }],
  version: 4,
  theirsAt: '2026-11-20T09:00:00Z',
  theirsBy: bo,
}

/** Opens a tab in which the user is asked about the amount of a deal. */
async function openAsked(parts: Partial<Operation> = {}): Promise<LoneTab> {
  const tab = await openLoneTab()
  putRows(tab.data, 'deals', { id: 'roof', amount: 6, version: 4 })
  await addToQueue(tab.device, testOperation({ ...asked, ...parts }))
  return tab
}

test('a question shows a colleague’s newer value, also one that arrived before the question was followed, but none that arrives after the end', async () => {
  const tab = await openAsked()
  const change = (amount: number, version: number) =>
    putRows(tab.data, 'deals', { id: 'roof', amount, version, updated_at: '2026-11-20T09:05:00Z', updated_by: ana })
  change(7, 5)
  const end = followConflict(tab.device, 'asked')
  await vi.waitFor(() => expect(queuedIn(tab)[0]?.version).toBe(5))
  expect(queuedIn(tab)).toMatchObject([
    {
      state: 'conflict',
      conflicts: [{ field: 'amount', base: 1, mine: 3, theirs: 7 }],
      theirsAt: '2026-11-20T09:05:00Z',
      theirsBy: ana,
    },
  ])
  change(8, 6)
  await vi.waitFor(() => expect(queuedIn(tab)[0]?.conflicts[0]?.theirs).toBe(8))
  end()
  change(9, 7)
  await untilIdle()
  expect(queuedIn(tab)[0]?.version).toBe(6)
})

test('a question still names who changed the field after a change of another field', async () => {
  const tab = await openAsked()
  followConflict(tab.device, 'asked')
  const { theirsBy, theirsAt } = asked
  putRows(tab.data, 'deals', { id: 'roof', name: 'Ruf', amount: 6, version: 5, updated_by: ana })
  await vi.waitFor(() => expect(queuedIn(tab)).toMatchObject([{ version: 5, theirsBy, theirsAt }]))
})

test('a question about a record that is deleted meanwhile becomes an edit of a deleted record', async () => {
  const tab = await openAsked()
  followConflict(tab.device, 'asked')
  tab.data.recentlyDeleted.set('roof', 4)
  tab.data.tables.deals.write([], ['roof'])
  await vi.waitFor(() => expect(queuedIn(tab)[0]?.state).toBe('deleted'))
  const reason = 'This record was deleted meanwhile.'
  expect(queuedIn(tab)).toMatchObject([{ reason, conflicts: [], theirsAt: null, theirsBy: null }])
})

test('a question without a conflict is closed, and the edit is sent', async () => {
  const tab = await openAsked()
  followConflict(tab.device, 'asked')
  putRows(tab.data, 'deals', { id: 'roof', amount: 1, version: 5 })
  await vi.waitFor(() => expect(queuedIn(tab)[0]).toMatchObject({ state: 'waiting', conflicts: [], version: 0 }))
  await vi.waitFor(() => expect(tab.network.lines).toContain('GET /rest/v1/deals'))
})

test('a question about a record that has not changed, or is not on this device, stays as it is; so does an operation without a question', async () => {
  const tab = await openAsked()
  followConflict(tab.device, 'asked')
  putRows(tab.data, 'deals', { id: 'wall', version: 9 })
  tab.data.tables.deals.write([], ['roof'])
  followConflict(tab.device, 'gone')()
  await untilIdle()
  expect(queuedIn(tab)).toMatchObject([asked])
  const refused = await openAsked({ state: 'failed' })
  followConflict(refused.device, 'asked')
  putRows(refused.data, 'deals', { id: 'roof', amount: 7, version: 5 })
  const elsewhere = await openAsked({ brandId: 'other' })
  followConflict(elsewhere.device, 'asked')
  putRows(elsewhere.data, 'deals', { id: 'roof', amount: 7, version: 5 })
  await untilIdle()
  expect([queuedIn(refused)[0]?.version, queuedIn(elsewhere)[0]?.version]).toEqual([4, 4])
})
