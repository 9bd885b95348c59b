import { describe, expect, test, vi } from 'vitest'
import { acme, ana, openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import {
  sentCursors,
  manyRows,
  openUnpulledTab,
  openPulledTab,
  type PullArguments,
  pullResponse,
  pullLine,
  sentPulls,
  servePulls,
  shown,
} from '#tests/harness/prepared-pulls.ts'
import { recordAnswer } from '#web/data/server/record-answer.ts'
import type { RpcError } from '#web/data/server/rpc.ts'
import { tableNames } from '#web/data/server/tables.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { storeRows, storeState } from '#web/data/store/store-rows.ts'
import { caughtUpBrand } from './change-arrival.ts'
import { pullBrand } from './pull.ts'
import { isServerTable } from './pull-answer.ts'
import { BrandClosedError } from './pull-tables.ts'

describe('the first pull of a brand', () => {
  test('the first pull of a brand fetches the counts, then the tables, then the changes made meanwhile', async () => {
    const tab = await openUnpulledTab()
    servePulls(tab, { deals: manyRows(3), tasks: manyRows(2, 'task') })
    await pullBrand(tab.data)
    expect(sentPulls(tab)[0]).toEqual({ p_brand_id: acme, p_cursor: 'now', p_tables: tableNames, p_limit: 1000 })
    expect(sentPulls(tab)[1]).toMatchObject({
      p_cursor: null,
      p_tables: ['pipelines', 'deal_stages', 'memberships', 'tasks'],
    })
    expect(sentPulls(tab).at(-1)).toMatchObject({ p_cursor: '7', p_tables: ['brands', ...tableNames] })
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

  test('the first pull of a brand fetches small tables together, as long as all their rows fit into a page', async () => {
    const tab = await openUnpulledTab()
    const counts = {
      pipelines: 1,
      deal_stages: 6,
      memberships: 2,
      tasks: 900,
      deals: 500,
      companies: 400,
      contacts: 101,
    }
    servePulls(tab, {}, { ...counts, tags: 5, deal_contacts: 5, custom_fields: 5 })
    await pullBrand(tab.data)
    const groups = sentPulls(tab)
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

  test('the first pull of a brand fetches each table with an unknown number of rows in a request of its own, except the four tables that are needed first', async () => {
    const tab = await openUnpulledTab()
    servePulls(tab, {})
    tab.network.on(pullLine, ({ body }) => {
      const { p_cursor } = body as PullArguments
      return pullResponse({ cursor: '7', full: p_cursor === null, counts: p_cursor === 'now' ? null : undefined })
    })
    await pullBrand(tab.data)
    const groupSizes = sentPulls(tab)
      .slice(1, -1)
      .map(({ p_tables }) => p_tables.length)
    expect(groupSizes).toEqual([4, ...Array(tableNames.length - 5).fill(1)])
  })

  test('the first pull of a brand fetches a long table page by page; an interrupted pull continues with the tables that are incomplete', async () => {
    const tab = await openUnpulledTab()
    servePulls(tab, { deals: manyRows(2500) })
    await pullBrand(tab.data)
    expect(shown(tab)).toHaveLength(2500)
    expect(sentCursors(tab).filter((cursor) => cursor?.startsWith('page'))).toEqual(['page 1000', 'page 2000'])
    const secondTab = await openUnpulledTab()
    const interruptedState = {
      epoch: 'e',
      cursor: '7',
      counts: {},
      tables: { tasks: { mode: 'complete', complete: false } },
    } as const
    secondTab.data.state.set({
      brandId: acme,
      ...interruptedState,
      tables: { ...tab.data.state.get().tables, ...interruptedState.tables },
    })
    servePulls(secondTab, { tasks: manyRows(2) })
    await pullBrand(secondTab.data)
    expect(sentPulls(secondTab).map(({ p_tables }) => p_tables.length)).toEqual([1, tableNames.length + 1])
    expect(secondTab.data.state.get().tables.tasks).toEqual({ mode: 'complete', complete: true })
  })

  test('the first pull of a brand leaves out a table that is too long to keep on the device', async () => {
    const tab = await openUnpulledTab()
    servePulls(tab, { contacts: manyRows(3) }, { contacts: 10_001 })
    await pullBrand(tab.data)
    expect(shown(tab, 'contacts')).toEqual([])
    expect(
      sentPulls(tab)
        .slice(1, -1)
        .some(({ p_tables }) => p_tables.includes('contacts')),
    ).toBe(false)
    expect(tab.data.state.get().tables.contacts).toEqual({ mode: 'windowed', complete: false })
  })

  test('the first pull of a brand marks answers about windowed tables as stale after three seconds, because they may be older than its cursor', async () => {
    const tab = await openUnpulledTab()
    const invalidations: [string, string | null][] = []
    tab.data.onInvalidate((table) => invalidations.push([table, tab.data.state.get().cursor]))
    putRows(tab.data, 'contacts', { id: 'seen' })
    servePulls(tab, { deals: manyRows(1) }, { contacts: 10_001 })
    await pullBrand(tab.data)
    expect(invalidations).toEqual([])
    tab.clock.advance(3000)
    expect(invalidations).toEqual([
      ['contacts', '7'],
      ['notes', '7'],
    ])
    expect(shown(tab, 'contacts')).toEqual(['seen'])
  })

  test('the first pull of a brand does not replace a row that was changed after the server read it, but replaces a row from before the pull', async () => {
    const tab = await openUnpulledTab()
    putRows(tab.data, 'deals', { id: 'row 1', version: 5 })
    servePulls(tab, { deals: manyRows(2) }, {}, ({ p_cursor, p_tables }) => {
      if (p_cursor === null && p_tables.includes('deals'))
        putRows(tab.data, 'deals', { id: 'row 0', version: 2, name: 'Moved' })
    })
    const names: (string | undefined)[] = []
    tab.data.tables.deals.subscribe(() => names.push(tab.data.tables.deals.get('row 0')?.name))
    await pullBrand(tab.data)
    expect(new Set(names)).toEqual(new Set(['Moved']))
    expect(tab.data.tables.deals.get('row 1')?.version).toBe(1)
  })

  test('the first pull of a brand keeps a row that was added after the server read the last changes, and removes one that the server does not have', async () => {
    const tab = await openUnpulledTab()
    putRows(tab.data, 'deals', { id: 'gone' })
    servePulls(tab, { deals: manyRows(2) }, {}, ({ p_cursor }) => {
      if (p_cursor === '7') putRows(tab.data, 'deals', { id: 'added' })
    })
    await pullBrand(tab.data)
    expect(shown(tab).sort()).toEqual(['added', 'row 0', 'row 1'])
  })

  test('the first pull of a newer version of the app fetches all rows of a table that the earlier version did not know', async () => {
    const tab = await openPulledTab()
    const { tags: _, ...tables } = tab.data.state.get().tables
    tab.data.state.set({ ...tab.data.state.get(), cursor: '7', tables })
    servePulls(tab, { tags: manyRows(1, 'tag') })
    await pullBrand(tab.data)
    expect(sentPulls(tab)[0]).toMatchObject({ p_cursor: null, p_tables: ['tags'] })
    expect(shown(tab, 'tags')).toEqual(['tag 0'])
  })
})

describe('when the server refuses', () => {
  const failureOf = (pending: Promise<unknown>) =>
    pending.then(
      () => null,
      (error: RpcError) => [error.status, error.isTemporary],
    )

  test('smaller pages are requested, down to single rows, after the server has refused a large page', async () => {
    const tab = await openPulledTab()
    tab.network.onEach(pullLine, refusalResponse(413, 'x'), refusalResponse(413, 'x'), pullResponse())
    await pullBrand(tab.data)
    await pullBrand(tab.data)
    expect(sentPulls(tab).map(({ p_limit }) => p_limit)).toEqual([1000, 250, 63, 63])
    tab.network.on(pullLine, () => refusalResponse(413, 'x'))
    expect(await failureOf(pullBrand(tab.data))).toEqual([413, false])
    expect(
      sentPulls(tab)
        .slice(4)
        .map(({ p_limit }) => p_limit),
    ).toEqual([63, 16, 4, 1])
  })

  test('no request is sent during a pause that the server asks for, and rows that are stored stay', async () => {
    const tab = await openPulledTab()
    tab.network.on(pullLine, () => {
      recordAnswer(
        tab.device,
        new Response(null, { status: 429, headers: { 'retry-after': '5' } }),
        tab.clock.now(),
        true,
      )
      return pullResponse({ cursor: '2', complete: false, rows: { deals: manyRows(1) } })
    })
    expect(await failureOf(pullBrand(tab.data))).toEqual([503, true])
    expect([sentPulls(tab).length, shown(tab), tab.data.state.get().cursor]).toEqual([1, ['row 0'], '2'])
    expect(await failureOf(pullBrand(tab.data))).toEqual([503, true])
    expect(sentPulls(tab)).toHaveLength(1)
    expect(caughtUpBrand(tab.device).get()).toBeNull()
  })

  test('the pull fails with the error of the server if the user is not a member of the brand', async () => {
    const tab = await openPulledTab()
    tab.network.on(pullLine, () => refusalResponse(403, 'P0001', 'NOT_AUTHORIZED'))
    expect(await failureOf(pullBrand(tab.data))).toEqual([403, false])
  })
})

describe('a server of an earlier release', () => {
  const unknownTableResponse = refusalResponse(400, '22023', 'unknown table')

  test('a server of an earlier release gets requests only for the tables that it knows; the others stay incomplete', async () => {
    const tab = await openUnpulledTab()
    const knownTables = ['brands', 'deals', 'tasks', 'pipelines', 'deal_stages', 'memberships']
    tab.network.on(pullLine, ({ body }) => {
      const { p_cursor, p_tables } = body as Omit<PullArguments, 'p_tables'> & { p_tables: string[] | null }
      if (p_tables?.some((table) => !knownTables.includes(table))) return unknownTableResponse
      const counts = Object.fromEntries(knownTables.map((table) => [table, 0]))
      return p_cursor === 'now'
        ? pullResponse({ cursor: '7', counts })
        : pullResponse({ cursor: '7', full: p_cursor === null })
    })
    await pullBrand(tab.data)
    expect(sentPulls(tab)[1]).toMatchObject({ p_cursor: 'now', p_tables: null, p_limit: 1 })
    expect(
      new Set(
        sentPulls(tab)
          .slice(2)
          .flatMap(({ p_tables }) => p_tables),
      ),
    ).toEqual(new Set(knownTables))
    expect(['deals', 'contacts'].map((table) => isServerTable(tab.device, table))).toEqual([true, false])
    expect(tab.data.state.get().tables).toMatchObject({ deals: { complete: true }, contacts: { complete: false } })
    const pullsBefore = sentPulls(tab).length
    await pullBrand(tab.data)
    expect(sentPulls(tab)).toHaveLength(pullsBefore + 1)
  })

  test('a server of an earlier release gets no more requests if it also refuses the request for the tables that it knows', async () => {
    const tab = await openUnpulledTab()
    tab.network.on(pullLine, ({ body }) =>
      (body as { p_tables: unknown }).p_tables === null ? pullResponse({ counts: { deals: 0 } }) : unknownTableResponse,
    )
    await expect(pullBrand(tab.data)).rejects.toMatchObject({ code: '22023' })
    expect(sentPulls(tab)).toHaveLength(3)
  })

  test('a server of an earlier release is assumed to know all tables until it answers otherwise', async () => {
    const { device } = await openLoneTab()
    expect(isServerTable(device, 'contacts')).toBe(true)
  })
})

describe('a pull from the beginning that is interrupted', () => {
  test('a pull from the beginning that is interrupted keeps the rows that were received before', async () => {
    const tab = await openUnpulledTab()
    tab.network.on(pullLine, ({ body }) => {
      const { p_cursor, p_tables } = body as PullArguments
      if (p_cursor === 'now') return pullResponse({ cursor: '7', counts: { deals: 1500 } })
      if (p_cursor !== null) return null
      return pullResponse({
        full: true,
        cursor: 'page 1000',
        complete: !p_tables.includes('deals'),
        rows: p_tables.includes('deals') ? { deals: manyRows(1000) } : {},
      })
    })
    await expect(pullBrand(tab.data)).rejects.toMatchObject({ status: 0 })
    expect(shown(tab)).toHaveLength(1000)
    expect(await localDatabase(tab.device, ana).getRows('deals', acme, ['row 999'])).toMatchObject([{ id: 'row 999' }])
    expect(tab.data.state.get().tables.deals).toEqual({ mode: 'complete', complete: false })
  })

  test('a pull from the beginning that is interrupted has removed the deleted rows of each table that it has marked as complete', async () => {
    const tab = await openUnpulledTab()
    await storeRows(tab.device, {
      userId: ana,
      brandId: acme,
      table: 'tasks',
      rows: [serverRow({ id: 'deleted task' }), serverRow({ id: 'task 0' })],
    })
    tab.network.on(pullLine, ({ body }) => {
      const { p_cursor, p_tables } = body as PullArguments
      if (p_cursor === 'now') return pullResponse({ cursor: '7', counts: { deals: 1500 } })
      if (!p_tables.includes('tasks')) return null
      return pullResponse({ full: true, complete: true, rows: { tasks: manyRows(1, 'task') } })
    })
    await expect(pullBrand(tab.data)).rejects.toMatchObject({ status: 0 })
    expect(tab.data.state.get().tables).toMatchObject({ tasks: { complete: true }, deals: { complete: false } })
    expect(shown(tab, 'tasks')).toEqual(['task 0'])
    const stored = await localDatabase(tab.device, ana).getRows('tasks', acme, ['deleted task', 'task 0'])
    expect(stored.map((row) => row?.id)).toEqual([undefined, 'task 0'])
  })

  test('a pull from the beginning stores its state after it has removed deleted rows from the disk, so that none stays after a crash in between', async () => {
    const tab = await openPulledTab(['contacts'])
    const { device, data } = tab
    const local = localDatabase(device, ana)
    for (const table of ['deals', 'contacts'] as const)
      await storeRows(device, { userId: ana, brandId: acme, table, rows: [serverRow({ id: 'deleted' })] })
    await storeState(data, data.state.get(), { isNew: true })
    const statesAtRemoval: Record<string, unknown> = {}
    const deleteRows = local.deleteRows.bind(local)
    vi.spyOn(local, 'deleteRows').mockImplementation(async (table, ...args) => {
      const state = await local.getState(acme)
      statesAtRemoval[table] = { epoch: state?.epoch, complete: state?.tables[table]?.complete }
      return deleteRows(table, ...args)
    })
    tab.network.on(pullLine, ({ body }) => {
      const { p_cursor } = body as PullArguments
      const counts = { deals: 1, contacts: 20_000 }
      return pullResponse({ epoch: 'f', cursor: '7', full: p_cursor === '1' || p_cursor === null, counts })
    })
    await pullBrand(data)
    expect(statesAtRemoval).toEqual({
      contacts: { epoch: 'e', complete: false },
      deals: { epoch: 'f', complete: false },
    })
    expect(await local.getState(acme)).toMatchObject({ epoch: 'f', tables: { deals: { complete: true } } })
  })

  test('the first pull of a brand fetches two groups of tables at a time; if one fails, the others are still fetched', async () => {
    const tab = await openUnpulledTab()
    const counts = { deals: 1000, contacts: 1000, companies: 1000 }
    let markContactsRequested = () => {}
    const contactsRequested = new Promise<void>((resolve) => {
      markContactsRequested = resolve
    })
    tab.network.on(pullLine, async ({ body }) => {
      const { p_cursor, p_tables } = body as PullArguments
      if (p_cursor === 'now') return pullResponse({ cursor: '7', counts })
      if (p_tables.includes('contacts')) markContactsRequested()
      if (p_tables.includes('deals')) {
        await contactsRequested
        return null
      }
      const companies = p_tables.includes('companies') ? manyRows(5, 'company') : []
      return pullResponse({ full: true, complete: true, rows: { companies } })
    })
    await expect(pullBrand(tab.data)).rejects.toMatchObject({ status: 0 })
    const { tables } = tab.data.state.get()
    expect([tables.tasks, tables.deals, tables.contacts, tables.companies].map((table) => table?.complete)).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect(await localDatabase(tab.device, ana).getRows('companies', acme, ['company 4'])).toMatchObject([
      { id: 'company 4' },
    ])
  })

  test('a pull from the beginning that is interrupted because the brand was closed while rows were written marks no table as complete', async () => {
    const tab = await openUnpulledTab()
    const local = localDatabase(tab.device, ana)
    vi.spyOn(local, 'putNewer').mockImplementation(async () => {
      tab.data.close()
      return { written: [] }
    })
    servePulls(tab, { tasks: manyRows(1, 'task') })
    await expect(pullBrand(tab.data)).rejects.toBeInstanceOf(BrandClosedError)
    expect((await local.getState(acme))?.tables.tasks).toEqual({ mode: 'complete', complete: false })
  })

  test('a pull from the beginning that is interrupted because the brand was closed fetches no more pages', async () => {
    const tab = await openUnpulledTab()
    tab.network.on(pullLine, ({ body }) => {
      const { p_cursor } = body as PullArguments
      if (p_cursor === 'now') return pullResponse({ cursor: '7', counts: {} })
      tab.data.close()
      return pullResponse({ full: true, cursor: 'page', complete: false })
    })
    await expect(pullBrand(tab.data)).rejects.toBeInstanceOf(BrandClosedError)
    expect(sentPulls(tab)).toHaveLength(2)
  })
})
