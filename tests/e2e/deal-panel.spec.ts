import type { Page } from '@playwright/test'
import { createBrand, expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'
import { sidewaysScroll, smallTargets } from '../harness/phone-page.ts'
import { cardsOf, columnOf, openBoard, personWithDeals, stageOnServer } from './deal-seeds.ts'

const panel = (page: Page) => page.getByRole('complementary', { name: 'Deal' })
const field = (page: Page, name: string) => panel(page).getByRole('button', { name: new RegExp(`^${name}: `) })
const acme = {
  name: 'Acme renewal',
  amount: 500,
  company: 'Acme',
  contact: { first: 'Mei', last: 'Tanaka', email: 'mei@acme.example' },
}

test('a card opens its deal beside the board: Back and Escape close it, a reload opens it again, and the focus returns', async ({
  page,
  server,
}) => {
  await openBoard(page, await personWithDeals(server, [acme, { name: 'Depot lighting' }]))
  await cardsOf(page, 'Acme renewal').click()
  await expect(page).toHaveURL(/\/crm\/deals\/[0-9a-f-]{36}$/)
  await expect(panel(page).getByRole('heading', { level: 2 })).toContainText('Acme renewal')
  await expect(page).toHaveTitle('Acme renewal · Banyan CRM')
  await expect(cardsOf(page, 'Depot lighting')).toBeVisible()
  await expectAccessible(page)

  await cardsOf(page, 'Depot lighting').click()
  await expect(panel(page).getByRole('heading', { level: 2 })).toContainText('Depot lighting')
  await page.goBack()
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/crm\/deals$/)

  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toBeFocused()
  await page.reload()
  await expect(panel(page).getByRole('heading', { level: 2 })).toContainText('Acme renewal')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(cardsOf(page, 'Acme renewal')).toBeFocused()
  await expect(page).toHaveURL(/\/crm\/deals$/)
})

test('a card at the right edge stays visible beside the panel that it opens, and the panel shows the amount once', {
  tag: '@long',
}, async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Far right', amount: 750, stage: 'Verbal Yes' }]))
  const farCard = cardsOf(page, 'Far right')
  await farCard.click({ position: { x: 20, y: 20 } })
  await expect(panel(page).getByText('£750')).toHaveCount(1)
  const overlapWidth = async () => {
    const [cardBox, panelBox] = [await farCard.boundingBox(), await panel(page).boundingBox()]
    return cardBox && panelBox ? cardBox.x + cardBox.width - panelBox.x : null
  }
  await expect.poll(overlapWidth).toBeLessThan(0)
  expect((await farCard.boundingBox())?.x).toBeGreaterThan(208)
})

test('fields of a deal are edited in place; Escape restores the stored value, and an error is shown under the field', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [acme])
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').click()

  await expect(field(page, 'Deal name')).toBeVisible()
  await page.keyboard.press('e')
  await expect(panel(page).getByRole('textbox', { name: 'Deal name' })).toBeFocused()
  await page.keyboard.type('Something else')
  await page.keyboard.press('Escape')
  await expect(field(page, 'Deal name')).toBeFocused()
  await expect(field(page, 'Deal name')).toHaveText('Acme renewal')

  await field(page, 'Deal name').click()
  await panel(page).getByRole('textbox', { name: 'Deal name' }).fill('  ')
  await page.keyboard.press('Enter')
  await expect(panel(page).getByRole('alert')).toHaveText('Deal name is required')
  await panel(page).getByRole('textbox', { name: 'Deal name' }).fill('Acme, two years')
  await page.keyboard.press('Enter')
  await expect(cardsOf(page, 'Acme, two years')).toBeVisible()

  await field(page, 'Amount').click()
  await panel(page).getByRole('textbox', { name: 'Amount' }).fill('12,400.50')
  await page.keyboard.press('Enter')
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('£12,400.50')
  await panel(page).getByRole('combobox', { name: 'Currency' }).click()
  await page.getByRole('option', { name: 'JPY' }).click()
  await expect(panel(page).getByRole('alert')).toHaveText('Whole numbers only')
  await panel(page).getByRole('combobox', { name: 'Currency' }).click()
  await page.getByRole('option', { name: 'EUR' }).click()
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('€12,400.50')

  await field(page, 'Amount').click()
  const amount = panel(page).getByRole('textbox', { name: 'Amount' })
  await amount.fill('soon')
  await page.keyboard.press('Enter')
  await expect(panel(page).getByRole('alert')).toHaveText('Type a number, such as 12,400 or 12k')
  await page.keyboard.press('Escape')
  await expect(field(page, 'Amount')).toHaveText('€12,400.50')
  await field(page, 'Amount').click()
  await amount.fill('$15k')
  await expect(amount).toHaveAccessibleDescription('Saved as $15,000')
  await page.keyboard.press('Enter')
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('$15,000')

  await field(page, 'Expected close date').click()
  await panel(page).getByLabel('Expected close date').fill('2031-12-07')
  await page.keyboard.press('Enter')
  await expect(field(page, 'Expected close date')).toHaveText('7 Dec 2031')
  await panel(page).getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('option').nth(1).click()
  await expect(panel(page).getByRole('combobox', { name: 'Owner' })).not.toHaveText('No owner')

  const dealOnServer = async () =>
    (await person.client.from('deals').select('*').eq('brand_id', person.brandId).single()).data
  await expect.poll(dealOnServer).toMatchObject({
    name: 'Acme, two years',
    amount: 15_000,
    amount_currency: 'USD',
    expected_close_date: '2031-12-07',
    owner_id: person.userId,
  })
})

