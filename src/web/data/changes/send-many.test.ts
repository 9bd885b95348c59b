import { describe, expect, test } from 'vitest'
import { acme, ana, clockStart, bo, type LoneTab, openLoneTab, serverRow } from '#tests/harness/lone-tab.ts'
import { type PreparedResponse, refusalResponse } from '#tests/harness/prepared-network.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { trackUnreachability } from './unreachable-since.ts'
import { send } from './send.ts'

const writing = 'PATCH /rest/v1/deals'
const reading = 'GET /rest/v1/deals'
const deleting = 'DELETE /rest/v1/deals'
const asking = 'POST /rest/v1/rpc/record_deletion'
const restoring = 'POST /rest/v1/rpc/restore_records'
const tagging = 'POST /rest/v1/rpc/change_matching'

async function open(answers: Record<string, PreparedResponse> = {}): Promise<LoneTab> {
  const tab = await openLoneTab()
  trackUnreachability(tab.device)
  // An edit that is made after this moment counts as made while the server is reachable.
  tab.clock.advance(1)
  tab.network.on(asking, () => ({ body: { by: null, at: null } }))
  for (const [line, answer] of Object.entries(answers)) tab.network.on(line, () => answer)
  return tab
}

const made = '2026-11-20T09:30:00.001+00:00'
const ids = ['roof', 'wall']

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
    at: made,
    awaited: true,
    ...parts,
  })

const row = (id: string, parts: Record<string, unknown> = {}) =>
  serverRow({ id, owner_id: 'me', version: 2, updated_by: ana, ...parts })
const both = [row('roof'), row('wall')]
const nobody = { deleted: new Map(), deletedBy: null, deletedAt: null }

describe('an edit of many rows that is sent at once', () => {
  test('an edit of many rows that is sent at once is one request, in its brand, with its key', async () => {
    const { device, network } = await open({ [writing]: { body: both } })
    const sent = await send(device, operation({ values: { owner_id: 'me', 'custom.f': 1 } }))
    expect(sent).toEqual({ kind: 'changed', rows: both, overtakenBy: [], ...nobody })
    expect(network.sent).toMatchObject([
      {
        line: writing,
        filters: { id: 'in.(roof,wall)', brand_id: `eq.${acme}` },
        body: { owner_id: 'me', custom: { f: 1 } },
      },
    ])
    expect(network.sent[0]?.headers.get('idempotency-key')).toBe('key')
    expect(Object.keys(network.sent[0]?.filters ?? {})).not.toContain('owner_id')
  })

  test('an edit of many rows that is sent at once reads who deleted the first row that is missing in the answer', async () => {
    const deletion = { by: bo, at: clockStart }
    const { device, network } = await open({ [writing]: { body: [both[1]] }, [asking]: { body: deletion } })
    expect(await send(device, operation())).toEqual({
      kind: 'changed',
      rows: [both[1]],
      deleted: new Map([['roof', 0]]),
      overtakenBy: [],
      deletedBy: bo,
      deletedAt: clockStart,
    })
    expect(network.of(asking)[0]?.body).toMatchObject({ p_id: 'roof' })
  })

  test('an edit of many rows that is sent at once reads the rows if the answer to an earlier attempt was lost', async () => {
    const { device, network } = await open({ [writing]: refusalResponse(409, 'PT409'), [reading]: { body: both } })
    expect(await send(device, operation())).toMatchObject({ kind: 'changed', rows: both })
    expect(network.lines).toEqual([writing, reading])
  })

  test.each<[string, PreparedResponse]>([
    ['wait', null],
    ['refused', refusalResponse(400, '23514')],
    ['session', refusalResponse(401, 'PT401')],
  ])('an answer of the server to an edit of many rows has the result: %s', async (kind, answer) => {
    const { device } = await open({ [writing]: answer })
    expect((await send(device, operation())).kind).toBe(kind)
  })
})

