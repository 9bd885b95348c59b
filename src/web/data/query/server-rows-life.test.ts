import { afterEach, describe, expect, test, vi } from 'vitest'
import { answerOf, respondWith, sentQueries, respondToQueries } from '#tests/harness/answered-queries.ts'
import { acme, ana, type LoneTab, openLoneTab, untilIdle, setModes } from '#tests/harness/lone-tab.ts'
import { openList, rowsFrom, shownIds, indexesAsText } from '#tests/harness/server-list.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { queryKey } from './query.ts'
import { ServerRows } from './server-rows.ts'
import { serverSources } from './server-source.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a list is stored for an offline start', () => {
  const key = queryKey({ table: 'deals' })
  const storedListIn = ({ device }: LoneTab, name = key) => localDatabase(device, ana).getList(acme, name)

  test('the ids of the first 16 pages of a list are stored for an offline start, unless the list has a search or a limit', async () => {
    const tab = await openList(1000)
    expect(await storedListIn(tab)).toMatchObject({ total: 1000 })
    for (let page = 1; page < 18; page++) {
      tab.list.want(page * 30)
      await tab.answered()
    }
    tab.data.invalidate('deals')
    await tab.answered()
    expect((await storedListIn(tab))?.ids).toHaveLength(16 * 30)
    expect(await storedListIn(await openList(5, { limit: 5 }), queryKey({ table: 'deals', limit: 5 }))).toBeUndefined()
    expect(
      await storedListIn(await openList(5, { search: 'x' }), queryKey({ table: 'deals', search: 'x' })),
    ).toBeUndefined()
  })

  test('a list that was never answered is not stored', async () => {
    const tab = await openLoneTab({ windowed: ['deals'] })
    const list = new ServerRows(tab.data, { table: 'deals' }, () => {})
    list.subscribe(() => {})
    await untilIdle(20)
    tab.clock.advance(4)
    await untilIdle()
    expect([list.hasFailed, await storedListIn(tab)]).toEqual([true, undefined])
  })

  test('a stored list does not replace an answer that came before the stored list was read', async () => {
    const tab = await openLoneTab({ windowed: ['deals'] })
    respondWith(tab.network, (question) => answerOf(rowsFrom(3), question))
    const storedList = { brand_id: acme, key, ids: ['x'], total: 9 }
    let resolveRead: (list: typeof storedList) => void = () => {}
    vi.spyOn(localDatabase(tab.device, ana), 'getList').mockReturnValue(
      new Promise((resolve) => (resolveRead = resolve)),
    )
    const list = new ServerRows(tab.data, { table: 'deals' }, () => {})
    list.subscribe(() => {})
    await untilIdle(20)
    tab.clock.advance(4)
    await untilIdle()
    resolveRead(storedList)
    await untilIdle(3)
    expect([shownIds(list), list.total]).toEqual([indexesAsText(0, 2), 3])
  })

  test('a stored list is shown until the server answers', async () => {
    const tab = await openList(5, {}, ({ network }) => respondToQueries(network, null))
    await localDatabase(tab.device, ana).putList({ brand_id: acme, key, ids: ['x'], total: 9 })
    const offline = new ServerRows(tab.data, { table: 'deals' }, () => {})
    respondToQueries(tab.network, null)
    let notifiedTimes = 0
    offline.subscribe(() => (notifiedTimes += 1))
    await untilIdle()
    expect([offline.ids, offline.total, offline.isReady, notifiedTimes]).toEqual([['x'], 9, true, 1])
    await tab.answered()
    expect([offline.ids, offline.hasFailed]).toEqual([['x'], true])
    expect(await storedListIn(tab)).toMatchObject({ ids: ['x'], total: 9 })
  })
})

describe('a list without subscribers', () => {
  test('a list without subscribers is not requested, and ignores an answer that comes too late', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const tab = await openList(70)
    tab.list.want(30)
    tab.stop()
    await tab.answered()
    expect([shownIds(tab.list), tab.list.hasFailed, log.mock.calls]).toEqual([indexesAsText(0, 29), false, []])
    tab.list.want(30)
    tab.data.invalidate('deals')
    await tab.answered()
    expect([sentQueries(tab.network).length, tab.list.generation]).toEqual([1, 0])
  })

  test('a list is shared by its subscribers, and replaced after the last one has left', async () => {
    const { data, clock } = await openLoneTab({ windowed: ['deals'] })
    const listOf = serverSources(ServerRows)
    const list = listOf(data, { table: 'deals' })
    expect(listOf(data, { table: 'deals', where: {} })).toBe(list)
    expect(listOf(data, { table: 'deals', search: 'x' })).not.toBe(list)
    const urgent: boolean[] = []
    const stops = [list.subscribe((isUrgent) => urgent.push(isUrgent)), list.subscribe(() => {})]
    data.invalidate('deals')
    expect([list.generation, urgent]).toEqual([1, [true]])
    stops[0]?.()
    clock.advance(0)
    expect(listOf(data, { table: 'deals' })).toBe(list)
    stops[1]?.()
    clock.advance(0)
    expect(listOf(data, { table: 'deals' })).not.toBe(list)
  })

  test('a list that lost its last subscriber while a page was on its way is fetched again for the next subscriber', async () => {
    const tab = await openList(70)
    tab.data.invalidate('deals')
    tab.stop()
    tab.rows.splice(0, 1)
    tab.list.subscribe(() => {})
    await tab.answered()
    expect(shownIds(tab.list)).toBe(indexesAsText(1, 30))
  })

  test('a list that loses one of its two subscribers keeps its pages and continues to fetch', async () => {
    const tab = await openList(70)
    const stop = tab.list.subscribe(() => {})
    stop()
    tab.clock.advance(0)
    tab.list.want(30)
    await tab.answered()
    expect(shownIds(tab.list)).toBe(indexesAsText(0, 59))
  })

  test('a list that has lost its last subscriber is fetched again for the next subscriber', async () => {
    const tab = await openList(70)
    tab.stop()
    tab.rows.splice(0, 1)
    tab.list.subscribe(() => {})
    await tab.answered()
    expect(shownIds(tab.list)).toBe(indexesAsText(1, 30))
  })
})

test('a complete table is not requested, even if it becomes complete while its list has subscribers', async () => {
  const tab = await openList(5, {}, ({ data }) => setModes(data, []))
  expect(tab.network.sent).toEqual([])
  setModes(tab.data, ['deals'])
  await tab.answered()
  expect([tab.list.total, sentQueries(tab.network).length]).toEqual([5, 1])
  tab.data.invalidate('deals')
  setModes(tab.data, [])
  await tab.answered()
  tab.data.invalidate('deals')
  await tab.answered()
  expect(sentQueries(tab.network)).toHaveLength(1)
  setModes(tab.data, ['deals'])
  await tab.answered()
  expect(sentQueries(tab.network)).toHaveLength(2)
})

test('a list whose table was complete and becomes windowed is requested again, and the earlier answer is not shown', async () => {
  const tab = await openList(2)
  setModes(tab.data, [])
  tab.rows.splice(0, 2, ...rowsFrom(5))
  // The pull that fetches the rows first invalidates the table, and then makes it windowed.
  tab.data.invalidate('deals')
  setModes(tab.data, ['deals'])
  expect([tab.list.isReady, tab.list.total]).toEqual([false, 0])
  await tab.answered()
  expect([shownIds(tab.list), tab.list.total]).toEqual([indexesAsText(0, 4), 5])
})
