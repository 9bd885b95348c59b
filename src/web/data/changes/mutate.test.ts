import { describe, expect, test, vi } from 'vitest'
import {
  acme,
  ana,
  clockStart,
  type LoneTab,
  openLoneTab,
  putRows,
  untilIdle,
  serverRow,
} from '#tests/harness/lone-tab.ts'
import { type PreparedResponse, refusalResponse } from '#tests/harness/prepared-network.ts'
import { reachable } from '#web/data/server/network.ts'
import { sessionState } from '#web/data/session/session.ts'
import { markOutOfDate } from '#web/data/store/out-of-date.ts'
import { nextTaskId } from '#web/lib/series.ts'
import { addToQueue, queue } from '#web/data/store/queue.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { insertByRpc, insert, remove, restore, update, updateAll } from './mutate.ts'
import { isAwaited } from './outcomes.ts'
import { stepsOf } from './steps.ts'
import { runSeriesCode } from './series-code.ts'

const deal = { table: 'deals', rowId: 'roof', title: 'Deal “Roof”', icon: 'deal' } as const
const newDeal = { ...deal, values: { name: 'Roof' }, preview: { amount: 0 } }
const createdResponse: PreparedResponse = { body: [serverRow({ id: 'roof', name: 'Roof', version: 1 })] }

async function openOffline(): Promise<LoneTab> {
  const tab = await openLoneTab()
  reachable(tab.device).set(false)
  return tab
}

const queuedIn = ({ device }: LoneTab) => queue(device).get().operations

