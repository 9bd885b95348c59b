import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answerOf, respondWith, sentQueries, respondToQueries } from '#tests/harness/answered-queries.ts'
import { acme, ana, openLoneTab, putRows, untilIdle, serverRow } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { idOf, lastQuery, openList, rowsFrom, shownIds, indexesAsText } from '#tests/harness/server-list.ts'
import { reachable } from '#web/data/server/network.ts'
import { addToQueue, updateQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import type { Query } from './query.ts'
import { rowsOf } from './rows-of.ts'
import { ServerRows } from './server-rows.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a list that the server answers', () => {
  test('a list that the server answers begins with the first page and the total', async () => {
    const { list, network, notifiedTimes } = await openList(70)
    expect([list.isReady, list.total, list.hasMore, list.hasFailed]).toEqual([true, 70, false, false])
    expect(shownIds(list)).toBe(indexesAsText(0, 29))
    expect(sentQueries(network)).toEqual([[{ table: 'deals', limit: 30, count: true }]])
    // The first notification: no earlier session stored an answer. The second: the answer has arrived.
    expect(notifiedTimes()).toBe(2)
  })

  test('a list that the server answers is not ready before the first answer, and requests nothing without a subscriber', async () => {
    const tab = await openLoneTab({ windowed: ['deals'] })
    const list = new ServerRows(tab.data, { table: 'deals' }, () => {})
    list.want(0)
    expect([list.isReady, list.hasFailed, list.total]).toEqual([false, false, 0])
    expect(tab.network.sent).toEqual([])
  })

  test('a list that the server answers fetches the visible pages once, each after the page before it', async () => {
    const tab = await openList(70)
    tab.list.want(5, 29)
    tab.list.want(30)
    tab.list.want(35, 40)
    await tab.answered()
    expect(sentQueries(tab.network).slice(1)).toEqual([
      [{ table: 'deals', limit: 30, count: false, after: [idOf(29)] }],
    ])
    expect(shownIds(tab.list)).toBe(indexesAsText(0, 59))
    tab.list.want(20, 65)
    await tab.answered()
    expect(lastQuery(tab)).toMatchObject({ after: [idOf(59)] })
    expect(shownIds(tab.list)).toBe(indexesAsText(0, 69))
    tab.list.want(0, 69)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(3)
    expect(tab.list.total).toBe(70)
  })

  test('a list that the server answers skips pages after a jump, counted from the nearest page that was fetched', async () => {
    const tab = await openList(200)
    tab.list.want(150, 155)
    await tab.answered()
    expect(lastQuery(tab)).toMatchObject({ after: [idOf(29)], skip: 120 })
    expect(shownIds(tab.list)).toBe(
      `${indexesAsText(0, 29)} ${Array(120).fill('-').join(' ')} ${indexesAsText(150, 179)}`,
    )
    tab.list.want(90)
    await tab.answered()
    expect(lastQuery(tab)).toMatchObject({ after: [idOf(29)], skip: 60 })
    tab.list.want(120)
    await tab.answered()
    expect(lastQuery(tab)).toMatchObject({ after: [idOf(119)] })
    expect(lastQuery(tab)).not.toHaveProperty('skip')
    tab.list.want(-5, 3)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(4)
  })

  test('a list with a limit requests only the first rows', async () => {
    const tab = await openList(70, { limit: 7 })
    expect(sentQueries(tab.network)).toEqual([[{ table: 'deals', limit: 7, count: false }]])
    expect([shownIds(tab.list), tab.list.total]).toEqual([indexesAsText(0, 6), 7])
    tab.list.want(0, 40)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(1)
  })

  test('a list of one row requests the row again after a change, also while the answer is on its way', async () => {
    const tab = await openList(5, { limit: 1 })
    expect(shownIds(tab.list)).toBe('0')
    tab.data.invalidate('deals')
    await untilIdle(20)
    tab.clock.advance(4)
    tab.data.invalidate('deals')
    await untilIdle(60)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(3)
  })

  test('a list whose last page is fetched after the first page has null ids for the pages in between', async () => {
    const tab = await openList(121)
    tab.list.want(120)
    await tab.answered()
    expect(shownIds(tab.list)).toBe(`${indexesAsText(0, 29)} ${Array(90).fill('-').join(' ')} 120`)
  })

  test('the ids of a list that has grown since it was counted include the new rows, and its total stays the same', async () => {
    const tab = await openList(70)
    tab.rows.push(...rowsFrom(100).slice(70))
    tab.list.want(30, 69)
    await tab.answered()
    expect([shownIds(tab.list), tab.list.total]).toEqual([indexesAsText(0, 89), 70])
  })

  test('a list that the server answers is counted only up to `most`, until its end is visible', async () => {
    const tab = await openList(95, { most: 60 })
    expect(lastQuery(tab)).toMatchObject({ most: 60, count: true })
    expect([tab.list.total, tab.list.hasMore]).toEqual([60, true])
    tab.list.want(30, 58)
    await tab.answered()
    expect([tab.list.total, tab.list.hasMore]).toEqual([60, true])
    tab.list.want(30, 59)
    await tab.answered()
    expect(lastQuery(tab)).toMatchObject({ count: true })
    expect(lastQuery(tab)).not.toHaveProperty('most')
    expect([tab.list.total, tab.list.hasMore]).toEqual([95, false])
  })

  test('a list that the server answers is not counted again while its middle is visible', async () => {
    const tab = await openList(200, { most: 100 })
    tab.list.want(30, 60)
    await tab.answered()
    for (const question of sentQueries(tab.network).slice(1).flat())
      expect(question).toMatchObject({ most: 100, count: false })
    expect([tab.list.total, tab.list.hasMore]).toEqual([100, true])
  })
})

