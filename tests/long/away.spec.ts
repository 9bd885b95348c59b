import type { Page } from '@playwright/test'
import { Client } from 'pg'
import { cardsOf, columnOf, personWithDeals, stagesOf } from '../e2e/deal-seeds.ts'
import { expect, openAs, type Person, signInByScreen, test, webRoot } from '../harness/browser.ts'
import { testClient } from '../harness/client.ts'
import { moveClockForward, shiftClock, startServerWithMovableClock } from '../harness/clocks.ts'
import { offlineLaunch } from '../harness/offline-launch.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { expireStoredSession, setVisibility } from '../harness/waking-tabs.ts'

test.use({ serviceWorkers: 'allow', launchOptions: offlineLaunch })

const minuteMs = 60_000
const dealNames = Array.from({ length: 10 }, (_, index) => `Deal ${index}`)

/** Moves all deals to a stage through a client that has just signed in, because the page's token may have expired. */
async function moveAll(server: TestServer, person: Person, stage: string): Promise<void> {
  const client = testClient(server)
  await client.auth.signInWithPassword({ email: person.email, password: person.password })
  const { data: stages } = await client.from('deal_stages').select('id, name').eq('brand_id', person.brandId)
  const id = stages?.find(({ name }) => name === stage)?.id
  for (const name of dealNames) {
    const { error } = await client
      .from('deals')
      .update({ stage_id: id })
      .eq('brand_id', person.brandId)
      .eq('name', name)
    expect(error).toBeNull()
  }
}

/** Returns the time until the column shows all deals (ms). */
async function untilAllIn(page: Page, stage: string): Promise<number> {
  const startedAt = performance.now()
  await expect(columnOf(page, stage).locator('[data-deal]')).toHaveCount(dealNames.length, { timeout: 20_000 })
  return performance.now() - startedAt
}

/** Checks that the board is the same after a reload. */
async function expectSameAfterReload(page: Page): Promise<void> {
  const board = () => page.locator('[data-stage]').allInnerTexts()
  const boardBefore = await board()
  await page.reload()
  await expect(cardsOf(page, 'Deal 0')).toBeVisible()
  await expect.poll(board).toEqual(boardBefore)
}

async function openBoardLive(page: Page, server: TestServer, person: Person): Promise<void> {
  const socketOpened = page.waitForEvent('websocket', { predicate: (socket) => socket.url().includes('realtime') })
  await page.goto(`${server.url}/crm/deals`)
  await signInByScreen(page, person.email, person.password)
  await expect(columnOf(page, 'Incoming').locator('[data-deal]')).toHaveCount(dealNames.length)
  await socketOpened
}

/** Waits until the service worker can open the page without a network. */
async function untilOfflineReady(page: Page): Promise<void> {
  const isCached = () =>
    page.evaluate(async () => navigator.serviceWorker.controller !== null && (await caches.has('config')))
  await expect.poll(isCached, { timeout: 30_000 }).toBe(true)
}

for (const offsetMinutes of [0, 10, -10]) {
  test(`a device whose clock is ${offsetMinutes} minutes off, and which sleeps until its token expires, shows the current board within 3 s, with at most 2 refreshes a minute and no sign-out`, async ({
    page,
  }) => {
    test.setTimeout(240_000)
    const server = await startServerWithMovableClock({ webRoot }, 61 * minuteMs)
    const person = await personWithDeals(
      server,
      dealNames.map((name) => ({ name })),
    )
    const refreshes: { at: number; status: number }[] = []
    page.on('response', (response) => {
      if (response.url().includes('grant_type=refresh_token'))
        refreshes.push({ at: performance.now(), status: response.status() })
    })
    await shiftClock(page.context(), offsetMinutes * minuteMs)
    await openBoardLive(page, server, person)
    await page.waitForTimeout(minuteMs)
    expect(refreshes.length).toBeLessThanOrEqual(2)

    await setVisibility([page], 'hidden')
    await server.leapForward()
    await moveClockForward(page, 61 * minuteMs)
    await moveAll(server, person, 'Proposal')
    const wokenAt = performance.now()
    await setVisibility([page], 'visible')
    const tookMs = await untilAllIn(page, 'Proposal')
    console.log(`clock ${offsetMinutes} min off: caught up after ${Math.round(tookMs)} ms`)
    expect(tookMs).toBeLessThan(3000)
    await page.waitForTimeout(minuteMs)
    const refreshesAfterWaking = refreshes.filter(({ at }) => at > wokenAt)
    console.log(`clock ${offsetMinutes} min off: ${refreshesAfterWaking.length} refreshes in the minute after waking`)
    expect(refreshesAfterWaking.length).toBeLessThanOrEqual(2)
    expect(refreshes.filter(({ status }) => status !== 200)).toEqual([])
    await expect(page).toHaveURL(/\/crm\/deals$/)
    await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
    await expectSameAfterReload(page)
    await page.context().close()
    await server.stop()
  })
}

