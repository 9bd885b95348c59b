import { describe, expect, test } from 'vitest'
import { acme, ana, clockStart, bo, type LoneTab, openLoneTab, serverRow } from '#tests/harness/lone-tab.ts'
import { type PreparedResponse, refusalResponse } from '#tests/harness/prepared-network.ts'
import { reachable } from '#web/data/server/network.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { lastUnreachable } from './last-unreachable.ts'
import { send } from './send.ts'

const updateRequest = 'PATCH /rest/v1/deals'
const readRequest = 'GET /rest/v1/deals'
const deleteRequest = 'DELETE /rest/v1/deals'
const deletionRequest = 'POST /rest/v1/rpc/record_deletion'
const restoreRequest = 'POST /rest/v1/rpc/restore_records'
const tagRequest = 'POST /rest/v1/rpc/change_matching'

async function openTab(answers: Record<string, PreparedResponse> = {}): Promise<LoneTab> {
  const tab = await openLoneTab()
  lastUnreachable(tab.device)
  // An edit that is made after this moment counts as made while the server is reachable.
  tab.clock.advance(5001)
  tab.network.on(deletionRequest, () => ({ body: { by: null, at: null } }))
  for (const [line, answer] of Object.entries(answers)) tab.network.on(line, () => answer)
  return tab
}

const editedAt = '2026-11-20T09:30:05.001+00:00'
const ids = ['roof', 'wall']

const readIds = (network: LoneTab['network']) => network.of(readRequest).map(({ filters }) => filters.id)

const operation = (parts: Partial<Operation> = {}) =>
  testOperation({
    userId: ana,
    brandId: acme,
    id: 'key',
    kind: 'update-all',
    rowId: 'roof',
    rowIds: ids,
    values: { owner_id: 'me' },
    bases: { roof: { owner_id: 'old' }, wall: { owner_id: 'old' } },
    at: editedAt,
    awaited: true,
    ...parts,
  })

const row = (id: string, parts: Record<string, unknown> = {}) =>
  serverRow({ id, owner_id: 'me', version: 2, updated_by: ana, ...parts })
const bothRows = [row('roof'), row('wall')]
const noDeletion = { deleted: new Map(), deletedBy: null, deletedAt: null }

describe('an edit of many rows that is sent at once', () => {
  test('an edit of many rows that is sent at once is one request, in its brand, with its key', async () => {
    const { device, network } = await openTab({ [updateRequest]: { body: bothRows } })
    const sent = await send(device, operation({ values: { owner_id: 'me', 'custom.f': 1 } }))
    expect(sent).toEqual({ kind: 'changed', rows: bothRows, overtakenBy: [], ...noDeletion })
    expect(network.sent).toMatchObject([
      {
        line: updateRequest,
        filters: { id: 'in.(roof,wall)', brand_id: `eq.${acme}` },
        body: { owner_id: 'me', custom: { f: 1 } },
      },
    ])
    expect(network.sent[0]?.headers.get('idempotency-key')).toBe('key')
    expect(Object.keys(network.sent[0]?.filters ?? {})).not.toContain('owner_id')
  })

  test('an edit of many rows that is sent at once reads who deleted the first row that is missing in the answer', async () => {
    const deletion = { by: bo, at: clockStart }
    const { device, network } = await openTab({
      [updateRequest]: { body: [bothRows[1]] },
      [readRequest]: { body: [] },
      [deletionRequest]: { body: deletion },
    })
    expect(await send(device, operation())).toEqual({
      kind: 'changed',
      rows: [bothRows[1]],
      deleted: new Map([['roof', 0]]),
      overtakenBy: [],
      deletedBy: bo,
      deletedAt: clockStart,
    })
    expect(network.of(deletionRequest)[0]?.body).toMatchObject({ p_id: 'roof' })
  })

  test('an edit of many rows that is sent at once deletes no row that was missing only because the user was not a member at that time', async () => {
    const unwritten = row('roof', { owner_id: 'old' })
    const { device } = await openTab({ [updateRequest]: { body: [bothRows[1]] }, [readRequest]: { body: [unwritten] } })
    const rows = [bothRows[1], unwritten]
    expect(await send(device, operation())).toEqual({ kind: 'changed', rows, overtakenBy: [unwritten], ...noDeletion })
  })

  test('an edit of many rows that is sent at once reads the rows if the answer to an earlier attempt was lost', async () => {
    const { device, network } = await openTab({
      [updateRequest]: refusalResponse(409, 'PT409'),
      [readRequest]: { body: bothRows },
    })
    expect(await send(device, operation())).toMatchObject({ kind: 'changed', rows: bothRows })
    expect(network.lines).toEqual([updateRequest, readRequest])
  })

  test.each<[string, PreparedResponse]>([
    ['wait', null],
    ['refused', refusalResponse(400, '23514')],
    ['session', refusalResponse(401, 'PT401')],
  ])('an answer of the server to an edit of many rows has the result: %s', async (kind, answer) => {
    const { device } = await openTab({ [updateRequest]: answer })
    expect((await send(device, operation())).kind).toBe(kind)
  })
})

