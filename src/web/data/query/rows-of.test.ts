import { describe, expect, test, vi } from 'vitest'
import { answerOf, answerQueries, askedIn, refuseQueries } from '#tests/harness/answered-queries.ts'
import { acme, ana, type LoneTab, openLoneTab, putRows, rest, serverRow, setModes } from '#tests/harness/lone-tab.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { ShownLook } from '#web/data/store/first-look.ts'
import { addToQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { rowsAround } from './local-rows.ts'
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
  /** The ids in the places from 0 on; '-' where a placeholder is shown. */
  places: () => string
  facts: () => Pick<Rows<AnyRow>, 'ready' | 'total' | 'searching' | 'partial'>
  answered: () => Promise<void>
  notifiedTimes: () => number
}

async function show(
  query: Query<'deals'>,
  prepare: (tab: LoneTab) => void = () => {},
  windowed: TableName[] = ['deals'],
): Promise<Shown> {
  const tab = await openLoneTab({ windowed })
  prepare(tab)
  const view = rowsOf(tab.data, query)
  let notifiedTimes = 0
  view.subscribe(() => (notifiedTimes += 1))
  const places = () => {
    const { total, at } = view.read()
    return Array.from({ length: total }, (_, index) => at(index)?.id.replace('row 0', '') ?? '-').join(' ')
  }
  const facts = () => {
    const { ready, total, searching, partial } = view.read()
    return { ready, total, searching, partial }
  }
  const answered = async () => {
    await rest(20)
    tab.clock.advance(4)
    await rest(60)
  }
  return { ...tab, read: view.read, places, facts, answered, notifiedTimes: () => notifiedTimes }
}

const from =
  (rows: AnyRow[]) =>
  ({ network }: LoneTab) =>
    answerQueries(network, (question) => answerOf(rows, question))
const edit = (id: string, values: Record<string, unknown>) =>
  testOperation({ userId: ana, brandId: acme, id: `op ${id}`, rowId: id, values, preview: values })