test('after a restart of the server the board is current within 3 s, and no change is missed', async ({ page }) => {
  test.setTimeout(120_000)
  const firstServer = await startTestServer({ webRoot })
  const person = await personWithDeals(
    firstServer,
    dealNames.map((name) => ({ name })),
  )
  await openBoardLive(page, firstServer, person)
  const { port, databaseUrl, dataDir } = firstServer
  await firstServer.kill()
  const sqlClient = new Client({ connectionString: databaseUrl })
  await sqlClient.connect()
  const moveSql = `update public.deals d set stage_id = s.id from public.deal_stages s
    where s.brand_id = d.brand_id and s.name = 'Proposal' and d.brand_id = $1`
  expect((await sqlClient.query(moveSql, [person.brandId])).rowCount).toBe(dealNames.length)
  await sqlClient.end()
  // Waits until the delay between the page's retries has grown to its maximum.
  await page.waitForTimeout(15_000)
  const env = { PORT: String(port) }
  const secondServer = await startTestServer({ webRoot, dataDir, env, ...(databaseUrl ? { databaseUrl } : {}) })
  const tookMs = await untilAllIn(page, 'Proposal')
  console.log(`after a restart: caught up after ${Math.round(tookMs)} ms`)
  expect(tookMs).toBeLessThan(3000)
  await expectSameAfterReload(page)
  await page.context().close()
  await secondServer.stop()
  await firstServer.stop().catch(() => {})
})

test('after two minutes asleep without a network the board is current within 3 s, and no change is missed', async ({
  page,
  server,
}) => {
  test.setTimeout(240_000)
  const person = await personWithDeals(
    server,
    dealNames.map((name) => ({ name })),
  )
  await openBoardLive(page, server, person)
  await setVisibility([page], 'hidden')
  await page.context().setOffline(true)
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  await moveAll(server, person, 'Proposal')
  await new Promise((resolve) => setTimeout(resolve, 2 * minuteMs))
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await page.context().setOffline(false)
  await setVisibility([page], 'visible')
  const tookMs = await untilAllIn(page, 'Proposal')
  console.log(`after two minutes of sleep: caught up after ${Math.round(tookMs)} ms`)
  expect(tookMs).toBeLessThan(3000)
  await expectSameAfterReload(page)
})

test('an offline start with an expired token shows the local rows and says that a sign-in is needed; online again, all is sent', async ({
  page,
  server,
}) => {
  test.setTimeout(120_000)
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openAs(page, person, '/crm/deals')
  await expect(cardsOf(page, 'Acme renewal')).toBeVisible()
  await untilOfflineReady(page)
  await page.context().setOffline(true)
  await expireStoredSession(page)
  await page.reload()
  await expect(cardsOf(page, 'Acme renewal')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in to send' })).toBeVisible()
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByRole('button', { name: 'Sign in to send, 1 waiting' }).click()
  await expect(page.getByRole('dialog')).toContainText('Your sign-in has expired.')
  await page.keyboard.press('Escape')
  // The official client retries a refresh for less than 45 s. The session must survive its last attempt.
  await page.waitForTimeout(45_000)
  await expect(page).toHaveURL(/\/crm\/deals$/)
  await page.context().setOffline(false)
  const startedAt = performance.now()
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible({ timeout: 20_000 })
  console.log(`an expired token: all sent ${Math.round(performance.now() - startedAt)} ms after the network came back`)
  expect(performance.now() - startedAt).toBeLessThan(3000)
  const { data } = await person.client.from('deals').select('version, deal_stages(name)').single()
  expect(data).toEqual({ version: 2, deal_stages: { name: 'Qualified' } })
})

test('a refused refresh loses nothing: waiting changes are shown offline and sent after the next sign-in', async ({
  page,
  server,
}) => {
  test.setTimeout(120_000)
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  const stageNames = [...(await stagesOf(person)).keys()]
  expect(stageNames.length).toBe(6)
  await openAs(page, person, '/crm/deals')
  await expect(cardsOf(page, 'Acme renewal')).toBeVisible()
  await untilOfflineReady(page)
  await page.context().setOffline(true)
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByRole('button', { name: 'Offline, 1 waiting' })).toBeVisible()
  await server.database?.owner.query('delete from auth.sessions where user_id = $1', [person.userId])
  await expireStoredSession(page)
  await page.context().setOffline(false)
  await expect(page).toHaveURL(/\/auth$/, { timeout: 20_000 })
  // The network is lost again before the sign-in.
  await page.context().setOffline(true)
  await page.goto('/crm/deals')
  await expect(columnOf(page, 'Qualified').locator('[data-deal]')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Sign in to send, 1 waiting' })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page).toHaveURL(/\/auth$/)
  await signInByScreen(page, person.email, person.password)
  await page.waitForURL('**/crm/deals')
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible({ timeout: 20_000 })
  const { rows = [] } =
    (await server.database?.owner.query('select version from public.deals where brand_id = $1', [person.brandId])) ?? {}
  expect(rows).toEqual([{ version: 2 }])
})