describe('the read before an edit of many rows is sent', () => {
  const theirs = row('roof', { owner_id: 'theirs', updated_at: '2030-01-01T00:00:00Z' })

  test.each<[string, Partial<Operation>, (tab: LoneTab) => void]>([
    ['made without a network', { awaited: false }, () => {}],
    ['made five seconds ago', {}, ({ clock }) => clock.advance(5000)],
    [
      'made before the server was unreachable',
      {},
      ({ device }) => {
        reachable(device).set(false)
        reachable(device).set(true)
      },
    ],
    ['made before the device’s clock was set back', {}, ({ clock }) => clock.jump(-60_000)],
    ['that is an undo', { givesWay: true }, () => {}],
  ])(
    'an edit of many rows first reads the rows, and does not write those that others changed: %s',
    async (_, parts, prepare) => {
      const tab = await openTab({
        [readRequest]: { body: [theirs, row('wall', { owner_id: 'old' })] },
        [updateRequest]: { body: [bothRows[1]] },
      })
      prepare(tab)
      const sent = await send(tab.device, operation(parts))
      expect(tab.network.lines).toEqual([readRequest, updateRequest])
      expect(tab.network.of(updateRequest)[0]?.filters.id).toBe('in.(wall)')
      expect(sent).toEqual({ kind: 'changed', rows: [bothRows[1], theirs], overtakenBy: [theirs], ...noDeletion })
    },
  )

  test('an edit of many rows that is less than five seconds old is sent without reading the rows', async () => {
    const tab = await openTab({ [updateRequest]: { body: bothRows } })
    tab.clock.advance(4999)
    await send(tab.device, operation())
    expect(tab.network.lines).toEqual([updateRequest])
  })

  test('an edit of many rows writes nothing if the read shows that others changed all rows', async () => {
    const all = [theirs, row('wall', { owner_id: 'theirs', updated_at: '2030-01-01T00:00:00Z' })]
    const { device, network } = await openTab({ [readRequest]: { body: all } })
    expect(await send(device, operation({ awaited: false }))).toMatchObject({ kind: 'changed', overtakenBy: all })
    expect(network.lines).toEqual([readRequest])
  })

  test('an edit of many rows waits if the rows cannot be read first', async () => {
    const { device, network } = await openTab({ [updateRequest]: { body: bothRows } })
    expect(await send(device, operation({ awaited: false }))).toEqual({ kind: 'wait' })
    expect(network.lines).toEqual([readRequest])
  })
})

describe('an undo of an edit of many rows', () => {
  const before = ids.map((id) => row(id, { owner_id: 'mine', custom: { f: { a: 1 } } }))
  const undo = (parts: Partial<Operation> = {}) =>
    operation({
      givesWay: true,
      values: { owner_id: 'old', amount: 1, 'custom.f': 1, 'custom.g': 2 },
      bases: Object.fromEntries(
        ids.map((id) => [id, { owner_id: 'mine', amount: null, 'custom.f': { a: 1 }, 'custom.g': undefined }]),
      ),
      ...parts,
    })

  test('an undo of an edit of many rows filters by the values that it replaces, so that a row that changes at this moment is not written', async () => {
    const { device, network } = await openTab({ [readRequest]: { body: before }, [updateRequest]: { body: bothRows } })
    await send(device, undo())
    expect(network.of(updateRequest)[0]?.filters).toMatchObject({
      owner_id: 'eq.mine',
      amount: 'is.null',
      'custom->f': 'eq.{"a":1}',
      'custom->>g': 'is.null',
    })
  })

  test('an undo of an edit of many rows reads the rows that it did not write, and counts them as changed by somebody else', async () => {
    const undone = row('roof', { owner_id: 'old' })
    const wallByColleague = row('wall', { owner_id: 'theirs' })
    const tab = await openTab({ [updateRequest]: { body: [undone] } })
    tab.network.onEach(readRequest, { body: before }, { body: [wallByColleague] })
    const sent = await send(
      tab.device,
      undo({ values: { owner_id: 'old' }, bases: { roof: { owner_id: 'mine' }, wall: { owner_id: 'mine' } } }),
    )
    expect(readIds(tab.network)).toEqual(['in.(roof,wall)', 'in.(wall)'])
    expect(sent).toEqual({
      kind: 'changed',
      rows: [undone, wallByColleague],
      overtakenBy: [wallByColleague],
      ...noDeletion,
    })
  })

  test('an undo of an edit of many rows reads nothing again if all rows were written, and waits if the others cannot be read', async () => {
    const values = { owner_id: 'old' }
    const bases = { roof: { owner_id: 'mine' }, wall: { owner_id: 'mine' } }
    const undone = ids.map((id) => row(id, values))
    const tab = await openTab({ [readRequest]: { body: before }, [updateRequest]: { body: undone } })
    expect(await send(tab.device, undo({ values, bases }))).toEqual({
      kind: 'changed',
      rows: undone,
      overtakenBy: [],
      ...noDeletion,
    })
    expect(tab.network.lines).toEqual([readRequest, updateRequest])
    const otherTab = await openTab({ [updateRequest]: { body: [undone[0]] } })
    otherTab.network.onEach(readRequest, { body: before }, null)
    expect(await send(otherTab.device, undo({ values, bases }))).toEqual({ kind: 'wait' })
    const silentTab = await openTab({ [readRequest]: { body: before } })
    expect(await send(silentTab.device, undo({ values, bases }))).toEqual({ kind: 'wait' })
  })

  test('an undo of an edit of rows that this device had never seen has no filters by their values', async () => {
    const { device, network } = await openTab({ [readRequest]: { body: before }, [updateRequest]: { body: bothRows } })
    await send(device, undo({ bases: {} }))
    expect(Object.keys(network.of(updateRequest)[0]?.filters ?? {}).sort()).toEqual(['brand_id', 'id', 'select'])
  })
})

