import { beforeEach, describe, expect, test } from 'vitest'
import { respondWith, sentQueries } from '#tests/harness/answered-queries.ts'
import { type Counted, countFigures, figureDeal, inX } from '#tests/harness/counted-figures.ts'
import { acme, ana, putRows, untilIdle } from '#tests/harness/lone-tab.ts'
import { reachable } from '#web/data/server/network.ts'
import { addToQueue, updateQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { figuresOf } from './figures-of.ts'

/** The server's answer: the number of deals in stage x. */
let answer: { sums: { currency: string; count: number; amount: number }[] }
let figures: Counted

function answerWith(count: number): void {
  answer.sums = [{ currency: 'GBP', count, amount: count }]
}

/** Makes a change that the server has not confirmed. Deal a is in stage x. */
async function change(id: string, rowId: string, values = { stage_id: 'y' }): Promise<void> {
  const operation = testOperation({ userId: ana, brandId: acme, id, rowId, values, preview: values })
  await addToQueue(figures.device, operation)
}

/** Removes a change from the queue, because the server has confirmed it. */
function confirm(id: string): Promise<void> {
  return updateQueue(figures.device, ana, [id], [])
}

/** A colleague changes a deal, and the server answers the query again. Returns the number of deals that is then shown. */
async function afterColleague(): Promise<number> {
  figures.data.invalidate('deals')
  await figures.answered()
  return figures.read().count
}

/** Lets time pass in steps of 50 ms. Returns how many requests were sent meanwhile. */
async function requestsWithin(seconds: number): Promise<number> {
  const before = sentQueries(figures.network).length
  for (let step = 0; step < seconds * 20; step++) {
    figures.clock.advance(50)
    await untilIdle(12)
  }
  return sentQueries(figures.network).length - before
}

beforeEach(async () => {
  answer = { sums: [] }
  answerWith(40)
  figures = await countFigures(
    inX,
    (tab) => {
      putRows(tab.data, 'deals', figureDeal('a', 1))
      respondWith(tab.network, () => answer)
    },
    ['deals'],
  )
  await figures.answered()
})

describe('while a change is on its way, an answer that may include it is discarded', () => {
  test('however many answers arrive', async () => {
    await change('move', 'a')
    answerWith(39)
    for (let times = 0; times < 10; times++) expect(await afterColleague()).toBe(39)
    await confirm('move')
    await figures.answered()
    expect(figures.read().count).toBe(39)
  })

  test('also after the device was offline for a long time', async () => {
    await change('move', 'a')
    expect(await afterColleague()).toBe(39)
    reachable(figures.device).set(false)
    figures.clock.advance(60_000)
    // The server is reachable again and has applied the change. Its response is on its way.
    answerWith(39)
    reachable(figures.device).set(true)
    expect(await afterColleague()).toBe(39)
    expect(await afterColleague()).toBe(39)
  })

  test('also while further changes follow each other', async () => {
    await change('0', 'elsewhere 0')
    for (let next = 1; next <= 12; next++) {
      const count = await afterColleague()
      expect(count).toBe(next > 9 ? 39 : 40)
      await change(`${next}`, `elsewhere ${next}`)
      await confirm(`${next - 1}`)
      if (next === 9) await change('move', 'a')
      if (next === 9) answerWith(39)
      figures.clock.advance(1900)
    }
  })

  test('also after the last subscriber had left for some time', async () => {
    await change('elsewhere', 'elsewhere')
    await afterColleague()
    const view = figuresOf(figures.data, inX)
    figures.stop()
    await confirm('elsewhere')
    figures.clock.advance(60_000)
    await change('move', 'a')
    view.subscribe(() => {})
    await figures.answered()
    answerWith(39)
    figures.data.invalidate('deals')
    await figures.answered()
    expect(view.read().count).toBe(39)
  })
})

describe('an answer is shown although a change waits', () => {
  test('once the queue has made no progress for ten seconds, and then each further answer at once', async () => {
    await change('stuck', 'elsewhere')
    expect(await afterColleague()).toBe(40)
    answerWith(50)
    figures.clock.advance(9900)
    expect(await afterColleague()).toBe(40)
    figures.clock.advance(100)
    expect(await afterColleague()).toBe(50)
    answerWith(51)
    expect(await afterColleague()).toBe(51)
  })

  test('not before ten seconds after the last change', async () => {
    await change('stuck', 'elsewhere')
    await afterColleague()
    answerWith(50)
    figures.clock.advance(9000)
    await change('second', 'another')
    figures.clock.advance(9900)
    expect(await afterColleague()).toBe(40)
    figures.clock.advance(100)
    expect(await afterColleague()).toBe(50)
  })

  test('every thirty seconds, if this device changes something during each request', async () => {
    answerWith(99)
    figures.data.invalidate('deals')
    const shown: number[] = []
    for (let request = 0; request < 45; request++) {
      if (shown.includes(99)) answerWith(120)
      await untilIdle(20)
      await change(`${request}`, `elsewhere ${request}`)
      await confirm(`${request}`)
      figures.clock.advance(1500)
      await untilIdle(60)
      shown.push(figures.read().count)
    }
    expect(shown.indexOf(99)).toBe(20)
    expect(shown.indexOf(120)).toBe(41)
  })
})

test('while a change waits, a query is repeated at most every two seconds, and after each change of a colleague', async () => {
  await change('stuck', 'elsewhere')
  let requests = 0
  for (let second = 0; second < 8; second++) {
    figures.data.invalidate('deals')
    requests += await requestsWithin(1)
  }
  expect(requests).toBeGreaterThanOrEqual(8)
  expect(requests).toBeLessThanOrEqual(12)
  expect(await requestsWithin(10)).toBeLessThanOrEqual(3)
  expect(await requestsWithin(60)).toBe(0)
})
