import type { Page } from '@playwright/test'
import { cardsOf, columnOf, personWithDeals } from '../e2e/deal-seeds.ts'
import { expect, type Person, signInByScreen, test } from '../harness/browser.ts'
import { type Fate, type FaultyProxy, startFaultyProxy } from '../harness/faulty-proxy.ts'
import type { TestServer } from '../harness/server.ts'

// The window is wide enough for all six columns, because a column out of view renders no cards.
test.use({ viewport: { width: 2400, height: 900 } })

const roundCount = 20
const stages = ['Incoming', 'Qualified', 'Proposal', 'Verbal Yes']
const deals = ['Acme renewal', 'Depot lighting', 'Lathe line', 'Ward framework']
/**
 * 'away': the browser is offline. 'down': the server is unreachable, and its live socket is cut. The others happen to one or two requests that
 * send the edit, and to one pull (see `Fate`).
 */
const cuts = ['refuse', 'cut-request', 'drop-answer', 'cut-answer', 'away', 'down'] as const
type Cut = (typeof cuts)[number]

/** The expected rows of the server: each deal's stage, version and number of moves, and the e-mail addresses of the contacts. */
interface Model {
  deals: Map<string, { stage: string; version: number; moves: number }>
  contacts: Set<string>
}

test(`with the network cut at ${roundCount} random points of drags and forms no change is lost or doubled, and every form still works`, async ({
  page,
  server,
}) => {
  test.setTimeout(900_000)
  const person = await personWithDeals(
    server,
    deals.map((name) => ({ name })),
  )
  const proxy = await startFaultyProxy(server)
  await page.goto(`${proxy.url}/auth`)
  await signInByScreen(page, person.email, person.password)
  await page.waitForURL('**/crm/overview')
  await page.goto(`${proxy.url}/crm/deals`)
  await expect(cardsOf(page, 'Acme renewal')).toBeVisible()
  await openAllOnce(page)
  const model: Model = { deals: new Map(), contacts: new Set() }
  for (const name of deals) model.deals.set(name, { stage: 'Incoming', version: 1, moves: 0 })

  for (let round = 0; round < roundCount; round += 1) {
    const gesture = gestures[round % gestures.length] ?? dragCard
    // Shifts the cuts by one after each pass, so that a gesture meets different cuts.
    const cut = cuts[(round + Math.floor(round / cuts.length)) % cuts.length] ?? 'away'
    const delayMs = Math.round(Math.random() * 900)
    await test.step(`${round + 1}: ${gesture.name}, ${cut}, ${delayMs} ms`, async () => {
      const endCut = startCut(page, proxy, cut, delayMs)
      await gesture(page, model, round)
      await endCut()
      // The badge also shows 'All changes saved' for half a second after an edit, so the test checks the server, too.
      await expect(async () => {
        await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
        await expectServer(server, person, model)
      }).toPass({ timeout: 45_000 })
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expectScreen(page, model)
    })
  }
  await proxy.stop()
})

