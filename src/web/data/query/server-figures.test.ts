import { describe, expect, test, vi } from 'vitest'
import { respondToQueries, respondWith, sentQueries } from '#tests/harness/answered-queries.ts'
import { countFigures, figureDeal, dealsInStageX, sumInPounds, putFigureDeals } from '#tests/harness/counted-figures.ts'
import { acme, ana, type LoneTab, openLoneTab, putRows, untilIdle, setModes } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { reachable } from '#web/data/server/network.ts'
import type { QueryAnswer } from '#web/data/server/read-queries.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { addToQueue, updateQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { figuresOf } from './figures-of.ts'
import { queryKey } from './query.ts'

test('the figures of a table that was complete and becomes windowed are requested again, and the earlier answer is not shown', async () => {
  const answer = { sums: [{ currency: 'GBP', count: 1, amount: 7 }] }
  const figures = await countFigures(dealsInStageX, ({ network }) => respondWith(network, () => answer), ['deals'])
  await figures.answered()
  expect(figures.read().count).toBe(1)
  setModes(figures.data, [])
  answer.sums = [{ currency: 'GBP', count: 9, amount: 70 }]
  figures.data.invalidate('deals')
  setModes(figures.data, ['deals'])
  expect(figures.read()).toMatchObject({ count: 0, counting: true })
  await figures.answered()
  expect(figures.read()).toMatchObject({ count: 9, sums: sumInPounds(70) })
})