describe('a table that the device has all of', () => {
  test('answers by itself', async () => {
    const list = await show(
      { table: 'deals', order: 'name' },
      ({ data }) => putRows(data, 'deals', ...rowsFrom(3).map((row) => ({ ...row }))),
      [],
    )
    expect(list.places()).toBe('00 01 02')
    expect(list.facts()).toEqual({ ready: true, total: 3, searching: false, partial: false })
    expect(list.read().at(3)).toBeUndefined()
    await list.answered()
    expect(list.network.sent).toEqual([])
  })

  test('is kept in order from then on', async () => {
    const inX: Query<'deals'> = { table: 'deals', where: { stage_id: 'x' } }
    const { data } = await show(
      inX,
      (tab) => {
        putRows(tab.data, 'deals', { id: 'a', stage_id: 'x' }, { id: 'b', stage_id: 'y' })
      },
      [],
    )
    expect([...rowsAround(data, inX)].map(({ id }) => id)).toEqual(['a'])
  })

  test('is shown when its rows have been read', async () => {
    const list = await show(
      { table: 'deals' },
      ({ data }) => {
        putRows(data, 'deals', { id: idOf(0) })
        data.loaded.set(false)
      },
      [],
    )
    expect(list.facts()).toEqual({ ready: false, total: 0, searching: false, partial: false })
    list.data.loaded.set(true)
    expect(list.facts()).toMatchObject({ ready: true, total: 1 })
    expect(list.notifiedTimes()).toBeGreaterThan(0)
  })

  test('is the same list until something in it changes', async () => {
    const list = await show(
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

  test('has what its rows name fetched where that is not here', async () => {
    const list = await show(
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
    await rest()
    expect(list.network.sent).toMatchObject([{ filters: { id: 'in.(owen)' } }])
    list.read().want(0, 1)
    list.clock.advance(20)
    await rest()
    expect(list.network.sent[1]).toMatchObject({ filters: { id: 'in.(zoe)' } })
  })
})

describe('a windowed table', () => {
  test('shows what the server answers, page by page', async () => {
    const list = await show({ table: 'deals' }, from(rowsFrom(40)))
    expect(list.facts()).toEqual({ ready: false, total: 0, searching: true, partial: false })
    await list.answered()
    expect(list.facts()).toEqual({ ready: true, total: 40, searching: false, partial: false })
    expect(list.read().at(29)?.id).toBe(idOf(29))
    expect(list.read().at(30)).toBeUndefined()
    list.read().want(30, 39)
    await list.answered()
    expect(list.read().at(39)?.id).toBe(idOf(39))
  })

  test('shows what is here of it until then', async () => {
    const list = await show({ table: 'deals' }, (tab) => {
      from(rowsFrom(40))(tab)
      putRows(tab.data, 'deals', { id: idOf(5) })
    })
    expect(list.facts()).toEqual({ ready: true, total: 1, searching: true, partial: false })
    list.data.loaded.set(false)
    expect(list.facts()).toMatchObject({ ready: false, total: 0 })
  })

  test('shows nothing of it while it comes for the first time: it would grow under the reader', async () => {
    const list = await show({ table: 'deals' }, ({ data }) => {
      putRows(data, 'deals', { id: idOf(5) })
      data.state.set({ ...data.state.get(), tables: {} })
    })
    expect(list.facts()).toMatchObject({ ready: false, total: 0, searching: true })
  })

  test('shows a record that was added here before the others, and leaves out what was taken out here', async () => {
    const list = await show(
      { table: 'deals', where: { stage_id: 'x' } },
      from(rowsFrom(3).map((row) => ({ ...row, stage_id: 'x' }))),
    )
    await list.answered()
    await addToQueue(list.device, edit(idOf(1), { stage_id: 'y' }))
    const creation = { ...edit('new', { id: 'new', brand_id: acme, stage_id: 'x' }), kind: 'insert' } as const
    await addToQueue(list.device, creation)
    expect([list.places(), list.facts().total]).toEqual(['new 00 02', 3])
    list.read().want(0, 2)
    await list.answered()
    expect(askedIn(list.network)).toHaveLength(1)
  })

  test('fetches the page of what is in sight, whatever was added here before it', async () => {
    const list = await show({ table: 'deals' }, from(rowsFrom(70)))
    await list.answered()
    await addToQueue(list.device, { ...edit('new', { id: 'new', brand_id: acme }), kind: 'insert' })
    list.read().want(30)
    await list.answered()
    expect(askedIn(list.network)).toHaveLength(1)
    list.read().want(60, 61)
    await list.answered()
    const pages = askedIn(list.network).slice(1).flat()
    expect(pages.map(({ skip = 0 }) => skip)).toEqual([0, 30])
  })

  test('of which some first rows are shown takes them from here, with what the server adds', async () => {
    const list = await show({ table: 'deals', order: 'name', limit: 2 }, (tab) => {
      from(rowsFrom(3))(tab)
      putRows(tab.data, 'deals', { id: idOf(9), name: 'Z' })
      tab.data.answered.set(false)
    })
    expect(list.facts()).toEqual({ ready: true, total: 1, searching: true, partial: false })
    await list.answered()
    expect(list.places()).toBe('00 01')
    expect(list.facts()).toMatchObject({ searching: false })
  })

  test('of which some first rows are shown is ready with nothing once it has been pulled or asked', async () => {
    const list = await show({ table: 'deals', limit: 2 }, ({ data }) => data.answered.set(false))
    refuseQueries(list.network, null)
    expect(list.facts()).toMatchObject({ ready: false })
    list.data.answered.set(true)
    expect(list.facts()).toMatchObject({ ready: true, total: 0, searching: true })
    list.data.answered.set(false)
    await list.answered()
    expect(list.facts()).toEqual({ ready: true, total: 0, searching: false, partial: true })
  })

  test('without an answer ever shows the rows of this device, and says that there may be more', async () => {
    const list = await show({ table: 'deals' }, ({ data }) => putRows(data, 'deals', { id: idOf(4) }))
    await list.answered()
    expect(list.facts()).toEqual({ ready: true, total: 1, searching: false, partial: true })
    list.data.loaded.set(false)
    expect(list.facts()).toMatchObject({ ready: false, partial: true })
  })

  test('of which the server has no rows shows none, whatever is here', async () => {
    const list = await show({ table: 'deals' }, (tab) => {
      from([])(tab)
      putRows(tab.data, 'deals', { id: idOf(4) })
    })
    await list.answered()
    expect(list.facts()).toEqual({ ready: true, total: 0, searching: false, partial: false })
  })

  test('has what the rows in sight name fetched, and no more', async () => {
    const rows = rowsFrom(3).map((row, index) => ({ ...row, contact_id: `contact ${index}` }))
    const list = await show({ table: 'deals' }, from(rows), ['deals', 'contacts'])
    await list.answered()
    list.read().want(1)
    list.clock.advance(20)
    await rest()
    expect(list.network.of('GET /rest/v1/contacts').map(({ filters }) => filters.id)).toEqual(['in.(contact 1)'])
  })

  test('keeps what it had where a later answer does not come', async () => {
    const list = await show({ table: 'deals' }, from(rowsFrom(3)))
    await list.answered()
    refuseQueries(list.network, null)
    list.data.invalidate('deals')
    await list.answered()
    expect([list.places(), list.facts().partial]).toEqual(['00 01 02', true])
  })

  test('is another list after a change on the server: what is in sight is wanted anew', async () => {
    const list = await show({ table: 'deals' }, from(rowsFrom(3)))
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
  const search = (text: string): Query<'deals'> => ({ table: 'deals', search: text })

  test('shows what it finds here, at once, and then what the server finds', async () => {
    const list = await show(search('deal 4'), (tab) => {
      from(rowsFrom(5).slice(4))(tab)
      putRows(tab.data, 'deals', { id: idOf(40), name: 'Deal 40' }, { id: idOf(3), name: 'Deal 3' })
    })
    expect(list.facts()).toMatchObject({ ready: true, total: 1, searching: true })
    expect(list.places()).toBe('40')
    await list.answered()
    expect(list.places()).toBe('04')
  })

  test('that finds nothing here keeps the list on screen until the answer', async () => {
    const list = await show({ table: 'deals' }, from(rowsFrom(3)))
    await list.answered()
    expect(list.places()).toBe('00 01 02')
    const searched = rowsOf(list.data, search('zz'))
    searched.subscribe(() => {})
    expect(searched.read()).toMatchObject({ total: 3, searching: true })
    expect(searched.read().at(0)?.id).toBe(idOf(0))
    answerQueries(list.network, () => ({ rows: [], total: 0, end: null }))
    await list.answered()
    expect(searched.read()).toMatchObject({ ready: true, total: 0, searching: false })
  })

  test('shows of what is added here what it finds', async () => {
    const list = await show({ ...search('deal'), where: { stage_id: 'x' } }, from([]))
    await list.answered()
    const add = (id: string, name: string, stage_id: string) =>
      addToQueue(list.device, { ...edit(id, { id, brand_id: acme, name, stage_id }), kind: 'insert' })
    await add('found', 'Deal', 'x')
    await add('other name', 'Roof', 'x')
    await add('other stage', 'Deal', 'y')
    expect(list.places()).toBe('found')
  })

  test('that finds nothing here, where no list was shown, is ready with nothing', async () => {
    const list = await show(search('zz'), () => {})
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

  test('stands in for the rows while they are read', async () => {
    const list = await show(
      query,
      ({ data }) => {
        putRows(data, 'deals', ...(look.look.rows.deals ?? []).map((row) => ({ ...row })))
        data.loaded.set(false)
        data.firstLook.set(look)
      },
      [],
    )
    expect(list.facts()).toEqual({ ready: true, total: 8, searching: false, partial: false })
    expect(list.places()).toBe('00 01 - - - - - -')
    list.read().want(5)
    const first = list.read()
    expect(list.read()).toBe(first)
    list.data.loaded.set(true)
    expect(list.places()).toBe('00 01')
  })

  test('has what was changed since, and nothing to say of other queries', async () => {
    const list = await show(
      query,
      ({ data }) => {
        putRows(data, 'deals', ...(look.look.rows.deals ?? []).map((row) => ({ ...row })))
        data.loaded.set(false)
        data.firstLook.set(look)
      },
      [],
    )
    look.note('deals', [idOf(0)])
    putRows(list.data, 'deals', { id: idOf(0), stage_id: 'y' })
    expect([list.places(), list.facts().total]).toEqual(['01 - - - - - -', 7])
    expect(rowsOf(list.data, { table: 'deals' }).read().ready).toBe(false)
    setModes(list.data, ['deals'])
    expect(list.facts().ready).toBe(false)
  })
})

test('a list that time alone changes is told every minute, as long as somebody listens; others are not', async () => {
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
