import { describe, expect, test } from 'vitest'
import { acme, ana, openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import type { DoneOperation } from './steps.ts'
import { obstacleToDeletion, undoValuesOf } from './undo-values.ts'

type Row = { id: string } & Record<string, unknown>

const editedRow = { id: 'roof', name: 'Roof', amount: 5, amount_currency: 'EUR', owner_id: 'bo', updated_by: ana }

async function openTab(row: Row | null, windowed = false) {
  const { data } = await openLoneTab({ windowed: windowed ? ['deals'] : [] })
  if (row) putRows(data, 'deals', row)
  putRows(data, 'memberships', { id: 'bo', display_name: 'Bo' })
  return data
}

const doneOperation = (parts: Partial<Operation> & Pick<DoneOperation, 'onServer'>): DoneOperation => ({
  ...testOperation({ brandId: acme, rowId: 'roof', at: '2026-11-20T09:31:00Z', ...parts }),
  ...(parts.onServer && { onServer: true }),
})

const edit = (values: Record<string, unknown>, base: Record<string, unknown>, parts: Partial<Operation> = {}) =>
  doneOperation({ values, base, ...parts })

describe('an undo writes to a row', () => {
  test('an undo writes the values from before the edit, if nobody has changed them since', async () => {
    const data = await openTab(editedRow)
    const undone = undoValuesOf(data, edit({ amount: 5, owner_id: 'bo' }, { amount: 1, owner_id: null }), 'roof')
    expect(undone).toEqual({ values: { amount: 1, owner_id: null }, skipped: [], isHere: true })
  })

  test('an undo writes null for a field that had no value before', async () => {
    const data = await openTab(editedRow)
    expect(undoValuesOf(data, edit({ owner_id: 'bo' }, { owner_id: undefined }), 'roof').values).toEqual({
      owner_id: null,
    })
  })

  test('an undo does not write a value that the row already has', async () => {
    const data = await openTab({ ...editedRow, amount: 1 })
    const undone = undoValuesOf(data, edit({ amount: 5, owner_id: 'bo' }, { amount: 1, owner_id: null }), 'roof')
    expect(undone).toEqual({ values: { owner_id: null }, skipped: [], isHere: true })
  })

  test('an undo writes no field that somebody has changed since, and names no person: the last writer may have changed another field', async () => {
    const data = await openTab({ ...editedRow, owner_id: 'zoe', updated_by: 'bo' })
    const undone = undoValuesOf(data, edit({ name: 'Roof', owner_id: 'bo' }, { name: 'Ruf', owner_id: null }), 'roof')
    expect(undone.values).toEqual({ name: 'Ruf' })
    expect(undone.skipped).toEqual([{ rowId: 'roof', words: 'The owner of Roof was changed since' }])
  })

  test('an undo writes neither an amount nor its currency, if one of the two has changed', async () => {
    const data = await openTab({ ...editedRow, amount_currency: 'USD', updated_by: ana })
    const undone = undoValuesOf(
      data,
      edit({ amount: 5, amount_currency: 'EUR' }, { amount: 1, amount_currency: 'GBP' }),
      'roof',
    )
    expect(undone).toEqual({
      values: {},
      skipped: [{ rowId: 'roof', words: 'The currency of Roof was changed since' }],
      isHere: true,
    })
  })

  test('an undo of a change of the currency also writes the amount, so that it gives way to a colleague who changes the amount', async () => {
    const before = { amount: 5, amount_currency: 'GBP' }
    const undone = undoValuesOf(await openTab(editedRow), edit({ amount: 5, amount_currency: 'EUR' }, before), 'roof')
    expect(undone).toEqual({ values: before, skipped: [], isHere: true })
  })

  test('an undo writes nothing if all fields have changed, and names the record but not the fields', async () => {
    const data = await openTab({ ...editedRow, name: null, amount: 8, owner_id: 'zoe', updated_by: null })
    const undone = undoValuesOf(data, edit({ amount: 5, owner_id: 'bo' }, { amount: 1, owner_id: null }), 'roof')
    expect(undone).toEqual({
      values: {},
      skipped: [{ rowId: 'roof', words: 'A deal was changed since' }],
      isHere: true,
    })
  })

  test('an undo of an edit of many rows writes to each row its own earlier values', async () => {
    const data = await openTab(editedRow)
    const many = doneOperation({ kind: 'update-all', values: { amount: 5 }, bases: { roof: { amount: 3 } } })
    expect(undoValuesOf(data, many, 'roof').values).toEqual({ amount: 3 })
    const unseen = { ...many, values: { tag_ids: { add: ['a'], remove: [] } }, bases: {} }
    expect(undoValuesOf(data, unseen, 'roof')).toEqual({
      values: {},
      skipped: [{ rowId: 'roof', words: 'The deal no longer exists' }],
      isHere: true,
    })
  })
})

describe('an undo of tags', () => {
  test('an undo of tags reverts only the tags that the edit added and removed', async () => {
    const data = await openTab({ ...editedRow, tag_ids: ['a', 'c', 'd'] })
    const undone = undoValuesOf(data, edit({ tag_ids: ['a', 'c'] }, { tag_ids: ['a', 'b'] }), 'roof')
    expect(undone).toEqual({ values: { tag_ids: ['a', 'b', 'd'] }, skipped: [], isHere: true })
  })

  test('an undo of an edit of the tags of many rows adds and removes tags, too, and does not replace all tags', async () => {
    const data = await openTab({ ...editedRow, tag_ids: ['a', 'c', 'd'] })
    const tags = { tag_ids: { add: ['a', 'c'], remove: ['b'] } }
    const many = doneOperation({ kind: 'update-all', values: tags, bases: { roof: { tag_ids: ['a', 'b'] } } })
    expect(undoValuesOf(data, many, 'roof').values).toEqual({ tag_ids: { add: ['b'], remove: ['c'] } })
  })

  test('an undo of tags writes nothing if others have already reverted the edit', async () => {
    const data = await openTab({ ...editedRow, tag_ids: ['a', 'b'] })
    expect(undoValuesOf(data, edit({ tag_ids: ['a', 'b', 'c'] }, { tag_ids: ['a', 'b'] }), 'roof').values).toEqual({})
    const tags = { tag_ids: { add: ['c'], remove: [] } }
    const many = doneOperation({ kind: 'update-all', values: tags, bases: { roof: { tag_ids: ['a', 'b'] } } })
    expect(undoValuesOf(data, many, 'roof').values).toEqual({})
  })
})

describe('an undo for a row that is not on this device', () => {
  const amountEdit = edit({ amount: 5 }, { amount: 1 })

  test('an undo for a row that is not on this device is sent to the server if the table is windowed', async () => {
    const data = await openTab(null, true)
    expect(undoValuesOf(data, amountEdit, 'roof')).toEqual({ values: { amount: 1 }, skipped: [], isHere: false })
    const tags = edit({ tag_ids: { add: ['c'], remove: [] } }, { tag_ids: ['a'] })
    expect(undoValuesOf(data, tags, 'roof').values).toEqual({ tag_ids: { add: [], remove: ['c'] } })
  })

  test('an undo for a row that is not on this device writes nothing if the row was deleted, or if the table is complete', async () => {
    const gone = { values: {}, skipped: [{ rowId: 'roof', words: 'The deal no longer exists' }], isHere: true }
    const data = await openTab(null, true)
    data.recentlyDeleted.set('roof', 1)
    expect(undoValuesOf(data, amountEdit, 'roof')).toEqual(gone)
    expect(undoValuesOf(await openTab(null), amountEdit, 'roof')).toEqual(gone)
  })

  test('an undo of an edit that the server made itself assumes the values of the edit if the row is not on this device', async () => {
    const onServer = doneOperation({ values: { amount: 5 }, base: { amount: 1 }, onServer: true })
    const data = await openTab(null)
    expect(undoValuesOf(data, onServer, 'roof')).toEqual({ values: { amount: 1 }, skipped: [], isHere: false })
    data.recentlyDeleted.set('roof', 1)
    expect(undoValuesOf(data, onServer, 'roof')).toMatchObject({ values: {}, isHere: true })
  })

  test('an undo of an edit that the server made itself assumes the values of the edit if this device has only the older row', async () => {
    const data = await openTab({ ...editedRow, amount: 1, updated_at: '2026-11-20T09:30:00Z' })
    const onServer = doneOperation({ values: { amount: 5 }, base: { amount: 1 }, onServer: true })
    expect(undoValuesOf(data, onServer, 'roof')).toEqual({ values: { amount: 1 }, skipped: [], isHere: false })
    expect(undoValuesOf(data, amountEdit, 'roof')).toEqual({ values: {}, skipped: [], isHere: true })
    // The clocks of device and server differ, so the old row seems to be newer than the edit.
    const late = await openTab({ ...editedRow, amount: 1, updated_at: '2026-11-20T09:31:00Z' })
    expect(undoValuesOf(late, onServer, 'roof')).toEqual({ values: { amount: 1 }, skipped: [], isHere: false })
    const back = await openTab({ ...editedRow, updated_at: '2026-11-20T09:31:00Z' })
    expect(undoValuesOf(back, onServer, 'roof')).toMatchObject({ values: { amount: 1 }, isHere: true })
  })
})

describe('a record that was created is deleted by the undo', () => {
  const creation = doneOperation({ kind: 'insert', values: {}, base: {} })
  const createdRow = (parts: Row) => ({ name: 'Roof', updated_at: '2026-11-20T09:32:00Z', ...parts })
  const obstacleWords = async (row: Row | null) =>
    obstacleToDeletion(await openTab(row), creation, 'roof')?.words ?? null

  test('a record that was created is deleted by the undo, unless somebody else has changed it since', async () => {
    expect(await obstacleWords(createdRow({ id: 'roof', updated_by: 'bo' }))).toBe('Bo changed Roof since')
    expect(await obstacleWords(createdRow({ id: 'roof', updated_by: 'zoe' }))).toBe('Roof was changed since')
  })

  test('a record that was created is deleted by the undo if only this user or the server has changed it since, or if a change is not newer than the creation', async () => {
    expect(await obstacleWords(createdRow({ id: 'roof', updated_by: ana }))).toBeNull()
    expect(await obstacleWords(createdRow({ id: 'roof', updated_by: null }))).toBeNull()
    expect(
      await obstacleWords(createdRow({ id: 'roof', updated_by: 'bo', updated_at: '2026-11-20T09:31:00Z' })),
    ).toBeNull()
  })

  test('the undo of a created record writes nothing if the record is gone', async () => {
    expect(await obstacleWords(null)).toBe('The deal no longer exists')
  })
})
