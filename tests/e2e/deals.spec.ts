import type { Locator } from '@playwright/test'
import { expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'
import { cardsOf, columnOf, openBoard, personWithDeals, runAsOwnerRole, stagesOf } from './deal-seeds.ts'

const stages = ['Incoming', 'Qualified', 'Proposal', 'Verbal Yes', 'Won', 'Lost']

test("spec 2: /crm/deals: Title 'Deals Pipeline', hint 'Drag deals between stages to update their status'.", async ({
  page,
  server,
}) => {
  await openBoard(page, await personWithDeals(server, []))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Deals Pipeline')
  await expect(page.getByText('Drag deals between stages to update their status', { exact: true })).toBeVisible()
})

test('spec 2: /crm/deals: One horizontal column per stage, ordered by position, each 20rem wide.', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [])
  const moveResult = await person.client.from('deal_stages').update({ position: 7 }).eq('name', 'Incoming')
  expect(moveResult.error).toBeNull()
  // All six columns fit side by side: none is folded.
  await page.setViewportSize({ width: 2400, height: 900 })
  await openBoard(page, person)
  const columns = page.locator('[data-stage]')
  await expect(columns.getByRole('heading')).toHaveText([...stages.slice(1), 'Incoming'])
  const boxes = await columns.evaluateAll((list) => list.map((element) => element.getBoundingClientRect().toJSON()))
  expect(boxes.map(({ width }) => width)).toEqual(Array(6).fill(320))
  expect(new Set(boxes.map(({ y }) => y)).size).toBe(1)
})

test('spec 2: /crm/deals: A column shows the stage name, a count badge, a total value in pounds and a quick-add plus button.', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [
    { name: 'Acme renewal', amount: 12_400, stage: 'Qualified' },
    { name: 'Depot lighting', amount: 600.5, stage: 'Qualified' },
    { name: 'Lyon pilot', amount: 3_000, currency: 'EUR', stage: 'Qualified' },
  ])
  await openBoard(page, person)
  const qualifiedColumn = columnOf(page, 'Qualified')
  await expect(qualifiedColumn.getByRole('heading')).toHaveText('Qualified')
  await expect(qualifiedColumn.locator('header')).toContainText('3')
  await expect(qualifiedColumn.locator('header')).toContainText('£13,000.50 + €3,000')
  await expect(qualifiedColumn.getByRole('button', { name: 'New deal in Qualified' })).toBeVisible()
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('£0')
})

test("spec 2: /crm/deals: A deal card shows name, currency and amount, the contact's first and last name, the company name and the expected close date.", async ({
  page,
  server,
}) => {
  const year = new Date().getFullYear()
  const person = await personWithDeals(server, [
    {
      name: 'Osaka distribution agreement',
      amount: 1_850_000,
      currency: 'JPY',
      day: `${year}-12-29`,
      contact: { first: 'Kenji', last: 'Watanabe', email: 'kenji@hoshino.example' },
      company: 'Hoshino Trading KK',
    },
    { name: 'Bare', amount: 0 },
  ])
  await openBoard(page, person)
  const osakaCard = cardsOf(page, 'Osaka')
  for (const fact of ['Osaka distribution agreement', '¥1,850,000', 'Kenji Watanabe', 'Hoshino Trading KK', '29 Dec']) {
    await expect(osakaCard).toContainText(fact)
  }
  await expect(cardsOf(page, 'Bare')).toHaveText('Bare£0')
})

test("spec 2: /crm/deals: Stage badge colours depend on the stage name: incoming, qualified, proposal, verbal or 'yes', won, lost; otherwise neutral.", async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [])
  const { error } = await person.client
    .from('deal_stages')
    .insert({ brand_id: person.brandId, name: 'Discovery', position: 7 })
  expect(error).toBeNull()
  await openBoard(page, person)
  const colours = await page
    .locator('[data-stage] h2')
    .evaluateAll((list) => list.map((element) => getComputedStyle(element).color))
  expect(new Set(colours).size).toBe(7)
  const classes = await page.locator('[data-stage]').evaluateAll((list) => list.map((element) => element.className))
  const tones = ['incoming', 'qualified', 'proposal', 'verbal', 'won', 'lost', 'neutral']
  for (const [index, tone] of tones.entries()) expect(classes[index]).toContain(`tone-${tone}`)
})

test("spec 7: RPC quick_create_deal (p_brand_id, p_name 'New Deal - {stage name}', p_stage_id).", async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [])
  await openBoard(page, person)
  const request = page.waitForRequest((request) => request.url().includes('/rpc/quick_create_deal'))
  await columnOf(page, 'Proposal').getByRole('button', { name: 'New deal in Proposal' }).click()
  expect((await request).postDataJSON()).toMatchObject({
    p_brand_id: person.brandId,
    p_name: 'New Deal - Proposal',
    p_stage_id: (await stagesOf(person)).get('Proposal'),
  })
  await expect(cardsOf(columnOf(page, 'Proposal'), 'New Deal - Proposal')).toBeVisible()
  await expect(toastOf(page)).toContainText('Deal created')
})

