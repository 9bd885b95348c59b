import { describe, expect, test, vi } from 'vitest'
import { answerOf, respondWith, sentQueries, respondToQueries } from '#tests/harness/answered-queries.ts'
import {
  acme,
  ana,
  type LoneTab,
  openLoneTab,
  putRows,
  untilIdle,
  serverRow,
  setModes,
} from '#tests/harness/lone-tab.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { ShownLook } from '#web/data/store/first-look.ts'
import { addToQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { candidateRows } from './local-rows.ts'
import { type Query, queryKey } from './query.ts'
import { type Rows, rowsOf } from './rows-of.ts'

const idOf = (index: number) => `row ${String(index).padStart(3, '0')}`
const rowsFrom = (count: number): AnyRow[] =>
  Array.from({ length: count }, (_, index) =>
    serverRow({
      id: idOf(index),
      name: `Deal ${index}`,
      created_at: `2026-11-${30 - index}`,
      contact_id: null,
      company_id: null,
    }),
  )

interface Shown extends LoneTab {
  read: () => Rows<AnyRow>
  /** The ids in order; '-' where a placeholder is shown. */
  shownIds: () => string
  facts: () => Pick<Rows<AnyRow>, 'ready' | 'total' | 'searching' | 'hasFailed'>
  answered: () => Promise<void>
  notifiedTimes: () => number
}

async function openList(
  query: Query<'deals'>,
  prepare: (tab: LoneTab) => void = () => {},
  windowed: TableName[] = ['deals'],
): Promise<Shown> {
  const tab = await openLoneTab({ windowed })
  prepare(tab)
  const view = rowsOf(tab.data, query)
  let notifiedTimes = 0
  view.subscribe(() => (notifiedTimes += 1))
  const shownIds = () => {
    const { total, at } = view.read()
    return Array.from({ length: total }, (_, index) => at(index)?.id.replace('row 0', '') ?? '-').join(' ')
  }
  const facts = () => {
    const { ready, total, searching, hasFailed } = view.read()
    return { ready, total, searching, hasFailed }
  }
  const answered = async () => {
    await untilIdle(20)
    tab.clock.advance(4)
    await untilIdle(60)
  }
  return { ...tab, read: view.read, shownIds, facts, answered, notifiedTimes: () => notifiedTimes }
}

const respondFrom =
  (rows: AnyRow[]) =>
  ({ network }: LoneTab) =>
    respondWith(network, (question) => answerOf(rows, question))
const edit = (id: string, values: Record<string, unknown>) =>
  testOperation({ userId: ana, brandId: acme, id: `op ${id}`, rowId: id, values, preview: values })

describe('a complete table', () => {
  test('a complete table is listed without the server', async () => {
    const list = await openList(
      { table: 'deals', order: 'name' },
      ({ data }) => putRows(data, 'deals', ...rowsFrom(3).map((row) => ({ ...row }))),
      [],
    )
    expect(list.shownIds()).toBe('00 01 02')
    expect(list.facts()).toEqual({ ready: true, total: 3, searching: false, hasFailed: false })
    expect(list.read().at(3)).toBeUndefined()
    await list.answered()
    expect(list.network.sent).toEqual([])
  })

  test('a complete table is kept sorted after it was listed once', async () => {
    const inX: Query<'deals'> = { table: 'deals', where: { stage_id: 'x' } }
    const { data } = await openList(
      inX,
      (tab) => {
        putRows(tab.data, 'deals', { id: 'a', stage_id: 'x' }, { id: 'b', stage_id: 'y' })
      },
      [],
    )
    expect([...candidateRows(data, inX)].map(({ id }) => id)).toEqual(['a'])
  })

  test('a complete table is shown when its rows have been read', async () => {
    const list = await openList(
      { table: 'deals' },
      ({ data }) => {
        putRows(data, 'deals', { id: idOf(0) })
        data.loaded.set(false)
      },
      [],
    )
    expect(list.facts()).toEqual({ ready: false, total: 0, searching: false, hasFailed: false })
    list.data.loaded.set(true)
    expect(list.facts()).toMatchObject({ ready: true, total: 1 })
    expect(list.notifiedTimes()).toBeGreaterThan(0)
  })

  test('a complete table gives the same list object until something in it changes', async () => {
    const list = await openList(
      { table: 'deals', where: { stage_id: 'x' } },
      ({ data }) => putRows(data, 'deals', { id: 'a', stage_id: 'x' }),
      [],
    )
    const first = list.read()
    putRows(list.data, 'deals', { id: 'b', stage_id: 'y' })
    expect(list.read()).toBe(first)
    putRows(list.data, 'deals', { id: 'c', stage_id: 'x' })
    expect(list.read()).not.toBe(first)
  })

  test('a complete table fetches the rows that its rows refer to, if they are not on this device', async () => {
    const list = await openList(
      { table: 'deals' },
      ({ data }) => {
        putRows(
          data,
          'deals',
          { id: 'a', contact_id: 'owen', created_at: '2026-11-02' },
          { id: 'b', contact_id: 'zoe' },
        )
      },
      ['contacts'],
    )
    list.network.on('GET /rest/v1/contacts', () => ({ body: [serverRow({ id: 'owen' })] }))
    list.read().want(0)
    list.clock.advance(20)
    await untilIdle()
    expect(list.network.sent).toMatchObject([{ filters: { id: 'in.(owen)' } }])
    list.read().want(0, 1)
    list.clock.advance(20)
    await untilIdle()
    expect(list.network.sent[1]).toMatchObject({ filters: { id: 'in.(zoe)' } })
  })
})

describe('a windowed table', () => {
  test('a windowed table shows the server’s answer page by page', async () => {
    const list = await openList({ table: 'deals' }, respondFrom(rowsFrom(40)))
    expect(list.facts()).toEqual({ ready: false, total: 0, searching: true, hasFailed: false })
    await list.answered()
    expect(list.facts()).toEqual({ ready: true, total: 40, searching: false, hasFailed: false })
    expect(list.read().at(29)?.id).toBe(idOf(29))
    expect(list.read().at(30)).toBeUndefined()
    list.read().want(30, 39)
    await list.answered()
    expect(list.read().at(39)?.id).toBe(idOf(39))
  })

  test('a windowed table shows its rows on this device until the server answers', async () => {
    const list = await openList({ table: 'deals' }, (tab) => {
      respondFrom(rowsFrom(40))(tab)
      putRows(tab.data, 'deals', { id: idOf(5) })
    })
    expect(list.facts()).toMatchObject({ ready: false, total: 0 })
    // The answer of an earlier session has been looked up; there is none.
    await untilIdle(20)
    expect(list.facts()).toEqual({ ready: true, total: 1, searching: true, hasFailed: false })
    expect(list.read().hasMore).toBe(true)
    list.data.loaded.set(false)
    expect(list.facts()).toMatchObject({ ready: false, total: 0 })
  })

  test('a windowed table in another order shows nothing until the server answers, because the rows on this device are the newest ones', async () => {
    const list = await openList({ table: 'deals', order: 'name' }, (tab) => {
      respondFrom(rowsFrom(40))(tab)
      putRows(tab.data, 'deals', { id: idOf(5) })
    })
    await untilIdle(20)
    expect(list.facts()).toEqual({ ready: false, total: 0, searching: true, hasFailed: false })
    await list.answered()
    expect(list.facts()).toEqual({ ready: true, total: 40, searching: false, hasFailed: false })
    expect(list.read().hasMore).toBe(false)
  })

  test('a windowed table shows nothing while it is fetched for the first time, because the list would grow while a person reads it', async () => {
    const list = await openList({ table: 'deals' }, ({ data }) => {
      putRows(data, 'deals', { id: idOf(5) })
      data.state.set({ ...data.state.get(), tables: {} })
    })
    expect(list.facts()).toMatchObject({ ready: false, total: 0, searching: true })
  })

  test('a windowed table shows a record that was added on this device above the others, and leaves out one that an edit on this device removed from the query', async () => {
    const list = await openList(
      { table: 'deals', where: { stage_id: 'x' } },
      respondFrom(rowsFrom(3).map((row) => ({ ...row, stage_id: 'x' }))),
    )
    await list.answered()
    await addToQueue(list.device, edit(idOf(1), { stage_id: 'y' }))
    const creation = { ...edit('new', { id: 'new', brand_id: acme, stage_id: 'x' }), kind: 'insert' } as const
    await addToQueue(list.device, creation)
    expect([list.shownIds(), list.facts().total]).toEqual(['new 00 02', 3])
    list.read().want(0, 2)
    await list.answered()
    expect(sentQueries(list.network)).toHaveLength(1)
  })

  test('a windowed table fetches the visible pages, also if rows that were added on this device come before them', async () => {
    const list = await openList({ table: 'deals' }, respondFrom(rowsFrom(70)))
    await list.answered()
    await addToQueue(list.device, { ...edit('new', { id: 'new', brand_id: acme }), kind: 'insert' })
    list.read().want(30)
    await list.answered()
    expect(sentQueries(list.network)).toHaveLength(1)
    list.read().want(60, 61)
    await list.answered()
    const pages = sentQueries(list.network).slice(1).flat()
    expect(pages.map(({ skip = 0 }) => skip)).toEqual([0, 30])
  })

  test('a list with a limit shows the first rows on this device, then also those of the server’s answer', async () => {
    const list = await openList({ table: 'deals', order: 'name', limit: 2 }, (tab) => {
      respondFrom(rowsFrom(3))(tab)
      putRows(tab.data, 'deals', { id: idOf(9), name: 'Z' })
      tab.data.firstPullEnded.set(false)
    })
    expect(list.facts()).toEqual({ ready: true, total: 1, searching: true, hasFailed: false })
    await list.answered()
    expect(list.shownIds()).toBe('00 01')
    expect(list.facts()).toMatchObject({ searching: false })
  })

  test('a list with a limit is ready without rows after a pull, or after its request has ended', async () => {
    const list = await openList({ table: 'deals', limit: 2 }, ({ data }) => data.firstPullEnded.set(false))
    respondToQueries(list.network, null)
    expect(list.facts()).toMatchObject({ ready: false })
    list.data.firstPullEnded.set(true)
    expect(list.facts()).toMatchObject({ ready: true, total: 0, searching: true })
    list.data.firstPullEnded.set(false)
    await list.answered()
    expect(list.facts()).toEqual({ ready: true, total: 0, searching: false, hasFailed: true })
  })

  test('a list of a windowed table that the server never answered shows the rows on this device, and says that the request failed', async () => {
    const list = await openList({ table: 'deals' }, ({ data }) => putRows(data, 'deals', { id: idOf(4) }))
    await list.answered()
    expect(list.facts()).toEqual({ ready: true, total: 1, searching: false, hasFailed: true })
    list.data.loaded.set(false)
    expect(list.facts()).toMatchObject({ ready: false, hasFailed: true })
  })

  test('a windowed table shows no rows if the server has none, whatever is on this device', async () => {
    const list = await openList({ table: 'deals' }, (tab) => {
      respondFrom([])(tab)
      putRows(tab.data, 'deals', { id: idOf(4) })
    })
    await list.answered()
    expect(list.facts()).toEqual({ ready: true, total: 0, searching: false, hasFailed: false })
  })

  test('a windowed table fetches only what the visible rows refer to', async () => {
    const rows = rowsFrom(3).map((row, index) => ({ ...row, contact_id: `contact ${index}` }))
    const list = await openList({ table: 'deals' }, respondFrom(rows), ['deals', 'contacts'])
    await list.answered()
    list.read().want(1)
    list.clock.advance(20)
    await untilIdle()
    expect(list.network.of('GET /rest/v1/contacts').map(({ filters }) => filters.id)).toEqual(['in.(contact 1)'])
  })

  test('a windowed table keeps its rows if a later answer does not come', async () => {
    const list = await openList({ table: 'deals' }, respondFrom(rowsFrom(3)))
    await list.answered()
    respondToQueries(list.network, null)
    list.data.invalidate('deals')
    await list.answered()
    expect([list.shownIds(), list.facts().hasFailed]).toEqual(['00 01 02', true])
  })

  test('a windowed table gives another list object after a change on the server, so that the screen calls `want` again for the visible rows', async () => {
    const list = await openList({ table: 'deals' }, respondFrom(rowsFrom(3)))
    await list.answered()
    const before = list.read()
    putRows(list.data, 'deals', { id: 'elsewhere' })
    expect(list.read()).toBe(before)
    putRows(list.data, 'deals', { id: idOf(1), name: 'Ruf', version: 2 })
    const changed = list.read()
    expect(changed).not.toBe(before)
    list.data.invalidate('deals')
    expect(list.read()).not.toBe(changed)
  })
})

describe('a search in a windowed table', () => {
  const searchQuery = (text: string): Query<'deals'> => ({ table: 'deals', search: text })

  test('a search in a windowed table shows at once what it finds on this device, and then what the server finds', async () => {
    const list = await openList(searchQuery('deal 4'), (tab) => {
      respondFrom(rowsFrom(5).slice(4))(tab)
      putRows(tab.data, 'deals', { id: idOf(40), name: 'Deal 40' }, { id: idOf(3), name: 'Deal 3' })
    })
    expect(list.facts()).toMatchObject({ ready: true, total: 1, searching: true })
    expect(list.shownIds()).toBe('40')
    await list.answered()
    expect(list.shownIds()).toBe('04')
  })

  test('a search in a windowed table that finds nothing on this device keeps the earlier list on screen until the server answers', async () => {
    const list = await openList({ table: 'deals' }, respondFrom(rowsFrom(3)))
    await list.answered()
    expect(list.shownIds()).toBe('00 01 02')
    const searched = rowsOf(list.data, searchQuery('zz'))
    searched.subscribe(() => {})
    expect(searched.read()).toMatchObject({ total: 3, searching: true })
    expect(searched.read().at(0)?.id).toBe(idOf(0))
    respondWith(list.network, () => ({ rows: [], total: 0, end: null }))
    await list.answered()
    expect(searched.read()).toMatchObject({ ready: true, total: 0, searching: false })
  })

  test('a search in a windowed table shows the records added on this device only if they match', async () => {
    const list = await openList({ ...searchQuery('deal'), where: { stage_id: 'x' } }, respondFrom([]))
    await list.answered()
    const add = (id: string, name: string, stage_id: string) =>
      addToQueue(list.device, { ...edit(id, { id, brand_id: acme, name, stage_id }), kind: 'insert' })
    await add('found', 'Deal', 'x')
    await add('other name', 'Roof', 'x')
    await add('other stage', 'Deal', 'y')
    expect(list.shownIds()).toBe('found')
  })

  test('a search that finds nothing on this device shows an empty list until the server answers if no other list was shown before', async () => {
    const list = await openList(searchQuery('zz'), () => {})
    expect(list.facts()).toMatchObject({ ready: true, total: 0, searching: true })
  })
})

describe('the first look', () => {
  const query: Query<'deals'> = { table: 'deals', where: { stage_id: 'x' } }
  const look = new ShownLook({
    rows: { deals: rowsFrom(2).map((row) => ({ ...row, stage_id: 'x' })) },
    lists: { [queryKey(query)]: { ids: [idOf(0), idOf(1)], total: 8, sums: [] } },
    withTask: null,
  })

  test('the stored first look is shown while the stored rows are read', async () => {
    const list = await openList(
      query,
      ({ data }) => {
        putRows(data, 'deals', ...(look.look.rows.deals ?? []).map((row) => ({ ...row })))
        data.loaded.set(false)
        data.firstLook.set(look)
      },
      [],
    )
    expect(list.facts()).toEqual({ ready: true, total: 8, searching: false, hasFailed: false })
    expect(list.shownIds()).toBe('00 01 - - - - - -')
    list.read().want(5)
    const first = list.read()
    expect(list.read()).toBe(first)
    list.data.loaded.set(true)
    expect(list.shownIds()).toBe('00 01')
  })

  test('the first look includes changes made since it was stored, and does not answer other queries', async () => {
    const list = await openList(
      query,
      ({ data }) => {
        putRows(data, 'deals', ...(look.look.rows.deals ?? []).map((row) => ({ ...row })))
        data.loaded.set(false)
        data.firstLook.set(look)
      },
      [],
    )
    look.recordChanges('deals', [idOf(0)])
    putRows(list.data, 'deals', { id: idOf(0), stage_id: 'y' })
    expect([list.shownIds(), list.facts().total]).toEqual(['01 - - - - - -', 7])
    expect(rowsOf(list.data, { table: 'deals' }).read().ready).toBe(false)
    setModes(list.data, ['deals'])
    expect(list.facts().ready).toBe(false)
  })
})

test('only a list with conditions relative to the current time notifies its subscribers every minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const { data } = await openLoneTab()
    let notifiedTimes = 0
    const overdue = rowsOf(data, { table: 'tasks', where: { due_at: { lt: { now: 0 } } }, order: 'due' })
    expect(overdue.read()).toMatchObject({ ready: true, total: 0 })
    const stops = [overdue, rowsOf(data, { table: 'tasks' })].map((list) => list.subscribe(() => (notifiedTimes += 1)))
    vi.advanceTimersByTime(60_000)
    expect(notifiedTimes).toBe(1)
    for (const stop of stops) stop()
    vi.advanceTimersByTime(60_000)
    expect(notifiedTimes).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
