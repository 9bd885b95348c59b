import type { Locator, Page } from '@playwright/test'
import { expect, openAs, test } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { cardsOf, personWithDeals } from './deal-seeds.ts'

test('at a zoom of 400 % (320 x 256 px), the records of each list can be reached', async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Harbour wall', company: 'Bolt', contact: { first: 'Ann', last: 'Reed', email: 'ann@acme.example' } },
  ])
  await insertRow(person, 'tasks', { title: 'Call Ann' })
  await page.setViewportSize({ width: 320, height: 256 })
  await openAs(page, person)
  for (const [path, record] of [
    ['/crm/contacts', page.getByRole('link', { name: 'Ann Reed' })],
    ['/crm/companies', page.getByRole('link', { name: 'Bolt' })],
    ['/crm/deals', cardsOf(page, 'Harbour wall')],
    ['/crm/tasks', page.getByRole('link', { name: 'Call Ann' })],
  ] as const) {
    await page.goto(path)
    await record.scrollIntoViewIfNeeded()
    await expect(record, path).toBeInViewport({ ratio: 0.9 })
    // A scroll to the record is not enough: the list itself must be high enough to read it.
    const list = record.locator('xpath=ancestor::*[contains(@class, "overflow-y-auto")][1]')
    expect((await list.boundingBox())?.height, path).toBeGreaterThan(150)
  }
  const navigation = page.getByRole('navigation', { name: 'Pages' })
  await page.getByRole('heading', { name: 'Tasks', exact: true }).scrollIntoViewIfNeeded()
  await expect(navigation).not.toBeInViewport()
})

test('a large value of the pipeline is never cut', async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Harbour wall', amount: 1_000_000_524_477.61 },
    { name: 'Rotterdam quay', amount: 5000, currency: 'EUR' },
    { name: 'Osaka depot', amount: 5000, currency: 'JPY' },
  ])
  await openAs(page, person, '/crm/deals')
  const value = page.getByRole('definition').getByRole('button')
  const main = page.getByRole('main')
  for (const width of [768, 800, 1024]) {
    await page.setViewportSize({ width, height: 700 })
    await expect(value).toHaveText('£1,000,000,524,477.61 +2')
    const [valueBox, mainBox] = [await value.boundingBox(), await main.boundingBox()]
    if (!valueBox || !mainBox) throw new Error('not on screen')
    expect(valueBox.x - mainBox.x, `the left edge of the value at ${width}`).toBeGreaterThanOrEqual(16)
  }
})

const widthOf = async (element: Locator) => (await element.boundingBox())?.width ?? 0

test('the search of a list, the board and the field of an invitation are wide enough in windows of any width', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Harbour wall', company: 'Bolt' }])
  await page.setViewportSize({ width: 640, height: 700 })
  await openAs(page, person, '/crm/companies')
  const search = page.getByRole('searchbox')
  const frame = search.locator('xpath=..')
  const count = page.getByText('1 company')
  const main = page.getByRole('main')
  for (const width of [640, 700, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 700 })
    await expect.poll(() => widthOf(frame), String(width)).toBeGreaterThanOrEqual(160)
    const [countBox, mainBox] = [await count.boundingBox(), await main.boundingBox()]
    if (!countBox || !mainBox) throw new Error('not on screen')
    const space = mainBox.x + mainBox.width - countBox.x - countBox.width
    expect(space, `right of the count at ${width}`).toBeGreaterThanOrEqual(24)
  }
  await page.setViewportSize({ width: 1024, height: 700 })
  await page.getByRole('link', { name: 'Bolt' }).click()
  await expect(page.getByRole('complementary', { name: 'Company' })).toBeVisible()
  await expect.poll(() => widthOf(frame), 'beside a panel').toBeGreaterThanOrEqual(160)

  await page.setViewportSize({ width: 640, height: 700 })
  await page.goto('/crm/deals')
  await expect.poll(() => widthOf(frame)).toBeGreaterThanOrEqual(160)
  await page.goto('/crm/settings')
  await expect.poll(() => widthOf(page.getByLabel('Email'))).toBeGreaterThanOrEqual(200)
})

test('on the phone, a long name of the brand does not make the logo smaller', async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  const { error } = await person.client
    .from('brands')
    .update({ name: 'The Harbour and River Conservation Partnership of the North' })
    .eq('id', person.brandId)
  expect(error).toBeNull()
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, person)
  const logo = page
    .getByRole('banner')
    .getByRole('button', { name: /Banyan CRM/ })
    .locator('svg')
  await expect.poll(() => widthOf(logo)).toBe(26)
})

/** Returns the box of an element's text: the part that is shown, if the text is cut. */
const textBoxOf = (element: Locator) =>
  element.evaluate((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    const text = range.getBoundingClientRect()
    const box = node.getBoundingClientRect()
    const isCut = getComputedStyle(node).overflowX !== 'visible'
    const right = isCut ? Math.min(text.right, box.right) : text.right
    return { left: text.left, right, top: text.top, bottom: text.bottom }
  })

/** Expects that elements, from left to right, neither overlap nor leave the window. */
async function expectInLine(elements: readonly Locator[], windowWidth: number) {
  let end = 0
  for (const element of elements) {
    const { left, right } = await textBoxOf(element)
    expect(left, await element.innerText()).toBeGreaterThanOrEqual(end)
    end = right
  }
  expect(end).toBeLessThanOrEqual(windowWidth)
}

