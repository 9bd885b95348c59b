import { describe, expect, test, vi } from 'vitest'
import { acme, ana, bo, type LoneTab, putRows, serverRow, untilIdle } from '#tests/harness/lone-tab.ts'
import {
  sentCursors,
  manyRows,
  openPulledTab,
  type PullArguments,
  pullResponse,
  pullLine,
  sentPulls,
  servePulls,
  shown,
} from '#tests/harness/prepared-pulls.ts'
import { openTwoTabs } from '#tests/harness/two-tabs.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { isStoringRows, storeRows, storeState } from '#web/data/store/store-rows.ts'
import { pullBrand } from './pull.ts'
import { membershipsChanged, type PullAnswer } from './pull-answer.ts'

describe('a later pull', () => {
  test('a later pull fetches the changes since the cursor, page by page', async () => {
    const tab = await openPulledTab()
    putRows(tab.data, 'deals', { id: 'old' }, { id: 'gone' })
    const invalidated: string[] = []
    tab.data.onInvalidate((table) => invalidated.push(table))
    tab.network.onEach(
      pullLine,
      pullResponse({
        cursor: '2',
        complete: false,
        rows: { deals: [serverRow({ id: 'old', version: 2 }), serverRow({ id: 'new' })] },
      }),
      pullResponse({
        cursor: '3',
        tombstones: [
          { table: 'deals', id: 'gone' },
          { table: 'tasks', id: 'call' },
        ],
      }),
    )
    await pullBrand(tab.data)
    expect(sentCursors(tab)).toEqual(['1', '2'])
    expect(shown(tab)).toEqual(['old', 'new'])
    expect(tab.data.tables.deals.get('old')?.version).toBe(2)
    expect(tab.data.state.get().cursor).toBe('3')
    expect(invalidated).toEqual(['deals', 'tasks', 'deals'])
    expect(tab.data.recentlyDeleted.get('gone')).toBe(1)
  })

  test('a later pull stores its rows before its cursor, so that no row is missed after a crash in between', async () => {
    const tab = await openPulledTab()
    await storeState(tab.data, tab.data.state.get(), { isNew: true })
    const local = localDatabase(tab.device, ana)
    const storedCursor = async () => (await local.getState(acme))?.cursor
    const cursors: (string | null | undefined)[] = []
    const putNewer = local.putNewer.bind(local)
    vi.spyOn(local, 'putNewer').mockImplementation(async (...args) => {
      cursors.push(await storedCursor())
      return putNewer(...args)
    })
    tab.network.on(pullLine, () => pullResponse({ cursor: '2', rows: { deals: [serverRow({ id: 'new' })] } }))
    await pullBrand(tab.data)
    expect(cursors).toEqual(['1'])
    expect(await storedCursor()).toBe('2')
  })

  test('a later pull stores no cursor after another tab has deleted the copies to make room, so that the next start fetches all rows again', async () => {
    const { first, second } = await openTwoTabs()
    await storeState(first.data, first.data.state.get(), { isNew: true })
    await localDatabase(first.device, ana).clear()
    second.network.on(pullLine, () => pullResponse({ cursor: '2', rows: { deals: [serverRow({ id: 'new' })] } }))
    await pullBrand(second.data)
    expect([shown(second), second.data.state.get().cursor]).toEqual([['new'], '2'])
    expect(await localDatabase(first.device, ana).getState(acme)).toBeUndefined()
    expect(isStoringRows(second.device)).toBe(false)
  })

  test('a later pull without changes writes nothing', async () => {
    const tab = await openPulledTab()
    const stateBefore = tab.data.state.get()
    tab.network.on(pullLine, () => pullResponse())
    await pullBrand(tab.data)
    expect(tab.data.state.get()).toBe(stateBefore)
    expect(await localDatabase(tab.device, ana).getState(acme)).toBeUndefined()
  })

  test('a later pull stores new counts, and keeps the other counts', async () => {
    const tab = await openPulledTab()
    tab.network.on(pullLine, () => pullResponse({ epoch: 'e', counts: { tasks: 4 } }))
    await pullBrand(tab.data)
    expect(tab.data.state.get().counts).toEqual({ deals: 5, tasks: 4 })
  })

  test('a later pull keeps the rows of a table that becomes windowed; once the table has shrunk to 90 % of the maximum, the next pull fetches it completely', async () => {
    const tab = await openPulledTab()
    putRows(tab.data, 'contacts', { id: 'owen' })
    tab.network.on(pullLine, () => pullResponse({ counts: { contacts: 10_001 } }))
    await pullBrand(tab.data)
    expect(tab.data.state.get().tables.contacts).toEqual({ mode: 'windowed', complete: false })
    expect(shown(tab, 'contacts')).toEqual(['owen'])
    tab.network.on(pullLine, () => pullResponse({ counts: { contacts: 9001 } }))
    await pullBrand(tab.data)
    expect(tab.data.state.get().tables.contacts?.mode).toBe('windowed')
    tab.network.on(pullLine, () => pullResponse({ counts: { contacts: 9000 } }))
    await pullBrand(tab.data)
    expect(tab.data.state.get().tables.contacts).toEqual({ mode: 'complete', complete: false })
    const pullsBefore = sentPulls(tab).length
    tab.network.on(pullLine, ({ body }) =>
      pullResponse({ full: (body as PullArguments).p_cursor === null, rows: { contacts: manyRows(2) } }),
    )
    await pullBrand(tab.data)
    expect(sentPulls(tab)[pullsBefore]).toMatchObject({ p_cursor: null, p_tables: ['contacts'] })
    expect(tab.data.state.get().tables.contacts).toEqual({ mode: 'complete', complete: true })
    expect(shown(tab, 'contacts')).toEqual(['row 0', 'row 1'])
  })

  test('a later pull stores only those rows of a windowed table that are already on this device', async () => {
    const tab = await openPulledTab(['contacts'])
    putRows(tab.data, 'contacts', { id: 'owen' })
    const invalidated: string[] = []
    tab.data.onInvalidate((table) => invalidated.push(table))
    tab.network.on(pullLine, () =>
      pullResponse({
        cursor: '2',
        rows: { contacts: [serverRow({ id: 'owen', version: 2 }), serverRow({ id: 'zoe' })] },
      }),
    )
    await pullBrand(tab.data)
    expect(shown(tab, 'contacts')).toEqual(['owen'])
    expect(tab.data.tables.contacts.get('owen')?.version).toBe(2)
    expect(invalidated).toEqual(['contacts'])
  })

  test('a later pull emits `membershipsChanged` if the brand or a membership changed', async () => {
    for (const [rows, expectedCount] of [
      [{ brands: [serverRow({ id: acme })] }, 1],
      [{ memberships: [serverRow({ id: '', user_id: bo })] }, 1],
      [{ deals: manyRows(1) }, 0],
      [{ brands: [], memberships: [] }, 0],
    ] as const) {
      const tab = await openPulledTab()
      let eventCount = 0
      membershipsChanged(tab.device).subscribe(() => (eventCount += 1))
      tab.network.on(pullLine, () => pullResponse({ cursor: '2', rows: rows as PullAnswer['rows'] }))
      await pullBrand(tab.data)
      expect(eventCount).toBe(expectedCount)
    }
  })

  test('a later pull gives a membership the id of its user', async () => {
    const tab = await openPulledTab()
    const rows = [serverRow({ id: 'x', user_id: bo }), serverRow({ id: 'y' })]
    tab.network.on(pullLine, () =>
      pullResponse({ cursor: '2', rows: { memberships: rows, tags: [serverRow({ id: 'tag', user_id: bo })] } }),
    )
    await pullBrand(tab.data)
    expect([shown(tab, 'memberships'), shown(tab, 'tags')]).toEqual([[bo, 'y'], ['tag']])
  })
})

