import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { createPerson, signInByScreen } from './browser.ts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { openKillableBrowser } from './killable-browser.ts'
import type { TestServer } from './server.ts'

/**
 * Runs one round: a deal is moved offline. When the browser is online again, the server applies the move, but the response is lost.
 * The browser is killed and opened again with two tabs. Throws unless the move was applied exactly once, and both tabs show it as saved.
 */
export async function offlineRound(server: TestServer): Promise<void> {
  const proxy = await startFaultyProxy(server)
  const profile = await mkdtemp(join(tmpdir(), 'banyan-profile-'))
  const person = await createPerson(server, { brand: 'Offline' })
  const dealId = await makeDeal(person)
  let browser = await openKillableBrowser(profile)
  try {
    const page = browser.context.pages()[0] ?? (await browser.context.newPage())
    await page.goto(`${proxy.url}/auth`)
    await signInByScreen(page, person.email, person.password)
    await page.waitForURL('**/crm/overview')
    await page.goto(`${proxy.url}/crm/deals`)
    await moveOffline(page, dealId)
    await goOnlineAndLoseResponse(page, proxy)
    await browser.kill()
    expect(await movesOnServer(server, dealId)).toBe(1)

    proxy.judge = () => 'pass'
    browser = await openKillableBrowser(profile)
    const tabs = [browser.context.pages()[0] ?? (await browser.context.newPage()), await browser.context.newPage()]
    await Promise.all(tabs.map((tab) => tab.goto(`${proxy.url}/crm/deals`)))
    for (const tab of tabs) await expectSaved(tab, dealId)
    expect(await movesOnServer(server, dealId)).toBe(1)
  } finally {
    await browser.kill()
    await proxy.stop()
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

async function makeDeal({ client, brandId }: Awaited<ReturnType<typeof createPerson>>): Promise<string> {
  const { data: stage } = await client
    .from('deal_stages')
    .select('id')
    .eq('brand_id', brandId)
    .order('position')
    .limit(1)
    .single()
  const { data, error } = await client.rpc('quick_create_deal', {
    p_brand_id: brandId,
    p_name: 'Data migration',
    p_stage_id: stage?.id,
  })
  if (error) throw error
  return String(data)
}

async function moveOffline(page: Page, dealId: string): Promise<void> {
  const card = page.locator(`[data-deal="${dealId}"]`)
  await expect(card).toBeVisible()
  await expect(page.getByText('All changes saved')).toBeVisible()
  await page.context().setOffline(true)
  await card.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByText('1 waiting')).toBeVisible()
  await expect(page.locator('[data-stage]').nth(1).locator(`[data-deal="${dealId}"]`)).toBeVisible()
}

async function goOnlineAndLoseResponse(page: Page, proxy: FaultyProxy): Promise<void> {
  proxy.judge = ({ method, path }) => (method === 'PATCH' && path.startsWith('/rest/v1/deals') ? 'drop-answer' : 'pass')
  await page.context().setOffline(false)
  await expect
    .poll(() => proxy.log.some(({ fate, answered }) => fate === 'drop-answer' && answered), { timeout: 15_000 })
    .toBe(true)
}

async function expectSaved(tab: Page, dealId: string): Promise<void> {
  await expect(tab.getByText('All changes saved')).toBeVisible({ timeout: 20_000 })
  await expect(tab.locator('[data-stage]').nth(1).locator(`[data-deal="${dealId}"]`)).toBeVisible()
}

/** Returns the number of stage changes of the deal that the database recorded after its creation. */
async function movesOnServer(server: TestServer, dealId: string): Promise<number> {
  if (!server.database) throw new Error('the server must run in this process')
  const { rows } = await server.database.owner.query(
    `select d.version - 1 as moves, (select count(*)::int from public.deal_stage_changes c
       where c.deal_id = d.id and c.from_stage_id is not null) as changes
     from public.deals d where d.id = $1`,
    [dealId],
  )
  const { moves, changes } = rows[0] as { moves: number; changes: number }
  expect(changes).toBe(moves)
  return moves
}