test('deal, contact and company link to each other; a deal is moved in its panel', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [acme])
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').click()
  await panel(page).getByRole('combobox', { name: 'Stage' }).click()
  await page.getByRole('option', { name: 'Proposal' }).click()
  await expect(toastOf(page)).toContainText('Deal moved successfully')
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Acme renewal')).toBeVisible()
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Proposal')
  await expect(panel(page).getByText('moved from Incoming to Proposal')).toBeVisible()

  await panel(page).getByRole('link', { name: 'Open Mei Tanaka' }).click()
  await expect(page).toHaveURL(/\/crm\/contacts\//)
  const contact = page.getByRole('complementary', { name: 'Contact' })
  await contact.getByRole('link', { name: /^Proposal: Acme renewal/ }).click()
  await expect(panel(page)).toBeVisible()
  await panel(page).getByRole('link', { name: 'Open Acme', exact: true }).click()
  await page
    .getByRole('complementary', { name: 'Company' })
    .getByRole('link', { name: /^Proposal: Acme renewal/ })
    .click()
  await expect(panel(page).getByRole('heading', { level: 2 })).toContainText('Acme renewal')
})

test('linking a contact also links its company; the history shows who changed the amount, also after an offline edit', {
  tag: '@long',
}, async ({ page, server }) => {
  const uta = { first: 'Uta', last: 'Hof', email: 'uta@hof.test' }
  const person = await personWithDeals(server, [
    { name: 'Roof', amount: 12_000, currency: 'EUR' },
    { name: 'Other', contact: uta, company: 'Hof' },
  ])
  const { data: company } = await person.client.from('companies').select('id').eq('name', 'Hof').single()
  await person.client.from('contacts').update({ company_id: company?.id }).eq('email', uta.email)
  await openBoard(page, person)
  await cardsOf(page, 'Roof').click()
  await panel(page).getByRole('combobox', { name: 'Contact' }).fill('Uta')
  await page.getByRole('option', { name: /Uta Hof/ }).click()
  await expect(panel(page).getByRole('combobox', { name: 'Company' })).toHaveValue('Hof')
  await expect(cardsOf(page, 'Roof')).toContainText('Hof')
  // The changes of the contact and of the company are one step of undo. The field 'Contact', whose list is closed, still has the focus.
  await expect(panel(page).getByRole('combobox', { name: 'Contact' })).toBeFocused()
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+z')
    await expect(toastOf(page)).toContainText('Undid: Contact of Roof changed', { timeout: 500 })
  }).toPass()
  await expect(panel(page).getByRole('combobox', { name: 'Company' })).toHaveValue('')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(panel(page).getByRole('combobox', { name: 'Company' })).toHaveValue('Hof')
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'set the company to Hof' }).first()).toBeVisible()

  const amountLines = panel(page).getByRole('listitem').filter({ hasText: 'changed the amount' })
  const setAmount = async (text: string) => {
    await field(page, 'Amount').click()
    await panel(page).getByRole('textbox', { name: 'Amount' }).fill(text)
    await page.keyboard.press('Enter')
  }
  await setAmount('15000')
  await expect(amountLines).toHaveText([/ changed the amount from €12,000 to €15,000/])
  await page.context().setOffline(true)
  await setAmount('£9,000.50')
  await expect(field(page, 'Amount')).toHaveText('£9,000.50')
  await expect(amountLines).toHaveCount(1)
  await page.context().setOffline(false)
  await expect(amountLines).toHaveText([/ changed the amount from €15,000 to £9,000.50/, /from €12,000/], {
    timeout: 20_000,
  })
})

