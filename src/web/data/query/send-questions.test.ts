import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { respondWith, sentQueries, respondToQueries } from '#tests/harness/answered-queries.ts'
import { ana, type LoneTab, openLoneTab, untilIdle, serverRow } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import type { QueryAnswer, QueryRequest } from '#web/data/server/read-queries.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { announceAnswers, sendQuestion, storeAnsweredRows } from './send-questions.ts'
import { queryKey } from './query.ts'

const neverAborted = new AbortController().signal
const dealsQuestion = (parts: Partial<QueryRequest> = {}): QueryRequest => ({ table: 'deals', ...parts })
const messageOf = (pending: Promise<unknown>) =>
  pending.then(
    () => null,
    (error: Error) => error.message,
  )

async function openTab(): Promise<LoneTab> {
  const tab = await openLoneTab({ windowed: ['deals', 'contacts'] })
  respondWith(tab.network, ({ search }) => ({ total: search?.length ?? 0 }))
  return tab
}

/** Sends the questions, and advances the clock by the time in which questions are gathered. Returns the answers. */
async function answersTo(tab: LoneTab, ...questions: QueryRequest[]): Promise<QueryAnswer[]> {
  const answers = questions.map((question) => sendQuestion(tab.data, question, neverAborted))
  await untilIdle(3)
  tab.clock.advance(4)
  return Promise.all(answers)
}

describe('questions', () => {
  test('the questions of one moment are sent in one request, and each gets its own answer', async () => {
    const tab = await openTab()
    const pending = [
      sendQuestion(tab.data, dealsQuestion({ search: 'a' }), neverAborted),
      sendQuestion(tab.data, dealsQuestion({ search: 'bb' }), neverAborted),
    ]
    await untilIdle(3)
    tab.clock.advance(3)
    await untilIdle(3)
    expect(tab.network.sent).toEqual([])
    tab.clock.advance(1)
    expect(await Promise.all(pending)).toEqual([{ total: 1 }, { total: 2 }])
    expect(sentQueries(tab.network)).toEqual([[dealsQuestion({ search: 'a' }), dealsQuestion({ search: 'bb' })]])
    await answersTo(tab, dealsQuestion())
    expect(sentQueries(tab.network)).toHaveLength(2)
  })

  test('at most 25 questions are sent per request', async () => {
    const tab = await openTab()
    await answersTo(tab, ...Array.from({ length: 51 }, (_, index) => dealsQuestion({ search: `${index}` })))
    expect(sentQueries(tab.network).map(({ length }) => length)).toEqual([25, 25, 1])
  })

  test('the questions about the rows and about the figures of one query are merged', async () => {
    const tab = await openTab()
    const where = { owner_id: null }
    await answersTo(
      tab,
      dealsQuestion({ where, most: 100, limit: 30 }),
      dealsQuestion({ where, count: true, rows: false }),
      dealsQuestion({ where, after: ['x'] }),
      dealsQuestion({ where, skip: 30 }),
      dealsQuestion({ where, limit: 10 }),
    )
    expect(sentQueries(tab.network)).toEqual([
      [
        { table: 'deals', where, limit: 30, count: true, rows: true },
        dealsQuestion({ where, after: ['x'] }),
        dealsQuestion({ where, skip: 30 }),
        dealsQuestion({ where, limit: 10 }),
      ],
    ])
  })

  test('merged questions stop counting at `most` only if all of them have it, and questions about figures alone request no rows', async () => {
    const tab = await openTab()
    await answersTo(tab, dealsQuestion({ most: 100 }), dealsQuestion({ most: 100, count: true }))
    await answersTo(tab, dealsQuestion({ rows: false, count: true }), dealsQuestion({ rows: false, sums: true }))
    expect(sentQueries(tab.network)).toEqual([
      [{ table: 'deals', rows: true, count: true, most: 100 }],
      [{ table: 'deals', rows: false, count: true, sums: true }],
    ])
  })
})

