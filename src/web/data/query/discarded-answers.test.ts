import { beforeEach, describe, expect, test } from 'vitest'
import { respondWith, sentQueries } from '#tests/harness/answered-queries.ts'
import { type Counted, countFigures, figureDeal, dealsInStageX } from '#tests/harness/counted-figures.ts'
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
async function queueChange(id: string, rowId: string, values = { stage_id: 'y' }): Promise<void> {
  const operation = testOperation({ userId: ana, brandId: acme, id, rowId, values, preview: values })
  await addToQueue(figures.device, operation)
}

/** Removes a change from the queue, because the server has confirmed it. */
function confirmChange(id: string): Promise<void> {
  return updateQueue(figures.device, ana, [id], [])
}

/** A colleague changes a deal, and the server answers the query again. Returns the number of deals that is then shown. */
async function countAfterColleague(): Promise<number> {
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
    dealsInStageX,
    (tab) => {
      putRows(tab.data, 'deals', figureDeal('a', 1))
      respondWith(tab.network, () => answer)
    },
    ['deals'],
  )
  await figures.answered()
})

describe('while a change is on its way, an answer that may include it is discarded', () => {
  test('an answer that may include a change on its way is discarded, however many answers arrive', async () => {
    await queueChange('move', 'a')
    answerWith(39)
    for (let round = 0; round < 10; round++) expect(await countAfterColleague()).toBe(39)
    await confirmChange('move')
    await figures.answered()
    expect(figures.read().count).toBe(39)
  })

  test('an answer that may include a change on its way is discarded also after the device was offline for a long time', async () => {
    await queueChange('move', 'a')
    expect(await countAfterColleague()).toBe(39)
    reachable(figures.device).set(false)
    figures.clock.advance(60_000)
    // The server is reachable again and has applied the change. Its response is on its way.
    answerWith(39)
    reachable(figures.device).set(true)
    expect(await countAfterColleague()).toBe(39)
    expect(await countAfterColleague()).toBe(39)
  })

  test('an answer that may include a change on its way is discarded also while further changes follow each other', async () => {
    await queueChange('0', 'elsewhere 0')
    for (let next = 1; next <= 12; next++) {
      const count = await countAfterColleague()
      expect(count).toBe(next > 9 ? 39 : 40)
      await queueChange(`${next}`, `elsewhere ${next}`)
      await confirmChange(`${next - 1}`)
      if (next === 9) await queueChange('move', 'a')
      if (next === 9) answerWith(39)
      figures.clock.advance(1900)
    }
  })

  test('an answer that may include a change on its way is discarded also after the last subscriber had left for some time', async () => {
    await queueChange('elsewhere', 'elsewhere')
    await countAfterColleague()
    const view = figuresOf(figures.data, dealsInStageX)
    figures.stop()
    await confirmChange('elsewhere')
    figures.clock.advance(60_000)
    await queueChange('move', 'a')
    view.subscribe(() => {})
    await figures.answered()
    answerWith(39)
    figures.data.invalidate('deals')
    await figures.answered()
    expect(view.read().count).toBe(39)
  })
})

describe('the time for which answers are discarded begins again', () => {
  /** Lets 25 seconds pass in which all answers are uncertain. */
  async function discardFor25Seconds(): Promise<void> {
    for (let round = 0; round < 5; round++) {
      await queueChange(`${round}`, `elsewhere ${round}`)
      await countAfterColleague()
      figures.clock.advance(5000)
    }
    for (let round = 0; round < 5; round++) await confirmChange(`${round}`)
  }

  /** Moves deal a out of stage x. Returns the numbers of deals in three answers that include the move, five seconds apart. */
  async function countsAfterMove(read: () => number): Promise<number[]> {
    await queueChange('move', 'a', { stage_id: 'y' })
    answerWith(39)
    const counts: number[] = []
    for (let round = 0; round < 3; round++) {
      figures.clock.advance(5000)
      figures.data.invalidate('deals')
      await figures.answered()
      counts.push(read())
    }
    return counts
  }

  test('the time for which answers are discarded begins again after an answer that includes all changes', async () => {
    await discardFor25Seconds()
    for (let round = 0; round < 3; round++) await figures.answered()
    expect(await countsAfterMove(() => figures.read().count)).toEqual([39, 39, 39])
  })

  test('the time for which answers are discarded begins again when somebody subscribes after the last subscriber had left', async () => {
    await discardFor25Seconds()
    const view = figuresOf(figures.data, dealsInStageX)
    figures.stop()
    view.subscribe(() => {})
    for (let round = 0; round < 3; round++) await figures.answered()
    expect(await countsAfterMove(() => view.read().count)).toEqual([39, 39, 39])
  })
})

describe('an answer is shown although a change waits', () => {
  test('an answer is shown although a change waits, once the queue has made no progress for 25 seconds, and then each further answer at once', async () => {
    await queueChange('stuck', 'elsewhere')
    expect(await countAfterColleague()).toBe(40)
    answerWith(50)
    figures.clock.advance(24_900)
    expect(await countAfterColleague()).toBe(40)
    figures.clock.advance(100)
    expect(await countAfterColleague()).toBe(50)
    answerWith(51)
    expect(await countAfterColleague()).toBe(51)
  })

  test('while a change waits, an answer is not shown until 25 seconds after the last change', async () => {
    await queueChange('stuck', 'elsewhere')
    await countAfterColleague()
    answerWith(50)
    figures.clock.advance(15_000)
    await queueChange('second', 'another')
    figures.clock.advance(24_900)
    expect(await countAfterColleague()).toBe(40)
    figures.clock.advance(100)
    expect(await countAfterColleague()).toBe(50)
  })

  test('an answer is shown in the end, if the server is unreachable again and again', async () => {
    await queueChange('stuck', 'elsewhere')
    answerWith(50)
    const shown: number[] = []
    for (let round = 0; round < 8; round++) {
      shown.push(await countAfterColleague())
      reachable(figures.device).set(false)
      figures.clock.advance(8000)
      reachable(figures.device).set(true)
    }
    expect(shown.indexOf(50)).toBe(6)
  })

  test('answers are shown for five of 35 seconds if this device changes something during each request', async () => {
    figures.data.invalidate('deals')
    const shown: number[] = []
    for (let request = 0; request < 60; request++) {
      answerWith(100 + request)
      await untilIdle(20)
      await queueChange(`${request}`, `elsewhere ${request}`)
      await confirmChange(`${request}`)
      figures.clock.advance(1500)
      await untilIdle(60)
      shown.push(figures.read().count)
    }
    const shownAtOnce = shown.flatMap((count, request) => (count === 100 + request ? [request] : []))
    expect(shownAtOnce).toEqual([19, 20, 21, 22, 43, 44, 45])
  })
})

test('while a change waits, a query is repeated at most every two seconds, and after each change of a colleague', async () => {
  await queueChange('stuck', 'elsewhere')
  let requests = 0
  for (let second = 0; second < 8; second++) {
    figures.data.invalidate('deals')
    requests += await requestsWithin(1)
  }
  expect(requests).toBeGreaterThanOrEqual(8)
  expect(requests).toBeLessThanOrEqual(12)
  expect(await requestsWithin(10)).toBeLessThanOrEqual(5)
  expect(await requestsWithin(10)).toBeLessThanOrEqual(5)
  expect(await requestsWithin(60)).toBe(0)
})