test('the pipeline value sums the deals of open stages per currency, pounds first, and during a search only the hits; if stages have probabilities, a weighted sum is shown, too', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'One', amount: 100, currency: 'EUR', stage: 'Incoming' },
    { name: 'Two', amount: 2_000, stage: 'Verbal Yes' },
    { name: 'Three', amount: 5_000, stage: 'Won' },
    { name: 'Four', amount: 7_000, stage: 'Lost' },
    { name: 'Five', amount: 1_850_000, currency: 'JPY', stage: 'Proposal' },
  ])
  await page.setViewportSize({ width: 1024, height: 800 })
  await openBoard(page, person)
  const pipelineValue = page.getByText('Pipeline value').locator('..').getByRole('definition').getByRole('button')
  await expect(pipelineValue).toHaveText('£2,000 +2')
  await expect(pipelineValue).toHaveAccessibleName('£2,000 + €100 + ¥1,850,000')
  // From 1,024 px on, the header is one line: the amounts and the button are beside the title.
  const topOf = async (of: Locator) => (await of.boundingBox())?.y ?? 0
  const title = page.getByRole('heading', { name: 'Deals Pipeline' })
  for (const [width, isOneLine] of [
    [1024, true],
    [1280, true],
    [860, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    const distance = (await topOf(page.getByRole('button', { name: 'New Deal', exact: true }))) - (await topOf(title))
    expect(distance < 40, `${width}: ${distance}`).toBe(isOneLine)
  }
  await pipelineValue.click()
  const valueDialog = page.getByRole('dialog', { name: 'Pipeline value' })
  await expect(valueDialog.getByRole('row')).toHaveText(['CurrencyOpen deals', 'GBP£2,000', 'EUR€100', 'JPY¥1,850,000'])
  await page.keyboard.press('Escape')
  await expect(valueDialog).toHaveCount(0)
  await expect(pipelineValue).toBeFocused()
  // If stages have a probability, the dialog also shows weighted sums.
  await runAsOwnerRole(server, 'update public.deal_stages set probability = 60 where brand_id = $1 and name = $2', [
    person.brandId,
    'Verbal Yes',
  ])
  await runAsOwnerRole(server, 'update public.deal_stages set probability = 25 where brand_id = $1 and name = $2', [
    person.brandId,
    'Incoming',
  ])
  await page.reload()
  await pipelineValue.click()
  await expect(valueDialog.getByRole('row')).toHaveText([
    'CurrencyOpen dealsWeighted',
    'GBP£2,000£1,200',
    'EUR€100€25',
    'JPY¥1,850,000¥0',
  ])
  await expect(valueDialog).toContainText('Without a probability, and not counted: Proposal.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByPlaceholder('Search deals…').fill('one')
  await expect(pipelineValue).toHaveText('€100')
})

test('a currency whose sum is zero is not shown beside another', { tag: '@long' }, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Unpriced', amount: 0, stage: 'Incoming' },
    { name: 'Boston pilot', amount: 12_000, currency: 'USD', stage: 'Incoming' },
    { name: 'Bare', amount: 0, stage: 'Proposal' },
  ])
  await openBoard(page, person)
  await expect(columnOf(page, 'Incoming').locator('header')).toHaveText('Incoming2$12,000')
  await expect(columnOf(page, 'Proposal').locator('header')).toHaveText('Proposal1£0')
  const pipelineValue = page.getByText('Pipeline value').locator('..').getByRole('definition').getByRole('button')
  await expect(pipelineValue).toHaveText('$12,000')
  await pipelineValue.click()
  await expect(page.getByRole('dialog', { name: 'Pipeline value' }).getByRole('row')).toHaveText([
    'CurrencyOpen deals',
    'USD$12,000',
  ])
  await page.goto('/crm/overview')
  const regionOf = (name: string) => page.getByRole('region', { name })
  await expect(regionOf('Pipeline Value').locator('[data-figure]')).toHaveText('$12,000')
  await expect(regionOf('Pipeline by stage').getByRole('listitem').first()).toHaveText('Incoming2$12,000')
})

test('cards are ordered newest first', { tag: '@long' }, async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Newest' }, { name: 'Middle' }, { name: 'Oldest' }]))
  await expect(columnOf(page, 'Incoming').locator('[data-deal]')).toContainText(['Newest', 'Middle', 'Oldest'])
})

test('cards fill the height of a column that was not scrolled, also after the window has become higher', {
  tag: '@long',
}, async ({ page, server }) => {
  await page.setViewportSize({ width: 1440, height: 600 })
  const deals = Array.from({ length: 40 }, (_, index) => ({ name: `Deal ${index}` }))
  await openBoard(page, await personWithDeals(server, deals))
  const scroller = columnOf(page, 'Incoming').getByRole('list').locator('..')
  const missingHeight = () =>
    scroller.evaluate((element) => {
      const cards = [...element.querySelectorAll('[data-deal]')].map(
        (cardElement) => cardElement.getBoundingClientRect().bottom,
      )
      return element.getBoundingClientRect().bottom - Math.max(...cards)
    })
  await expect.poll(missingHeight).toBeLessThan(0)
  await page.setViewportSize({ width: 1440, height: 1200 })
  await expect.poll(missingHeight).toBeLessThan(0)
})