describe('an answer that is older than changes on this device', () => {
  test('an answer that is older than changes on this device does not bring back a deleted row, but does bring back a row that was restored since', async () => {
    const tab = await openPulledTab()
    tab.data.recentlyDeleted.set('roof', 3).set('wall', 3)
    tab.network.on(pullLine, () =>
      pullResponse({
        cursor: '2',
        rows: { deals: [serverRow({ id: 'roof', version: 3 }), serverRow({ id: 'wall', version: 4 })] },
      }),
    )
    await pullBrand(tab.data)
    expect(shown(tab)).toEqual(['wall'])
    expect([...tab.data.recentlyDeleted]).toEqual([['roof', 3]])
  })

  test('an answer that is older than changes on this device does not remove a row that was restored since its deletion', async () => {
    const tab = await openPulledTab()
    putRows(tab.data, 'deals', { id: 'roof', version: 4 }, { id: 'wall', version: 3 }, { id: 'door', version: 3 })
    const tombstones = [
      { table: 'deals', id: 'roof', version: 3 },
      { table: 'deals', id: 'wall', version: 3 },
      // A server of an earlier release does not send the version.
      { table: 'deals', id: 'door' },
    ]
    tab.network.on(pullLine, () => pullResponse({ cursor: '2', tombstones }))
    await pullBrand(tab.data)
    expect(shown(tab)).toEqual(['roof'])
    expect([...tab.data.recentlyDeleted]).toEqual([
      ['wall', 3],
      ['door', 3],
    ])
  })

  test('an answer that is older than changes on this device does not remove a restored row that another tab has stored on the disk', async () => {
    const tab = await openPulledTab()
    putRows(tab.data, 'deals', { id: 'roof', version: 2 })
    const local = localDatabase(tab.device, ana)
    await local.putNewer('deals', acme, [serverRow({ id: 'roof', version: 4 })], () => true)
    tab.network.on(pullLine, () =>
      pullResponse({ cursor: '2', tombstones: [{ table: 'deals', id: 'roof', version: 3 }] }),
    )
    await pullBrand(tab.data)
    expect(shown(tab)).toEqual([])
    expect(await local.getRows('deals', acme, ['roof'])).toMatchObject([{ version: 4 }])
  })

  test('an answer to a write does not bring back a row that a colleague has deleted since, unless the row was restored', async () => {
    const tab = await openPulledTab()
    const { device, data } = tab
    putRows(data, 'deals', { id: 'roof', version: 1 })
    tab.network.on(pullLine, () =>
      pullResponse({ cursor: '2', tombstones: [{ table: 'deals', id: 'roof', version: 2 }] }),
    )
    await pullBrand(data)
    const storeAnswer = (version: number) =>
      storeRows(device, { userId: ana, brandId: acme, table: 'deals', rows: [serverRow({ id: 'roof', version })] })
    await storeAnswer(2)
    expect(shown(tab)).toEqual([])
    expect(await localDatabase(device, ana).getRows('deals', acme, ['roof'])).toEqual([undefined])
    await storeAnswer(3)
    expect(shown(tab)).toEqual(['roof'])
    expect(data.recentlyDeleted.size).toBe(0)
  })

  test('an answer to a write of one tab does not bring back a row whose deletion another tab has pulled', async () => {
    const { first, second } = await openTwoTabs()
    const storeRoof = ({ device }: LoneTab, version: number) =>
      storeRows(device, { userId: ana, brandId: acme, table: 'deals', rows: [serverRow({ id: 'roof', version })] })
    await storeRoof(first, 1)
    await untilIdle()
    expect(shown(second)).toEqual(['roof'])
    first.network.on(pullLine, () => pullResponse({ tombstones: [{ table: 'deals', id: 'roof', version: 2 }] }))
    await pullBrand(first.data)
    await untilIdle()
    await storeRoof(second, 2)
    expect([shown(first), shown(second)]).toEqual([[], []])
    expect(await localDatabase(first.device, ana).getRows('deals', acme, ['roof'])).toEqual([undefined])
  })

  test('an answer that is older than changes on this device does not change the version in `recentlyDeleted` of a row deleted here', async () => {
    const tab = await openPulledTab()
    tab.data.recentlyDeleted.set('roof', 6)
    tab.network.on(pullLine, () => pullResponse({ cursor: '2', tombstones: [{ table: 'deals', id: 'roof' }] }))
    await pullBrand(tab.data)
    expect(tab.data.recentlyDeleted.get('roof')).toBe(6)
  })
})

