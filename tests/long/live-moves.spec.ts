import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  openAs,
  openContext,
  type Person,
  signInByScreen,
  test,
  webRoot,
} from '../harness/browser.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { paintedCards, watchCards } from '../harness/watched-cards.ts'
import { cardsOf, columnOf, runAsOwnerRole, stagesOf } from '../e2e/deal-seeds.ts'
import {
  moverChip,
  dropByMouse,
  liftByMouse,
  waitUntilLive,
  moveDeal,
  openLiveBoard,
  ownerAndAna,
  openOwnersLiveBoard,
} from '../e2e/live-seeds.ts'

const moveCount = 200
const dealNames = Array.from({ length: 20 }, (_, place) => `Deal ${place}.`)
const dealSeeds = dealNames.map((name) => ({ name }))
/** A window that is wide enough for all six stages, and high enough for all cards of one stage. */
const largeWindow = { width: 2260, height: 1300 }

test.setTimeout(300_000)

test('200 moves by a colleague are all shown on this screen, with a p95 from commit to paint of at most 300 ms', async ({
  page,
  server,
  browser,
}) => {
  const { owner, ana } = await ownerAndAna(server, dealSeeds)
  await page.setViewportSize(largeWindow)
  const context = await openContext(browser, server)
  const anasPage = await context.newPage()
  await anasPage.setViewportSize(largeWindow)
  await Promise.all([openLiveBoard(page, owner), openLiveBoard(anasPage, ana)])
  await expect(page.locator('[data-deal]')).toHaveCount(dealNames.length)
  await expect(anasPage.locator('[data-deal]')).toHaveCount(dealNames.length)
  await watchCards(page)

  for (let move = 0; move < moveCount; move++) {
    const name = dealNames[move % dealNames.length] ?? ''
    // Each deal goes five stages to the right, then back.
    const key = Math.floor(move / dealNames.length) % 10 < 5 ? 'Shift+ArrowRight' : 'Shift+ArrowLeft'
    await cardsOf(anasPage, name).focus()
    const patchResponse = anasPage.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.url().includes('/rest/v1/deals'),
    )
    await anasPage.keyboard.press(key)
    expect((await patchResponse).ok()).toBe(true)
  }

  const { rows } = await recordedMoves(server, owner)
  expect(rows).toHaveLength(moveCount)
  await expect
    .poll(async () => (await paintedCards(page)).length, { timeout: 15_000 })
    .toBeGreaterThanOrEqual(moveCount + dealNames.length)
  const painted = (await paintedCards(page)).slice(dealNames.length)
  const delays = rows.map(({ deal_id, to_stage_id, at }) => {
    const paintedIndex = painted.findIndex(({ deal, stage }) => deal === deal_id && stage === to_stage_id)
    expect(paintedIndex, `${deal_id} to ${to_stage_id}`).toBeGreaterThanOrEqual(0)
    return (painted.splice(paintedIndex, 1)[0]?.at ?? Infinity) - at
  })
  expect(painted).toEqual([])
  const sortedDelays = delays.toSorted((a, b) => a - b).map(Math.round)
  const percentile = (share: number) => sortedDelays[Math.ceil(moveCount * share) - 1] ?? Infinity
  console.log(
    `${moveCount} moves, ms from commit to paint: p50 ${percentile(0.5)}, p95 ${percentile(0.95)}, most ${percentile(1)}`,
  )
  expect(percentile(0.95)).toBeLessThanOrEqual(300)
  await context.close()
})

/** Returns the moves that the database recorded, each with the start of its transaction (ms since the epoch). */
async function recordedMoves(server: Parameters<typeof runAsOwnerRole>[0], person: Person) {
  const rows = await server.database?.owner.query<{ deal_id: string; to_stage_id: string; at: number }>(
    `select deal_id, to_stage_id, extract(epoch from changed_at)::float8 * 1000 as at
     from public.deal_stage_changes where brand_id = $1 and from_stage_id is not null order by changed_at`,
    [person.brandId],
  )
  return rows ?? { rows: [] }
}