describe('an edit without a network is queued', () => {
  test('a new row is queued with its id and brand, and shown with the columns that the server will set', async () => {
    const tab = await openOffline()
    expect(await insert(tab.device, newDeal)).toEqual({ status: 'queued', id: 'roof' })
    expect(queuedIn(tab)).toMatchObject([
      {
        kind: 'insert',
        userId: ana,
        brandId: acme,
        at: clockStart,
        awaited: false,
        state: 'waiting',
        values: { name: 'Roof', id: 'roof', brand_id: acme },
        base: {},
        call: null,
        version: 0,
        lastWriteStands: false,
        conflicts: [],
      },
    ])
    expect(tab.data.tables.deals.get('roof')).toEqual({
      id: 'roof',
      brand_id: acme,
      name: 'Roof',
      amount: 0,
      created_at: clockStart,
      updated_at: clockStart,
      created_by: ana,
      updated_by: ana,
      rev: 0,
      version: 0,
    })
    expect(queuedIn(tab)[0]).not.toHaveProperty('givesWay')
    expect(queuedIn(tab)[0]).not.toHaveProperty('rowIds')
  })

  test('a queued call that creates a row shows the whole row; a call for an existing row shows only its changes', async () => {
    const tab = await openOffline()
    putRows(tab.data, 'contacts', { id: 'owen', email: 'o@d.test', version: 4 })
    const call = { name: 'upsert_contact', args: { p_id: 'owen' } }
    const edit = {
      table: 'contacts',
      rowId: 'owen',
      title: 'Owen',
      icon: 'contact',
      call,
      preview: { phone: '1' },
    } as const
    await insertByRpc(tab.device, edit)
    await insertByRpc(tab.device, { ...edit, rowId: 'zoe' })
    expect(queuedIn(tab)).toMatchObject([
      { kind: 'call', values: {}, call, preview: { phone: '1' } },
      { kind: 'call', values: {}, preview: { id: 'zoe', brand_id: acme, phone: '1', version: 0, rev: 0 } },
    ])
    expect(queuedIn(tab)[0]?.preview).toEqual({ phone: '1' })
    // An existing row may be a colleague's, so only the call that created a row can be undone.
    expect(stepsOf(tab.data).done.flatMap(({ operations }) => operations.map(({ rowId }) => rowId))).toEqual(['zoe'])
  })

  test('an edit of a row is queued with the row’s server version and the values that were on screen', async () => {
    const tab = await openOffline()
    putRows(tab.data, 'deals', { id: 'roof', name: 'Roof', amount: 5, custom: { f: 'x' }, version: 7 })
    await update(tab.device, { ...deal, values: { name: 'Ruf', 'custom.f': 'y' }, preview: { amount: 9 } })
    await update(tab.device, { ...deal, values: { name: 'Roof' }, lastWriteStands: true, givesWay: true })
    expect(queuedIn(tab)).toMatchObject([
      {
        kind: 'update',
        version: 7,
        base: { name: 'Roof', 'custom.f': 'x' },
        preview: { amount: 9, name: 'Ruf', 'custom.f': 'y' },
        lastWriteStands: false,
      },
      { version: 7, base: { name: 'Ruf' }, lastWriteStands: true, givesWay: true },
    ])
  })

  test('an edit of many rows is queued with the earlier values of each row on this device, or with the given `replaced`', async () => {
    const tab = await openOffline()
    putRows(tab.data, 'deals', { id: 'roof', amount: 5 }, { id: 'wall', amount: 6 })
    const edit = {
      table: 'deals',
      title: 'x',
      icon: 'edit',
      rowIds: ['roof', 'wall', 'gone'],
      values: { amount: 1 },
    } as const
    await updateAll(tab.device, edit)
    await updateAll(tab.device, { ...edit, preview: { closed_at: null }, replaced: { amount: 3 } })
    expect(queuedIn(tab)).toMatchObject([
      { kind: 'update-all', rowId: 'roof', rowIds: edit.rowIds, bases: { roof: { amount: 5 }, wall: { amount: 6 } } },
      { preview: { closed_at: null, amount: 1 }, bases: { roof: { amount: 3 }, gone: { amount: 3 } } },
    ])
    expect(queuedIn(tab)[0]?.bases).not.toHaveProperty('gone')
  })

  test('a delete is queued with the versions that this device has seen', async () => {
    const tab = await openOffline()
    putRows(tab.data, 'deals', { id: 'roof', version: 7 }, { id: 'wall', version: 2 })
    await remove(tab.device, { table: 'deals', title: 'x', rowIds: ['roof', 'wall', 'gone'], givesWay: true })
    expect(queuedIn(tab)).toMatchObject([
      { kind: 'delete', icon: 'delete', rowId: 'roof', values: {}, preview: {}, givesWay: true },
    ])
    expect(queuedIn(tab)[0]?.bases).toEqual({ roof: { version: 7 }, wall: { version: 2 } })
    expect([...tab.data.tables.deals.values()]).toEqual([])
  })

  test('an undo of a delete shows the rows as they were; for rows of another brand, it adds no step to the open brand', async () => {
    const tab = await openOffline()
    const restored = { roof: serverRow({ id: 'roof', name: 'Roof' }) }
    await restore(tab.device, { table: 'deals', title: 'x', rowIds: ['roof'], restored, brandId: 'other' })
    expect(stepsOf(tab.data).done).toEqual([])
    await restore(tab.device, { table: 'deals', title: 'x', rowIds: ['roof'], restored })
    expect(queuedIn(tab)).toMatchObject([
      { kind: 'restore', icon: 'restore', brandId: 'other', values: {}, preview: {} },
      { brandId: acme, rowId: 'roof', restored },
    ])
    expect(tab.data.tables.deals.get('roof')?.name).toBe('Roof')
    expect(stepsOf(tab.data).done).toHaveLength(1)
  })
})

test('no screen waits for the outcome of an edit that is made without a network', async () => {
  const tab = await openOffline()
  await insert(tab.device, newDeal)
  tab.clock.advance(0)
  expect(queuedIn(tab).map(({ id }) => isAwaited(tab.device, id))).toEqual([false])
})