describe('a change on the server', () => {
  test('a change on the server makes the pages of a list stale, and they are fetched again when they are visible', async () => {
    const tab = await openList(100)
    tab.list.want(30)
    await tab.answered()
    const notifiedTimes = tab.notifiedTimes()
    tab.rows.splice(0, 1)
    tab.data.invalidate('deals')
    expect(tab.list.generation).toBe(1)
    expect(tab.notifiedTimes()).toBe(notifiedTimes + 1)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(3)
    expect(shownIds(tab.list)).toBe(`${indexesAsText(1, 30)} - ${indexesAsText(31, 59)}`)
    tab.list.want(30)
    await tab.answered()
    expect(shownIds(tab.list)).toBe(indexesAsText(1, 60))
    expect(tab.list.total).toBe(99)
  })

  test('a change of another table has no effect on a list, unless the search uses that table', async () => {
    const tab = await openList(10)
    tab.data.invalidate('contacts')
    expect(tab.list.generation).toBe(0)
    const searched = await openList(10, { search: 'x' })
    searched.data.invalidate('contacts')
    expect(searched.list.generation).toBe(1)
  })

  test('a change on the server while an answer is on its way causes another request', async () => {
    const tab = await openList(10)
    tab.data.invalidate('deals')
    await untilIdle(20)
    tab.clock.advance(4)
    tab.data.invalidate('deals')
    await untilIdle(60)
    expect(sentQueries(tab.network)).toHaveLength(2)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(3)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(3)
  })

  test('a change on the server that makes a list shorter removes the rows after the list’s end', async () => {
    const tab = await openList(70)
    tab.list.want(60)
    await tab.answered()
    tab.rows.splice(40)
    tab.data.invalidate('deals')
    await tab.answered()
    expect([shownIds(tab.list), tab.list.total]).toEqual([
      `${indexesAsText(0, 29)} ${Array(10).fill('-').join(' ')}`,
      40,
    ])
    tab.rows.splice(20)
    tab.data.invalidate('deals')
    await tab.answered()
    expect([shownIds(tab.list), tab.list.total]).toEqual([indexesAsText(0, 19), 20])
    tab.rows.splice(0)
    tab.data.invalidate('deals')
    await tab.answered()
    expect([shownIds(tab.list), tab.list.total]).toEqual(['', 0])
  })

  test('a change on the server that makes a list shorter while its end is visible leaves no null ids after the end', async () => {
    const tab = await openList(200)
    tab.list.want(190, 199)
    await tab.answered()
    tab.rows.splice(100)
    tab.data.invalidate('deals')
    tab.list.want(190, 199)
    await tab.answered()
    expect([tab.list.ids.length, tab.list.total]).toEqual([100, 100])
    tab.list.want(60, 99)
    await tab.answered()
    expect(shownIds(tab.list).endsWith(indexesAsText(60, 99))).toBe(true)
  })

  test('a list equals that of the server after a change of any kind, whatever part is visible', async () => {
    const tab = await openList(100)
    const anyStep = fc.oneof(
      fc.record({ kind: fc.constant('want' as const), first: fc.nat({ max: 110 }), more: fc.nat({ max: 40 }) }),
      fc.record({ kind: fc.constant('move' as const), from: fc.nat({ max: 99 }), to: fc.nat({ max: 99 }) }),
      fc.record({ kind: fc.constant('drop' as const), from: fc.nat({ max: 99 }) }),
      fc.record({ kind: fc.constant('add' as const), to: fc.nat({ max: 99 }) }),
      fc.constant({ kind: 'answer' as const }),
    )
    let added = 100
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 10 }), async (steps) => {
        for (const step of steps) {
          if (step.kind === 'want') tab.list.want(step.first, step.first + step.more)
          else if (step.kind === 'answer') await tab.answered()
          else {
            if (step.kind === 'add') tab.rows.splice(step.to, 0, serverRow({ id: idOf(added++) }))
            else {
              const taken = tab.rows.splice(step.from, 1)
              if (step.kind === 'move') tab.rows.splice(step.to, 0, ...taken)
            }
            tab.data.invalidate('deals')
          }
        }
        for (let turn = 0; turn < 3; turn++) {
          tab.list.want(0, 130)
          await tab.answered()
        }
        expect(tab.list.ids).toEqual(tab.rows.map(({ id }) => id))
        expect(tab.list.total).toBe(tab.rows.length)
      }),
      { numRuns: 12 },
    )
  })
})