/** Checks that screen and server agree on the deals of each stage. */
async function expectSame(page: Page, person: Person): Promise<void> {
  const stages = await stagesOf(person)
  const { data } = await person.client.from('deals').select('name, stage_id').eq('brand_id', person.brandId)
  for (const [stage, id] of stages) {
    const serverNames = (data ?? []).filter(({ stage_id }) => stage_id === id).map(({ name }) => name)
    await expect(columnOf(page, stage).locator('[data-deal]')).toHaveCount(serverNames.length)
    for (const name of serverNames) await expect(cardsOf(columnOf(page, stage), name)).toBeVisible()
  }
}

for (const inputDevice of ['mouse', 'keyboard', 'touch'] as const) {
  test.describe(`a card held by ${inputDevice}`, () => {
    test.use({ hasTouch: inputDevice === 'touch' })

    test('a card that is held for 5 s while 20 remote moves arrive is saved where it is dropped, and the moves are shown afterwards', async ({
      page,
      server,
    }) => {
      const { owner, ana, stages } = await ownerAndAna(server, [{ name: 'Held' }, ...dealSeeds])
      await page.setViewportSize(largeWindow)
      await openLiveBoard(page, owner)
      await expect(page.locator('[data-deal]')).toHaveCount(dealNames.length + 1)
      const drop = await lift(page, inputDevice, 'Held')
      const heldSince = Date.now()
      const incoming = await columnOf(page, 'Incoming').locator('[data-deal]').allInnerTexts()
      const targetStages = ['Qualified', 'Verbal Yes', 'Won', 'Lost']
      for (const [place, name] of dealNames.entries()) await moveDeal(ana, stages, name, targetStages[place % 4] ?? '')
      // The card is held for 5 s in total.
      await page.waitForTimeout(Math.max(0, 5_000 - (Date.now() - heldSince)))
      expect(await columnOf(page, 'Incoming').locator('[data-deal]').allInnerTexts()).toEqual(incoming)
      await expect(page.locator('[data-toast]').filter({ hasText: 'Ana' })).toHaveCount(0)
      await drop('Proposal')
      await expect(cardsOf(columnOf(page, 'Proposal'), 'Held')).toBeVisible()
      await expect(page.locator('[data-toast]')).toContainText('Deal moved successfully')
      await expectSame(page, owner)
      await expect(cardsOf(columnOf(page, 'Proposal'), 'Held')).toBeVisible()
    })
  })
}

/** Lifts a card; returns a function that drops it on a stage. */
async function lift(
  page: Page,
  inputDevice: 'mouse' | 'keyboard' | 'touch',
  deal: string,
): Promise<(stage: string) => Promise<void>> {
  if (inputDevice === 'mouse') {
    await liftByMouse(page, deal)
    return (stage) => dropByMouse(page, stage)
  }
  if (inputDevice === 'keyboard') {
    await cardsOf(page, deal).focus()
    await page.keyboard.press('Space')
    await expect(page.locator('.deal-lifted')).toHaveCount(1)
    return async (stage) => {
      const announcement = page.locator('[id^="DndLiveRegion"]')
      for (let press = 0; press < 80 && (await announcement.textContent()) !== `Over ${stage}`; press++)
        await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Space')
    }
  }
  const client = await page.context().newCDPSession(page)
  const box = await cardsOf(page, deal).boundingBox()
  if (!box) throw new Error(`${deal} is not in sight`)
  const [x, y] = [box.x + 40, box.y + 20]
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', atX = x) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: atX, y }] })
  await touch('touchStart')
  await expect(page.locator('.deal-lifted')).toHaveCount(1)
  return async (stage) => {
    const target = await columnOf(page, stage).boundingBox()
    const targetX = (target?.x ?? 0) + 100
    for (let step = 1; step <= 20; step++) await touch('touchMove', x + ((targetX - x) * step) / 20)
    await touch('touchEnd')
  }
}

