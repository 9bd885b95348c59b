import { describe, expect, test } from 'vitest'
import { acme, ana, clockStart, type LoneTab, openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { nextTaskId } from '#web/lib/series.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { addToQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { addSeriesRows, settleSeriesRows } from './series-rows.ts'

const callId = '00000000-0000-4000-8000-000000000001'
const nextId = nextTaskId(callId)
const task = (parts: Record<string, unknown> = {}) =>
  serverRow({
    id: callId,
    title: 'Call',
    status: 'open',
    repeats: 'daily UTC',
    due_at: '2026-11-20T12:00:00.000Z',
    completed_at: null,
    ...parts,
  })
const nextTask = (parts: Record<string, unknown> = {}) =>
  task({ id: nextId, due_at: '2026-11-21T12:00:00.000Z', ...parts })
const edit = (status: string, parts: Partial<Operation> = {}) =>
  testOperation({
    userId: ana,
    brandId: acme,
    table: 'tasks',
    rowId: callId,
    values: { status },
    at: clockStart,
    ...parts,
  })

async function alsoOf(operation: Operation, ...tasks: ReturnType<typeof task>[]): Promise<Operation['also']> {
  const { data } = await openLoneTab()
  putRows(data, 'tasks', ...tasks)
  addSeriesRows(data, operation)
  return operation.also
}

describe('completing a repeating task', () => {
  test('completing a repeating task shows the next task at once, as the server will create it', async () => {
    const also = await alsoOf(edit('done'), task())
    expect(also).toEqual({
      [nextId]: nextTask({
        created_at: clockStart,
        updated_at: clockStart,
        updated_by: ana,
        rev: 0,
        version: 0,
      }),
    })
  })

  test('completing many repeating tasks at once shows the next task of each', async () => {
    const other = '00000000-0000-4000-8000-000000000002'
    const both = edit('done', { kind: 'update-all', rowIds: [callId, other] })
    expect(Object.keys((await alsoOf(both, task(), task({ id: other }))) ?? {}).sort()).toEqual(
      [nextId, nextTaskId(other)].sort(),
    )
  })

  test('completing a repeating task shows no next task if the next task already exists, or if the task does not repeat, was completed before, or is not on this device', async () => {
    expect(await alsoOf(edit('done'), task(), nextTask())).toBeUndefined()
    expect(await alsoOf(edit('done'), task({ repeats: null }))).toBeUndefined()
    expect(await alsoOf(edit('done'), task({ status: 'done' }))).toBeUndefined()
    expect(await alsoOf(edit('done'))).toBeUndefined()
    expect(await alsoOf(edit('done'), task({ repeats: 'in a way of later versions' }))).toBeUndefined()
  })
})

describe('reopening a repeating task', () => {
  const doneTask = task({ status: 'done' })

  test('reopening a repeating task removes the next task', async () => {
    expect(await alsoOf(edit('open'), doneTask, nextTask())).toEqual({ [nextId]: null })
  })

  test('reopening a repeating task changes nothing if somebody has changed or completed the next task, or it is gone', async () => {
    expect(await alsoOf(edit('open'), doneTask, nextTask({ updated_at: clockStart }))).toBeUndefined()
    expect(await alsoOf(edit('open'), doneTask, nextTask({ status: 'done' }))).toBeUndefined()
    expect(await alsoOf(edit('open'), doneTask)).toBeUndefined()
  })

  test('reopening a repeating task keeps the next task if an edit of it waits; the completion that created it is not such an edit', async () => {
    const tab = await openLoneTab()
    putRows(tab.data, 'tasks', doneTask)
    const completion = edit('done', { id: 'completion', also: { [nextId]: nextTask() } })
    await addToQueue(tab.device, completion)
    const reopening = edit('open')
    addSeriesRows(tab.data, reopening)
    expect(reopening.also).toEqual({ [nextId]: null })
    await addToQueue(tab.device, testOperation({ userId: ana, brandId: acme, id: 'x', table: 'tasks', rowId: nextId }))
    const laterReopening = edit('open')
    addSeriesRows(tab.data, laterReopening)
    expect(laterReopening.also).toBeUndefined()
  })
})

describe('after the answer', () => {
  const readRequest = 'GET /rest/v1/tasks'

  async function settled(answer: Parameters<LoneTab['network']['onEach']>[1], parts: Partial<Operation> = {}) {
    const tab = await openLoneTab()
    putRows(tab.data, 'tasks', nextTask({ version: 4, id: 'old' }))
    tab.data.recentlyDeleted.set(nextId, 1)
    tab.network.on(readRequest, () => answer)
    tab.network.on('POST /rest/v1/rpc/record_deletion', () => ({ body: { by: null, at: null } }))
    await settleSeriesRows(tab.device, edit('done', { also: { [nextId]: nextTask(), old: null }, ...parts }))
    const shown = [...tab.data.tables.tasks.values()].map(({ id }) => id)
    const stored = await localDatabase(tab.device, ana).getRows('tasks', acme, [nextId])
    return { ...tab, shown, stored }
  }

  test('the tasks of a series are stored as they are in the server’s answer, and an older pull does not change them', async () => {
    const { data, network, shown, stored } = await settled({ body: [nextTask({ version: 2 })] })
    expect(network.of(readRequest)[0]?.filters).toMatchObject({ id: `in.(${nextId},old)`, brand_id: `eq.${acme}` })
    expect(shown).toEqual([nextId])
    expect(stored).toMatchObject([{ id: nextId, version: 2 }])
    expect([...data.recentlyDeleted]).toEqual([['old', 4]])
  })

  test('a next task that exists on the server stays after the answer; one that is gone and was never on this device is recorded as deleted, with version 0', async () => {
    const both = [nextTask({ version: 2 }), nextTask({ id: 'old', version: 5 })]
    expect((await settled({ body: both })).data.recentlyDeleted.size).toBe(0)
    const { data } = await settled({ body: [] }, { also: { unseen: null } })
    expect(data.recentlyDeleted.get('unseen')).toBe(0)
  })

  test('the answer about a series of another brand does not change the open brand', async () => {
    const { data } = await settled({ body: [nextTask()] }, { brandId: 'other' })
    expect([...data.recentlyDeleted]).toEqual([[nextId, 1]])
    const { data: otherData } = await settled({ body: [nextTask()] }, { userId: 'other' })
    expect([...otherData.recentlyDeleted]).toEqual([[nextId, 1]])
  })

  test('nothing changes until the next pull if the tasks of a series cannot be read', async () => {
    for (const answer of [null, refusalResponse(403, '42501')]) {
      const { shown, data } = await settled(answer)
      expect(shown).toEqual(['old'])
      expect([...data.recentlyDeleted]).toEqual([[nextId, 1]])
    }
  })
})