test('the search matches deal, contact and company, ignoring case, and shows a message if nothing matches', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [
    { name: 'Roof', company: 'Copperline' },
    { name: 'Cellar', contact: { first: 'Mei', last: 'Tanaka', email: 'mei@copper.example' }, stage: 'Won' },
    { name: 'Garden' },
  ])
  await openBoard(page, person)
  await page.keyboard.press('/')
  const search = page.getByPlaceholder('Search deals…')
  await expect(search).toBeFocused()
  for (const [text, dealName] of [
    ['ROO', 'Roof'],
    ['copperl', 'Roof'],
    ['tanaka', 'Cellar'],
  ] as const) {
    await search.fill(text)
    await expect(page.locator('[data-deal]')).toHaveCount(1)
    await expect(page.locator('[data-deal]')).toContainText(dealName)
  }
  await search.fill('nothing like it')
  await expect(page.getByRole('heading', { name: 'No deals found matching your search' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).last().click()
  // Only two of the three cards are rendered, because the column Won is folded again.
  await expect(page.locator('[data-deal]')).toHaveCount(2)
})

test('an empty board shows a message and offers to add the first deal', { tag: '@long' }, async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, []))
  await expect(page.getByRole('heading', { name: 'No deals yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Add Your First Deal' }).click()
  await expect(page.getByRole('dialog', { name: 'New Deal' })).toBeVisible()
})

test('a long name is cut with … and shown in a tooltip; its amount is never cut', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const name = 'Harbour office refit, phase two and fit-out of the whole north wing'
  await openBoard(page, await personWithDeals(server, [{ name, amount: 6_550 }]))
  const title = page.getByTitle(name)
  expect(await title.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true)
  const amount = cardsOf(page, name).getByText('£6,550')
  expect(await amount.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false)
})

test('the board has no accessibility violations, with deals and with an invalid form, light and dark', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [
    { name: 'Roof', company: 'Copperline', day: '2026-12-01', amount: 500 },
    { name: 'Cellar', contact: { first: 'Mei', last: 'Tanaka', email: 'mei@roof.example' }, stage: 'Won' },
  ])
  await openBoard(page, person)
  await expect(page.locator('[data-deal]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Unfold Won, 1 deal' }).click()
  await expect(page.locator('[data-deal]')).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  await page.getByRole('button', { name: 'Create Deal' }).click()
  await expectAccessible(page)
})

test.describe('on the phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the phone shows one stage at a time, the stage bar opens the others, and the page never scrolls sideways', async ({
    page,
    server,
  }) => {
    const person = await personWithDeals(server, [{ name: 'Roof' }, { name: 'Cellar', stage: 'Proposal' }])
    await openBoard(page, person)
    const bar = page.getByRole('navigation', { name: 'Stages' })
    await expect(bar.getByRole('button')).toHaveText(stages.map((name) => new RegExp(`^${name}\\s*[01]$`)))
    await expect(bar.getByRole('button', { name: /Incoming/ })).toHaveAttribute('aria-current', 'true')
    await bar.getByRole('button', { name: /Proposal/ }).tap()
    await expect(bar.getByRole('button', { name: /Proposal/ })).toHaveAttribute('aria-current', 'true')
    await expect(cardsOf(page, 'Cellar')).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test('the button of a card on the phone opens a sheet of stages; a choice moves the card', { tag: '@long' }, async ({
    page,
    server,
  }) => {
    await openBoard(page, await personWithDeals(server, [{ name: 'Roof', amount: 44_950 }]))
    await page.getByRole('button', { name: 'Move Roof to stage' }).tap()
    const sheet = page.getByRole('dialog', { name: 'Move to' })
    await expect(sheet).toContainText('Roof · £44,950')
    for (const stage of stages) await expect(sheet.getByRole('button', { name: stage })).toBeVisible()
    await sheet.getByRole('button', { name: 'Won' }).tap()
    await expect(toastOf(page)).toContainText('Deal moved successfully')
    await expect(cardsOf(columnOf(page, 'Won'), 'Roof')).toBeInViewport()
  })

  test('the touch targets of the board on the phone are at least 44 px high', { tag: '@long' }, async ({
    page,
    server,
  }) => {
    await openBoard(page, await personWithDeals(server, [{ name: 'Roof' }]))
    const lowButtons = await page
      .locator('main button')
      .evaluateAll((list) =>
        list
          .filter((button) => button.getBoundingClientRect().height > 0 && button.getBoundingClientRect().height < 44)
          .map((button) => button.outerHTML.slice(0, 120)),
      )
    expect(lowButtons).toEqual([])
    await expectAccessible(page)
  })
})

test('a brand without stages says what to do', { tag: '@long' }, async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  const { error } = await person.client.from('deal_stages').delete().eq('brand_id', person.brandId)
  expect(error).toBeNull()
  await openAs(page, person, '/crm/deals')
  await expect(page.getByText('Please create a stage first in Settings')).toBeVisible()
})