describe('an edit of the status of a repeating task', () => {
  async function queuedEdit(values: Record<string, unknown>, ...rowIds: string[]): Promise<Operation | undefined> {
    const tab = await openOffline()
    await runSeriesCode(tab.device, () => {})
    const task = { title: 'Call', status: 'open', due_at: null, updated_by: ana }
    putRows(
      tab.data,
      'tasks',
      { ...task, id: taskIds[0], repeats: 'daily UTC' },
      { ...task, id: taskIds[1], repeats: null },
    )
    await updateAll(tab.device, { table: 'tasks', title: 'x', icon: 'task', rowIds, values })
    return queuedIn(tab)[0]
  }
  const taskIds = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const

  test('an edit of the status of a repeating task shows the next task of the series at once', async () => {
    expect((await queuedEdit({ status: 'done' }, ...taskIds))?.also).toMatchObject({
      [nextTaskId(taskIds[0])]: { status: 'open' },
    })
    expect(await queuedEdit({ status: 'done' }, taskIds[1])).not.toHaveProperty('also')
    expect(await queuedEdit({ title: 'Ring' }, ...taskIds)).not.toHaveProperty('also')
  })
})

describe('with a network the screen waits for the answer', () => {
  test('the outcome of a saved edit has the server’s id; if that is the id of another row, there is nothing to undo', async () => {
    const tab = await openLoneTab()
    tab.network.on('POST /rest/v1/deals', () => {
      tab.clock.advance(2999)
      return createdResponse
    })
    expect(await insert(tab.device, newDeal)).toEqual({ status: 'saved', id: 'roof' })
    expect(stepsOf(tab.data).done[0]?.operations).toHaveLength(1)
    tab.network.on('POST /rest/v1/rpc/upsert_contact', () => ({ body: 'known' }))
    tab.network.on('GET /rest/v1/contacts', () => ({ body: [serverRow({ id: 'known' })] }))
    const call = { name: 'upsert_contact', args: {} }
    const contact = { table: 'contacts', rowId: 'owen', title: 'Owen', icon: 'contact', call, preview: {} } as const
    expect(await insertByRpc(tab.device, contact)).toEqual({ status: 'saved', id: 'known' })
    expect(stepsOf(tab.data).done.map(({ operations }) => operations.length)).toEqual([1, 0])
    expect(queuedIn(tab)).toEqual([])
  })

  test('a refused new row leaves the screen, is not shown under "Needs attention", and leaves nothing to undo', async () => {
    const tab = await openLoneTab()
    tab.network.on('POST /rest/v1/deals', () => refusalResponse(400, '23514', 'Too large'))
    expect(await insert(tab.device, newDeal)).toEqual({ status: 'refused', message: 'Too large', code: '23514' })
    await vi.waitFor(() => expect(queuedIn(tab)).toEqual([]))
    expect(tab.data.tables.deals.get('roof')).toBeUndefined()
    expect(stepsOf(tab.data).done[0]?.operations).toEqual([])
  })

  test('an edit is reported as queued after three seconds without an answer, and waits', async () => {
    const tab = await openLoneTab()
    tab.network.on('POST /rest/v1/deals', async () => {
      tab.clock.advance(3000)
      return createdResponse
    })
    expect(await insert(tab.device, newDeal)).toEqual({ status: 'queued', id: 'roof' })
    await vi.waitFor(() => expect(queuedIn(tab)).toEqual([]))
    expect(stepsOf(tab.data).done[0]?.operations).toHaveLength(1)
  })

  test('an edit is queued at once if the session has ended, because nothing can be sent', async () => {
    const tab = await openLoneTab()
    sessionState(tab.device).set({ ready: true, session: { userId: ana, email: '', expired: true } })
    expect(await insert(tab.device, newDeal)).toEqual({ status: 'queued', id: 'roof' })
    expect(tab.network.sent).toEqual([])
    expect(queuedIn(tab)).toMatchObject([{ awaited: false }])
  })
})

