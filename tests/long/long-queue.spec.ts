import type { Page } from '@playwright/test'
import { card, column, personWithDeals } from '../e2e/deal-seeds.ts'
import { expect, signInByScreen, test } from '../harness/browser.ts'
import { longestTask } from '../harness/longest-task.ts'
import { type PausingProxy, startPausingProxy } from '../harness/pausing-proxy.ts'

/** There are few cards, so that all stay visible. The number of moves is even: each card moves to and fro, and ends in its first stage. */
const deals = 5
const movesEach = 100
const operations = deals * movesEach

test.setTimeout(300_000)

const nameOf = (deal: number) => `Deal ${String(deal).padStart(3, '0')}`

/** Returns the idempotency keys of the waiting operations, in the order in which they will be sent. */
function waitingKeys(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const name = (await indexedDB.databases()).map((one) => one.name ?? '').find((one) => one.includes('outbox')) ?? ''
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open(name)
      opening.addEventListener('success', () => resolve(opening.result))
    })
    const rows = await new Promise<{ id: string }[]>((resolve) => {
      const read = database.transaction('operations').objectStore('operations').getAll()
      read.addEventListener('success', () => resolve(read.result))
    })
    database.close()
    return rows.map(({ id }) => id)
  })
}

/** Returns the sum of the pauses that the page made after a `Retry-After` (ms). Fails if a pause was shorter than demanded. */
function pausesKept(proxy: PausingProxy): number {
  let sum = 0
  proxy.seen.forEach(({ pause, at }, index) => {
    if (!pause) return
    const next = proxy.seen[index + 1]?.at ?? Number.POSITIVE_INFINITY
    // A request that was already on its way when the response came does not count.
    const after = proxy.seen.slice(index + 1).find((later) => later.at > at + 50)?.at ?? next
    expect(after - at).toBeGreaterThanOrEqual(pause.retryAfter * 1000 - 20)
    sum += after - at
  })
  return sum
}

test('500 offline changes are sent within 15 s, in order and exactly once, while the pauses of 429 and 503 are kept and the page stays usable', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(
    server,
    Array.from({ length: deals }, (_, index) => ({ name: nameOf(index) })),
  )
  const proxy = await startPausingProxy(server)
  await page.goto(`${proxy.url}/crm/deals`)
  await signInByScreen(page, person.email, person.password)
  await expect(card(page, nameOf(0))).toBeVisible()
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
  await page.context().setOffline(true)
  for (let deal = 0; deal < deals; deal += 1) {
    await card(page, nameOf(deal)).focus()
    for (let move = 0; move < movesEach; move += 1) {
      const [to, arrow] = move % 2 ? (['Incoming', 'ArrowLeft'] as const) : (['Qualified', 'ArrowRight'] as const)
      // Presses the key again if the card was being rendered at the first press and ignored it.
      await expect(async () => {
        if ((await card(column(page, to), nameOf(deal)).count()) === 0)
          await card(page, nameOf(deal)).press(`Shift+${arrow}`)
        await expect(card(column(page, to), nameOf(deal))).toBeVisible({ timeout: 1000 })
      }).toPass()
    }
  }
  await expect(page.getByRole('button', { name: `Offline, ${operations} waiting`, exact: true })).toBeVisible()
  const keys = await waitingKeys(page)
  expect(keys.length).toBe(operations)

  let writes = 0
  proxy.judge = ({ method }) => {
    if (method !== 'PATCH') return null
    writes += 1
    if (writes === 120) return { status: 429, retryAfter: 2 }
    return writes === 300 ? { status: 503, retryAfter: 1 } : null
  }
  proxy.seen.length = 0
  let took = 0
  let opened = 0
  const { busy } = await longestTask(page, async () => {
    const from = Date.now()
    await page.context().setOffline(false)
    await expect.poll(() => writes, { timeout: 30_000 }).toBeGreaterThan(50)
    const click = performance.now()
    await page.getByRole('button', { name: 'New Deal', exact: true }).first().click()
    await expect(page.getByLabel('Deal name')).toBeFocused()
    opened = performance.now() - click
    await page.keyboard.type('Typed meanwhile')
    await expect(page.getByLabel('Deal name')).toHaveValue('Typed meanwhile')
    await expect.poll(async () => (await waitingKeys(page)).length, { timeout: 60_000, intervals: [100] }).toBe(0)
    took = Date.now() - from
  })
  const paused = pausesKept(proxy)
  console.log(
    `${operations} changes: ${took - paused} ms (and ${paused} ms of pauses); longest task ${Math.round(busy)} ms, a dialog opened after ${Math.round(opened)} ms`,
  )
  expect(proxy.seen.filter(({ pause }) => pause).length).toBe(2)
  const sent = proxy.seen.filter(({ key, pause }) => key && !pause).map(({ key }) => key)
  expect(sent).toEqual(keys)
  const { rows = [] } =
    (await server.database?.owner.query(
      `select d.version, (select count(*)::int from public.deal_stage_changes c
         where c.deal_id = d.id and c.from_stage_id is not null) as moves
       from public.deals d where d.brand_id = $1`,
      [person.brandId],
    )) ?? {}
  expect(rows).toEqual(Array.from({ length: deals }, () => ({ version: movesEach + 1, moves: movesEach })))
  expect(took - paused).toBeLessThan(15_000)
  await page.context().close()
  await proxy.stop()
})