test('a delete lists the records that it unlinks and happens at once; Undo restores the same deal with its task', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [acme])
  const { data: deal } = await person.client.from('deals').select('id').eq('brand_id', person.brandId).single()
  const task = { brand_id: person.brandId, title: 'Call Mei', deal_id: deal?.id }
  expect((await person.client.from('tasks').insert(task)).error).toBeNull()
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').click()
  await expect(panel(page).getByRole('link', { name: 'Call Mei' })).toBeVisible()
  await panel(page).getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete deal' })).toContainText('Unlinks 1 task')
  await page.getByRole('menuitem', { name: 'Delete deal' }).click()
  await expect(panel(page)).toHaveCount(0)
  await expect(cardsOf(page, 'Acme renewal')).toHaveCount(0)
  await expect(toastOf(page)).toContainText('Deal deleted')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await cardsOf(page, 'Acme renewal').click()
  await expect(panel(page).getByRole('link', { name: 'Call Mei' })).toBeVisible()
  await expect(panel(page).getByRole('combobox', { name: 'Contact' })).toHaveValue('Mei Tanaka')
  await expect
    .poll(async () => (await person.client.from('tasks').select('deal_id').eq('brand_id', person.brandId)).data)
    .toEqual([{ deal_id: deal?.id }])
})

test('several selected cards are moved or deleted together, and Undo reverts each', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const names = ['Acme renewal', 'Depot lighting', 'Cold store', 'Quay sensors']
  const person = await personWithDeals(
    server,
    names.map((name) => ({ name })),
  )
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').click({ modifiers: ['ControlOrMeta'] })
  await cardsOf(page, 'Cold store').click({ modifiers: ['Shift'] })
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar).toContainText('3 selected')
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Move' }).click()
  await page.getByRole('menuitem', { name: 'Proposal' }).click()
  await expect(toastOf(page)).toContainText('3 deals moved')
  await expect(columnOf(page, 'Proposal').locator('[data-deal]')).toHaveCount(3)
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(columnOf(page, 'Incoming').locator('[data-deal]')).toHaveCount(4)
  await expect(toastOf(page)).toContainText('3 deals moved')

  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(bar).toHaveCount(0)
  await expect(columnOf(page, 'Incoming').locator('[data-deal]')).toHaveCount(1)
  await expect(toastOf(page)).toContainText('3 deals deleted')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(columnOf(page, 'Incoming').locator('[data-deal]')).toContainText(names)
  await cardsOf(page, 'Quay sensors').focus()
  await page.keyboard.press('x')
  await expect(bar).toContainText('1 selected')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
})

test("'Mine' shows only the user's own deals and is part of the URL, and the totals count the shown deals", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Acme renewal', amount: 500 },
    { name: 'Depot lighting', amount: 70, currency: 'EUR' },
  ])
  const ownUpdate = person.client.from('deals').update({ owner_id: person.userId }).eq('brand_id', person.brandId)
  expect((await ownUpdate.eq('name', 'Depot lighting')).error).toBeNull()
  await openBoard(page, person)
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('£500 + €70')
  await page.getByRole('button', { name: 'Mine' }).click()
  await expect(page).toHaveURL(/\/crm\/deals\?mine=1$/)
  await expect(page.locator('[data-deal]')).toHaveCount(1)
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('€70')
  await cardsOf(page, 'Depot lighting').click()
  await expect(page).toHaveURL(/\/crm\/deals\/[0-9a-f-]{36}\?mine=1$/)
  await page.reload()
  await expect(page.locator('[data-deal]')).toHaveCount(1)
})