describe('a refused new record that is sent again, corrected', () => {
  const refused = { userId: ana, brandId: acme, kind: 'insert', state: 'failed', rowId: 'roof' } as const

  test('a corrected new record replaces the refused one in the queue', async () => {
    const tab = await openOffline()
    await addToQueue(tab.device, testOperation({ ...refused, id: 'task', table: 'tasks' }))
    await addToQueue(tab.device, testOperation({ ...refused, id: 'edit', kind: 'update' }))
    await addToQueue(tab.device, testOperation({ ...refused, id: 'waiting', state: 'waiting' }))
    await addToQueue(tab.device, testOperation({ ...refused, id: 'wall', rowId: 'wall' }))
    await addToQueue(tab.device, testOperation({ ...refused, id: 'first' }))
    const seq = queuedIn(tab).at(-1)?.seq
    await insert(tab.device, { ...newDeal, corrects: true })
    expect(
      queuedIn(tab)
        .map(({ id }) => id)
        .slice(0, 4),
    ).toEqual(['task', 'edit', 'waiting', 'wall'])
    expect(queuedIn(tab).slice(4)).toMatchObject([{ seq, values: { name: 'Roof' }, state: 'waiting' }])
  })

  test('a corrected new record stays under "Needs attention" if it is refused again', async () => {
    const tab = await openLoneTab()
    await addToQueue(tab.device, testOperation({ ...refused, id: 'first' }))
    tab.network.on('POST /rest/v1/deals', () => refusalResponse(400, '23514', 'Too large'))
    expect(await insert(tab.device, { ...newDeal, corrects: true })).toMatchObject({ status: 'refused' })
    await untilIdle()
    expect(queuedIn(tab)).toMatchObject([{ state: 'failed', reason: 'Too large', values: { name: 'Roof' } }])
  })

  test('a refused new record is not replaced by another edit of the record', async () => {
    const tab = await openOffline()
    await addToQueue(tab.device, testOperation({ ...refused, id: 'first' }))
    await update(tab.device, { ...deal, values: { name: 'Ruf' } })
    expect(queuedIn(tab)).toMatchObject([{ id: 'first', state: 'failed' }, { kind: 'update' }])
  })

  test('a corrected new record is a new operation if the refused one is gone', async () => {
    const tab = await openOffline()
    await insert(tab.device, { ...newDeal, corrects: true })
    expect(queuedIn(tab)).toHaveLength(1)
  })
})

describe('an edit that cannot be stored is refused', () => {
  test('an edit is refused without a session or an open brand', async () => {
    const tab = await openLoneTab()
    tab.data.close()
    expect(await insert(tab.device, newDeal)).toEqual({
      status: 'refused',
      message: 'Sign in and choose a brand first.',
      code: null,
    })
    const other = await openLoneTab()
    sessionState(other.device).set({ ready: true, session: null })
    expect(await insert(other.device, newDeal)).toMatchObject({ status: 'refused' })
  })

  test('an edit that the disk cannot store is refused with the reason, and leaves the screen', async () => {
    const tab = await openLoneTab()
    const errorSpy = vi.spyOn(console, 'error').mockImplementation(() => {})
    const warnSpy = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const fail = (name: string) => (): never => {
      throw new DOMException('broken', name)
    }
    const addSpy = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(fail('UnknownError'))
    try {
      expect(await insert(tab.device, newDeal)).toEqual({
        status: 'refused',
        message: 'The change could not be stored on this device. Reload the page, then try again.',
        code: null,
      })
      expect(tab.data.tables.deals.get('roof')).toBeUndefined()
      expect(stepsOf(tab.data).done[0]?.operations).toEqual([])
      addSpy.mockImplementation(fail('QuotaExceededError'))
      expect(await insert(tab.device, newDeal)).toMatchObject({
        message: 'This device has no room left for the change.',
      })
      markOutOfDate(tab.device)
      expect(await insert(tab.device, newDeal)).toMatchObject({
        message: 'This page is out of date. Reload it, then try again.',
      })
      expect(errorSpy).toHaveBeenCalledTimes(3)
    } finally {
      addSpy.mockRestore()
      errorSpy.mockRestore()
      warnSpy.mockRestore()
    }
  })
})
