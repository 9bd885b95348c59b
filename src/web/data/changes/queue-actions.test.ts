import { describe, expect, test } from 'vitest'
import { acme, ana, bo, type LoneTab, serverRow } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { sessionState } from '#web/data/session/session.ts'
import { openWithOperations, queuedIn } from '#tests/harness/queued-operations.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { discardOperation, discardRefused, restoreDeleted, retryOperation } from './queue-actions.ts'

const updateRequest = 'PATCH /rest/v1/deals'

const idsIn = (tab: LoneTab) => queuedIn(tab).map(({ id }) => id)

describe('retry', () => {
  test('a retry sends a refused operation with a new key, because the server has already answered the old key', async () => {
    const tab = await openWithOperations({ state: 'failed', reason: 'Too large', code: '23514' })
    await retryOperation(tab.device, 'op 0')
    expect(queuedIn(tab)).toMatchObject([{ state: 'waiting', reason: null, code: null, values: { name: 'Mine' } }])
    const [id] = idsIn(tab)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(tab.network.of(updateRequest)[0]?.headers.get('idempotency-key')).toBe(id)
  })

  test('a retry of an operation that is gone does nothing', async () => {
    const tab = await openWithOperations()
    await retryOperation(tab.device, 'op 0')
    expect(queuedIn(tab)).toEqual([])
  })
})

describe('discard', () => {
  test('a discard removes the operation and those that cannot be sent without it, and sends those that it blocked', async () => {
    const tab = await openWithOperations(
      { state: 'failed', kind: 'insert', table: 'contacts', rowId: 'owen' },
      { values: { contact_id: 'owen' } },
      { state: 'failed', rowId: 'wall', values: { name: 'Wall', amount: -1 } },
      { rowId: 'wall', values: { amount: 5 } },
    )
    await discardOperation(tab.device, 'op 0')
    expect(idsIn(tab)).toEqual(['op 2', 'op 3'])
    await discardOperation(tab.device, 'op 2')
    expect(tab.network.of(updateRequest)).toHaveLength(1)
  })

  test('a discard of an edit rebases the next edit of the same field on the value before the discarded edit; a discard of an edit of many rows rebases nothing', async () => {
    const tab = await openWithOperations(
      { state: 'conflict' },
      { values: { name: 'Again' }, base: { name: 'Mine' }, version: 3 },
      { state: 'failed', kind: 'update-all', rowIds: ['roof'] },
    )
    await discardOperation(tab.device, 'op 0')
    expect(queuedIn(tab)).toMatchObject([{ id: 'op 1', version: 0, base: { name: 'Roof' } }, { id: 'op 2' }])
    const tabWithMany = await openWithOperations(
      { state: 'failed', kind: 'update-all', rowIds: ['roof'] },
      { values: { name: 'Again' }, base: { name: 'Mine' }, version: 3 },
    )
    await discardOperation(tabWithMany.device, 'op 0')
    expect(queuedIn(tabWithMany)).toMatchObject([{ id: 'op 1', version: 3, base: { name: 'Mine' } }])
  })

  test('an operation whose refusal a screen shows is removed; an operation that was not refused stays', async () => {
    const tab = await openWithOperations({ state: 'failed' }, { state: 'conflict', rowId: 'wall' })
    for (const id of ['op 0', 'op 1', 'gone']) await discardRefused(tab.device, id)
    expect(idsIn(tab)).toEqual(['op 1'])
  })

  test('an operation whose refusal a screen shows stays under "Needs attention" if other operations depend on it', async () => {
    const tab = await openWithOperations(
      { state: 'failed', kind: 'restore', rowIds: ['roof'] },
      { values: { amount: 5 } },
    )
    await discardRefused(tab.device, 'op 0')
    expect(idsIn(tab)).toEqual(['op 0', 'op 1'])
    await discardOperation(tab.device, 'op 0')
    expect(idsIn(tab)).toEqual([])
  })
})

