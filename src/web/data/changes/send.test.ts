import { describe, expect, test } from 'vitest'
import { acme, ana, bo, clockStart, type LoneTab, openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { type PreparedResponse, refusalResponse } from '#tests/harness/prepared-network.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { readAndRecordDeletion } from './deletion.ts'
import { send } from './send.ts'

const operation = (parts: Partial<Operation>) =>
  testOperation({
    userId: ana,
    brandId: acme,
    id: 'key',
    rowId: 'roof',
    values: { name: 'Mine' },
    base: { name: 'Roof' },
    ...parts,
  })

const row = serverRow({ id: 'roof', name: 'Mine', version: 4 })
const readRequest = 'GET /rest/v1/deals'
const settled = { kind: 'settled', rowId: 'roof', row, overtakenBy: null }
const readLater = { ...settled, wasReadLater: true }

const deletionRequest = 'POST /rest/v1/rpc/record_deletion'

async function openTab(answers: Record<string, PreparedResponse>): Promise<LoneTab> {
  const tab = await openLoneTab()
  tab.network.on(deletionRequest, () => ({ body: { by: null, at: null } }))
  for (const [line, answer] of Object.entries(answers)) tab.network.on(line, () => answer)
  return tab
}

describe('an edit of a row', () => {
  const update = operation({ version: 3, values: { name: 'Mine', 'custom.f': null } })

  test('an edit of a row is one request for this version of the row, in its brand, with its key, as its user', async () => {
    const { device, network } = await openTab({ 'PATCH /rest/v1/deals': { body: [row] } })
    expect(await send(device, update)).toEqual(settled)
    expect(network.sent).toMatchObject([
      {
        filters: { id: 'eq.roof', brand_id: `eq.${acme}`, version: 'eq.3' },
        body: { name: 'Mine', custom: { f: null } },
      },
    ])
    expect(network.sent[0]?.headers.get('idempotency-key')).toBe('key')
    expect(network.sent[0]?.headers.get('x-as-user')).toBeNull()
  })

  test('an edit is not sent if its user is not the user of the session', async () => {
    const { device, network } = await openTab({ 'PATCH /rest/v1/deals': { body: [row] } })
    expect(await send(device, { ...update, userId: bo })).toEqual({ kind: 'session', code: 'NO_SESSION' })
    expect(network.sent).toEqual([])
  })

  test('an edit of a row without an answer waits, and is not repeated by the official client', async () => {
    const { device, network } = await openTab({})
    expect(await send(device, update)).toEqual({ kind: 'wait' })
    expect(network.lines).toEqual(['PATCH /rest/v1/deals'])
  })

  test('an edit of a row that is refused returns the message and the code', async () => {
    const { device } = await openTab({ 'PATCH /rest/v1/deals': refusalResponse(400, '23514', 'Too large') })
    expect(await send(device, update)).toEqual({ kind: 'refused', message: 'Too large', code: '23514' })
  })

  test('an edit of a row whose answer was lost is settled with the current row', async () => {
    const { device, network } = await openTab({
      'PATCH /rest/v1/deals': refusalResponse(409, 'PT409'),
      [readRequest]: { body: [row] },
    })
    expect(await send(device, update)).toEqual(readLater)
    expect(network.of(readRequest)).toMatchObject([
      { filters: { select: '*', id: 'in.(roof)', brand_id: `eq.${acme}` } },
    ])
    expect(network.of(readRequest)[0]?.headers.get('idempotency-key')).toBeNull()
  })

  test('an edit whose answer was lost waits if the current row cannot be read', async () => {
    const { device } = await openTab({ 'PATCH /rest/v1/deals': refusalResponse(409, 'PT409') })
    expect(await send(device, update)).toEqual({ kind: 'wait' })
    const otherTab = await openTab({
      'PATCH /rest/v1/deals': refusalResponse(409, 'PT409'),
      [readRequest]: refusalResponse(409, 'PT409'),
    })
    expect(await send(otherTab.device, update)).toEqual({ kind: 'wait' })
  })

  test('an edit of a row is compared with the current row if its version is no longer the server’s, or was never known', async () => {
    const theirs = serverRow({ id: 'roof', name: 'Roof', version: 9 })
    const { device, network } = await openTab({
      'PATCH /rest/v1/deals': { body: [] },
      [readRequest]: { body: [theirs] },
    })
    const result = await send(device, operation({ version: 3, preview: { name: 'Old', amount: 5 } }))
    expect(result).toMatchObject({
      kind: 'resend',
      operation: { id: 'key', version: 9, base: { name: 'Roof' }, preview: { name: 'Mine', amount: 5 } },
    })
    expect(network.lines).toEqual(['PATCH /rest/v1/deals', readRequest])
    network.sent.length = 0
    expect((await send(device, operation({ version: 0 }))).kind).toBe('resend')
    expect(network.sent).toMatchObject([{ line: readRequest, filters: { id: 'in.(roof)' } }])
  })

  test('an edit of a row waits if the current row cannot be read, because the row may still exist', async () => {
    const { device, network } = await openTab({ 'PATCH /rest/v1/deals': { body: [] } })
    expect(await send(device, update)).toEqual({ kind: 'wait' })
    expect(network.lines).toEqual(['PATCH /rest/v1/deals', readRequest])
  })

  test('an edit of a row is refused if the server does not write it although the version is right, because then the user may not write it', async () => {
    const { device } = await openTab({
      'PATCH /rest/v1/deals': { body: [] },
      [readRequest]: { body: [{ ...row, name: 'Roof', version: 3 }] },
    })
    expect(await send(device, update)).toEqual({ kind: 'refused', message: 'You may not do this.', code: '42501' })
  })

  test('an edit of a row is settled if the server already has the values', async () => {
    const { device } = await openTab({ [readRequest]: { body: [row] } })
    expect(await send(device, operation({ version: 0 }))).toEqual(settled)
  })

  test('an edit of a row gives way to a later change if the last write wins; otherwise the user is asked about the conflict', async () => {
    const theirs = serverRow({
      id: 'roof',
      name: 'Theirs',
      version: 9,
      updated_by: bo,
      updated_at: '2030-01-01T00:00:00Z',
    })
    const { device } = await openTab({ [readRequest]: { body: [theirs] } })
    expect(await send(device, operation({ version: 0, lastWriteStands: true }))).toEqual({
      kind: 'settled',
      rowId: 'roof',
      row: theirs,
      overtakenBy: theirs,
    })
    expect(await send(device, operation({ version: 0 }))).toEqual({
      kind: 'conflict',
      conflicts: [{ field: 'name', base: 'Roof', mine: 'Mine', theirs: 'Theirs' }],
      row: theirs,
      theirsBy: bo,
      theirsAt: '2030-01-01T00:00:00Z',
    })
  })

  test('a conflict names who wrote the row last. If this device may have done that, it names the other change that the device saw before', async () => {
    const byBo = { theirsBy: bo, theirsAt: '2026-11-20T09:00:00Z' }
    const writtenBy = (updated_by: string) =>
      openTab({
        'PATCH /rest/v1/deals': { body: [] },
        [readRequest]: {
          body: [serverRow({ id: 'roof', name: 'Theirs', version: 9, updated_by, updated_at: clockStart })],
        },
      })
    const own = await writtenBy(ana)
    expect(await send(own.device, operation({ version: 0, ...byBo }))).toMatchObject({ kind: 'conflict', ...byBo })
    expect(await send(own.device, operation({ version: 0 }))).toMatchObject({ theirsBy: null, theirsAt: null })
    const move = operation({ version: 0, lastWriteStands: true, at: '2000-01-01T00:00:00Z', ...byBo })
    expect(await send(own.device, move)).toMatchObject({ row: { updated_by: ana }, overtakenBy: { updated_by: bo } })
    // With a known version, this device has not written the row since: another device of the user has.
    expect(await send(own.device, operation({ version: 3, ...byBo }))).toMatchObject({
      theirsBy: ana,
      theirsAt: clockStart,
    })
    const theirs = await writtenBy('zoe')
    expect(await send(theirs.device, operation({ version: 0, ...byBo }))).toMatchObject({ theirsBy: 'zoe' })
    expect(await send(theirs.device, operation({ version: 3, values: { amount: 5 }, base: {} }))).toMatchObject({
      kind: 'resend',
      operation: { theirsBy: 'zoe', theirsAt: clockStart },
    })
  })

  test('an edit of a link is sent again if the server has cleared the link because its record was deleted', async () => {
    const tab = await openTab({ [readRequest]: { body: [serverRow({ id: 'roof', contact_id: null, version: 9 })] } })
    const link = operation({ version: 0, values: { contact_id: 'zoe' }, base: { contact_id: 'owen' } })
    expect((await send(tab.device, link)).kind).toBe('conflict')
    tab.data.recentlyDeleted.set('owen', 1)
    expect((await send(tab.device, link)).kind).toBe('resend')
  })
})

describe('an edit of a deleted record', () => {
  const update = operation({ version: 0 })

  test('the result of an edit of a deleted record says who deleted the record, and when, and an older answer cannot bring the record back', async () => {
    const deletion = { by: bo, at: '2026-11-20T09:00:00Z' }
    const { device, network, data } = await openTab({
      [readRequest]: { body: [] },
      [deletionRequest]: { body: deletion },
    })
    putRows(data, 'deals', { id: 'roof', version: 7 })
    expect(await send(device, update)).toEqual({
      kind: 'deleted-elsewhere',
      deleted: new Map([['roof', 7]]),
      ...deletion,
    })
    expect([...data.recentlyDeleted]).toEqual([['roof', 7]])
    expect(network.of(deletionRequest)[0]?.body).toEqual({ p_brand_id: acme, p_table: 'deals', p_id: 'roof' })
  })

  test('the result of an edit of a deleted record does not say who deleted the record, or when, on a backend that does not record this', async () => {
    const { device } = await openTab({
      [readRequest]: { body: [] },
      [deletionRequest]: refusalResponse(404, 'PGRST202'),
    })
    expect(await send(device, update)).toEqual({
      kind: 'deleted-elsewhere',
      deleted: new Map([['roof', 0]]),
      by: null,
      at: null,
    })
  })

  test('an edit of a deleted record waits for a new session if the session has ended, because the record may still exist', async () => {
    const { device } = await openTab({
      [readRequest]: { body: [] },
      [deletionRequest]: refusalResponse(401, 'PT401', 'SESSION_ENDED'),
    })
    expect(await send(device, update)).toEqual({ kind: 'session', code: 'PT401' })
  })

  test('a screen can read who deleted a record of the open brand, and when, if the server knows it', async () => {
    const tab = await openTab({ [deletionRequest]: { body: { by: bo, at: '2026-11-20T09:00:00Z' } } })
    expect(await readAndRecordDeletion(tab.device, 'deals', 'roof')).toEqual({ by: bo, at: '2026-11-20T09:00:00Z' })
    tab.network.on(deletionRequest, () => ({ body: null }))
    expect(await readAndRecordDeletion(tab.device, 'deals', 'roof')).toBeNull()
    tab.data.close()
    expect(await readAndRecordDeletion(tab.device, 'deals', 'roof')).toBeNull()
    expect(tab.network.of(deletionRequest)).toHaveLength(2)
  })
})

describe('a new row', () => {
  const insert = operation({ kind: 'insert', version: 0, values: { id: 'roof', name: 'Mine' } })

  test('a new row is sent, and settled with the row of the answer', async () => {
    const { device, network } = await openTab({ 'POST /rest/v1/deals': { body: [row] } })
    expect(await send(device, insert)).toEqual(settled)
    expect(network.sent[0]?.body).toEqual({ id: 'roof', name: 'Mine' })
  })

  test('a new row that the answer does not contain is read', async () => {
    const { device } = await openTab({ 'POST /rest/v1/deals': { body: [] }, [readRequest]: { body: [] } })
    expect(await send(device, insert)).toEqual({ ...readLater, row: undefined })
  })
})

describe('a new row that is refused because a unique value exists', () => {
  const insert = operation({ kind: 'insert', version: 0, values: { id: 'roof', name: 'Mine' } })
  const taken = refusalResponse(409, '23505', 'duplicate key value')

  test('a new row that exists already is settled with the existing row, because an earlier attempt whose answer was lost has inserted it', async () => {
    const { device, network } = await openTab({ 'POST /rest/v1/deals': taken, [readRequest]: { body: [row] } })
    expect(await send(device, insert)).toEqual(readLater)
    expect(network.of(readRequest)).toMatchObject([{ filters: { id: 'eq.roof', brand_id: `eq.${acme}` } }])
  })

  test('a new row with a value that another row has is refused; without an answer about its own row it waits', async () => {
    const { device } = await openTab({ 'POST /rest/v1/deals': taken, [readRequest]: { body: [] } })
    expect(await send(device, insert)).toEqual({ kind: 'refused', message: 'duplicate key value', code: '23505' })
    const offline = await openTab({ 'POST /rest/v1/deals': taken })
    expect(await send(offline.device, insert)).toEqual({ kind: 'wait' })
  })
})

describe('a call that creates a row', () => {
  const call = operation({ kind: 'call', values: {}, call: { name: 'quick_create_deal', args: { p_name: 'Mine' } } })
  const callRequest = 'POST /rest/v1/rpc/quick_create_deal'

  test('a call that creates a row is settled with the row whose id it returns', async () => {
    const { device, network } = await openTab({ [callRequest]: { body: 'known' }, [readRequest]: { body: [row] } })
    expect(await send(device, call)).toEqual({ ...readLater, rowId: 'known' })
    expect(network.of(callRequest)[0]?.body).toEqual({ p_name: 'Mine' })
    expect(network.of(readRequest)[0]?.filters.id).toBe('in.(known)')
  })

  test('a call that creates a row and returns no id is settled with the intended row', async () => {
    const { device } = await openTab({ [callRequest]: { body: null }, [readRequest]: { body: [row] } })
    expect(await send(device, call)).toEqual(readLater)
  })

  test('a call whose answer was lost is settled with the id that the server recorded', async () => {
    const details = JSON.stringify({ table: 'deals', id: 'known' })
    const { device } = await openTab({
      [callRequest]: refusalResponse(409, 'PT409', 'x', details),
      [readRequest]: { body: [row] },
    })
    expect(await send(device, call)).toEqual({ ...readLater, rowId: 'known' })
  })

  test('an operation that was stored without its call is refused by the server', async () => {
    const { device, network } = await openTab({ 'POST /rest/v1/rpc/': refusalResponse(404, 'PGRST202', 'unknown') })
    expect(await send(device, { ...call, call: null })).toMatchObject({ kind: 'refused' })
    expect(network.sent[0]?.body).toEqual({})
  })
})