describe('the figures of a windowed table', () => {
  const sums = [{ currency: 'GBP', count: 40, amount: 100 }]
  const answerWith =
    (answer: QueryAnswer) =>
    ({ network }: LoneTab) =>
      respondWith(network, () => answer)

  test('the figures of a windowed table are those of the server; before its answer, those of the rows on this device', async () => {
    const figures = await countFigures(
      dealsInStageX,
      (tab) => {
        putFigureDeals(tab)
        answerWith({ sums })(tab)
      },
      ['deals'],
    )
    expect(figures.read()).toMatchObject({ ready: true, count: 3, counting: true })
    await figures.answered()
    expect(figures.read()).toEqual({ ready: true, count: 40, sums: sumInPounds(100), counting: false })
    expect(sentQueries(figures.network)).toEqual([
      [{ table: 'deals', where: dealsInStageX.where, rows: false, sums: true }],
    ])
  })

  test('the figures of a windowed table other than deals are only a number of rows', async () => {
    const figures = await countFigures({ table: 'contacts', search: 'owen' }, answerWith({ total: 12 }), ['contacts'])
    await figures.answered()
    expect(figures.read()).toEqual({ ready: true, count: 12, sums: [], counting: false })
    expect(sentQueries(figures.network)).toEqual([[{ table: 'contacts', search: 'owen', rows: false, count: true }]])
    const withoutTotal = await countFigures({ table: 'contacts' }, answerWith({}), ['contacts'])
    await withoutTotal.answered()
    expect(withoutTotal.read().count).toBe(0)
    expect(sentQueries(withoutTotal.network)).toEqual([[{ table: 'contacts', rows: false, count: true }]])
  })

  test('the figures of a windowed table that the server has not answered are ready when the first pull has ended, not before', async () => {
    const figures = await countFigures(dealsInStageX, ({ data }) => data.firstPullEnded.set(false), ['deals'])
    expect(figures.read().ready).toBe(false)
    figures.data.firstPullEnded.set(true)
    expect(figures.read().ready).toBe(true)
  })

  test('the figures of a windowed table include changes made on this device until the server has counted them', async () => {
    const edit = (id: string, parts: Parameters<typeof testOperation>[0]) =>
      testOperation({ userId: ana, brandId: acme, id: `op ${id}`, rowId: id, preview: parts.values ?? {}, ...parts })
    const figures = await countFigures(
      dealsInStageX,
      (tab) => {
        putFigureDeals(tab)
        answerWith({ sums })(tab)
      },
      ['deals'],
    )
    await figures.answered()
    await addToQueue(figures.device, edit('a', { values: { amount: 1.1 } }))
    await addToQueue(figures.device, edit('b', { values: { stage_id: 'y' } }))
    await addToQueue(figures.device, edit('d', { values: { stage_id: 'x' } }))
    await addToQueue(
      figures.device,
      edit('new', { kind: 'insert', values: { ...figureDeal('new', 10), brand_id: acme } }),
    )
    const changed = { ready: true, count: 41, sums: sumInPounds(100 + 1 - 0.2 + 7 + 10), counting: false }
    expect(figures.read()).toEqual(changed)
    await updateQueue(figures.device, ana, ['op a'], [])
    putRows(figures.data, 'deals', { ...figureDeal('a', 1.1), version: 2 })
    expect(figures.read()).toEqual(changed)
    await addToQueue(figures.device, { ...edit('a', { values: { amount: 2.1 } }), id: 'again' })
    expect(figures.read()).toEqual({ ...changed, sums: sumInPounds(100 + 2 - 0.2 + 7 + 10) })
    await updateQueue(figures.device, ana, ['again'], [])
    respondWith(figures.network, () => ({ sums: [{ currency: 'GBP', count: 40, amount: 101 }] }))
    figures.data.invalidate('deals')
    await figures.answered()
    expect(figures.read()).toEqual(changed)
    await updateQueue(figures.device, ana, ['op b', 'op d', 'op new'], [])
    respondWith(figures.network, () => ({ sums }))
    figures.data.invalidate('deals')
    await figures.answered()
    expect(figures.read()).toEqual({ ready: true, count: 40, sums: sumInPounds(100), counting: false })
  })

  test('the figures of a windowed table count a change once if it is pulled before the response to its own request arrives', async () => {
    const [before, after] = [40, 39].map((rows) => [{ currency: 'GBP', count: rows, amount: rows }])
    const figures = await countFigures(
      dealsInStageX,
      (tab) => {
        putRows(tab.data, 'deals', figureDeal('a', 1))
        answerWith({ sums: before })(tab)
      },
      ['deals'],
    )
    await figures.answered()
    const move = testOperation({
      userId: ana,
      brandId: acme,
      rowId: 'a',
      values: { stage_id: 'y' },
      preview: { stage_id: 'y' },
    })
    await addToQueue(figures.device, move)
    respondWith(figures.network, () => ({ sums: after }))
    putRows(figures.data, 'deals', { ...figureDeal('a', 1, 'GBP', 'y'), version: 2 })
    figures.data.invalidate('deals')
    await figures.answered()
    expect(figures.read()).toMatchObject({ count: 39, sums: sumInPounds(39) })
    await updateQueue(figures.device, ana, [move.id], [])
    await figures.answered()
    expect(figures.read()).toMatchObject({ count: 39, sums: sumInPounds(39) })
    expect(sentQueries(figures.network)).toHaveLength(3)
    await figures.answered()
    expect(sentQueries(figures.network)).toHaveLength(3)
  })

  test('the figures of a windowed table include a change that was made again while they were requested', async () => {
    const figures = await countFigures(
      dealsInStageX,
      (tab) => {
        putRows(tab.data, 'deals', figureDeal('a', 1))
        answerWith({ sums: [{ currency: 'GBP', count: 40, amount: 40 }] })(tab)
      },
      ['deals'],
    )
    await figures.answered()
    const edit = (id: string, amount: number) =>
      testOperation({ userId: ana, brandId: acme, id, rowId: 'a', values: { amount }, preview: { amount } })
    await addToQueue(figures.device, edit('first', 2))
    putRows(figures.data, 'deals', { ...figureDeal('a', 2), version: 2 })
    await updateQueue(figures.device, ana, ['first'], [])
    respondWith(figures.network, () => ({ sums: [{ currency: 'GBP', count: 40, amount: 41 }] }))
    figures.data.invalidate('deals')
    await untilIdle(20)
    await addToQueue(figures.device, edit('again', 5))
    await figures.answered()
    expect(figures.read()).toMatchObject({ count: 40, sums: sumInPounds(44) })
  })

  test('the figures of a windowed table are never negative', async () => {
    const figures = await countFigures(
      dealsInStageX,
      (tab) => {
        putFigureDeals(tab)
        answerWith({ sums: [] })(tab)
      },
      ['deals'],
    )
    await figures.answered()
    const deletion = testOperation({
      userId: ana,
      brandId: acme,
      kind: 'delete',
      rowId: 'a',
      rowIds: ['a'],
      values: {},
      preview: {},
    })
    await addToQueue(figures.device, deletion)
    expect(figures.read().count).toBe(0)
  })

  test('each change on the server causes exactly one new request for the figures of a windowed table, also if the last request has no answer yet', async () => {
    const figures = await countFigures(dealsInStageX, answerWith({ sums }), ['deals'])
    await figures.answered()
    figures.data.state.set({ ...figures.data.state.get() })
    await figures.answered()
    expect(sentQueries(figures.network)).toHaveLength(1)
    const windowedState = figures.data.state.get()
    setModes(figures.data, [])
    expect(figures.read().count).toBe(0)
    figures.data.state.set(windowedState)
    figures.data.invalidate('deals')
    await untilIdle(20)
    figures.clock.advance(4)
    figures.data.invalidate('deals')
    await untilIdle(60)
    await figures.answered()
    expect(sentQueries(figures.network)).toHaveLength(3)
    await figures.answered()
    expect(sentQueries(figures.network)).toHaveLength(3)
  })

  test('the figures of a windowed table are not requested again if the state of the brand is stored while the answer is on its way', async () => {
    const figures = await countFigures(dealsInStageX, answerWith({ sums }), ['deals'])
    await untilIdle(20)
    figures.clock.advance(4)
    figures.data.state.set({ ...figures.data.state.get() })
    await untilIdle(3)
    figures.clock.advance(4)
    await figures.answered()
    expect(sentQueries(figures.network)).toHaveLength(1)
  })

  test('the figures of a windowed table are not requested again, and log no error, if the answer comes after the last subscriber has left', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const figures = await countFigures(dealsInStageX, answerWith({ sums }), ['deals'])
    await untilIdle(20)
    figures.clock.advance(4)
    figures.data.invalidate('deals')
    figures.stop()
    await figures.answered()
    await figures.answered()
    expect([sentQueries(figures.network).length, log.mock.calls]).toEqual([1, []])
    log.mockRestore()
  })

  test('the figures of a windowed table are requested again when the server is back, and not while it is unreachable', async () => {
    const figures = await countFigures(dealsInStageX, ({ network }) => respondToQueries(network, null), ['deals'])
    await figures.answered()
    expect(sentQueries(figures.network)).toHaveLength(1)
    figures.data.invalidate('deals')
    await figures.answered()
    expect(sentQueries(figures.network)).toHaveLength(1)
    respondWith(figures.network, () => ({ sums }))
    reachable(figures.device).set(true)
    await figures.answered()
    expect(figures.read().count).toBe(40)
    reachable(figures.device).set(false)
    reachable(figures.device).set(true)
    await figures.answered()
    expect(sentQueries(figures.network)).toHaveLength(2)
  })

  test('the figures of a windowed table are requested only while there is a subscriber, and not if the table is complete', async () => {
    const figures = await countFigures(dealsInStageX, answerWith({ sums }), ['deals'])
    figures.stop()
    figures.data.invalidate('deals')
    await figures.answered()
    expect(figures.network.sent).toEqual([])
    const completeTab = await openLoneTab({ windowed: ['deals'] })
    figuresOf(completeTab.data, dealsInStageX).subscribe(() => {})
    setModes(completeTab.data, [])
    await untilIdle(20)
    completeTab.clock.advance(4)
    await untilIdle(20)
    expect(completeTab.network.sent).toEqual([])
  })

  test('the figures of a windowed table are requested again when a subscriber comes back', async () => {
    const figures = await countFigures(dealsInStageX, answerWith({ sums }), ['deals'])
    await figures.answered()
    const view = figuresOf(figures.data, dealsInStageX)
    figures.stop()
    view.subscribe(() => {})
    await figures.answered()
    expect(sentQueries(figures.network)).toHaveLength(2)
  })

  test('the figures of a windowed table log an error if the server refuses the request', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const figures = await countFigures(
      dealsInStageX,
      ({ network }) => respondToQueries(network, refusalResponse(400, '22023')),
      ['deals'],
    )
    await figures.answered()
    await figures.answered()
    expect(log.mock.calls.map(([message]) => message)).toEqual(['Figures could not be fetched.'])
    log.mockRestore()
  })

  test('figures that the server could not count are not marked as being counted while they are requested again', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const figures = await countFigures(
      dealsInStageX,
      (tab) => {
        putFigureDeals(tab)
        respondToQueries(tab.network, refusalResponse(400, '57014'))
      },
      ['deals'],
    )
    expect(figures.read().counting).toBe(true)
    await figures.answered()
    expect(figures.read()).toMatchObject({ count: 3, counting: false })
    figures.data.invalidate('deals')
    putRows(figures.data, 'deals', figureDeal('e', 1))
    expect(figures.read()).toMatchObject({ count: 4, counting: false })
    respondWith(figures.network, () => ({ sums }))
    await figures.answered()
    expect(figures.read()).toMatchObject({ count: 40, counting: false })
    log.mockRestore()
  })

  test('the figures of a windowed table are stored for an offline start, and shown until the server answers', async () => {
    const figures = await countFigures(dealsInStageX, answerWith({ sums }), ['deals'])
    await figures.answered()
    const key = `figures ${queryKey(dealsInStageX)}`
    expect(await localDatabase(figures.device, ana).getList(acme, key)).toMatchObject({ sums })
    const offline = await countFigures(
      dealsInStageX,
      async ({ device, network }) => {
        respondToQueries(network, null)
        await localDatabase(device, ana).putList({ brand_id: acme, key, ids: [], total: 0, sums })
      },
      ['deals'],
    )
    await offline.answered()
    expect(offline.read()).toEqual({ ready: true, count: 40, sums: sumInPounds(100), counting: false })
  })
})

test('stored figures are shown when they have been read, unless the server has answered by then', async () => {
  const storedList = { brand_id: acme, key: '', ids: [], total: 0, sums: [{ currency: 'GBP', count: 9, amount: 90 }] }
  for (const [list, isAnswered, expected] of [
    [storedList, false, 9],
    [{ ...storedList, sums: undefined }, false, 0],
    [storedList, true, 40],
    [{ ...storedList, sums: undefined }, true, 40],
  ] as const) {
    let read: (list: unknown) => void = () => {}
    let notifiedTimes = 0
    const figures = await countFigures(
      dealsInStageX,
      ({ device, data, network }) => {
        vi.spyOn(localDatabase(device, ana), 'getList').mockReturnValue(
          new Promise((resolve) => (read = resolve as typeof read)),
        )
        if (isAnswered) respondWith(network, () => ({ sums: [{ currency: 'GBP', count: 40, amount: 1 }] }))
        figuresOf(data, dealsInStageX).subscribe(() => (notifiedTimes += 1))
      },
      ['deals'],
    )
    await figures.answered()
    notifiedTimes = 0
    read(list)
    await untilIdle(3)
    expect([figures.read().count, notifiedTimes > 0]).toEqual([expected, expected === 9])
  }
})