test('an answered question leaves no listener on its abort signal', async () => {
  const tab = await openTab()
  const { signal } = new AbortController()
  const pending = sendQuestion(tab.data, dealsQuestion(), signal)
  await untilIdle(3)
  tab.clock.advance(4)
  await pending
  await untilIdle(3)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

describe('the rows of an answer', () => {
  test('the rows of an answer are shown before they are stored', async () => {
    const tab = await openTab()
    vi.spyOn(localDatabase(tab.device, ana), 'putNewer').mockReturnValue(new Promise(() => {}))
    respondWith(tab.network, () => ({ rows: [serverRow({ id: 'roof' })], total: 1 }))
    expect(await answersTo(tab, dealsQuestion())).toMatchObject([{ total: 1 }])
    expect(tab.data.tables.deals.get('roof')?.id).toBe('roof')
  })

  test('the rows of an answer are in the collections when its promise resolves; the rows they refer to arrive before them', async () => {
    const tab = await openTab()
    const seen: string[] = []
    tab.data.tables.deals.subscribe(() => seen.push(`deals ${tab.data.tables.contacts.size}`))
    const rows = { a: [serverRow({ id: 'roof', contact_id: 'owen' })], b: [serverRow({ id: 'wall' })] }
    respondWith(tab.network, ({ search }) => ({ rows: search === 'a' ? rows.a : rows.b }), {
      contacts: [serverRow({ id: 'owen' })],
    })
    await answersTo(tab, dealsQuestion({ search: 'a' }), dealsQuestion({ search: 'b' }))
    expect([...tab.data.tables.deals.values()].map(({ id }) => id)).toEqual(['roof', 'wall'])
    expect(seen).toEqual(['deals 1'])
  })

  test('the rows of an answer leave out rows that were deleted a moment ago', async () => {
    const tab = await openTab()
    tab.data.recentlyDeleted.set('roof', 1)
    respondWith(tab.network, () => ({ rows: [serverRow({ id: 'roof' }), serverRow({ id: 'wall' })] }))
    await answersTo(tab, dealsQuestion())
    expect([...tab.data.tables.deals.values()].map(({ id }) => id)).toEqual(['wall'])
  })
})

describe('an aborted question', () => {
  test('an aborted question is not sent, but the others are', async () => {
    const tab = await openTab()
    const abort = new AbortController()
    const unwanted = messageOf(sendQuestion(tab.data, dealsQuestion({ search: 'a' }), abort.signal))
    const wanted = sendQuestion(tab.data, dealsQuestion({ search: 'bb' }), neverAborted)
    await untilIdle(3)
    abort.abort(new Error('away'))
    tab.clock.advance(4)
    expect(await unwanted).toBe('away')
    expect(await wanted).toEqual({ total: 2 })
    expect(sentQueries(tab.network)).toEqual([[dealsQuestion({ search: 'bb' })]])
  })

  test('an aborted question causes no request if it was the only one', async () => {
    const tab = await openTab()
    const abort = new AbortController()
    const unwanted = messageOf(sendQuestion(tab.data, dealsQuestion(), abort.signal))
    await untilIdle(3)
    abort.abort(new Error('away'))
    tab.clock.advance(4)
    expect(await unwanted).toBe('away')
    expect(await messageOf(sendQuestion(tab.data, dealsQuestion(), abort.signal))).toBe('away')
    await untilIdle()
    expect(tab.network.sent).toEqual([])
  })

  test('an aborted question gets no answer, and the request is aborted when all of its questions are aborted', async () => {
    const tab = await openTab()
    const aborts = [new AbortController(), new AbortController()]
    const isRequestAborted: boolean[] = []
    tab.network.on('POST /rest/v1/rpc/read_queries', async ({ signal }) => {
      for (const abort of aborts) {
        abort.abort(new Error('away'))
        isRequestAborted.push(signal?.aborted === true)
      }
      return { body: { answers: [{}, {}], named: {} } }
    })
    const pending = aborts.map(({ signal }, index) =>
      messageOf(sendQuestion(tab.data, dealsQuestion({ search: `${index}` }), signal)),
    )
    await untilIdle(3)
    tab.clock.advance(4)
    expect((await Promise.all(pending)).every((message) => message !== null)).toBe(true)
    expect(isRequestAborted).toEqual([false, true])
  })

  test('an aborted question does not prevent the answers to the others in its request', async () => {
    const tab = await openTab()
    const abort = new AbortController()
    tab.network.on('POST /rest/v1/rpc/read_queries', () => {
      abort.abort(new Error('away'))
      return { body: { answers: [{ total: 1 }, { total: 2 }], named: {} } }
    })
    const unwanted = messageOf(sendQuestion(tab.data, dealsQuestion({ search: 'a' }), abort.signal))
    const wanted = sendQuestion(tab.data, dealsQuestion({ search: 'b' }), neverAborted)
    await untilIdle(3)
    tab.clock.advance(4)
    expect([await unwanted, await wanted]).toEqual(['away', { total: 2 }])
  })
})

describe('a request that fails', () => {
  test('a request that fails because of one question is repeated, with each question in its own request', async () => {
    const tab = await openTab()
    tab.network.on('POST /rest/v1/rpc/read_queries', () => {
      const [questions = []] = sentQueries(tab.network).slice(-1)
      const isBad = questions.some(({ search }) => search === 'bad')
      return isBad ? refusalResponse(400, '22023', 'no such order') : { body: { answers: [{ total: 5 }], named: {} } }
    })
    const good = sendQuestion(tab.data, dealsQuestion({ search: 'good' }), neverAborted)
    const bad = messageOf(sendQuestion(tab.data, dealsQuestion({ search: 'bad' }), neverAborted))
    await untilIdle(3)
    tab.clock.advance(4)
    expect([await good, await bad]).toEqual([{ total: 5 }, 'no such order'])
    expect(sentQueries(tab.network).map(({ length }) => length)).toEqual([2, 1, 1])
  })

  test('a request that fails temporarily fails as a whole', async () => {
    const tab = await openTab()
    respondToQueries(tab.network, refusalResponse(503, 'PGRST002', 'busy'))
    const pending = ['a', 'b'].map((search) =>
      messageOf(sendQuestion(tab.data, dealsQuestion({ search }), neverAborted)),
    )
    await untilIdle(3)
    tab.clock.advance(4)
    expect(await Promise.all(pending)).toEqual(['busy', 'busy'])
    expect(sentQueries(tab.network)).toHaveLength(1)
  })

  test('a question is rejected if the response to its request does not answer it', async () => {
    const tab = await openTab()
    tab.network.on('POST /rest/v1/rpc/read_queries', () => ({ body: { answers: [], named: {} } }))
    const pending = messageOf(sendQuestion(tab.data, dealsQuestion(), neverAborted))
    await untilIdle(3)
    tab.clock.advance(4)
    expect(await pending).toBe('The response has no answer to this question.')
  })
})

describe('announced answers', () => {
  const column = { table: 'deals', where: { stage_id: 'x' }, order: 'newest', search: '' } as const
  const answers = new Map([[queryKey(column), { total: 7 }]])
  const isFor = ({ table }: { table: string }) => table === 'deals'

  test('a question whose answer is announced waits for that answer and sends no request', async () => {
    const tab = await openTab()
    announceAnswers(tab.data, { isFor, answers: Promise.resolve(answers) })
    const answer = sendQuestion(
      tab.data,
      dealsQuestion({ where: { stage_id: 'x' }, limit: 30, count: true }),
      neverAborted,
    )
    await untilIdle(3)
    expect(await answer).toEqual({ total: 7 })
    expect(tab.network.sent).toEqual([])
  })

  test('announced answers are not used for other queries, other pages or other tables', async () => {
    const tab = await openTab()
    announceAnswers(tab.data, { isFor, answers: Promise.resolve(answers) })
    const questions = [
      dealsQuestion({ where: { stage_id: 'y' } }),
      dealsQuestion({ where: { stage_id: 'x' }, skip: 30 }),
      dealsQuestion({ where: { stage_id: 'x' }, order: 'name' }),
      { ...dealsQuestion({ where: { stage_id: 'x' } }), table: 'tasks' } as const,
    ]
    await answersTo(tab, ...questions)
    expect(sentQueries(tab.network)).toHaveLength(1)
    expect(new Set(sentQueries(tab.network)[0])).toEqual(new Set(questions))
  })

  test('announced answers are ignored if they fail, if a table has changed since, or if they are old', async () => {
    const tab = await openTab()
    announceAnswers(tab.data, { isFor, answers: Promise.reject(new Error('no')) })
    await answersTo(tab, dealsQuestion({ where: { stage_id: 'x' } }))
    expect(sentQueries(tab.network)).toHaveLength(1)
    announceAnswers(tab.data, { isFor, answers: Promise.resolve(answers) })
    tab.data.invalidate('tasks')
    await answersTo(tab, dealsQuestion({ where: { stage_id: 'x' } }))
    expect(sentQueries(tab.network)).toHaveLength(2)
    announceAnswers(tab.data, { isFor, answers: Promise.resolve(answers) })
    await untilIdle(3)
    tab.clock.advance(3)
    await answersTo(tab, dealsQuestion({ where: { stage_id: 'x' } }))
    expect(sentQueries(tab.network)).toHaveLength(2)
    await answersTo(tab, dealsQuestion({ where: { stage_id: 'x' } }))
    expect(sentQueries(tab.network)).toHaveLength(3)
  })
})

describe('an answer that is outdated when it arrives', () => {
  const rows = [serverRow({ id: 'roof' })]
  const [noneFetched, allFetched] = [
    { deals: { mode: 'complete', complete: false } } as const,
    { deals: { mode: 'complete', complete: true } } as const,
  ]

  test('an answer stores nothing if all rows of its table were pulled since the request, because no pull reports what was deleted before', async () => {
    const { data } = await openLoneTab({ windowed: ['deals'] })
    const before = { ...data.state.get(), epoch: 'one', tables: noneFetched }
    data.state.set({ ...before, tables: allFetched })
    await storeAnsweredRows(data, 'deals', rows, before)
    expect([...data.tables.deals.serverIds()]).toEqual([])
    await storeAnsweredRows(data, 'deals', rows, data.state.get())
    expect([...data.tables.deals.serverIds()]).toEqual(['roof'])
  })

  test('an answer stores nothing if the server has a new epoch since the request; the first pull begins no new epoch', async () => {
    const { data } = await openLoneTab({ windowed: ['deals'] })
    const before = { ...data.state.get(), tables: noneFetched }
    data.state.set({ ...before, epoch: 'two' })
    await storeAnsweredRows(data, 'deals', rows, { ...before, epoch: 'one' })
    expect([...data.tables.deals.serverIds()]).toEqual([])
    await storeAnsweredRows(data, 'deals', rows, { ...before, epoch: null })
    expect([...data.tables.deals.serverIds()]).toEqual(['roof'])
  })
})