describe('the read before an edit of many rows is sent', () => {
  const theirs = row('roof', { owner_id: 'theirs', updated_at: '2030-01-01T00:00:00Z' })

  test.each<[string, Partial<Operation>, (tab: LoneTab) => void]>([
    ['made without a network', { awaited: false }, () => {}],
    ['made five seconds ago', {}, ({ clock }) => clock.advance(5000)],
    ['made before the server was unreachable', { at: clockStart }, () => {}],
    ['that is an undo', { givesWay: true }, () => {}],
  ])(
    'an edit of many rows first reads the rows, and does not write those that others changed: %s',
    async (_, parts, prepare) => {
      const tab = await open({
        [reading]: { body: [theirs, row('wall', { owner_id: 'old' })] },
        [writing]: { body: [both[1]] },
      })
      prepare(tab)
      const sent = await send(tab.device, operation(parts))
      expect(tab.network.lines).toEqual([reading, writing])
      expect(tab.network.of(writing)[0]?.filters.id).toBe('in.(wall)')
      expect(sent).toEqual({ kind: 'changed', rows: [both[1], theirs], overtakenBy: [theirs], ...nobody })
    },
  )

  test('an edit of many rows that is less than five seconds old is sent without reading the rows', async () => {
    const tab = await open({ [writing]: { body: both } })
    tab.clock.advance(4999)
    await send(tab.device, operation())
    expect(tab.network.lines).toEqual([writing])
  })

  test('an edit of many rows writes nothing if the read shows that others changed all rows', async () => {
    const all = [theirs, row('wall', { owner_id: 'theirs', updated_at: '2030-01-01T00:00:00Z' })]
    const { device, network } = await open({ [reading]: { body: all } })
    expect(await send(device, operation({ awaited: false }))).toMatchObject({ kind: 'changed', overtakenBy: all })
    expect(network.lines).toEqual([reading])
  })

  test('an edit of many rows waits if the rows cannot be read first', async () => {
    const { device, network } = await open({ [writing]: { body: both } })
    expect(await send(device, operation({ awaited: false }))).toEqual({ kind: 'wait' })
    expect(network.lines).toEqual([reading])
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
    const { device, network } = await open({ [reading]: { body: before }, [writing]: { body: both } })
    await send(device, undo())
    expect(network.of(writing)[0]?.filters).toMatchObject({
      owner_id: 'eq.mine',
      amount: 'is.null',
      'custom->f': 'eq.{"a":1}',
      'custom->>g': 'is.null',
    })
  })

  test('an undo of an edit of many rows reads the rows that it did not write, and counts them as changed by somebody else', async () => {
    const undone = row('roof', { owner_id: 'old' })
    const faster = row('wall', { owner_id: 'theirs' })
    const tab = await open({ [writing]: { body: [undone] } })
    tab.network.onEach(reading, { body: before }, { body: [faster] })
    const sent = await send(
      tab.device,
      undo({ values: { owner_id: 'old' }, bases: { roof: { owner_id: 'mine' }, wall: { owner_id: 'mine' } } }),
    )
    expect(tab.network.of(reading).map(({ filters }) => filters.id)).toEqual(['in.(roof,wall)', 'in.(wall)'])
    expect(sent).toEqual({ kind: 'changed', rows: [undone, faster], overtakenBy: [faster], ...nobody })
  })

  test('an undo of an edit of many rows reads nothing again if all rows were written, and waits if the others cannot be read', async () => {
    const values = { owner_id: 'old' }
    const bases = { roof: { owner_id: 'mine' }, wall: { owner_id: 'mine' } }
    const undone = ids.map((id) => row(id, values))
    const tab = await open({ [reading]: { body: before }, [writing]: { body: undone } })
    expect(await send(tab.device, undo({ values, bases }))).toEqual({
      kind: 'changed',
      rows: undone,
      overtakenBy: [],
      ...nobody,
    })
    expect(tab.network.lines).toEqual([reading, writing])
    const other = await open({ [writing]: { body: [undone[0]] } })
    other.network.onEach(reading, { body: before }, null)
    expect(await send(other.device, undo({ values, bases }))).toEqual({ kind: 'wait' })
    const silent = await open({ [reading]: { body: before } })
    expect(await send(silent.device, undo({ values, bases }))).toEqual({ kind: 'wait' })
  })

  test('an undo of an edit of rows that this device had never seen has no filters by their values', async () => {
    const { device, network } = await open({ [reading]: { body: before }, [writing]: { body: both } })
    await send(device, undo({ bases: {} }))
    expect(Object.keys(network.of(writing)[0]?.filters ?? {}).sort()).toEqual(['brand_id', 'id', 'select'])
  })
})