describe('bring back a deleted record', () => {
  const restoreRequest = 'POST /rest/v1/rpc/restore_records'
  const readRequest = 'GET /rest/v1/deals'
  const deleted: Partial<Operation> = {
    state: 'deleted',
    reason: 'gone',
    theirsAt: '2026-11-20T09:00:00Z',
    theirsBy: bo,
    version: 6,
  }

  test('bringing back a deleted record restores it, gives the edit a new key, and reads the row before the edit is sent', async () => {
    const tab = await openWithOperations({ ...deleted, rowIds: ['roof', 'wall'] })
    tab.network.on(restoreRequest, () => ({ body: ['roof', 'wall'] }))
    await restoreDeleted(tab.device, 'op 0')
    expect(tab.network.of(restoreRequest)[0]?.body).toEqual({
      p_brand_id: acme,
      p_table: 'deals',
      p_ids: ['roof', 'wall'],
    })
    expect(queuedIn(tab)).toMatchObject([
      { state: 'waiting', reason: null, theirsAt: null, theirsBy: null, version: 0, values: { name: 'Mine' } },
    ])
    expect(idsIn(tab)).not.toEqual(['op 0'])
    expect(tab.network.lines).toEqual([restoreRequest, readRequest])
  })

  test('bringing back a deleted record also succeeds if somebody else has restored it', async () => {
    const tab = await openWithOperations(deleted)
    tab.network.on(restoreRequest, () => ({ body: [] }))
    tab.network.on(readRequest, () => ({ body: [serverRow({ id: 'roof', name: 'Mine' })] }))
    await restoreDeleted(tab.device, 'op 0')
    expect(tab.network.of(readRequest)[0]?.filters).toEqual({ select: 'id', brand_id: `eq.${acme}`, id: 'eq.roof' })
    expect(queuedIn(tab)).toEqual([])
  })

  test('bringing back a deleted record rejects with the reason if it is not possible, and the edit stays', async () => {
    const tab = await openWithOperations(deleted)
    const rejectionMessage = () =>
      restoreDeleted(tab.device, 'op 0').then(
        () => null,
        (error: Error) => error.message,
      )
    expect(await rejectionMessage()).toBe('The server does not answer. Check your connection and try again.')
    tab.network.on(restoreRequest, () => refusalResponse(403, '42501', 'Not allowed'))
    expect(await rejectionMessage()).toBe('Not allowed')
    tab.network.on(restoreRequest, () => ({ body: [] }))
    tab.network.on(readRequest, () => ({ body: [] }))
    expect(await rejectionMessage()).toBe(
      'It cannot be brought back: it was deleted too long ago, or another record now has a value that must be unique.',
    )
    tab.network.on(readRequest, () => refusalResponse(403, '42501'))
    expect(await rejectionMessage()).not.toBeNull()
    expect(queuedIn(tab)).toMatchObject([{ id: 'op 0', state: 'deleted', version: 6 }])
    await restoreDeleted(tab.device, 'gone')
  })

  test('a lost connection or a refused read is not taken as the answer that a deleted record cannot be brought back', async () => {
    const tab = await openWithOperations(deleted)
    tab.network.on(restoreRequest, () => ({ body: [] }))
    const rejectionMessage = () => restoreDeleted(tab.device, 'op 0').catch((error: Error) => error.message)
    expect(await rejectionMessage()).toBe('The server does not answer. Check your connection and try again.')
    tab.network.on(readRequest, () => refusalResponse(403, '42501', 'Not allowed'))
    expect(await rejectionMessage()).toBe('Not allowed')
    expect(queuedIn(tab)).toMatchObject([{ id: 'op 0', state: 'deleted', version: 6 }])
  })

  test('bringing back a deleted record works on a backend that returns no ids', async () => {
    const tab = await openWithOperations(deleted)
    tab.network.on(restoreRequest, () => ({ status: 204 }))
    await restoreDeleted(tab.device, 'op 0')
    expect(queuedIn(tab)).toMatchObject([{ state: 'waiting' }])
  })
})

test('a decision is stored without a valid session, but nothing is sent', async () => {
  const tab = await openWithOperations({ state: 'failed' })
  sessionState(tab.device).set({ ready: true, session: { userId: ana, email: '', expired: true } })
  await retryOperation(tab.device, 'op 0')
  expect(queuedIn(tab)).toMatchObject([{ state: 'waiting' }])
  expect(tab.network.sent).toEqual([])
})