describe('after a change of epoch, or with a cursor that is too old', () => {
  test('everything is pulled from the beginning after a change of epoch, or with a cursor that is too old; rows that the server does not return are removed', async () => {
    const tab = await openPulledTab()
    putRows(tab.data, 'deals', { id: 'row 0', version: 9 }, { id: 'gone', version: 9 })
    tab.data.recentlyDeleted.set('row 1', 9)
    const invalidated: string[] = []
    tab.data.onInvalidate((table) => invalidated.push(table))
    servePulls(tab, { deals: manyRows(2) })
    await pullBrand(tab.data)
    expect(sentCursors(tab).slice(0, 2)).toEqual(['1', 'now'])
    expect(shown(tab).sort()).toEqual(['row 0', 'row 1'])
    // After a backup was restored, versions may be lower than before.
    expect(tab.data.tables.deals.get('row 0')?.version).toBe(1)
    expect(tab.data.recentlyDeleted.size).toBe(0)
    expect(tab.data.state.get()).toMatchObject({ cursor: '7', counts: { deals: 2 } })
    expect(invalidated).toEqual(['notes'])
  })

  test('changes made during a pull after a change of epoch are kept', async () => {
    const tab = await openPulledTab()
    tab.network.on(pullLine, ({ body }) => {
      const { p_cursor, p_tables } = body as PullArguments
      if (p_cursor === '1') return pullResponse({ full: true })
      if (p_cursor === 'now') return pullResponse({ cursor: '7', counts: { deals: 1 } })
      if (p_cursor === null)
        return pullResponse({ full: true, rows: p_tables.includes('deals') ? { deals: manyRows(1) } : {} })
      return pullResponse({ cursor: '8', rows: { deals: [serverRow({ id: 'meanwhile' })] } })
    })
    await pullBrand(tab.data)
    expect(shown(tab)).toEqual(['row 0', 'meanwhile'])
  })

  test('the rows of windowed tables are removed after a change of epoch, because a restored backup may have older versions', async () => {
    const tab = await openPulledTab(['contacts'])
    putRows(tab.data, 'contacts', { id: 'owen', version: 9 })
    const invalidated: string[] = []
    tab.data.onInvalidate((table) => invalidated.push(table))
    // A windowed table becomes complete only at 90 % of the maximum or below.
    servePulls(tab, {}, { contacts: 9001 })
    await pullBrand(tab.data)
    expect([shown(tab, 'contacts'), invalidated]).toEqual([[], ['contacts', 'notes']])
    const { userId, brandId } = tab.data
    const restored = serverRow({ id: 'owen', version: 3 })
    await storeRows(tab.device, { userId, brandId, table: 'contacts', rows: [restored] })
    expect(tab.data.tables.contacts.get('owen')?.version).toBe(3)
    expect(await localDatabase(tab.device, ana).getRows('contacts', acme, ['owen'])).toEqual([restored])
  })
})