test('an open deal, contact, company and task shows who else has it open, without accessibility violations, on the desktop and on the phone', async ({
  page,
  server,
  browser,
}) => {
  const { owner, ana } = await ownerAndAna(server, [{ name: 'Acme renewal', company: 'Acme Fixings' }])
  const contact = { brand_id: owner.brandId, email: 'zoe@acme.example', first_name: 'Zoe' }
  expect((await owner.client.from('contacts').insert(contact)).error).toBeNull()
  expect((await owner.client.from('tasks').insert({ brand_id: owner.brandId, title: 'Call' })).error).toBeNull()
  const context = await openContext(browser, server)
  const anasPage = await context.newPage()
  await openAs(anasPage, ana, '/crm/deals')
  await openAs(page, owner, '/crm/deals')
  for (const [kind, table] of Object.entries({
    Deal: 'deals',
    Contact: 'contacts',
    Company: 'companies',
    Task: 'tasks',
  })) {
    const { data } = await owner.client.from(table).select('id').eq('brand_id', owner.brandId).single()
    await Promise.all([page, anasPage].map((each) => each.goto(`/crm/${table}/${data?.id}`)))
    const panel = page.getByRole('complementary', { name: kind, exact: true })
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await expect(panel.getByText('Ana Pryce is here')).toBeVisible()
      await expectAccessible(page)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await context.close()
})

test('the board with a colleague’s move has no accessibility violations, light and dark', async ({ page, server }) => {
  // Keeps the chip with the mover's name during the whole check. Normally it disappears after 2 s.
  await page.addInitScript(() => {
    const realSetTimeout = window.setTimeout.bind(window)
    Object.assign(window, {
      setTimeout: (run: () => void, ms?: number) => realSetTimeout(run, ms === 2000 ? 600_000 : ms),
    })
  })
  const { ana, stages } = await openOwnersLiveBoard(page, server, dealSeeds)
  await moveDeal(ana, stages, 'Deal 3.', 'Qualified')
  await expect(moverChip(page, 'Qualified', 'Deal 3.')).toBeVisible()
  await expect(page.locator('[data-toast]')).toContainText('Ana moved Deal 3. to Qualified')
  await page.locator('[data-toast]').hover()
  await expectAccessible(page)
  await expect(moverChip(page, 'Qualified', 'Deal 3.')).toBeVisible()
  await expect(page.locator('[data-toast]')).toBeVisible()
})

test('when the server is back after a stop, all missed changes are shown, and new changes are live again', async ({
  page,
}) => {
  const firstServer = await startTestServer({ webRoot, run: 'process' })
  let secondServer: TestServer | undefined
  try {
    const { owner, ana, stages } = await ownerAndAna(firstServer, dealSeeds)
    const untilFirstLive = waitUntilLive(page)
    await page.goto(`${firstServer.url}/crm/deals`)
    await signInByScreen(page, owner.email, owner.password)
    await untilFirstLive
    await expect(columnOf(page, 'Incoming').locator('header')).toContainText(String(dealNames.length))
    await firstServer.kill()
    const untilLiveAgain = waitUntilLive(page)
    const { databaseUrl, dataDir, port } = firstServer
    secondServer = await startTestServer({
      webRoot,
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
      dataDir,
      env: { PORT: String(port) },
    })
    for (const name of dealNames) await moveDeal(ana, stages, name, 'Qualified')
    await expect(columnOf(page, 'Qualified').locator('header')).toContainText(String(dealNames.length))
    await untilLiveAgain
    await moveDeal(ana, stages, 'Deal 3.', 'Incoming')
    await expect(cardsOf(columnOf(page, 'Incoming'), 'Deal 3.')).toBeVisible()
  } finally {
    await secondServer?.stop()
    await firstServer.stop()
  }
})
