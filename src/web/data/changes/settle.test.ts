import { describe, expect, test } from 'vitest'
import { acme, ana, clockStart, bo, type LoneTab, openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { openTwoTabs } from '#tests/harness/two-tabs.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { addToQueue, queue } from '#web/data/store/queue.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { awaitOutcome } from './outcomes.ts'
import { settleOperation } from './settle.ts'

type Answer = Parameters<typeof settleOperation>[2]

const ofAna = { userId: ana, brandId: acme } as const
const edit = (parts: Partial<Operation>) =>
  testOperation({ ...ofAna, id: 'op', rowId: 'roof', values: { name: 'Mine' }, base: { name: 'Roof' }, ...parts })
const row = (id: string, parts: Record<string, unknown> = {}) => serverRow({ id, name: 'Mine', version: 4, ...parts })

/** Puts operations into the outbox and settles the first of them. Returns the outcome that the waiting screen gets. */
async function settleFirst(tab: LoneTab, answer: Answer, ...operations: Operation[]): Promise<Outcome | null> {
  for (const operation of operations) await addToQueue(tab.device, operation)
  const [first] = queue(tab.device).get().operations
  if (!first) throw new Error('nothing is queued')
  const outcome = awaitOutcome(tab.device, first.id, 1000)
  await settleOperation(tab.device, first, answer)
  tab.clock.advance(1000)
  return outcome
}

const queuedIn = ({ device }: LoneTab) => queue(device).get().operations
const rowOnDisk = async ({ device }: LoneTab, id: string) =>
  (await localDatabase(device, ana).getRows('deals', acme, [id]))[0]

describe('an edit that the server has applied', () => {
  const applied = (parts: Partial<Extract<Answer, { kind: 'settled' }>> = {}): Answer => ({
    kind: 'settled',
    rowId: 'roof',
    row: row('roof'),
    overtakenBy: null,
    ...parts,
  })

  test('an edit that the server has applied leaves the outbox, and its row is stored', async () => {
    const tab = await openLoneTab()
    expect(await settleFirst(tab, applied(), edit({}))).toEqual({ status: 'saved', id: 'roof' })
    expect(queuedIn(tab)).toEqual([])
    expect(tab.data.tables.deals.serverRow('roof')).toEqual(row('roof'))
    expect(await rowOnDisk(tab, 'roof')).toEqual(row('roof'))
  })

  test('an edit that the server has applied is announced to the other tabs', async () => {
    const { first, second } = await openTwoTabs()
    const received: unknown[] = []
    onTabMessage(second.device, (message) => message.type === 'settled' && received.push(message))
    await settleFirst(first, applied(), edit({}))
    expect(received).toEqual([
      { type: 'settled', userId: ana, operationId: 'op', outcome: { status: 'saved', id: 'roof' } },
    ])
  })

  test('an edit that the server has applied gives the next edit of the row the new version; edits of other rows do not change', async () => {
    const tab = await openLoneTab()
    const next = edit({ id: 'next', values: { amount: 5 }, base: { amount: undefined }, version: 3 })
    await settleFirst(tab, applied(), edit({}), next, edit({ id: 'other', rowId: 'wall' }))
    expect(queuedIn(tab)).toMatchObject([
      { id: 'next', version: 4 },
      { id: 'other', version: 3 },
    ])
  })

  test('an applied edit whose row was deleted since does not change later operations', async () => {
    const tab = await openLoneTab()
    await settleFirst(tab, applied({ row: undefined }), edit({}), edit({ id: 'next' }))
    expect(queuedIn(tab)).toMatchObject([{ id: 'next', version: 3, rowId: 'roof' }])
  })

  test('an edit that gave way to a colleague counts as not written, so a later undo does not overwrite the colleague’s value', async () => {
    const theirs = row('roof', { name: 'Theirs', version: 6 })
    const undo = edit({ id: 'undo', values: { name: 'Roof' }, base: { name: 'Mine' }, version: 3, givesWay: true })
    const tab = await openLoneTab()
    await settleFirst(tab, applied({ row: theirs, overtakenBy: theirs }), edit({}), undo)
    expect(queuedIn(tab)).toMatchObject([{ id: 'undo', version: 0, base: { name: 'Mine' } }])
    const other = await openLoneTab()
    await settleFirst(other, applied({ row: theirs }), edit({}), undo)
    expect(queuedIn(other)).toMatchObject([{ id: 'undo', version: 6, base: { name: 'Theirs' } }])
  })
})

describe('a new record that already exists on the server', () => {
  const mergedAnswer: Answer = { kind: 'settled', rowId: 'known', row: row('known'), overtakenBy: null }
  const creation = edit({ kind: 'call', values: {}, base: {}, preview: { name: 'Mine' } })

  test('a new record that already exists on the server gives its id there to all later operations', async () => {
    const tab = await openLoneTab()
    const outcome = await settleFirst(
      tab,
      mergedAnswer,
      creation,
      edit({ id: 'edit', values: { amount: 5 }, base: { amount: undefined }, version: 0 }),
      edit({ id: 'link', table: 'tasks', rowId: 'call', values: { deal_id: 'roof' } }),
      edit({ id: 'other', rowId: 'wall' }),
    )
    expect(outcome).toEqual({ status: 'saved', id: 'known' })
    expect(queuedIn(tab)).toMatchObject([
      { id: 'edit', rowId: 'known', version: 4 },
      { id: 'link', rowId: 'call', values: { deal_id: 'known' } },
      { id: 'other', rowId: 'wall' },
    ])
  })

  test('a new record that already exists on the server is not deleted by a later delete or undo; a later restore of it is dropped, too', async () => {
    const tab = await openLoneTab()
    const deletion = { kind: 'delete', rowIds: ['roof'], values: {} } as const
    await settleFirst(
      tab,
      mergedAnswer,
      creation,
      edit({ id: 'undo', ...deletion, givesWay: true }),
      edit({ id: 'delete', ...deletion }),
      edit({ id: 'restore', kind: 'restore', rowIds: ['roof'], values: {} }),
      edit({ id: 'delete two', ...deletion, rowIds: ['roof', 'wall'] }),
      edit({ id: 'edit', givesWay: true }),
    )
    expect(queuedIn(tab)).toMatchObject([
      { id: 'delete two', rowId: 'wall', rowIds: ['wall'] },
      { id: 'edit', rowId: 'known' },
    ])
  })

  test('the undo of a new record is sent if the record did not exist before', async () => {
    const tab = await openLoneTab()
    const undo = edit({ id: 'undo', kind: 'delete', rowIds: ['roof'], givesWay: true })
    await settleFirst(tab, { ...mergedAnswer, rowId: 'roof' }, creation, undo)
    expect(queuedIn(tab)).toMatchObject([{ id: 'undo', rowIds: ['roof'] }])
  })
})

describe('an edit that was not applied', () => {
  test('an edit that was not applied is rebased, and stored to be sent again', async () => {
    const tab = await openLoneTab()
    await addToQueue(tab.device, edit({}))
    const [queued = edit({})] = queuedIn(tab)
    await settleOperation(tab.device, queued, { kind: 'resend', operation: { ...queued, version: 9 } })
    expect(queuedIn(tab)).toMatchObject([{ id: 'op', version: 9, state: 'waiting' }])
  })

  test('an edit in conflict waits for the user’s decision, and the screen shows the other person’s value meanwhile', async () => {
    const tab = await openLoneTab()
    putRows(tab.data, 'deals', { id: 'roof', name: 'Roof' })
    const conflicts = [{ field: 'name', base: 'Roof', mine: 'Mine', theirs: 'Theirs' }]
    const theirs = row('roof', { name: 'Theirs' })
    const byBo = { theirsBy: bo, theirsAt: clockStart }
    const outcome = await settleFirst(tab, { kind: 'conflict', conflicts, row: theirs, ...byBo }, edit({}))
    expect(outcome).toEqual({ status: 'queued', id: 'roof' })
    expect(queuedIn(tab)).toMatchObject([{ state: 'conflict', conflicts, version: 4, ...byBo }])
    expect(tab.data.tables.deals.get('roof')?.name).toBe('Theirs')
  })

  test('an edit of a deleted record needs attention, and the record leaves the screen', async () => {
    const tab = await openLoneTab()
    putRows(tab.data, 'deals', { id: 'roof', name: 'Roof' }, { id: 'wall' })
    const deleted = new Map([['roof', 3]])
    const outcome = await settleFirst(tab, { kind: 'deleted-elsewhere', deleted, by: bo, at: clockStart }, edit({}))
    const message = 'This record was deleted meanwhile.'
    expect(outcome).toEqual({ status: 'refused', message, code: null })
    expect(queuedIn(tab)).toMatchObject([{ state: 'deleted', reason: message, theirsBy: bo, theirsAt: clockStart }])
    expect([...tab.data.tables.deals.values()].map(({ id }) => id)).toEqual(['wall'])
  })

  test('an edit that was refused needs attention, with the message of the server', async () => {
    const tab = await openLoneTab()
    const outcome = await settleFirst(tab, { kind: 'refused', message: 'Too large', code: '23514' }, edit({}))
    expect(outcome).toEqual({ status: 'refused', message: 'Too large', code: '23514' })
    expect(queuedIn(tab)).toMatchObject([{ state: 'failed', reason: 'Too large', code: '23514' }])
  })
})

describe('an edit of many rows', () => {
  const editOfMany = edit({ kind: 'update-all', rowIds: ['roof', 'wall'], bases: {} })
  const changed = (parts: Partial<Extract<Answer, { kind: 'changed' }>> = {}): Answer => ({
    kind: 'changed',
    rows: [row('roof'), row('wall')],
    deleted: new Map(),
    overtakenBy: [],
    deletedBy: null,
    deletedAt: null,
    ...parts,
  })

  test('an edit of many rows leaves the outbox, its rows are stored, and the next edit of each row gets the new version', async () => {
    const tab = await openLoneTab()
    const next = edit({ id: 'next', rowId: 'wall', values: { amount: 5 }, base: { amount: undefined } })
    expect(await settleFirst(tab, changed(), editOfMany, next)).toEqual({ status: 'saved', id: 'roof' })
    expect(queuedIn(tab)).toMatchObject([{ id: 'next', version: 4 }])
    expect(await rowOnDisk(tab, 'wall')).toEqual(row('wall'))
  })

  test('an edit of many rows counts as written by this user, even if the server stored another value', async () => {
    const tab = await openLoneTab()
    const next = edit({ id: 'next', rowId: 'wall', values: { name: 'Wall' }, base: { name: ' Mine ' } })
    await settleFirst(tab, changed(), { ...editOfMany, values: { name: ' Mine ' } }, next)
    expect(queuedIn(tab)).toMatchObject([{ id: 'next', version: 4, base: { name: 'Mine' } }])
  })

  test('an edit of many rows counts as not written in a row that a colleague changed later', async () => {
    const theirs = row('wall', { name: 'Theirs', version: 6 })
    const undo = edit({ id: 'undo', rowId: 'wall', values: { name: 'Roof' }, base: { name: 'Mine' }, version: 3 })
    const tab = await openLoneTab()
    await settleFirst(tab, changed({ rows: [row('roof'), theirs], overtakenBy: [theirs] }), editOfMany, undo)
    expect(queuedIn(tab)).toMatchObject([{ id: 'undo', version: 0, base: { name: 'Mine' } }])
  })

  test('an edit of many rows whose answer was lost counts as written only in rows that still have its values', async () => {
    const theirs = row('wall', { name: 'Theirs', version: 6 })
    const next = edit({ id: 'next', rowId: 'wall', values: { name: 'Third' }, base: { name: 'Mine' }, version: 6 })
    const tab = await openLoneTab()
    await settleFirst(tab, changed({ rows: [row('roof'), theirs], wasReadLater: true }), editOfMany, next)
    expect(queuedIn(tab)).toMatchObject([{ id: 'next', version: 0, base: { name: 'Mine' } }])
  })

  test('an edit of many rows needs attention only for the rows that were deleted', async () => {
    const tab = await openLoneTab()
    putRows(tab.data, 'deals', { id: 'roof' }, { id: 'wall' })
    const next = edit({ id: 'next', values: { amount: 5 }, base: { amount: undefined } })
    const outcome = await settleFirst(
      tab,
      changed({ rows: [row('roof')], deleted: new Map([['wall', 3]]), deletedBy: bo, deletedAt: clockStart }),
      editOfMany,
      next,
    )
    expect(outcome).toEqual({ status: 'refused', message: 'This record was deleted meanwhile.', code: null })
    expect(queuedIn(tab)).toMatchObject([
      { id: 'op', rowId: 'wall', rowIds: ['wall'], state: 'deleted', theirsBy: bo, theirsAt: clockStart },
      { id: 'next', version: 4 },
    ])
    expect(tab.data.tables.deals.get('wall')).toBeUndefined()
  })
})

test('an undo that deletes new records is settled if a colleague has changed one and deleted the other', async () => {
  const tab = await openLoneTab()
  putRows(tab.data, 'deals', { id: 'roof' }, { id: 'wall' })
  const undo = edit({ kind: 'delete', rowIds: ['roof', 'wall'], values: {}, givesWay: true })
  const theirs = row('roof', { name: 'Theirs' })
  const noDeletion = { deletedBy: null, deletedAt: null }
  const deleted = new Map([['wall', 3]])
  const changed = { kind: 'changed', rows: [theirs], deleted, overtakenBy: [theirs], ...noDeletion } as const
  const outcome = await settleFirst(tab, changed, undo)
  expect(outcome).toEqual({ status: 'saved', id: 'roof' })
  expect(queuedIn(tab)).toEqual([])
  expect([...tab.data.tables.deals.values()].map(({ id, name }) => [id, name])).toEqual([['roof', 'Theirs']])
})

describe('the next task of a series', () => {
  const readRequest = 'GET /rest/v1/tasks'
  const also = { next: serverRow({ id: 'next' }) }
  const completion = edit({ table: 'tasks', rowId: 'call', values: { status: 'done' }, also })
  const callRow = serverRow({ id: 'call', version: 4 })

  async function countReads(answer: Answer, operation: Operation): Promise<number> {
    const tab = await openLoneTab()
    tab.network.on(readRequest, () => ({ body: [serverRow({ id: 'next', version: 1 })] }))
    await settleFirst(tab, answer, operation)
    expect(tab.data.tables.tasks.serverRow('next')?.version).toBe(
      tab.network.of(readRequest).length === 0 ? undefined : 1,
    )
    return tab.network.of(readRequest).length
  }

  test('the next task of a series is read when the edit that creates it is settled, if the server has applied the edit', async () => {
    const applied: Answer = { kind: 'settled', rowId: 'call', row: callRow, overtakenBy: null }
    const noDeletion = { deletedBy: null, deletedAt: null }
    const changed: Answer = { kind: 'changed', rows: [callRow], deleted: new Map(), overtakenBy: [], ...noDeletion }
    const { also: _, ...withoutSeries } = completion
    expect(await countReads(applied, completion)).toBe(1)
    expect(await countReads(changed, { ...completion, kind: 'update-all' })).toBe(1)
    expect(await countReads(applied, withoutSeries)).toBe(0)
    expect(await countReads({ kind: 'refused', message: 'no', code: null }, completion)).toBe(0)
  })
})

describe('a delete', () => {
  const deletion = edit({ kind: 'delete', rowIds: ['roof', 'wall'], values: {} })

  const removed = (deleted: Record<string, number | undefined>): Answer => ({
    kind: 'deleted-here',
    rows: [],
    deleted: new Map(Object.entries(deleted)),
    changedBefore: [],
  })

  test('a delete removes the rows, and an older answer cannot bring them back', async () => {
    const tab = await openLoneTab()
    putRows(tab.data, 'deals', { id: 'roof', version: 4 }, { id: 'door' })
    expect(await settleFirst(tab, removed({ roof: 6, wall: 0 }), deletion)).toEqual({ status: 'saved', id: 'roof' })
    expect(queuedIn(tab)).toEqual([])
    expect([...tab.data.tables.deals.values()].map(({ id }) => id)).toEqual(['door'])
    expect([...tab.data.recentlyDeleted]).toEqual([
      ['roof', 6],
      ['wall', 0],
    ])
  })

  test('a row that was restored and pulled before the answer to its delete arrives stays, also on the disk', async () => {
    const tab = await openLoneTab()
    const [roof, wall] = [row('roof', { version: 7 }), row('wall', { version: 5 })]
    await storeRows(tab.device, { userId: ana, brandId: acme, table: 'deals', rows: [roof, wall] })
    await settleFirst(tab, removed({ roof: 6, wall: 5 }), deletion)
    expect([...tab.data.tables.deals.serverIds()]).toEqual(['roof'])
    expect(await storedIn(tab)).toEqual([roof, undefined])
    expect([...tab.data.recentlyDeleted]).toEqual([['wall', 5]])
  })

  test('a row whose deleted version is not known is removed in any version', async () => {
    const tab = await openLoneTab()
    putRows(tab.data, 'deals', { id: 'roof', version: 7 })
    await settleFirst(tab, removed({ roof: undefined }), deletion)
    expect([...tab.data.tables.deals.serverIds()]).toEqual([])
  })

  test('a delete in another brand does not change the open brand, and leaves restored rows of that brand on the disk', async () => {
    const tab = await openLoneTab()
    const [roof, wall] = [row('roof', { version: 7, brand_id: 'other' }), row('wall', { brand_id: 'other' })]
    await storeRows(tab.device, { userId: ana, brandId: 'other', table: 'deals', rows: [roof, wall] })
    await settleFirst(tab, removed({ roof: 6, wall: 5 }), { ...deletion, brandId: 'other' })
    expect(await storedIn(tab, 'other')).toEqual([roof, undefined])
    expect([...tab.data.recentlyDeleted]).toEqual([])
    expect(queuedIn(tab)).toEqual([])
  })

  function storedIn({ device }: LoneTab, brandId = acme): Promise<(AnyRow | undefined)[]> {
    return localDatabase(device, ana).getRows('deals', brandId, ['roof', 'wall'])
  }
})

describe('an undo of a delete', () => {
  const undo = edit({ kind: 'restore', rowIds: ['roof', 'wall'], values: {} })

  test('an undo of a delete restores the rows in a version that is newer than their deletion', async () => {
    const tab = await openLoneTab()
    tab.data.recentlyDeleted.set('roof', 3)
    const next = edit({ id: 'next', values: { amount: 5 }, base: { amount: undefined } })
    const outcome = await settleFirst(tab, { kind: 'restored', rows: [row('roof'), row('wall')] }, undo, next)
    expect(outcome).toEqual({ status: 'saved', id: 'roof' })
    expect(queuedIn(tab)).toMatchObject([{ id: 'next', version: 4 }])
    expect(tab.data.tables.deals.get('wall')).toEqual(row('wall'))
    expect([...tab.data.recentlyDeleted]).toEqual([])
  })

  test('an undo of a delete needs attention for rows that cannot be restored', async () => {
    const tab = await openLoneTab()
    const message = '1 of 2 deals could not be brought back: it was deleted too long ago.'
    const next = edit({ id: 'next', values: { amount: 5 }, base: { amount: undefined } })
    const outcome = await settleFirst(tab, { kind: 'restored', rows: [row('roof')] }, { ...undo, code: 'x' }, next)
    expect(outcome).toEqual({ status: 'refused', message, code: null })
    expect(queuedIn(tab)).toMatchObject([
      { id: 'op', rowId: 'wall', rowIds: ['wall'], state: 'failed', reason: message, code: null },
      { id: 'next', version: 4 },
    ])
  })

  test('an undo of a delete sends the edits that wait because their records were deleted; an edit of a record that is still deleted waits on', async () => {
    const tab = await openLoneTab()
    const stuck = {
      state: 'deleted',
      reason: 'x',
      theirsAt: '2026-11-20T09:00:00Z',
      theirsBy: bo,
      kind: 'update-all',
    } as const
    const operations = [
      undo,
      edit({ ...stuck, id: 'of roof', kind: 'update', values: { amount: 5 } }),
      edit({ ...stuck, id: 'of both', rowIds: ['roof', 'wall'] }),
      edit({ ...stuck, id: 'of door too', rowIds: ['roof', 'door'] }),
      edit({ ...stuck, id: 'of a contact', table: 'contacts' }),
      edit({ ...stuck, id: 'in conflict', state: 'conflict' }),
    ]
    await settleFirst(tab, { kind: 'restored', rows: [row('roof'), row('wall')] }, ...operations)
    const sent = { state: 'waiting', reason: null, theirsAt: null, theirsBy: null, version: 0 }
    const newKey = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(queuedIn(tab)).toMatchObject([
      { ...sent, id: newKey, values: { amount: 5 } },
      { ...sent, id: newKey, rowIds: ['roof', 'wall'] },
      { id: 'of door too', state: 'deleted', reason: 'x', theirsBy: bo },
      { id: 'of a contact', state: 'deleted' },
      { id: 'in conflict', state: 'conflict' },
    ])
  })
})