describe('an edit of the tags of many rows', () => {
  const tags = operation({ values: { tag_ids: { add: ['a'], remove: ['b'] } }, bases: {} })

  test('an edit of the tags of many rows is merged by the server, and the rows are read', async () => {
    const { device, network } = await openTab({ [tagRequest]: { body: 2 }, [readRequest]: { body: bothRows } })
    expect(await send(device, tags)).toEqual({ kind: 'changed', rows: bothRows, overtakenBy: [], ...noDeletion })
    expect(network.of(tagRequest)).toMatchObject([
      {
        body: {
          p_brand_id: acme,
          p_query: { table: 'deals', where: { id: ids } },
          p_change: { add_tags: ['a'], remove_tags: ['b'] },
        },
      },
    ])
    expect(network.of(tagRequest)[0]?.headers.get('idempotency-key')).toBe('key')
  })

  test('an edit of the tags of many rows also reads the rows if the answer to an earlier attempt was lost, and waits without an answer', async () => {
    const lostTab = await openTab({ [tagRequest]: refusalResponse(409, 'PT409'), [readRequest]: { body: bothRows } })
    expect(await send(lostTab.device, tags)).toMatchObject({ kind: 'changed', rows: bothRows })
    expect((await send((await openTab({})).device, tags)).kind).toBe('wait')
    expect((await send((await openTab({ [tagRequest]: { body: 2 } })).device, tags)).kind).toBe('wait')
    expect((await send((await openTab({ [tagRequest]: refusalResponse(403, '42501') })).device, tags)).kind).toBe(
      'refused',
    )
  })
})

