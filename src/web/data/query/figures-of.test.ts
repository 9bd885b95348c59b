import { describe, expect, test, vi } from 'vitest'
import { countFigures, figureDeal, dealsInStageX, sumInPounds, putFigureDeals } from '#tests/harness/counted-figures.ts'
import { acme, putRows } from '#tests/harness/lone-tab.ts'
import { ShownLook } from '#web/data/store/first-look.ts'
import { figuresOf } from './figures-of.ts'
import { localRows } from './local-rows.ts'
import { type Query, queryKey } from './query.ts'

describe('the figures of a complete table', () => {
  test('the figures of a complete table are computed on this device: the number of rows and, for deals, the sums by currency', async () => {
    const figures = await countFigures(dealsInStageX, (tab) => {
      putFigureDeals(tab)
      tab.data.firstPullEnded.set(false)
    })
    expect(figures.read()).toEqual({
      ready: true,
      count: 3,
      sums: [...sumInPounds(0.3), { currency: 'EUR', amount: 5 }],
      counting: false,
    })
    await figures.answered()
    expect(figures.network.sent).toEqual([])
  })

  test('the figures of a complete table other than deals have no sums', async () => {
    const figures = await countFigures({ table: 'tasks' }, ({ data }) =>
      putRows(data, 'tasks', { id: 'a' }, { id: 'b' }),
    )
    expect(figures.read()).toEqual({ ready: true, count: 2, sums: [], counting: false })
  })

  test('the figures of a complete table respect the search, also if the list has already run the same search', async () => {
    const searchQuery: Query<'deals'> = { ...dealsInStageX, search: 'nr a' }
    const figures = await countFigures(searchQuery, putFigureDeals)
    expect(figures.read()).toMatchObject({ count: 1, sums: sumInPounds(0.1) })
    localRows(figures.data, searchQuery)
    putRows(figures.data, 'deals', { ...figureDeal('aa', 3), version: 2 })
    expect(figures.read()).toMatchObject({ count: 2, sums: sumInPounds(3.1) })
    const limited = await countFigures({ ...dealsInStageX, search: 'nr', limit: 1 }, putFigureDeals)
    expect(limited.read()).toMatchObject({ count: 3 })
  })

  test('the figures of a complete table respect conditions relative to now', async () => {
    const figures = await countFigures(
      { table: 'tasks', where: { due_at: { lt: { now: 0 } } }, search: 'call' },
      ({ data }) =>
        putRows(
          data,
          'tasks',
          { id: 'a', title: 'Call', due_at: '2020-01-01T00:00:00Z' },
          { id: 'b', title: 'Call', due_at: '2999-01-01T00:00:00Z' },
        ),
    )
    expect(figures.read().count).toBe(1)
  })

  test('the figures of a complete table are the same object until one of them changes', async () => {
    const figures = await countFigures(dealsInStageX, putFigureDeals)
    const before = figures.read()
    putRows(figures.data, 'deals', { ...figureDeal('d', 9, 'GBP', 'y'), version: 2 })
    expect(figures.read()).toBe(before)
    putRows(figures.data, 'deals', { ...figureDeal('c', 6, 'EUR'), version: 2 })
    expect(figures.read()).not.toBe(before)
    expect(figures.read().sums).toContainEqual({ currency: 'EUR', amount: 6 })
  })

  test('the figures of a complete table are not ready before the rows have been read', async () => {
    const figures = await countFigures(dealsInStageX, (tab) => {
      putFigureDeals(tab)
      tab.data.loaded.set(false)
    })
    expect(figures.read()).toEqual({ ready: false, count: 0, sums: [], counting: false })
    figures.data.loaded.set(true)
    expect(figures.read()).toMatchObject({ ready: true, count: 3 })
  })
})

test('figures whose conditions are relative to the current time are computed again every minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.parse('2026-11-20T09:30:00Z') })
  try {
    const dueTask = { id: 'a', title: 'Call', due_at: '2026-11-20T09:30:30Z' }
    const overdue: Query<'tasks'> = { table: 'tasks', where: { due_at: { lt: { now: 0 } } } }
    const figures = await countFigures(overdue, ({ data }) => putRows(data, 'tasks', dueTask))
    expect(figures.read().count).toBe(0)
    vi.advanceTimersByTime(60_000)
    expect(figures.read().count).toBe(1)
    const intervals = vi.getTimerCount()
    figuresOf(figures.data, dealsInStageX).subscribe(() => {})
    expect([intervals, vi.getTimerCount()]).toEqual([1, 1])
  } finally {
    vi.useRealTimers()
  }
})

test('while the stored rows are read, the figures are those of the stored first look, with the changes made since', async () => {
  const look = new ShownLook({
    rows: {},
    lists: { [queryKey(dealsInStageX)]: { ids: [], total: 8, sums: [{ currency: 'GBP', count: 8, amount: 80 }] } },
    withTask: null,
  })
  const figures = await countFigures(dealsInStageX, ({ data }) => {
    data.loaded.set(false)
    data.firstLook.set(look)
  })
  expect(figures.read()).toEqual({ ready: true, count: 8, sums: sumInPounds(80), counting: false })
  const [before] = [{ ...figureDeal('a', 10), brand_id: acme, version: 1, rev: 1, updated_at: '', updated_by: null }]
  if (before) look.changed.set('a', before)
  putRows(figures.data, 'deals', { ...figureDeal('a', 15), version: 2 })
  expect(figures.read()).toEqual({ ready: true, count: 8, sums: sumInPounds(85), counting: false })
})