test('a link to a deal of another brand of the user switches to that brand; a missing deal shows a message', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [acme])
  const otherBrandId = await createBrand(person, `Orchard ${Date.now()}`)
  const { data: stages } = await person.client.from('deal_stages').select('id').eq('brand_id', otherBrandId).limit(1)
  const row = { brand_id: otherBrandId, name: 'Pear harvest', stage_id: stages?.[0]?.id }
  const { data: deal } = await person.client.from('deals').insert(row).select('id').single()
  await openAs(page, person, '/select-brand')
  await page.getByRole('listitem').filter({ hasText: 'Harbour' }).getByRole('button').click()
  await page.waitForURL('**/crm/overview')
  await page.goto(`/crm/deals/${deal?.id}`)
  await expect(toastOf(page)).toContainText('Switched to Orchard')
  await expect(panel(page).getByRole('heading', { level: 2 })).toContainText('Pear harvest')
  await page.goto('/crm/deals/11111111-2222-4333-8444-555555555555')
  await expect(panel(page)).toContainText('Not found, or no access')
})

test('on the phone a tap opens the deal as its own page, with touch targets of at least 44 px', {
  tag: '@long',
}, async ({ browser, server }) => {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await openAs(page, await personWithDeals(server, [acme]), '/crm/deals')
  await cardsOf(page, 'Acme renewal').tap()
  await expect(panel(page).getByRole('heading', { level: 2 })).toContainText('Acme renewal')
  await expectAccessible(page)
  expect(await smallTargets(page)).toEqual([])
  expect(await sidewaysScroll(page)).toEqual([])
  await panel(page).getByRole('button', { name: 'Back' }).tap()
  await expect(cardsOf(page, 'Acme renewal')).toBeVisible()
  await page.getByRole('button', { name: 'Move Acme renewal to stage' }).tap()
  await expect(page.getByRole('dialog', { name: 'Move to' })).toBeVisible()
  await context.close()
})

test('a new company and a new contact can be added in the fields of the deal', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Oak staircase' }])
  await openBoard(page, person)
  await cardsOf(page, 'Oak staircase').click()

  const contact = panel(page).getByRole('combobox', { name: 'Contact' })
  await contact.click()
  await expect(
    panel(page).getByText('No matches. To add a contact, type a name with an email address or a phone number'),
  ).toBeVisible()
  await contact.fill('ben@carver.example')
  await page.getByRole('option', { name: 'Add “ben@carver.example”' }).click()
  await expect(panel(page).getByRole('link', { name: 'Open ben@carver.example' })).toBeVisible()

  // A pasted line with a name and an e-mail address finds the contact that has the address.
  await contact.fill('Benjamin Carver <BEN@carver.example>')
  await expect(page.getByRole('option')).toHaveText([/ben@carver.example/])
  await contact.fill('Uta Hof 040 12345')
  await page.getByRole('option', { name: 'Add “Uta Hof” 040 12345' }).click()
  await expect(panel(page).getByRole('link', { name: 'Open Uta Hof' })).toBeVisible()

  const company = panel(page).getByRole('combobox', { name: 'Company' })
  await company.fill('Carver Ltd')
  await page.keyboard.press('Enter')
  await expect(panel(page).getByRole('link', { name: 'Open Carver Ltd' })).toBeVisible()

  const row = async () =>
    (
      await person.client
        .from('deals')
        .select('contacts(first_name, last_name, email, phone), companies(name)')
        .single()
    ).data
  await expect.poll(row).toEqual({
    contacts: { first_name: 'Uta', last_name: 'Hof', email: null, phone: '040 12345' },
    companies: { name: 'Carver Ltd' },
  })
  await company.fill('carver ltd')
  await expect(page.getByRole('option')).toHaveText([/Carver Ltd$/])
})