describe('an edit of the tags of many rows', () => {
  const tags = operation({ values: { tag_ids: { add: ['a'], remove: ['b'] } }, bases: {} })

  test('an edit of the tags of many rows is merged by the server, and the rows are read', async () => {
    const { device, network } = await open({ [tagging]: { body: 2 }, [reading]: { body: both } })
    expect(await send(device, tags)).toEqual({ kind: 'changed', rows: both, overtakenBy: [], ...nobody })
    expect(network.of(tagging)).toMatchObject([
      {
        body: {
          p_brand_id: acme,
          p_query: { table: 'deals', where: { id: ids } },
          p_change: { add_tags: ['a'], remove_tags: ['b'] },
        },
      },
    ])
    expect(network.of(tagging)[0]?.headers.get('idempotency-key')).toBe('key')
  })

  test('an edit of the tags of many rows also reads the rows if the answer to an earlier attempt was lost, and waits without an answer', async () => {
    const lost = await open({ [tagging]: refusalResponse(409, 'PT409'), [reading]: { body: both } })
    expect(await send(lost.device, tags)).toMatchObject({ kind: 'changed', rows: both })
    expect((await send((await open({})).device, tags)).kind).toBe('wait')
    expect((await send((await open({ [tagging]: { body: 2 } })).device, tags)).kind).toBe('wait')
    expect((await send((await open({ [tagging]: refusalResponse(403, '42501') })).device, tags)).kind).toBe('refused')
  })
})

