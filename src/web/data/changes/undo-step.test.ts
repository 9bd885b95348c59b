import { describe, expect, test } from 'vitest'
import { acme, ana, clockStart, bo, type LoneTab, openAgain, openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { reachable } from '#web/data/server/network.ts'
import { queue, updateQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { recordServerStep } from './server-steps.ts'
import { deleteRecords } from './delete-records.ts'
import { insert, updateAll } from './mutate.ts'
import { runInStep, type Step, stepsOf } from './steps.ts'
import { redoStep, undoStep } from './undo-step.ts'
import { updateRecord, updateRecords } from './update-record.ts'

/** Opens a tab that is offline: edits and undos are visible in the outbox and on screen. */
async function openOffline(): Promise<LoneTab> {
  const tab = await openLoneTab({ windowed: ['contacts'] })
  reachable(tab.device).set(false)
  const mine = { updated_by: ana, owner_id: null, tag_ids: [] }
  putRows(
    tab.data,
    'deals',
    { id: 'roof', name: 'Roof', amount: 1, ...mine },
    { id: 'wall', name: 'Wall', amount: 2, ...mine },
  )
  putRows(tab.data, 'deal_stages', { id: 'won', kind: 'won', name: 'Won' })
  putRows(tab.data, 'memberships', { id: bo, display_name: 'Bo' })
  return tab
}

const queuedIn = ({ device }: LoneTab) => queue(device).get().operations
const lastIn = (tab: LoneTab) => queuedIn(tab).at(-1)
const deal = ({ data }: LoneTab, id = 'roof') => data.tables.deals.get(id)
/** Ends the current step, so that the next action is another step. */
const pause = () => Promise.resolve()

describe('undo and redo', () => {
  test('undo and redo revert edits, the last one first, and make them again', async () => {
    const tab = await openOffline()
    void updateRecord(tab.device, 'deals', 'roof', { amount: 5 })
    await pause()
    void updateRecord(tab.device, 'deals', 'roof', { name: 'Ruf' })
    const undone = undoStep(tab.device)
    expect(undone).toMatchObject({ verb: 'Undid', words: 'Roof renamed to Ruf', skipped: [] })
    expect(await undone?.outcome).toEqual({ status: 'queued', id: 'roof' })
    expect(lastIn(tab)).toMatchObject({
      kind: 'update',
      values: { name: 'Roof' },
      base: { name: 'Ruf' },
      givesWay: true,
    })
    expect(undoStep(tab.device)?.words).toBe('Amount of Roof changed')
    expect(deal(tab)).toMatchObject({ name: 'Roof', amount: 1 })
    expect(undoStep(tab.device)).toBeNull()
    expect(redoStep(tab.device)).toMatchObject({ verb: 'Redid', words: 'Amount of Roof changed' })
    expect(redoStep(tab.device)?.words).toBe('Roof renamed to Ruf')
    expect(deal(tab)).toMatchObject({ name: 'Ruf', amount: 5 })
    expect(redoStep(tab.device)).toBeNull()
    expect(undoStep(tab.device)?.words).toBe('Roof renamed to Ruf')
  })

  test('an undo reverts a given step once, and does nothing for a step that is gone; a redo redoes a given step', async () => {
    const tab = await openOffline()
    void updateRecord(tab.device, 'deals', 'roof', { amount: 5 })
    await pause()
    void updateRecord(tab.device, 'deals', 'roof', { name: 'Ruf' })
    const [first] = stepsOf(tab.data).done
    const undone = undoStep(tab.device, first)
    expect(undone?.words).toBe('Amount of Ruf changed')
    expect(undoStep(tab.device, first)).toBeNull()
    expect(stepsOf(tab.data).done).toHaveLength(1)
    expect(undone?.opposite).toBe(stepsOf(tab.data).undone[0])
    expect(redoStep(tab.device, undone?.opposite ?? undefined)?.words).toBe('Amount of Ruf changed')
  })

  test('an undo drops a refused step, and keeps an action of the server', async () => {
    const tab = await openLoneTab()
    putRows(tab.data, 'deals', { id: 'roof', name: 'Roof', amount: 1 })
    tab.network.on('PATCH /rest/v1/deals', () => refusalResponse(400, '23514'))
    recordServerStep(tab.device, 'import', () => {})
    await updateRecord(tab.device, 'deals', 'roof', { amount: 5 })
    expect(stepsOf(tab.data).done).toHaveLength(2)
    const [askingStep] = stepsOf(tab.data).done
    undoStep(tab.device, { operations: [] })
    expect(stepsOf(tab.data).done).toEqual([askingStep])
  })

  test('undo and redo do nothing without an open brand', async () => {
    const tab = await openOffline()
    void updateRecord(tab.device, 'deals', 'roof', { amount: 5 })
    await pause()
    void updateRecord(tab.device, 'deals', 'roof', { name: 'Ruf' })
    expect(undoStep(tab.device)).not.toBeNull()
    tab.data.close()
    expect(undoStep(tab.device)).toBeNull()
    expect(redoStep(tab.device)).toBeNull()
  })
})

describe('the words of a redo', () => {
  /** Empties the outbox, as if the server had applied all operations, and shows these rows of the server. */
  const settleAll = async (tab: LoneTab, ...rows: Parameters<typeof putRows>[2][]) => {
    const endedIds = queuedIn(tab).map(({ id }) => id)
    await updateQueue(tab.device, ana, endedIds, [])
    putRows(tab.data, 'deals', ...rows)
  }
  const byBo = { version: 9, updated_by: bo, updated_at: '2030-01-01T00:00:00Z' }

  test('a redo counts only the records that the undo before it has changed; so does the next undo', async () => {
    const tab = await openOffline()
    putRows(tab.data, 'deals', { id: 'door', name: 'Door', stage_id: 'new' })
    await updateRecords(tab.device, 'deals', ['roof', 'wall', 'door'], { stage_id: 'won' })
    const moved = { stage_id: 'won', version: 2, updated_by: ana }
    const [roof, wall] = [
      { id: 'roof', name: 'Roof', ...moved },
      { id: 'wall', name: 'Wall', ...moved },
    ]
    await settleAll(tab, roof, wall, { id: 'door', name: 'Door', stage_id: 'lost', ...byBo })
    expect(undoStep(tab.device)).toMatchObject({
      words: '3 deals moved to Won',
      skipped: [{ words: 'The stage of Door was changed since' }],
    })
    expect(redoStep(tab.device)).toMatchObject({ words: '2 deals moved to Won', skipped: [] })
    await settleAll(tab, roof, { id: 'wall', name: 'Wall', stage_id: 'lost', ...byBo })
    expect(undoStep(tab.device)).toMatchObject({ words: '2 deals moved to Won', skipped: [{ rowId: 'wall' }] })
    expect(redoStep(tab.device)?.words).toBe('Roof moved to Won')
  })

  test('a redo names only the fields that the undo before it has changed', async () => {
    const tab = await openOffline()
    await updateRecord(tab.device, 'deals', 'roof', { amount: 5, name: 'Ruf' })
    await settleAll(tab, { id: 'roof', name: 'Theirs', amount: 5, ...byBo })
    expect(undoStep(tab.device)?.words).toBe('Theirs edited')
    expect(redoStep(tab.device)?.words).toBe('Amount of Theirs changed')
  })

  test('a redo of new or deleted records counts only those that the undo before it has deleted or restored', async () => {
    const tab = await openOffline()
    const newDeal = { table: 'deals', title: 'x', icon: 'deal', preview: {} } as const
    void insert(tab.device, { ...newDeal, rowId: 'new', values: { name: 'New' } })
    void insert(tab.device, { ...newDeal, rowId: 'next', values: { name: 'Next' } })
    await updateRecord(tab.device, 'deals', 'next', { amount: 5 })
    const next = { id: 'next', name: 'Next', amount: 5, version: 2, updated_by: ana }
    await settleAll(tab, { id: 'new', name: 'New', ...byBo }, next)
    expect(undoStep(tab.device)).toMatchObject({ words: '2 deals created', skipped: [{ rowId: 'new' }] })
    expect(redoStep(tab.device)?.words).toBe('Next created')
    await deleteRecords(tab.device, 'deals', ['roof', 'wall'])
    undoStep(tab.device)
    expect(redoStep(tab.device)?.words).toBe('2 deals deleted')
  })
})

describe('an undo gives way', () => {
  test('an undo gives way to a colleague: the colleague’s field stays and is reported, the others are undone', async () => {
    const tab = await openOffline()
    const money = { amount: 1, amount_currency: 'GBP' }
    putRows(tab.data, 'deals', { id: 'roof', name: 'Roof', ...money, version: 2, updated_by: ana })
    await updateRecord(tab.device, 'deals', 'roof', { amount: 5, name: 'Ruf' })
    const step = stepsOf(tab.data).done.at(-1)
    stepsOf(tab.data).done = step ? [step] : []
    putRows(tab.data, 'deals', { id: 'roof', name: 'Theirs', ...money, amount: 5, version: 3, updated_by: bo })
    tab.data.tables.deals.setOperations(new Map())
    const undone = undoStep(tab.device)
    expect(undone?.skipped).toEqual([{ rowId: 'roof', words: 'The name of Theirs was changed since' }])
    expect(lastIn(tab)?.values).toEqual(money)
  })

  test('an undo does nothing if all fields were changed since, and nothing can be redone', async () => {
    const tab = await openOffline()
    await updateRecord(tab.device, 'deals', 'roof', { name: 'Ruf' })
    putRows(tab.data, 'deals', { id: 'roof', name: 'Theirs', version: 3, updated_by: bo })
    tab.data.tables.deals.setOperations(new Map())
    const undone = undoStep(tab.device)
    expect(undone).toMatchObject({ opposite: null, skipped: [{ rowId: 'roof' }] })
    expect(await undone?.outcome).toEqual({ status: 'saved', id: '' })
    expect(queuedIn(tab)).toHaveLength(1)
    expect(stepsOf(tab.data)).toMatchObject({ done: [], undone: [] })
  })
})

describe('an undo of new records', () => {
  const newDeal = {
    table: 'deals',
    rowId: 'new',
    title: 'x',
    icon: 'deal',
    values: { name: 'New' },
    preview: {},
  } as const

  test('an undo of new records deletes them, and reverts only the edits of other records by the same action', async () => {
    const tab = await openOffline()
    void insert(tab.device, newDeal)
    void updateRecord(tab.device, 'deals', 'new', { amount: 5 })
    void updateRecord(tab.device, 'deals', 'roof', { amount: 5 })
    expect(undoStep(tab.device)?.skipped).toEqual([])
    expect(queuedIn(tab).slice(3)).toMatchObject([
      { kind: 'update', rowId: 'roof', values: { amount: 1 } },
      { kind: 'delete', rowIds: ['new'], givesWay: true },
    ])
    redoStep(tab.device)
    expect(deal(tab, 'new')).toMatchObject({ name: 'New', amount: 5 })
  })

  test('an undo of new records keeps a record that somebody else has changed since', async () => {
    const tab = await openOffline()
    await insert(tab.device, newDeal)
    putRows(tab.data, 'deals', {
      id: 'new',
      name: 'New',
      updated_by: bo,
      updated_at: '2030-01-01T00:00:00Z',
      version: 2,
    })
    tab.data.tables.deals.setOperations(new Map())
    expect(undoStep(tab.device)).toMatchObject({ opposite: null, skipped: [{ words: 'Bo changed New since' }] })
    expect(queuedIn(tab)).toHaveLength(1)
  })

  test('a redo of a new record after another brand was opened says that it was redone', async () => {
    const tab = await openOffline()
    await insert(tab.device, newDeal)
    const undone = undoStep(tab.device)
    openAgain(tab, 'other')
    const redone = redoStep(tab.device, undone?.opposite ?? expect.fail('nothing to redo'))
    expect(redone).toMatchObject({ verb: 'Redid', words: 'New created', skipped: [], opposite: null })
    expect(lastIn(tab)).toMatchObject({ kind: 'restore', brandId: acme, rowIds: ['new'] })
  })
})

describe('an undo of a delete', () => {
  test('an undo of a delete restores the records, and can be redone', async () => {
    const tab = await openOffline()
    await deleteRecords(tab.device, 'deals', ['roof', 'wall'])
    expect(undoStep(tab.device)?.words).toBe('2 deals deleted')
    expect(deal(tab)?.name).toBe('Roof')
    redoStep(tab.device)
    expect(lastIn(tab)).toMatchObject({ kind: 'delete', rowIds: ['roof', 'wall'] })
    expect(deal(tab)).toBeUndefined()
  })

  test('an undo is possible after another brand was opened, but only for a delete', async () => {
    const tab = await openOffline()
    const stepOf = (parts: Parameters<typeof testOperation>[0]): Step => ({
      operations: [testOperation({ kind: 'delete', brandId: 'other', rowId: 'a', rowIds: ['a', 'b'], ...parts })],
    })
    const undone = undoStep(tab.device, stepOf({}))
    expect(undone).toMatchObject({ verb: 'Undid', words: 'Records deleted', skipped: [], opposite: null })
    expect(await undone?.outcome).toEqual({ status: 'queued', id: 'a' })
    expect(lastIn(tab)).toMatchObject({ kind: 'restore', rowIds: ['a', 'b'] })
    expect(undoStep(tab.device, { ...stepOf({}), words: '2 deals deleted' })?.words).toBe('2 deals deleted')
    expect(undoStep(tab.device, stepOf({ brandId: acme }))).toBeNull()
    expect(undoStep(tab.device, stepOf({ kind: 'update' }))).toBeNull()
    expect(undoStep(tab.device, stepOf({ table: 'deal_stages' }))).toBeNull()
    expect(queuedIn(tab)).toHaveLength(2)
  })
})

describe('an undo of an edit of many records', () => {
  test('an undo of an edit of many records restores each record’s own value, with one operation per value', async () => {
    const tab = await openOffline()
    putRows(tab.data, 'deals', { id: 'door', name: 'Door', amount: 2, updated_by: ana, version: 2 })
    await updateRecords(tab.device, 'deals', ['roof', 'wall', 'door'], { amount: 9 })
    undoStep(tab.device)
    expect(queuedIn(tab).slice(1)).toMatchObject([
      { kind: 'update', rowId: 'roof', values: { amount: 1 } },
      {
        kind: 'update-all',
        rowIds: ['wall', 'door'],
        values: { amount: 2 },
        bases: { wall: { amount: 9 } },
        givesWay: true,
      },
    ])
  })

  test('an undo of an edit of many records also shows the fields that the server sets with them', async () => {
    const tab = await openOffline()
    putRows(
      tab.data,
      'deals',
      { id: 'roof', stage_id: 'won', version: 2, updated_by: ana },
      { id: 'wall', stage_id: 'won', version: 2, updated_by: ana },
    )
    await updateRecords(tab.device, 'deals', ['roof', 'wall'], { stage_id: 'new' })
    expect(deal(tab)?.closed_at).toBeNull()
    undoStep(tab.device)
    expect(deal(tab)).toMatchObject({ stage_id: 'won', closed_at: clockStart })
  })

  test.each([
    [50, 'each'],
    [51, 'no'],
  ])(
    'the undo of a move of %i deals out of a closed stage restores %s closing day, and says so if it restores none',
    async (count, restored) => {
      const tab = await openOffline()
      const ids = Array.from({ length: count }, (_, index) => `deal-${index}`)
      const closed = ids.map((id, index) => ({
        id,
        closed_at: `2026-10-01T09:00:${String(index).padStart(2, '0')}.000Z`,
      }))
      putRows(tab.data, 'deals', ...closed.map((row) => ({ ...row, stage_id: 'won', version: 2, updated_by: ana })))
      await updateRecords(tab.device, 'deals', ids, { stage_id: 'new' })
      const undone = undoStep(tab.device)
      const words = restored === 'no' ? ['Closing days are restored for 50 deals at most'] : []
      expect(undone?.skipped.map((each) => each.words)).toEqual(words)
      const days = ids.map((id) => deal(tab, id)?.closed_at)
      expect(days).toEqual(closed.map(({ closed_at }) => (restored === 'no' ? clockStart : closed_at)))
    },
  )

  test('an undo of an edit of many records reverts added and removed tags, and is queued with the values that it replaces', async () => {
    const tab = await openOffline()
    const tags = { tag_ids: { add: ['a', 'b'], remove: ['c'] }, amount: 9 }
    putRows(tab.data, 'deals', { id: 'roof', tag_ids: ['b', 'c'], amount: 1, version: 2, updated_by: ana })
    await updateAll(tab.device, { table: 'deals', title: 'Tags', icon: 'tag', rowIds: ['roof'], values: tags })
    expect(deal(tab)?.tag_ids).toEqual(['a', 'b'])
    undoStep(tab.device)
    expect(lastIn(tab)).toMatchObject({
      kind: 'update-all',
      rowIds: ['roof'],
      values: { tag_ids: { add: ['c'], remove: ['a'] }, amount: 1 },
      bases: { roof: { tag_ids: ['a'], amount: 9 } },
      title: 'Tags',
      icon: 'tag',
    })
    expect(deal(tab)?.tag_ids).toEqual(['b', 'c'])
  })

  test('an undo of an edit of many records is sent for rows that are not on this device, a hundred at a time', async () => {
    const tab = await openOffline()
    const rowIds = Array.from({ length: 120 }, (_, index) => `contact ${index}`)
    const bases = Object.fromEntries(rowIds.map((id) => [id, { owner_id: null }]))
    const step: Step = {
      operations: [
        testOperation({
          brandId: acme,
          kind: 'update-all',
          table: 'contacts',
          rowIds,
          values: { owner_id: ana },
          bases,
        }),
        testOperation({ brandId: acme, table: 'deal_stages' }),
      ],
    }
    stepsOf(tab.data).done = [step]
    expect(undoStep(tab.device)).toMatchObject({ words: 'Change', skipped: [] })
    expect(queuedIn(tab).map((operation) => operation.rowIds?.length)).toEqual([100, 20])
    expect(lastIn(tab)).toMatchObject({ values: { owner_id: null }, bases: { 'contact 119': { owner_id: ana } } })
  })

  test('an undo for a single row that is not on this device is sent as an edit of many rows, so that the server compares its values', async () => {
    const tab = await openOffline()
    const edit = testOperation({
      brandId: acme,
      table: 'contacts',
      rowId: 'owen',
      values: { phone: '1' },
      base: { phone: null },
    })
    stepsOf(tab.data).done = [{ operations: [edit] }]
    undoStep(tab.device)
    expect(lastIn(tab)).toMatchObject({
      kind: 'update-all',
      rowIds: ['owen'],
      values: { phone: null },
      bases: { owen: { phone: '1' } },
    })
  })
})

test('an action that has its own words is described by them, not by its operations', async () => {
  const tab = await openOffline()
  const step: Step = { operations: [], words: 'Company and contact added' }
  stepsOf(tab.data).done = [step]
  const newDeal = { table: 'deals', rowId: 'new', title: 'x', icon: 'deal', values: {}, preview: {} } as const
  void runInStep(tab.data, step, () => insert(tab.device, newDeal))
  expect(undoStep(tab.device)?.words).toBe('Company and contact added')
})