/** Opens each form once, to load its code while there is a network. */
async function openAllOnce(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  await expect(page.getByRole('dialog').getByLabel('Deal name')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Contacts' }).first().click()
  await page.getByRole('button', { name: 'Add Contact', exact: true }).first().click()
  await expect(page.getByRole('dialog').getByLabel('Email')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Deals' }).first().click()
  await cardsOf(page, 'Acme renewal').click()
  await expect(page.getByRole('complementary', { name: 'Deal' })).toBeVisible()
  await page.keyboard.press('Escape')
}

/**
 * Starts a cut; 'away' and 'down' begin after `delayMs`. The returned function ends the cut when the page has noticed it. For the other cuts, the
 * function waits until all faulty requests with edits were sent.
 */
function startCut(page: Page, proxy: FaultyProxy, cut: Cut, delayMs: number): () => Promise<void> {
  if (cut !== 'away' && cut !== 'down') return cutEdits(proxy, cut, delayMs % 2)
  const setCut = async (isGone: boolean) => {
    if (cut === 'down') proxy.setDown(isGone)
    else await page.context().setOffline(isGone)
  }
  const cutStarted = page.waitForTimeout(delayMs).then(() => setCut(true))
  return async () => {
    await cutStarted
    // The page notices the cut at its next request, at the latest at its next pull.
    if (cut === 'down') await expect.poll(() => proxy.log.at(-1)?.fate, { timeout: 45_000 }).toBe('refuse')
    await expect(page.getByRole('button', { name: /^Offline/ })).toBeVisible({ timeout: 45_000 })
    await setCut(false)
  }
}

/** Applies the fault to the next 1 + `more` requests that send an edit, and then to one pull. */
function cutEdits(proxy: FaultyProxy, fate: Fate, more: number): () => Promise<void> {
  let remainingEdits = 1 + more
  let remainingPulls = 1
  proxy.judge = ({ key, path }) => {
    if (key !== null && remainingEdits > 0) {
      remainingEdits -= 1
      return fate
    }
    if (path.endsWith('/rpc/pull') && remainingEdits === 0 && remainingPulls > 0) {
      remainingPulls -= 1
      return fate
    }
    return 'pass'
  }
  return async () => {
    await expect.poll(() => remainingEdits, { timeout: 30_000 }).toBe(0)
  }
}

async function dragCard(page: Page, model: Model, round: number): Promise<void> {
  const name = deals[round % deals.length] ?? ''
  const deal = model.deals.get(name)
  const targetStage = stages.filter((stage) => stage !== deal?.stage)[round % 3] ?? ''
  const cardBox = await cardsOf(page, name).boundingBox()
  if (!cardBox || !deal) throw new Error(`${name} is not in sight`)
  await page.mouse.move(cardBox.x + 40, cardBox.y + 20)
  await page.mouse.down()
  await page.mouse.move(cardBox.x + 60, cardBox.y + 30, { steps: 4 })
  await expect(page.locator('.deal-lifted')).toHaveCount(1)
  // The board scrolls sideways while a card is near its edge: locate the column again.
  const moveOverColumn = async () => {
    const box = await columnOf(page, targetStage).boundingBox()
    if (box) await page.mouse.move(box.x + box.width / 2, box.y + 200, { steps: 12 })
    return page.locator('[id^="DndLiveRegion"]').textContent()
  }
  await expect.poll(moveOverColumn).toBe(`Over ${targetStage}`)
  await page.mouse.up()
  await expect(cardsOf(columnOf(page, targetStage), name)).toBeVisible()
  Object.assign(deal, { stage: targetStage, version: deal.version + 1, moves: deal.moves + 1 })
}

async function makeDeal(page: Page, model: Model, round: number): Promise<void> {
  const name = `New one (${round})`
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Deal name').pressSequentially(name, { delay: 40 })
  await dialog.getByRole('button', { name: 'Create Deal' }).dblclick()
  await expect(dialog).toHaveCount(0)
  await expect(cardsOf(columnOf(page, 'Incoming'), name)).toBeVisible()
  model.deals.set(name, { stage: 'Incoming', version: 1, moves: 0 })
}

async function addContact(page: Page, model: Model, round: number): Promise<void> {
  const email = `guest${round}@slate.example`
  await page.getByRole('link', { name: 'Contacts' }).first().click()
  await page.getByRole('button', { name: 'Add Contact', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').pressSequentially(email, { delay: 30 })
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: email })).toHaveCount(1)
  await page.getByRole('link', { name: 'Deals' }).first().click()
  model.contacts.add(email)
}

async function editAmount(page: Page, model: Model, round: number): Promise<void> {
  const name = deals[(round + 1) % deals.length] ?? ''
  await cardsOf(page, name).click()
  const panel = page.getByRole('complementary', { name: 'Deal' })
  await panel.getByRole('button', { name: /^Amount: / }).click()
  await panel.getByRole('textbox', { name: 'Amount' }).fill(String(100 + round))
  await page.keyboard.press('Enter')
  await expect(cardsOf(page, name)).toContainText(`£${100 + round}`)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  const deal = model.deals.get(name)
  if (deal) deal.version += 1
}

const gestures = [dragCard, makeDeal, dragCard, addContact, dragCard, editAmount]

async function expectServer(server: TestServer, person: Person, model: Model): Promise<void> {
  const rows = await server.database?.owner.query(
    `select d.name, s.name as stage, d.version,
       (select count(*)::int from public.deal_stage_changes c where c.deal_id = d.id and c.from_stage_id is not null) as moves
     from public.deals d join public.deal_stages s on s.id = d.stage_id where d.brand_id = $1 order by d.name`,
    [person.brandId],
  )
  const expected = [...model.deals].map(([name, deal]) => ({ name, ...deal }))
  expect(rows?.rows).toEqual(expected.sort((a, b) => (a.name < b.name ? -1 : 1)))
  const { data } = await person.client.from('contacts').select('email, version').eq('brand_id', person.brandId)
  const contacts = (data ?? []).map(({ email, version }) => `${email} ${version}`)
  expect(contacts.sort()).toEqual([...model.contacts].map((email) => `${email} 1`).sort())
}

async function expectScreen(page: Page, model: Model): Promise<void> {
  for (const stage of stages) {
    const expectedNames = [...model.deals].filter(([, deal]) => deal.stage === stage).map(([name]) => name)
    const cards = columnOf(page, stage).locator('[data-deal]')
    await expect(cards).toHaveCount(expectedNames.length)
    for (const name of expectedNames) await expect(cards.filter({ hasText: name })).toHaveCount(1)
  }
}