const navigationLinks = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all()

/** Returns how far the page can be scrolled sideways (px). */
const sidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test("text grows with the browser's font size, and nothing overlaps", async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  const id = await insertRow(person, 'contacts', { first_name: 'Ann', email: 'ann@acme.example', title: 'Buyer' })
  await page.setViewportSize({ width: 390, height: 900 })
  await openAs(page, person, `/crm/contacts/${id}`)
  const panel = page.getByRole('complementary', { name: 'Contact' })
  const label = panel.getByText('Job title', { exact: true })
  const value = panel.getByRole('button', { name: /^Job title: Buyer/ }).getByText('Buyer', { exact: true })
  const icon = label.locator('xpath=preceding-sibling::span').locator('svg')
  await expect(value).toHaveCSS('font-size', '15px')

  const session = await page.context().newCDPSession(page)
  for (const size of [24, 32]) {
    await session.send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } })
    await expect(value).toHaveCSS('font-size', `${(size * 15) / 16}px`)
    await expect(label).toHaveCSS('font-size', `${(size * 13) / 16}px`)
    const [valueBox, labelBox, iconBox] = [await textBoxOf(value), await textBoxOf(label), await icon.boundingBox()]
    const panelBox = await panel.boundingBox()
    const navigationBox = await page.getByRole('navigation', { name: 'Pages' }).boundingBox()
    if (!iconBox || !panelBox || !navigationBox) throw new Error('not on screen')
    expect(labelBox.bottom).toBeLessThanOrEqual(valueBox.top + 1)
    expect(iconBox.x + iconBox.width).toBeLessThanOrEqual(Math.min(labelBox.left, valueBox.left))
    expect(panelBox.y + panelBox.height).toBeLessThanOrEqual(navigationBox.y)
    await expectInLine(await navigationLinks(page), 390)
    expect(await sidewaysScroll(page)).toBe(0)
  }
})

test('on the phone, the long label of a custom field is cut on one line', async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  const text = 'Framework agreement that covers the sites of this contact, and its number'
  await insertRow(person, 'custom_fields', { table: 'contacts', label: text, type: 'text' })
  const id = await insertRow(person, 'contacts', { first_name: 'Ann', email: 'ann@acme.example' })
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, person, `/crm/contacts/${id}`)
  const label = page.getByTitle(text)
  await expect.poll(async () => (await label.boundingBox())?.height).toBe(16)
  expect((await textBoxOf(label)).right).toBeLessThanOrEqual(390 - 32)
  await expect(page.getByRole('button', { name: text })).toBeVisible()
})

test("on the phone, the empty rows of a task's contact and deal are in line with its fields", async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [])
  const id = await insertRow(person, 'tasks', { title: 'Call Ann' })
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, person, `/crm/tasks/${id}`)
  const panel = page.getByRole('complementary', { name: 'Task' })
  const label = panel.getByText('Due date', { exact: true })
  const fieldIcon = await label.locator('xpath=preceding-sibling::span').locator('svg').boundingBox()
  for (const name of ['Contact', 'Deal']) {
    const input = panel.getByRole('combobox', { name, exact: true })
    const row = input.locator('xpath=ancestor::div[contains(@class, "gap-3")][1]')
    expect((await row.locator('svg').first().boundingBox())?.x, name).toBe(fieldIcon?.x)
    const textLeft = await input.evaluate(
      (node) => node.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(node).paddingLeft),
    )
    expect(textLeft, name).toBe((await label.boundingBox())?.x)
  }
})

test('at a page zoom of 200 % on the phone (195 px), texts do not overlap, and no button is cut', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Harbour wall', amount: 123_456_789_012 }])
  await page.setViewportSize({ width: 195, height: 422 })
  await openAs(page, person, '/crm/tasks')
  const main = page.getByRole('main')
  await expect(main.getByRole('tab', { name: 'Completed' })).toBeVisible()
  const banner = page.getByRole('banner')
  const header = [banner.getByRole('button', { name: /^Banyan CRM/ }), banner.getByRole('button', { name: /^All ch/ })]
  for (const line of [header, await main.getByRole('tab').all(), await navigationLinks(page)])
    await expectInLine(line, 195)
  for (const button of await main.getByRole('button').all()) {
    const box = await button.boundingBox()
    expect(box ? box.x + box.width : Infinity, await button.innerText()).toBeLessThanOrEqual(195)
  }

  await page.goto('/crm/deals')
  const column = page.getByRole('region', { name: 'Incoming' })
  const plus = column.getByRole('button', { name: 'New deal in Incoming' })
  const name = cardsOf(page, 'Harbour wall').getByText('Harbour wall', { exact: true })
  await expect(name).toBeVisible()
  expect(await widthOf(name)).toBeGreaterThanOrEqual(70)
  await expectInLine([column.locator('header > .num'), plus], 195)
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Create Deal' })).toBeInViewport({ ratio: 1 })

  await page.setViewportSize({ width: 320, height: 700 })
  await expect(page.locator('nav a', { hasText: 'Companies' }).last()).toHaveCSS('font-size', '12px')
})
