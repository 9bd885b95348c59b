import { describe, expect, test } from 'vitest'
import { acme, ana, bo, type LoneTab, openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { type PreparedResponse, refusal } from '#tests/harness/prepared-network.ts'
import { recordAnswer } from '#web/data/server/network.ts'
import type { RpcError } from '#web/data/server/rpc.ts'
import { type AnyRow, type TableName, tableNames } from '#web/data/server/tables.ts'
import { newBrandState } from '#web/data/store/brand-state.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { caughtUpBrand } from './change-arrival.ts'
import { pullBrand } from './pull.ts'
import { isServerTable, membershipsChanged, type PullAnswer } from './pull-answer.ts'
import { BrandClosedError } from './pull-tables.ts'

const line = 'POST /rest/v1/rpc/pull'

interface Asked {
  p_brand_id: string
  p_cursor: string | null
  p_tables: string[]
  p_limit: number
}

const asked = ({ network }: LoneTab) => network.of(line).map(({ body }) => body as Asked)
const cursorsAsked = (tab: LoneTab) => asked(tab).map(({ p_cursor }) => p_cursor)

const answer = (parts: Partial<PullAnswer> = {}): PreparedResponse => ({
  body: { epoch: 'e', cursor: '1', full: false, complete: true, rows: {}, tombstones: [], ...parts },
})

/** Prepares a server that returns its rows from the beginning, page by page, and no changes. */
function serve(
  { network }: LoneTab,
  rows: Partial<Record<TableName, AnyRow[]>>,
  counts: Record<string, number> = {},
): void {
  network.on(line, ({ body }) => {
    const { p_cursor, p_tables, p_limit } = body as Asked
    if (p_cursor === 'now') return answer({ cursor: '7', counts: { deals: rows.deals?.length ?? 0, ...counts } })
    if (p_cursor === '7') return answer({ cursor: '7' })
    const all = tableNames
      .filter((table) => p_tables.includes(table))
      .flatMap((table) => (rows[table] ?? []).map((row) => ({ table, row })))
    const start = p_cursor === null ? 0 : Number(p_cursor.slice(5))
    const page = all.slice(start, start + p_limit)
    const paged: Record<string, AnyRow[]> = {}
    for (const { table, row } of page) (paged[table] ??= []).push(row)
    return answer({
      cursor: `page ${start + p_limit}`,
      full: true,
      complete: start + p_limit >= all.length,
      rows: paged,
    })
  })
}

async function openNew(): Promise<LoneTab> {
  const tab = await openLoneTab()
  tab.data.state.set(newBrandState(acme))
  return tab
}

/** A tab that has pulled, with its cursor at 1. */
async function openPulled(windowed: TableName[] = []): Promise<LoneTab> {
  const tab = await openLoneTab({ windowed })
  tab.data.state.set({ ...tab.data.state.get(), counts: { deals: 5 } })
  return tab
}

const shown = ({ data }: LoneTab, table: TableName = 'deals') => [...data.tables[table].values()].map(({ id }) => id)
const many = (count: number, name = 'row') =>
  Array.from({ length: count }, (_, index) => serverRow({ id: `${name} ${index}` }))

describe('the first pull of a brand', () => {
  test('the first pull of a brand fetches the counts, then the tables, then the changes made meanwhile', async () => {
    const tab = await openNew()
    serve(tab, { deals: many(3), tasks: many(2, 'task') })
    await pullBrand(tab.data)
    expect(asked(tab)[0]).toEqual({ p_brand_id: acme, p_cursor: 'now', p_tables: tableNames, p_limit: 1000 })
    expect(asked(tab)[1]).toMatchObject({
      p_cursor: null,
      p_tables: ['pipelines', 'deal_stages', 'memberships', 'tasks'],
    })
    expect(asked(tab).at(-1)).toMatchObject({ p_cursor: '7', p_tables: ['brands', ...tableNames] })
    expect([shown(tab), shown(tab, 'tasks')]).toEqual([
      ['row 0', 'row 1', 'row 2'],
      ['task 0', 'task 1'],
    ])
    expect(tab.data.state.get()).toMatchObject({ epoch: 'e', cursor: '7', counts: { deals: 3 } })
    expect(tab.data.state.get().tables.deals).toEqual({ mode: 'complete', complete: true })
    expect(tab.data.state.get().tables.notes).toEqual({ mode: 'windowed', complete: false })
    expect(caughtUpBrand(tab.device).get()).toBe(tab.data)
    expect((await localDatabase(tab.device, ana).getRows('deals', acme, ['row 2']))[0]?.id).toBe('row 2')
    expect(await localDatabase(tab.device, ana).getState(acme)).toMatchObject({ cursor: '7' })
  })

  test('the first pull of a brand fetches small tables together, as long as all of them fit into a page', async () => {
    const tab = await openNew()
    const counts = {
      pipelines: 1,
      deal_stages: 6,
      memberships: 2,
      tasks: 900,
      deals: 500,
      companies: 400,
      contacts: 101,
    }
    serve(tab, {}, { ...counts, tags: 5, deal_contacts: 5, custom_fields: 5 })
    await pullBrand(tab.data)
    const groups = asked(tab)
      .slice(1, -1)
      .map(({ p_tables }) => p_tables)
    expect(groups[0]).toEqual(['pipelines', 'deal_stages', 'memberships', 'tasks'])
    expect(groups[1]?.[0]).toBe('deals')
    const sizes = groups
      .slice(1)
      .map((group) =>
        group.reduce(
          (sum, table) =>
            sum + (new Map(Object.entries({ ...counts, tags: 5, deal_contacts: 5, custom_fields: 5 })).get(table) ?? 0),
          0,
        ),
      )
    expect(sizes.every((size) => size <= 1000)).toBe(true)
    expect(groups.flat()).toEqual(tableNames.filter((table) => table !== 'notes'))
    expect(groups).toHaveLength(3)
  })

  test('the first pull of a brand fetches a table with an unknown number of rows in a request of its own', async () => {
    const tab = await openNew()
    serve(tab, {})
    tab.network.on(line, ({ body }) => {
      const { p_cursor } = body as Asked
      return answer({ cursor: '7', full: p_cursor === null, counts: p_cursor === 'now' ? null : undefined })
    })
    await pullBrand(tab.data)
    const groups = asked(tab)
      .slice(1, -1)
      .map(({ p_tables }) => p_tables.length)
    expect(groups).toEqual([4, ...Array(tableNames.length - 5).fill(1)])
  })

  test('the first pull of a brand fetches a long table page by page; an interrupted pull continues with the tables that are incomplete', async () => {
    const tab = await openNew()
    serve(tab, { deals: many(2500) })
    await pullBrand(tab.data)
    expect(shown(tab)).toHaveLength(2500)
    expect(cursorsAsked(tab).filter((cursor) => cursor?.startsWith('page'))).toEqual(['page 1000', 'page 2000'])
    const again = await openNew()
    const before = {
      epoch: 'e',
      cursor: '7',
      counts: {},
      tables: { tasks: { mode: 'complete', complete: false } },
    } as const
    again.data.state.set({ brandId: acme, ...before, tables: { ...tab.data.state.get().tables, ...before.tables } })
    serve(again, { tasks: many(2) })
    await pullBrand(again.data)
    expect(asked(again).map(({ p_tables }) => p_tables.length)).toEqual([1, tableNames.length + 1])
    expect(again.data.state.get().tables.tasks).toEqual({ mode: 'complete', complete: true })
  })

  test('the first pull of a brand leaves out a table that is too long to keep on the device', async () => {
    const tab = await openNew()
    serve(tab, { contacts: many(3) }, { contacts: 10_001 })
    await pullBrand(tab.data)
    expect(shown(tab, 'contacts')).toEqual([])
    expect(
      asked(tab)
        .slice(1, -1)
        .some(({ p_tables }) => p_tables.includes('contacts')),
    ).toBe(false)
    expect(tab.data.state.get().tables.contacts).toEqual({ mode: 'windowed', complete: false })
  })

  test('the first pull of a brand fetches a table that the app did not know when the state was stored', async () => {
    const tab = await openPulled()
    const { tags: _, ...tables } = tab.data.state.get().tables
    tab.data.state.set({ ...tab.data.state.get(), cursor: '7', tables })
    serve(tab, { tags: many(1, 'tag') })
    await pullBrand(tab.data)
    expect(asked(tab)[0]).toMatchObject({ p_cursor: null, p_tables: ['tags'] })
    expect(shown(tab, 'tags')).toEqual(['tag 0'])
  })
})

describe('a later pull', () => {
  test('a later pull fetches the changes since the cursor, page by page', async () => {
    const tab = await openPulled()
    putRows(tab.data, 'deals', { id: 'old' }, { id: 'gone' })
    const invalidated: string[] = []
    tab.data.onInvalidate((table) => invalidated.push(table))
    tab.network.onEach(
      line,
      answer({
        cursor: '2',
        complete: false,
        rows: { deals: [serverRow({ id: 'old', version: 2 }), serverRow({ id: 'new' })] },
      }),
      answer({
        cursor: '3',
        tombstones: [
          { table: 'deals', id: 'gone' },
          { table: 'tasks', id: 'call' },
        ],
      }),
    )
    await pullBrand(tab.data)
    expect(cursorsAsked(tab)).toEqual(['1', '2'])
    expect(shown(tab)).toEqual(['old', 'new'])
    expect(tab.data.tables.deals.get('old')?.version).toBe(2)
    expect(tab.data.state.get().cursor).toBe('3')
    expect(invalidated).toEqual(['deals', 'tasks', 'deals'])
    expect(tab.data.recentlyDeleted.get('gone')).toBe(0)
  })

  test('a later pull without changes writes nothing', async () => {
    const tab = await openPulled()
    const before = tab.data.state.get()
    tab.network.on(line, () => answer())
    await pullBrand(tab.data)
    expect(tab.data.state.get()).toBe(before)
    expect(await localDatabase(tab.device, ana).getState(acme)).toBeUndefined()
  })

  test('a later pull stores new counts, and keeps the other counts', async () => {
    const tab = await openPulled()
    tab.network.on(line, () => answer({ epoch: 'e', counts: { tasks: 4 } }))
    await pullBrand(tab.data)
    expect(tab.data.state.get().counts).toEqual({ deals: 5, tasks: 4 })
  })

  test('a later pull keeps the rows of a table that has become too long; a table that shrank is fetched by the next pull', async () => {
    const tab = await openPulled()
    putRows(tab.data, 'contacts', { id: 'owen' })
    tab.network.on(line, () => answer({ counts: { contacts: 10_001 } }))
    await pullBrand(tab.data)
    expect(tab.data.state.get().tables.contacts).toEqual({ mode: 'windowed', complete: false })
    expect(shown(tab, 'contacts')).toEqual(['owen'])
    tab.network.on(line, () => answer({ counts: { contacts: 9001 } }))
    await pullBrand(tab.data)
    expect(tab.data.state.get().tables.contacts?.mode).toBe('windowed')
    tab.network.on(line, () => answer({ counts: { contacts: 9000 } }))
    await pullBrand(tab.data)
    expect(tab.data.state.get().tables.contacts).toEqual({ mode: 'complete', complete: false })
    const before = asked(tab).length
    tab.network.on(line, ({ body }) => answer({ full: (body as Asked).p_cursor === null, rows: { contacts: many(2) } }))
    await pullBrand(tab.data)
    expect(asked(tab)[before]).toMatchObject({ p_cursor: null, p_tables: ['contacts'] })
    expect(tab.data.state.get().tables.contacts).toEqual({ mode: 'complete', complete: true })
    expect(shown(tab, 'contacts')).toEqual(['row 0', 'row 1'])
  })

  test('a later pull stores only those rows of a windowed table that are already on this device', async () => {
    const tab = await openPulled(['contacts'])
    putRows(tab.data, 'contacts', { id: 'owen' })
    const invalidated: string[] = []
    tab.data.onInvalidate((table) => invalidated.push(table))
    tab.network.on(line, () =>
      answer({ cursor: '2', rows: { contacts: [serverRow({ id: 'owen', version: 2 }), serverRow({ id: 'zoe' })] } }),
    )
    await pullBrand(tab.data)
    expect(shown(tab, 'contacts')).toEqual(['owen'])
    expect(tab.data.tables.contacts.get('owen')?.version).toBe(2)
    expect(invalidated).toEqual(['contacts'])
  })

  test('a later pull emits `membershipsChanged` if the brand or a membership changed', async () => {
    for (const [rows, times] of [
      [{ brands: [serverRow({ id: acme })] }, 1],
      [{ memberships: [serverRow({ id: '', user_id: bo })] }, 1],
      [{ deals: many(1) }, 0],
      [{ brands: [], memberships: [] }, 0],
    ] as const) {
      const tab = await openPulled()
      let received = 0
      membershipsChanged(tab.device).subscribe(() => (received += 1))
      tab.network.on(line, () => answer({ cursor: '2', rows: rows as PullAnswer['rows'] }))
      await pullBrand(tab.data)
      expect(received).toBe(times)
    }
  })

  test('a later pull gives a membership the id of its user', async () => {
    const tab = await openPulled()
    const rows = [serverRow({ id: 'x', user_id: bo }), serverRow({ id: 'y' })]
    tab.network.on(line, () =>
      answer({ cursor: '2', rows: { memberships: rows, tags: [serverRow({ id: 'tag', user_id: bo })] } }),
    )
    await pullBrand(tab.data)
    expect([shown(tab, 'memberships'), shown(tab, 'tags')]).toEqual([[bo, 'y'], ['tag']])
  })
})

describe('an answer that is older than changes on this device', () => {
  test('an answer that is older than changes on this device does not bring back a deleted row, but does bring back a row that was restored since', async () => {
    const tab = await openPulled()
    tab.data.recentlyDeleted.set('roof', 3).set('wall', 3)
    tab.network.on(line, () =>
      answer({
        cursor: '2',
        rows: { deals: [serverRow({ id: 'roof', version: 3 }), serverRow({ id: 'wall', version: 4 })] },
      }),
    )
    await pullBrand(tab.data)
    expect(shown(tab)).toEqual(['wall'])
    expect([...tab.data.recentlyDeleted]).toEqual([['roof', 3]])
  })

  test('an answer that is older than changes on this device does not remove a row that was restored here after the request, if the server has the row', async () => {
    const tab = await openPulled()
    putRows(tab.data, 'deals', { id: 'roof' }, { id: 'wall' }, { id: 'door' })
    tab.clock.advance(10)
    tab.data.recentlyRestored.set('door', 10)
    tab.network.on(line, () => {
      tab.data.recentlyRestored.set('roof', 11).set('wall', 11)
      return answer({ cursor: '2', tombstones: ['roof', 'wall', 'door'].map((id) => ({ table: 'deals', id })) })
    })
    tab.network.on('GET /rest/v1/deals', () => ({ body: [serverRow({ id: 'roof' })] }))
    await pullBrand(tab.data)
    expect(tab.network.of('GET /rest/v1/deals')[0]?.filters.id).toBe('in.(roof,wall)')
    expect(shown(tab)).toEqual(['roof'])
  })

  test('an answer that is older than changes on this device does not remove a row that is restored while others are read from the server', async () => {
    const tab = await openPulled()
    putRows(tab.data, 'deals', { id: 'roof' }, { id: 'wall' })
    tab.network.on(line, () => {
      tab.data.recentlyRestored.set('roof', 1)
      return answer({ cursor: '2', tombstones: ['roof', 'wall'].map((id) => ({ table: 'deals', id })) })
    })
    const filters: unknown[] = []
    tab.network.on('GET /rest/v1/deals', ({ filters: { id } }) => {
      filters.push(id)
      tab.data.recentlyRestored.set('wall', 1)
      return { body: [serverRow({ id: id === 'in.(wall)' ? 'wall' : 'roof' })] }
    })
    await pullBrand(tab.data)
    expect(filters).toEqual(['in.(roof)', 'in.(wall)'])
    expect(shown(tab)).toEqual(['roof', 'wall'])
  })

  test('an answer that is older than changes on this device keeps the version of a row that this device deleted', async () => {
    const tab = await openPulled()
    tab.data.recentlyDeleted.set('roof', 6)
    tab.network.on(line, () => answer({ cursor: '2', tombstones: [{ table: 'deals', id: 'roof' }] }))
    await pullBrand(tab.data)
    expect(tab.data.recentlyDeleted.get('roof')).toBe(6)
  })
})

describe('after a change of epoch, or with a cursor that is too old', () => {
  test('everything is pulled from the beginning after a change of epoch, or with a cursor that is too old; rows that the server does not return were deleted', async () => {
    const tab = await openPulled()
    putRows(tab.data, 'deals', { id: 'row 0', version: 9 }, { id: 'gone', version: 9 })
    tab.data.recentlyDeleted.set('row 1', 9)
    const invalidated: string[] = []
    tab.data.onInvalidate((table) => invalidated.push(table))
    serve(tab, { deals: many(2) })
    await pullBrand(tab.data)
    expect(cursorsAsked(tab).slice(0, 2)).toEqual(['1', 'now'])
    expect(shown(tab).sort()).toEqual(['row 0', 'row 1'])
    // After a restored backup versions start lower.
    expect(tab.data.tables.deals.get('row 0')?.version).toBe(1)
    expect(tab.data.recentlyDeleted.size).toBe(0)
    expect(tab.data.state.get()).toMatchObject({ cursor: '7', counts: { deals: 2 } })
    expect(invalidated).toEqual(['notes'])
  })

  test('changes made during a pull after a change of epoch are kept', async () => {
    const tab = await openPulled()
    tab.network.on(line, ({ body }) => {
      const { p_cursor, p_tables } = body as Asked
      if (p_cursor === '1') return answer({ full: true })
      if (p_cursor === 'now') return answer({ cursor: '7', counts: { deals: 1 } })
      if (p_cursor === null) return answer({ full: true, rows: p_tables.includes('deals') ? { deals: many(1) } : {} })
      return answer({ cursor: '8', rows: { deals: [serverRow({ id: 'meanwhile' })] } })
    })
    await pullBrand(tab.data)
    expect(shown(tab)).toEqual(['row 0', 'meanwhile'])
  })

  test('the rows of windowed tables are removed after a change of epoch, because a restored backup may have older versions', async () => {
    const tab = await openPulled(['contacts'])
    putRows(tab.data, 'contacts', { id: 'owen', version: 9 })
    const invalidated: string[] = []
    tab.data.onInvalidate((table) => invalidated.push(table))
    // A windowed table becomes complete only below nine tenths of the limit.
    serve(tab, {}, { contacts: 9001 })
    await pullBrand(tab.data)
    expect([shown(tab, 'contacts'), invalidated]).toEqual([[], ['contacts', 'notes']])
    const { userId, brandId } = tab.data
    const restored = serverRow({ id: 'owen', version: 3 })
    await storeRows(tab.device, { userId, brandId, table: 'contacts', rows: [restored] })
    expect(tab.data.tables.contacts.get('owen')?.version).toBe(3)
    expect(await localDatabase(tab.device, ana).getRows('contacts', acme, ['owen'])).toEqual([restored])
  })
})

describe('when the server refuses', () => {
  const failure = (pending: Promise<unknown>) =>
    pending.then(
      () => null,
      (error: RpcError) => [error.status, error.isTemporary],
    )

  test('smaller pages are requested, down to single rows, after the server has refused a large page', async () => {
    const tab = await openPulled()
    tab.network.onEach(line, refusal(413, 'x'), refusal(413, 'x'), answer())
    await pullBrand(tab.data)
    await pullBrand(tab.data)
    expect(asked(tab).map(({ p_limit }) => p_limit)).toEqual([1000, 250, 63, 63])
    tab.network.on(line, () => refusal(413, 'x'))
    expect(await failure(pullBrand(tab.data))).toEqual([413, false])
    expect(
      asked(tab)
        .slice(4)
        .map(({ p_limit }) => p_limit),
    ).toEqual([63, 16, 4, 1])
  })

  test('no request is sent during a pause that the server asks for, and rows that are stored stay', async () => {
    const tab = await openPulled()
    tab.network.on(line, () => {
      recordAnswer(
        tab.device,
        new Response(null, { status: 429, headers: { 'retry-after': '5' } }),
        tab.clock.now(),
        true,
      )
      return answer({ cursor: '2', complete: false, rows: { deals: many(1) } })
    })
    expect(await failure(pullBrand(tab.data))).toEqual([503, true])
    expect([asked(tab).length, shown(tab), tab.data.state.get().cursor]).toEqual([1, ['row 0'], '2'])
    expect(await failure(pullBrand(tab.data))).toEqual([503, true])
    expect(asked(tab)).toHaveLength(1)
    expect(caughtUpBrand(tab.device).get()).toBeNull()
  })

  test('the pull fails with the error of the server if the server refuses for another reason', async () => {
    const tab = await openPulled()
    tab.network.on(line, () => refusal(403, 'P0001', 'NOT_AUTHORIZED'))
    expect(await failure(pullBrand(tab.data))).toEqual([403, false])
  })
})

describe('a server of an earlier release', () => {
  const unknown = refusal(400, '22023', 'unknown table')

  test('a server of an earlier release gets requests only for the tables that it knows; the others stay incomplete', async () => {
    const tab = await openNew()
    const known = ['brands', 'deals', 'tasks', 'pipelines', 'deal_stages', 'memberships']
    tab.network.on(line, ({ body }) => {
      const { p_cursor, p_tables } = body as Omit<Asked, 'p_tables'> & { p_tables: string[] | null }
      if (p_tables?.some((table) => !known.includes(table))) return unknown
      const counts = Object.fromEntries(known.map((table) => [table, 0]))
      return p_cursor === 'now' ? answer({ cursor: '7', counts }) : answer({ cursor: '7', full: p_cursor === null })
    })
    await pullBrand(tab.data)
    expect(asked(tab)[1]).toMatchObject({ p_cursor: 'now', p_tables: null, p_limit: 1 })
    expect(
      new Set(
        asked(tab)
          .slice(2)
          .flatMap(({ p_tables }) => p_tables),
      ),
    ).toEqual(new Set(known))
    expect(['deals', 'contacts'].map((table) => isServerTable(tab.device, table))).toEqual([true, false])
    expect(tab.data.state.get().tables).toMatchObject({ deals: { complete: true }, contacts: { complete: false } })
    const before = asked(tab).length
    await pullBrand(tab.data)
    expect(asked(tab)).toHaveLength(before + 1)
  })

  test('a server of an earlier release gets no further request if it also refuses the request for the tables that it knows', async () => {
    const tab = await openNew()
    tab.network.on(line, ({ body }) =>
      (body as { p_tables: unknown }).p_tables === null ? answer({ counts: { deals: 0 } }) : unknown,
    )
    await expect(pullBrand(tab.data)).rejects.toMatchObject({ code: '22023' })
    expect(asked(tab)).toHaveLength(3)
  })

  test('a server of an earlier release is assumed to know all tables until it answers otherwise', async () => {
    const { device } = await openLoneTab()
    expect(isServerTable(device, 'contacts')).toBe(true)
  })
})

describe('a pull from the beginning that is interrupted', () => {
  test('a pull from the beginning that is interrupted keeps the rows that were received before', async () => {
    const tab = await openNew()
    tab.network.on(line, ({ body }) => {
      const { p_cursor, p_tables } = body as Asked
      if (p_cursor === 'now') return answer({ cursor: '7', counts: { deals: 1500 } })
      if (p_cursor !== null) return null
      return answer({
        full: true,
        cursor: 'page 1000',
        complete: !p_tables.includes('deals'),
        rows: p_tables.includes('deals') ? { deals: many(1000) } : {},
      })
    })
    await expect(pullBrand(tab.data)).rejects.toMatchObject({ status: 0 })
    expect(shown(tab)).toHaveLength(1000)
    expect(await localDatabase(tab.device, ana).getRows('deals', acme, ['row 999'])).toMatchObject([{ id: 'row 999' }])
    expect(tab.data.state.get().tables.deals).toEqual({ mode: 'complete', complete: false })
  })

  test('a pull from the beginning that is interrupted because the brand was closed fetches no further page', async () => {
    const tab = await openNew()
    tab.network.on(line, ({ body }) => {
      const { p_cursor } = body as Asked
      if (p_cursor === 'now') return answer({ cursor: '7', counts: {} })
      tab.data.close()
      return answer({ full: true, cursor: 'page', complete: false })
    })
    await expect(pullBrand(tab.data)).rejects.toBeInstanceOf(BrandClosedError)
    expect(asked(tab)).toHaveLength(2)
  })
})
