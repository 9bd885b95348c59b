import type { Locator, Page, Request } from '@playwright/test'
import { createPerson, expect, openAs, type Person, toastOf } from '../harness/browser.ts'
import { addOpenedMember } from '../harness/opened-member.ts'
import type { TestServer } from '../harness/server.ts'
import { cardsOf, columnOf, personWithDeals, type SeedDeal, stagesOf } from './deal-seeds.ts'

/**
 * Creates a brand with deals. `owner`: the owner of the brand. `ana`: its member Ana Pryce. `stages`: a map from the names of the stages to their
 * ids.
 */
export async function ownerAndAna(
  server: TestServer,
  deals: readonly SeedDeal[],
): Promise<{ owner: Person; ana: Person; stages: Map<string, string> }> {
  const owner = await personWithDeals(server, deals)
  const ana = await createPerson(server, { name: 'ana' })
  await addOpenedMember(owner, ana)
  const { error } = await ana.client
    .from('memberships')
    .update({ display_name: 'Ana Pryce' })
    .eq('user_id', ana.userId)
    .eq('brand_id', owner.brandId)
  expect(error).toBeNull()
  return { owner, ana, stages: await stagesOf(owner) }
}

/** Moves the deal `name` to the stage `to`, with the official client. */
export async function moveDeal(person: Person, stages: Map<string, string>, name: string, to: string): Promise<void> {
  const change = { stage_id: stages.get(to) }
  const { data, error } = await person.client.from('deals').update(change).eq('name', name).select('id')
  expect(error).toBeNull()
  expect(data).toHaveLength(1)
}

/** Resolves when the server confirms on the page's next socket that it will send changes. Call it before the page opens that socket. */
export async function waitUntilLive(page: Page): Promise<void> {
  const socket = await page.waitForEvent('websocket')
  await socket.waitForEvent('framereceived', {
    predicate: ({ payload }) => String(payload).includes('Subscribed to PostgreSQL'),
  })
}

/** Opens this person's board. Waits until it receives live changes and no pull has run for more than 300 ms. */
export async function openLiveBoard(page: Page, person: Person): Promise<void> {
  const joinConfirmed = waitUntilLive(page)
  const pullsEnded = sincePulls(page)
  await openAs(page, person, '/crm/deals')
  await joinConfirmed
  await expect.poll(pullsEnded).toBeGreaterThan(300)
}

/** Counts the page's running pulls. The returned function returns the time since the last pull ended, or since this call (ms); 0 while one runs. */
function sincePulls(page: Page): () => number {
  let runningCount = 0
  let changedAt = Date.now()
  const countBy = (change: 1 | -1) => (request: Request) => {
    if (!request.url().endsWith('/rest/v1/rpc/pull')) return
    runningCount += change
    changedAt = Date.now()
  }
  page.on('request', countBy(1))
  page.on('requestfinished', countBy(-1))
  page.on('requestfailed', countBy(-1))
  return () => (runningCount === 0 ? Date.now() - changedAt : 0)
}

/** Opens the owner's live board and dismisses the toast of the sign-in. Returns the same as `ownerAndAna`. */
export async function openOwnersLiveBoard(page: Page, server: TestServer, deals: readonly SeedDeal[]) {
  const people = await ownerAndAna(server, deals)
  await openLiveBoard(page, people.owner)
  await expect(async () => {
    const dismiss = page.getByRole('button', { name: 'Dismiss' })
    if (await dismiss.isVisible()) await dismiss.click({ timeout: 1000 })
    expect(await toastOf(page).count()).toBe(0)
  }).toPass()
  return people
}

/** Returns the chip on the card of a deal in the column `stage`. The chip names the colleague who has just moved the card. */
export function moverChip(page: Page, stage: string, deal: string): Locator {
  return columnOf(page, stage).getByRole('listitem').filter({ hasText: deal }).locator('[data-mover]')
}

/** Presses on a card with the mouse and lifts it; the button stays down. */
export async function liftByMouse(page: Page, deal: string): Promise<void> {
  const box = await cardsOf(page, deal).boundingBox()
  if (!box) throw new Error(`${deal} is not in sight`)
  await page.mouse.move(box.x + 40, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, box.y + 30, { steps: 4 })
  await expect(page.locator('.deal-lifted')).toHaveCount(1)
}

/** Drags the lifted card over a column and drops it. */
export async function dropByMouse(page: Page, stage: string): Promise<void> {
  const box = await columnOf(page, stage).boundingBox()
  if (!box) throw new Error(`${stage} is not in sight`)
  await page.mouse.move(box.x + box.width / 2, box.y + 200, { steps: 8 })
  await page.mouse.up()
}
