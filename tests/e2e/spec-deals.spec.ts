import { expect, test, toastOf } from '../harness/browser.ts'
import { cardsOf, columnOf, openBoard, personWithDeals, runAsOwnerRole, stageOnServer, stagesOf } from './deal-seeds.ts'

test('spec 2: /crm/deals: The column list scrolls (about 600px high).', async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'The oldest' }])
  await runAsOwnerRole(
    server,
    `insert into public.deals (brand_id, name, stage_id, created_at)
     select $1, 'Deal ' || n, $2, now() + n * interval '1 minute' from generate_series(1, 30) as n`,
    [person.brandId, (await stagesOf(person)).get('Incoming')],
  )
  await openBoard(page, person)
  const list = columnOf(page, 'Incoming').getByRole('list').locator('..')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Deal 30')).toBeVisible()
  const { height, content: contentHeight } = await list.evaluate((box) => ({
    height: box.clientHeight,
    content: box.scrollHeight,
  }))
  expect(height).toBeGreaterThan(500)
  expect(height).toBeLessThan(750)
  expect(contentHeight).toBeGreaterThan(2 * height)
  await expect(cardsOf(page, 'The oldest')).not.toBeInViewport()
  await list.hover()
  await page.mouse.wheel(0, 10_000)
  await expect(cardsOf(page, 'The oldest')).toBeInViewport()
  expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0)
})

test("spec 2: /crm/deals: A 'New Deal' dialog is available.", async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, []))
  const button = page.getByRole('button', { name: 'New Deal', exact: true })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'New Deal', exact: true })
  for (const field of ['Deal name', 'Amount', 'Currency', 'Stage', 'Contact', 'Company', 'Expected close date']) {
    await expect(dialog.getByLabel(field, { exact: true })).toBeVisible()
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button).toBeFocused()
})

test("spec 2: /crm/deals: Stage badge colours depend on the stage name: incoming, qualified, proposal, verbal or 'yes', won, lost; otherwise neutral. (words within a name, in any case)", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  const { error: deleteError } = await person.client.from('deal_stages').delete().eq('brand_id', person.brandId)
  expect(deleteError).toBeNull()
  const names = [
    ['New INCOMING mail', 'incoming'],
    ['Well qualified', 'qualified'],
    ['Proposal sent', 'proposal'],
    ['Verbal agreement', 'verbal'],
    ['They said YES', 'verbal'],
    ['Won!', 'won'],
    ['Lost to others', 'lost'],
    ['Discovery', 'neutral'],
  ] as const
  const rows = names.map(([name], index) => ({ brand_id: person.brandId, name, position: index + 1 }))
  const { error } = await person.client.from('deal_stages').insert(rows)
  expect(error).toBeNull()
  await openBoard(page, person, 'Discovery')
  const colours = await page
    .locator('[data-stage]')
    .evaluateAll((list) =>
      list.map((element) => [
        element.querySelector('h2')?.textContent,
        getComputedStyle(element.querySelector('header span') ?? element).backgroundColor,
      ]),
    )
  expect(colours.map(([name]) => name)).toEqual(names.map(([name]) => name))
  const byTone = new Map(names.map(([, tone], index) => [tone, colours[index]?.[1]]))
  expect(colours.map(([, colour]) => colour)).toEqual(names.map(([, tone]) => byTone.get(tone)))
  expect(new Set(byTone.values()).size).toBe(7)
})

test('spec 4: Deal stage: on server failure the board reloads', async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openBoard(page, person)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/rest/v1/deals?*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await released
    await route.fulfill({
      status: 400,
      json: { code: '23514', message: 'This deal is closed for moves', details: null, hint: null },
    })
  })
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Acme renewal')).toBeVisible()
  const reloadResponse = page.waitForResponse((response) => /\/rpc\/(pull|board)/.test(response.url()))
  release()
  await expect(toastOf(page)).toContainText('Error moving deal')
  await expect(toastOf(page)).toContainText('This deal is closed for moves')
  await reloadResponse
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Acme renewal')).toHaveCount(0)
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Incoming')
})

test("spec 4: Realtime: the deal board refreshes on any change to the brand's deals", async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Depot lighting', amount: 100 }])
  const stages = await stagesOf(person)
  await openBoard(page, person)
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Depot lighting')).toBeVisible()
  const deals = () => person.client.from('deals')
  const { error: insertError } = await deals().insert({
    brand_id: person.brandId,
    name: 'From a colleague',
    amount: 5_000,
    stage_id: stages.get('Proposal'),
  })
  expect(insertError).toBeNull()
  await expect(cardsOf(columnOf(page, 'Proposal'), 'From a colleague')).toBeVisible()
  await deals()
    .update({ stage_id: stages.get('Verbal Yes'), amount: 250 })
    .eq('name', 'Depot lighting')
  await expect(cardsOf(columnOf(page, 'Verbal Yes'), 'Depot lighting')).toContainText('£250')
  await expect(columnOf(page, 'Verbal Yes').locator('header')).toContainText('£250')
  await deals().delete().eq('name', 'From a colleague')
  await expect(cardsOf(page, 'From a colleague')).toHaveCount(0)
  await expect(columnOf(page, 'Proposal').locator('header')).toContainText('£0')
})
