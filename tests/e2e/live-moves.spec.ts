import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'
import { card, column, personWithDeals, stagesOf } from './deal-seeds.ts'

/** The owner of a brand with deals, whose page is looked at, and Ana, a member, who moves them. */
async function withAna(server: TestServer, names: readonly string[]): Promise<{ owner: Person; ana: Person }> {
  const owner = await personWithDeals(
    server,
    names.map((name) => ({ name })),
  )
  const ana = await createPerson(server, { name: 'ana' })
  const { error } = await owner.client.rpc('add_brand_member_by_email', {
    p_brand_id: owner.brandId,
    p_email: ana.email,
    p_role: 'member',
  })
  expect(error).toBeNull()
  const named = await ana.client
    .from('memberships')
    .update({ display_name: 'Ana Pryce' })
    .eq('user_id', ana.userId)
    .eq('brand_id', owner.brandId)
  expect(named.error).toBeNull()
  return { owner, ana }
}

/** Moves deals one after the other, as the official client does. */
async function move(
  person: Person,
  stages: Map<string, string>,
  deals: readonly string[],
  stage: string,
): Promise<void> {
  for (const name of deals) {
    const { error } = await person.client
      .from('deals')
      .update({ stage_id: stages.get(stage) })
      .eq('name', name)
    expect(error).toBeNull()
  }
}

/** Resolves when the page's socket says that the feed is live; call it before the page is opened. */
async function live(page: Page): Promise<void> {
  const socket = await page.waitForEvent('websocket')
  await socket.waitForEvent('framereceived', {
    predicate: ({ payload }) => String(payload).includes('Subscribed to PostgreSQL'),
  })
}

test("a colleague's move is named on the card and in a toast, and read out politely; focus and scroll stay", async ({
  page,
  server,
}) => {
  const { owner, ana } = await withAna(server, ['Acme renewal', 'Depot lighting', 'Analytics add-on'])
  const stages = await stagesOf(owner)
  const joined = live(page)
  await openAs(page, owner, '/crm/deals')
  await joined
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await card(page, 'Depot lighting').focus()
  await move(ana, stages, ['Acme renewal'], 'Proposal')
  const arrived = column(page, 'Proposal').getByRole('listitem').filter({ hasText: 'Acme renewal' })
  await expect(arrived.locator('[data-mover]')).toHaveText(/Ana$/)
  await expect(toastOf(page)).toContainText('Ana moved Acme renewal to Proposal')
  await expect(page.locator('#live-polite')).toHaveText('Ana moved Acme renewal to Proposal')
  await expect(page.locator('[data-deal]:focus')).toContainText('Depot lighting')
  await expect(arrived.locator('[data-mover]')).toHaveCount(0)
  await toastOf(page).getByRole('button', { name: 'Show' }).click()
  await expect(page.locator('[data-deal]:focus')).toContainText('Acme renewal')
})