describe('a delete', () => {
  const seen = { roof: { version: 2 }, wall: { version: 2 } }
  const deletion = operation({ kind: 'delete', values: {}, bases: seen })
  const changed = row('roof', { version: 3, updated_by: bo })

  test('a delete is one request, and returns the rows that a colleague had changed before', async () => {
    const mine = row('wall', { version: 3, updated_by: ana })
    const rows = [changed, mine, row('unseen', { updated_by: bo })]
    const { device, network } = await open({ [deleting]: { body: rows } })
    expect(await send(device, deletion)).toEqual({
      kind: 'removed',
      rows,
      deleted: expect.any(Map),
      changedBefore: [changed],
    })
    expect(network.sent).toMatchObject([{ filters: { brand_id: `eq.${acme}`, id: 'in.(roof,wall)' } }])
  })

  test('a delete of rows that nobody had changed returns no changed rows', async () => {
    const rows = [row('roof', { updated_by: bo }), row('wall')]
    const { device } = await open({ [deleting]: { body: rows } })
    const deleted = new Map(ids.map((id) => [id, 2]))
    expect(await send(device, deletion)).toEqual({ kind: 'removed', rows, deleted, changedBefore: [] })
  })

  test('a delete is refused if rows still exist after it, because then the user may not delete them', async () => {
    const { device, network } = await open({ [deleting]: { body: [] }, [reading]: { body: [row('roof')] } })
    expect(await send(device, deletion)).toEqual({ kind: 'refused', message: 'You may not do this.', code: '42501' })
    expect(network.of(reading)).toMatchObject([{ filters: { id: 'in.(roof,wall)' } }])
  })

  test('a delete of rows that somebody else has already deleted is applied; it waits if it is not known whether they exist', async () => {
    const gone = await open({ [deleting]: { body: [row('roof')] }, [reading]: { body: [] } })
    expect(await send(gone.device, deletion)).toEqual({
      kind: 'removed',
      rows: [row('roof')],
      deleted: new Map([
        ['roof', 2],
        ['wall', 0],
      ]),
      changedBefore: [],
    })
    expect(gone.network.of(reading)).toMatchObject([{ filters: { id: 'in.(wall)' } }])
    expect(await send((await open({ [deleting]: { body: [] } })).device, deletion)).toEqual({ kind: 'wait' })
  })

  test('a delete whose answer was lost counts as applied if the rows do not exist; a delete without an answer waits', async () => {
    const lost = refusalResponse(409, 'PT409')
    const { device, network } = await open({ [deleting]: lost, [reading]: { body: [] } })
    expect(await send(device, deletion)).toEqual({
      kind: 'removed',
      rows: [],
      deleted: new Map(ids.map((id) => [id, 0])),
      changedBefore: [],
    })
    expect(network.of(reading)).toMatchObject([{ filters: { id: 'in.(roof,wall)' } }])
    expect(await send((await open({ [deleting]: lost })).device, deletion)).toEqual({ kind: 'wait' })
    expect(await send((await open()).device, deletion)).toEqual({ kind: 'wait' })
  })

  test('a delete whose answer was lost returns the rows that a colleague has restored since', async () => {
    const restored = row('roof', { version: 3, updated_by: bo })
    const { device } = await open({ [deleting]: refusalResponse(409, 'PT409'), [reading]: { body: [restored] } })
    expect(await send(device, deletion)).toEqual({
      kind: 'changed',
      rows: [restored],
      overtakenBy: [],
      ...nobody,
      deleted: new Map([['wall', 0]]),
      wasReadLater: true,
    })
  })

  test('a delete that undoes a creation deletes nothing if a colleague has changed one of the rows', async () => {
    const { device, network } = await open({ [reading]: { body: [changed, row('wall')] } })
    expect(await send(device, { ...deletion, givesWay: true })).toEqual({
      kind: 'changed',
      rows: [changed, row('wall')],
      overtakenBy: [changed],
      ...nobody,
    })
    expect(network.lines).toEqual([reading])
  })

  test('a delete that undoes a creation deletes rows that nobody has changed, and waits if it is not known whether somebody has', async () => {
    const { device, network } = await open({ [reading]: { body: both }, [deleting]: { body: both } })
    expect((await send(device, { ...deletion, givesWay: true })).kind).toBe('removed')
    expect(network.lines).toEqual([reading, deleting])
    const silent = await open({ [deleting]: { body: both } })
    expect((await send(silent.device, { ...deletion, givesWay: true })).kind).toBe('wait')
    expect(silent.network.lines).toEqual([reading])
  })
})

describe('an undo of a delete', () => {
  const undo = operation({ kind: 'restore', values: {} })

  test.each<[string, PreparedResponse]>([
    ['sent', { body: ids }],
    ['sent again', refusalResponse(409, 'PT409')],
  ])('an undo of a delete restores the rows and reads them: %s', async (_, answer) => {
    const { device, network } = await open({ [restoring]: answer, [reading]: { body: both } })
    expect(await send(device, undo)).toEqual({ kind: 'restored', rows: both })
    expect(network.of(restoring)[0]?.body).toEqual({ p_brand_id: acme, p_table: 'deals', p_ids: ids })
    expect(network.of(restoring)[0]?.headers.get('idempotency-key')).toBe('key')
  })

  test('an undo of a delete waits without an answer, also if only the reading of the rows fails', async () => {
    expect(await send((await open()).device, undo)).toEqual({ kind: 'wait' })
    expect(await send((await open({ [restoring]: { body: ids } })).device, undo)).toEqual({ kind: 'wait' })
    expect((await send((await open({ [restoring]: refusalResponse(400, 'P0001') })).device, undo)).kind).toBe('refused')
  })
})
