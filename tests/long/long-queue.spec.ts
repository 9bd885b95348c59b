import type { Page } from '@playwright/test'
import { cardsOf, columnOf, personWithDeals } from '../e2e/deal-seeds.ts'
import { expect, signInByScreen, test } from '../harness/browser.ts'
import { longestTask } from '../harness/longest-task.ts'
import { type PausingProxy, startPausingProxy } from '../harness/pausing-proxy.ts'

/** Few deals, so that all cards stay visible. */
const dealCount = 5
/** Number of moves of each card. It is even: each card moves to and fro, and ends in its first stage. */
const movesEach = 100
const operationCount = dealCount * movesEach

test.setTimeout(300_000)

const nameOf = (deal: number) => `Deal ${String(deal).padStart(3, '0')}`

/** Returns the idempotency keys of the waiting operations, in the order in which they will be sent. */
function waitingKeys(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const name = (await indexedDB.databases()).map((one) => one.name ?? '').find((one) => one.includes('outbox')) ?? ''
    const database = await new Promise<IDBDatabase>((resolve) => {
      const openRequest = indexedDB.open(name)
      openRequest.addEventListener('success', () => resolve(openRequest.result))
    })
    const rows = await new Promise<{ id: string }[]>((resolve) => {
      const getRequest = database.transaction('operations').objectStore('operations').getAll()
      getRequest.addEventListener('success', () => resolve(getRequest.result))
    })
    database.close()
    return rows.map(({ id }) => id)
  })
}

/** Returns the sum of the pauses that the page made after a `Retry-After` (ms). Fails if a pause was shorter than demanded. */
function sumOfPauses(proxy: PausingProxy): number {
  let sum = 0
  proxy.seen.forEach(({ pause, at }, index) => {
    if (!pause) return
    const followingAt = proxy.seen[index + 1]?.at ?? Number.POSITIVE_INFINITY
    // A request that was already on its way when the response came does not count.
    const nextAt = proxy.seen.slice(index + 1).find((later) => later.at > at + 50)?.at ?? followingAt
    expect(nextAt - at).toBeGreaterThanOrEqual(pause.retryAfter * 1000 - 20)
    sum += nextAt - at
  })
  return sum
}

test('500 offline changes are sent within 15 s, in order and exactly once, while the pauses of 429 and 503 are kept and the page stays usable', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(
    server,
    Array.from({ length: dealCount }, (_, index) => ({ name: nameOf(index) })),
  )
  const proxy = await startPausingProxy(server)
  await page.goto(`${proxy.url}/crm/deals`)
  await signInByScreen(page, person.email, person.password)
  await expect(cardsOf(page, nameOf(0))).toBeVisible()
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
  await page.context().setOffline(true)
  for (let deal = 0; deal < dealCount; deal += 1) {
    await cardsOf(page, nameOf(deal)).focus()
    for (let move = 0; move < movesEach; move += 1) {
      const [targetStage, arrow] =
        move % 2 ? (['Incoming', 'ArrowLeft'] as const) : (['Qualified', 'ArrowRight'] as const)
      // Presses the key again if the card was being rendered at the first press and ignored it.
      await expect(async () => {
        if ((await cardsOf(columnOf(page, targetStage), nameOf(deal)).count()) === 0)
          await cardsOf(page, nameOf(deal)).press(`Shift+${arrow}`)
        await expect(cardsOf(columnOf(page, targetStage), nameOf(deal))).toBeVisible({ timeout: 1000 })
      }).toPass()
    }
  }
  await expect(page.getByRole('button', { name: `Offline, ${operationCount} waiting`, exact: true })).toBeVisible()
  const keys = await waitingKeys(page)
  expect(keys.length).toBe(operationCount)

  let writeCount = 0
  proxy.judge = ({ method }) => {
    if (method !== 'PATCH') return null
    writeCount += 1
    if (writeCount === 120) return { status: 429, retryAfter: 2 }
    return writeCount === 300 ? { status: 503, retryAfter: 1 } : null
  }
  proxy.seen.length = 0
  let tookMs = 0
  let openedMs = 0
  const { busy } = await longestTask(page, async () => {
    const startedAt = Date.now()
    await page.context().setOffline(false)
    await expect.poll(() => writeCount, { timeout: 30_000 }).toBeGreaterThan(50)
    const clickedAt = performance.now()
    await page.getByRole('button', { name: 'New Deal', exact: true }).first().click()
    await expect(page.getByLabel('Deal name')).toBeFocused()
    openedMs = performance.now() - clickedAt
    await page.keyboard.type('Typed meanwhile')
    await expect(page.getByLabel('Deal name')).toHaveValue('Typed meanwhile')
    await expect.poll(async () => (await waitingKeys(page)).length, { timeout: 60_000, intervals: [100] }).toBe(0)
    tookMs = Date.now() - startedAt
  })
  const pausedMs = sumOfPauses(proxy)
  console.log(
    `${operationCount} changes: ${tookMs - pausedMs} ms (and ${pausedMs} ms of pauses); longest task ${Math.round(busy)} ms, a dialog opened after ${Math.round(openedMs)} ms`,
  )
  expect(proxy.seen.filter(({ pause }) => pause).length).toBe(2)
  const sentKeys = proxy.seen.filter(({ key, pause }) => key && !pause).map(({ key }) => key)
  expect(sentKeys).toEqual(keys)
  const { rows = [] } =
    (await server.database?.owner.query(
      `select d.version, (select count(*)::int from public.deal_stage_changes c
         where c.deal_id = d.id and c.from_stage_id is not null) as moves
       from public.deals d where d.brand_id = $1`,
      [person.brandId],
    )) ?? {}
  expect(rows).toEqual(Array.from({ length: dealCount }, () => ({ version: movesEach + 1, moves: movesEach })))
  expect(tookMs - pausedMs).toBeLessThan(15_000)
  await page.context().close()
  await proxy.stop()
})