describe('without an answer', () => {
  test('a list without an answer is marked as failed, is not requested again for three seconds, and is requested again when the server is back', async () => {
    const tab = await openList(40, {}, ({ network }) => respondToQueries(network, null))
    respondToQueries(tab.network, null)
    tab.data.invalidate('deals')
    await tab.answered()
    expect([tab.list.hasFailed, tab.list.isReady]).toEqual([true, true])
    const before = sentQueries(tab.network).length
    tab.clock.advance(2900)
    tab.list.want(0)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(before)
    tab.clock.advance(100)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(before)
    tab.list.want(0)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(before + 1)
    respondWith(tab.network, (question) => answerOf(tab.rows, question))
    reachable(tab.device).set(false)
    reachable(tab.device).set(true)
    await tab.answered()
    expect([tab.list.hasFailed, tab.list.total]).toEqual([false, 40])
    const after = sentQueries(tab.network).length
    reachable(tab.device).set(false)
    reachable(tab.device).set(true)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(after)
  })

  test('a list that the server refused because it is busy is requested again after the time in Retry-After', async () => {
    const tab = await openList(40)
    respondToQueries(tab.network, { ...refusalResponse(503, 'PGRST002'), headers: { 'retry-after': '20' } })
    tab.data.invalidate('deals')
    await tab.answered()
    respondWith(tab.network, (question) => answerOf(tab.rows, question))
    const before = sentQueries(tab.network).length
    tab.clock.advance(19_990)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(before)
    tab.clock.advance(10)
    await tab.answered()
    expect([tab.list.hasFailed, sentQueries(tab.network).length]).toEqual([false, before + 1])
  })

  test('a refusal of a list is logged; a missing answer is not', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const tab = await openList(40)
    respondToQueries(tab.network, null)
    tab.data.invalidate('deals')
    await tab.answered()
    expect(log).not.toHaveBeenCalled()
    tab.clock.advance(3000)
    respondToQueries(tab.network, refusalResponse(400, '22023'))
    tab.list.want(0)
    await tab.answered()
    expect(log.mock.calls[0]?.[0]).toBe('A page of the list could not be fetched.')
  })
})