describe('a delete', () => {
  const seenVersions = { roof: { version: 2 }, wall: { version: 2 } }
  const deletion = operation({ kind: 'delete', values: {}, bases: seenVersions })
  const changed = row('roof', { version: 3, updated_by: bo })

  test('a delete is one request, and returns the rows that a colleague had changed before', async () => {
    const mine = row('wall', { version: 3, updated_by: ana })
    const rows = [changed, mine, row('unseen', { updated_by: bo })]
    const { device, network } = await openTab({ [deleteRequest]: { body: rows } })
    expect(await send(device, deletion)).toEqual({
      kind: 'deleted-here',
      rows,
      deleted: expect.any(Map),
      changedBefore: [changed],
    })
    expect(network.sent).toMatchObject([{ filters: { brand_id: `eq.${acme}`, id: 'in.(roof,wall)' } }])
  })

  test('a delete of rows that nobody had changed returns no changed rows', async () => {
    const rows = [row('roof', { updated_by: bo }), row('wall')]
    const { device } = await openTab({ [deleteRequest]: { body: rows } })
    const deleted = new Map(ids.map((id) => [id, 2]))
    expect(await send(device, deletion)).toEqual({ kind: 'deleted-here', rows, deleted, changedBefore: [] })
  })

  test('a delete is refused if rows still exist after it, because then the user may not delete them', async () => {
    const { device, network } = await openTab({ [deleteRequest]: { body: [] }, [readRequest]: { body: [row('roof')] } })
    expect(await send(device, deletion)).toEqual({ kind: 'refused', message: 'You may not do this.', code: '42501' })
    expect(readIds(network)).toEqual(['in.(roof,wall)', 'in.(roof,wall)'])
  })

  test('a delete of rows that somebody else has already deleted is applied; it waits if it is not known whether they exist', async () => {
    const goneTab = await openTab({ [deleteRequest]: { body: [row('roof')] }, [readRequest]: { body: [] } })
    expect(await send(goneTab.device, deletion)).toEqual({
      kind: 'deleted-here',
      rows: [row('roof')],
      deleted: new Map([
        ['roof', 2],
        ['wall', 0],
      ]),
      changedBefore: [],
    })
    expect(readIds(goneTab.network)).toEqual(['in.(wall)', 'in.(wall)'])
    expect(await send((await openTab({ [deleteRequest]: { body: [] } })).device, deletion)).toEqual({ kind: 'wait' })
  })

  test('a delete whose answer was lost counts as applied if the rows do not exist; a delete without an answer waits', async () => {
    const lost = refusalResponse(409, 'PT409')
    const { device, network } = await openTab({ [deleteRequest]: lost, [readRequest]: { body: [] } })
    expect(await send(device, deletion)).toEqual({
      kind: 'deleted-here',
      rows: [],
      deleted: new Map(ids.map((id) => [id, 0])),
      changedBefore: [],
    })
    expect(readIds(network)).toEqual(['in.(roof,wall)', 'in.(roof,wall)'])
    expect(await send((await openTab({ [deleteRequest]: lost })).device, deletion)).toEqual({ kind: 'wait' })
    expect(await send((await openTab()).device, deletion)).toEqual({ kind: 'wait' })
  })

  test('a delete whose answer was lost returns the rows that a colleague has restored since', async () => {
    const restored = row('roof', { version: 3, updated_by: bo })
    const { device } = await openTab({
      [deleteRequest]: refusalResponse(409, 'PT409'),
      [readRequest]: { body: [restored] },
    })
    expect(await send(device, deletion)).toEqual({
      kind: 'changed',
      rows: [restored],
      overtakenBy: [],
      ...noDeletion,
      deleted: new Map([['wall', 0]]),
      wasReadLater: true,
    })
  })

  test('a delete that undoes a creation deletes nothing if a colleague has changed one of the rows', async () => {
    const { device, network } = await openTab({ [readRequest]: { body: [changed, row('wall')] } })
    expect(await send(device, { ...deletion, givesWay: true })).toEqual({
      kind: 'changed',
      rows: [changed, row('wall')],
      overtakenBy: [changed],
      ...noDeletion,
    })
    expect(network.lines).toEqual([readRequest])
  })

  test('a delete that undoes a creation deletes rows that nobody has changed, and waits if it is not known whether somebody has', async () => {
    const { device, network } = await openTab({
      [readRequest]: { body: bothRows },
      [deleteRequest]: { body: bothRows },
    })
    expect((await send(device, { ...deletion, givesWay: true })).kind).toBe('deleted-here')
    expect(network.lines).toEqual([readRequest, deleteRequest])
    const silentTab = await openTab({ [deleteRequest]: { body: bothRows } })
    expect((await send(silentTab.device, { ...deletion, givesWay: true })).kind).toBe('wait')
    expect(silentTab.network.lines).toEqual([readRequest])
  })
})

describe('an undo of a delete', () => {
  const undo = operation({ kind: 'restore', values: {} })

  test.each<[string, PreparedResponse]>([
    ['sent', { body: ids }],
    ['sent again', refusalResponse(409, 'PT409')],
  ])('an undo of a delete restores the rows and reads them: %s', async (_, answer) => {
    const { device, network } = await openTab({ [restoreRequest]: answer, [readRequest]: { body: bothRows } })
    expect(await send(device, undo)).toEqual({ kind: 'restored', rows: bothRows })
    expect(network.of(restoreRequest)[0]?.body).toEqual({ p_brand_id: acme, p_table: 'deals', p_ids: ids })
    expect(network.of(restoreRequest)[0]?.headers.get('idempotency-key')).toBe('key')
  })

  test('an undo of a delete waits without an answer, also if only the reading of the rows fails', async () => {
    expect(await send((await openTab()).device, undo)).toEqual({ kind: 'wait' })
    expect(await send((await openTab({ [restoreRequest]: { body: ids } })).device, undo)).toEqual({ kind: 'wait' })
    expect((await send((await openTab({ [restoreRequest]: refusalResponse(400, 'P0001') })).device, undo)).kind).toBe(
      'refused',
    )
  })
})