describe('rows that were changed on this device', () => {
  test('rows that were changed on this device stay in `changedHere` until an answer arrives that was requested after the changes were sent', async () => {
    const tab = await openList(5)
    expect([...tab.list.changedHere.keys()]).toEqual([])
    await addToQueue(tab.device, testOperation({ userId: ana, brandId: acme, id: 'op', rowId: idOf(1) }))
    expect([...tab.list.changedHere.keys()]).toEqual([idOf(1)])
    tab.data.invalidate('deals')
    await tab.answered()
    expect([...tab.list.changedHere.keys()]).toEqual([idOf(1)])
    const laterList = new ServerRows(tab.data, { table: 'deals' }, () => {})
    laterList.subscribe(() => {})
    expect([...laterList.changedHere.keys()]).toEqual([idOf(1)])
    await updateQueue(tab.device, ana, ['op'], [])
    expect([...tab.list.changedHere.keys()]).toEqual([idOf(1)])
    tab.data.invalidate('deals')
    await tab.answered()
    expect([...tab.list.changedHere.keys()]).toEqual([])
  })

  test('a page that is fetched for the first time is shown although a change waits to be sent; an answer about a known page waits until the queue has made no progress for 25 seconds', async () => {
    const tab = await openList(70)
    await addToQueue(tab.device, testOperation({ userId: ana, brandId: acme, id: 'op', rowId: 'elsewhere' }))
    tab.list.want(30)
    await tab.answered()
    expect(shownIds(tab.list)).toBe(indexesAsText(0, 59))
    tab.rows.splice(0, 1)
    tab.data.invalidate('deals')
    for (let round = 0; round < 13; round++) {
      await tab.answered()
      expect(shownIds(tab.list).startsWith(indexesAsText(0, 29))).toBe(true)
      tab.clock.advance(2000)
    }
    await tab.answered()
    expect(shownIds(tab.list).startsWith(indexesAsText(1, 30))).toBe(true)
  })

  test('a page whose answer was discarded is not requested again before two seconds have passed, however often its rows become visible', async () => {
    const tab = await openList(70)
    await addToQueue(tab.device, testOperation({ userId: ana, brandId: acme, id: 'op', rowId: 'elsewhere' }))
    tab.data.invalidate('deals')
    await tab.answered()
    const requestCount = sentQueries(tab.network).length
    for (let round = 0; round < 5; round++) {
      tab.list.want(0)
      await tab.answered()
    }
    expect(sentQueries(tab.network)).toHaveLength(requestCount)
    tab.clock.advance(2000)
    await tab.answered()
    expect(sentQueries(tab.network)).toHaveLength(requestCount + 1)
  })

  test('a list counts a new row once if the row is pulled before the response to its own request arrives', async () => {
    const tab = await openList(70)
    const values = { name: 'New' }
    await addToQueue(
      tab.device,
      testOperation({ userId: ana, brandId: acme, kind: 'insert', id: 'op', rowId: idOf(70), values, preview: values }),
    )
    const listed = rowsOf(tab.data, { table: 'deals' })
    const stop = listed.subscribe(() => {})
    tab.rows.push(serverRow({ id: idOf(70) }))
    tab.data.invalidate('deals')
    await tab.answered()
    await updateQueue(tab.device, ana, ['op'], [])
    await tab.answered()
    expect([...tab.list.changedHere.keys()]).toEqual([])
    expect(listed.read().total).toBe(71)
    stop()
  })

  test('a list keeps a change that is sent while the list is requested, because the answer may be older than the change', async () => {
    const inX: Query<'deals'> = { table: 'deals', where: { stage_id: 'x' } }
    const tab = await openList(5, inX)
    putRows(tab.data, 'deals', { id: idOf(1), stage_id: 'x' })
    const listed = rowsOf(tab.data, inX)
    const totals: number[] = []
    const stop = listed.subscribe(() => totals.push(listed.read().total))
    await tab.answered()
    expect(listed.read().total).toBe(5)
    const move = { stage_id: 'y' }
    await addToQueue(
      tab.device,
      testOperation({ userId: ana, brandId: acme, id: 'op', rowId: idOf(1), values: move, preview: move }),
    )
    expect(listed.read().total).toBe(4)
    totals.splice(0)
    tab.data.invalidate('deals')
    await untilIdle(20)
    putRows(tab.data, 'deals', { id: idOf(1), ...move, version: 2 })
    await updateQueue(tab.device, ana, ['op'], [])
    // The server read this answer's rows before it applied the move.
    await tab.answered()
    tab.rows.splice(1, 1)
    await tab.answered()
    await tab.answered()
    expect([listed.read().total, ...totals].filter((total) => total !== 4)).toEqual([])
    expect([...tab.list.changedHere.keys()]).toEqual([])
    stop()
  })
})
