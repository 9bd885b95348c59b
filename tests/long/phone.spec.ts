import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, type Person, test } from '../harness/browser.ts'
import { layoutShift, watchLayoutShift } from '../harness/layout-shift.ts'
import { sidewaysScroll, smallTargets } from '../harness/phone-page.ts'
import type { TestServer } from '../harness/server.ts'
import { insertRow } from '../e2e/contact-seeds.ts'

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

interface PersonWithRecords extends Person {
  ids: { deals: string; contacts: string; companies: string; tasks: string }
}

/** Creates a brand with a record of each noun, whose name or e-mail address is too long to fit. Returns the owner, with the records' ids. */
async function personWithRecords(server: TestServer): Promise<PersonWithRecords> {
  const person = await createPerson(server, { brand: 'Harbour and Sons Shipping Company of Bristol' })
  const longText = 'Extraordinarily long description of something that nobody wanted to shorten'
  const companyId = await insertRow(person, 'companies', {
    name: longText,
    website: 'https://example.com/a/b',
    phone: '1',
  })
  const contact = { email: 'margaret.featherstonehaugh@lindenhealthtrust.example', phone: '+44 117 496 0725' }
  const contactId = await insertRow(person, 'contacts', { ...contact, first_name: 'Margaret', company_id: companyId })
  const { data } = await person.client.from('deal_stages').select('id').order('position').limit(1).single()
  const links = { contact_id: contactId, company_id: companyId }
  const dealId = await insertRow(person, 'deals', { name: longText, stage_id: data?.id, amount: 1_234_567.5, ...links })
  const due_at = new Date(Date.now() - 72 * 3_600_000).toISOString()
  const taskId = await insertRow(person, 'tasks', { title: longText, due_at, contact_id: contactId, deal_id: dealId })
  return { ...person, ids: { deals: dealId, contacts: contactId, companies: companyId, tasks: taskId } }
}

async function expectFit(page: Page, what: string): Promise<void> {
  for (const width of [360, 390, 430]) {
    await page.setViewportSize({ width, height: 740 })
    expect.soft(await sidewaysScroll(page), `${what}, ${width} wide`).toEqual([])
  }
  await page.setViewportSize({ width: 360, height: 740 })
  expect.soft(await smallTargets(page), what).toEqual([])
}

const waitForNavigation = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).waitFor()

test('lists have no sideways scrolling and touch targets of at least 44 px, at widths of 360 to 430 px', async ({
  page,
  server,
}) => {
  const person = await personWithRecords(server)
  await openAs(page, person, '/crm/overview')
  for (const [path, visibleText] of [
    ['overview', 'Quick Actions'],
    ['deals', 'Extraordinarily'],
    ['contacts', 'Margaret'],
    ['companies', 'Extraordinarily'],
    ['tasks', 'Extraordinarily'],
  ] as const) {
    await page.goto(`/crm/${path}`)
    await expect(page.getByRole('main').getByText(visibleText).first()).toBeVisible()
    await expectFit(page, path)
  }
})

test('settings, import, the account menu, the 404 page and the sign-in have no sideways scrolling, and touch targets of at least 44 px', async ({
  page,
  server,
}) => {
  const person = await personWithRecords(server)
  await page.goto('/auth')
  await expect(page.getByLabel('Email')).toBeVisible()
  await expectFit(page, 'auth')
  await openAs(page, person, '/crm/settings')
  await expect(page.getByRole('main').getByText('Current Members (1)')).toBeVisible()
  // The cards of the stages and tags appear after the members.
  await expect(page.getByRole('button', { name: 'Move Incoming' })).toBeVisible()
  await expect(page.getByRole('main').locator('[aria-busy]')).toHaveCount(0)
  await expectFit(page, 'settings')
  for (const [path, visibleText] of [
    ['settings?tab=brand', 'Delete'],
    ['settings?tab=security', 'Password'],
    ['import-contacts', 'Choose File'],
  ] as const) {
    await page.goto(`/crm/${path}`)
    await expect(page.getByRole('main').getByText(visibleText).first()).toBeVisible()
    await expectFit(page, path)
  }
  await page.getByRole('button', { name: /^Account/ }).tap()
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
  await expectFit(page, 'menu')
  await page.goto('/nowhere')
  await expect(page.getByText('Oops! Page not found')).toBeVisible()
  await expectFit(page, '404')
})

test('dialogs, shown as sheets on the phone, have no sideways scrolling, and touch targets of at least 44 px', async ({
  page,
  server,
}) => {
  await openAs(page, await personWithRecords(server), '/crm/deals')
  for (const [path, button] of [
    ['deals', 'New Deal'],
    ['contacts', 'Add Contact'],
    ['companies', 'Add Company'],
    ['tasks', 'New Task'],
  ] as const) {
    await page.goto(`/crm/${path}`)
    await page.getByRole('button', { name: button, exact: true }).filter({ visible: true }).first().tap()
    await expect(page.getByRole('dialog', { name: button })).toBeVisible()
    await page
      .getByRole('dialog')
      .evaluate((dialog) => Promise.all(dialog.getAnimations().map((each) => each.finished)))
    await expectFit(page, button)
  }
})

test('a record, shown on the phone as its own page above the navigation, has no sideways scrolling, and touch targets of at least 44 px', async ({
  page,
  server,
}) => {
  const person = await personWithRecords(server)
  await openAs(page, person, '/crm/tasks')
  for (const [list, id] of Object.entries(person.ids)) {
    await page.goto(`/crm/${list}/${id}`)
    const panel = page.locator('[data-panel]')
    await expect(panel.getByText(/Created/)).toBeVisible()
    await expectFit(page, list)
    const [box, nav] = [
      await panel.boundingBox(),
      await page.getByRole('navigation', { name: 'Pages', includeHidden: true }).last().boundingBox(),
    ]
    expect(box?.width).toBe(360)
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBeLessThanOrEqual(Math.round(nav?.y ?? 0) + 1)
    await panel.getByRole('button', { name: 'Back' }).tap()
    await expect(panel).toHaveCount(0)
  }
})

test("while 'Mine' is on, its button stays visible at every stage of the board, also at the last one", async ({
  page,
  server,
}) => {
  await openAs(page, await personWithRecords(server), '/crm/deals')
  const mineButton = page.getByRole('button', { name: 'Mine' })
  const stages = page.getByRole('navigation', { name: 'Stages' })
  await mineButton.tap()
  await expect(mineButton).toHaveAttribute('aria-pressed', 'true')
  await stages.getByRole('button', { name: /Lost/ }).tap()
  await expect(stages.getByRole('button', { name: /Lost/ })).toHaveAttribute('aria-current', 'true')
  await expect(stages.getByRole('button', { name: /Lost/ })).toBeInViewport({ ratio: 1 })
  await expect(mineButton).toBeInViewport({ ratio: 1 })
  await mineButton.tap()
  await expect(mineButton).not.toBeInViewport()
})

test('a field of a panel is 52 px high and contains its label; a tap on the label edits it', async ({
  page,
  server,
}) => {
  const person = await personWithRecords(server)
  await openAs(page, person, `/crm/contacts/${person.ids.contacts}`)
  const panel = page.locator('[data-panel]')
  const phoneButton = panel.getByRole('button', { name: /^Phone: .*Edit$/ })
  await expect(phoneButton).toBeVisible()
  const label = await panel.getByText('Phone', { exact: true }).boundingBox()
  const box = await phoneButton.boundingBox()
  if (!label || !box) throw new Error('not laid out')
  expect(box.height).toBe(52)
  expect(label.y).toBeGreaterThan(box.y)
  expect(label.y + label.height).toBeLessThanOrEqual(box.y + box.height)
  await page.touchscreen.tap(label.x + 4, label.y + 4)
  const field = panel.getByRole('textbox', { name: 'Phone' })
  await expect(field).toBeFocused()
  await expect.poll(async () => (await field.boundingBox())?.height).toBe(52)
})

test('on a low screen the deal panel scrolls: the card with contact and company keeps its height', async ({
  page,
  server,
}) => {
  const person = await personWithRecords(server)
  await page.setViewportSize({ width: 360, height: 480 })
  await openAs(page, person, `/crm/deals/${person.ids.deals}`)
  const panel = page.locator('[data-panel]')
  const tasks = await panel.getByRole('heading', { name: 'Tasks' }).boundingBox()
  for (const name of ['Contact', 'Company']) {
    const row = await panel.getByRole('combobox', { name }).boundingBox()
    if (!row || !tasks) throw new Error('not laid out')
    expect(row.y + row.height, name).toBeLessThanOrEqual(tasks.y)
  }
})

test('each field opens the matching on-screen keyboard', async ({ page, server }) => {
  const person = await personWithRecords(server)
  await openAs(page, person, '/crm/deals')
  const openForm = async (path: string, button: string) => {
    await page.goto(`/crm/${path}`)
    await page.getByRole('button', { name: button, exact: true }).filter({ visible: true }).first().tap()
    await expect(page.getByRole('dialog', { name: button })).toBeVisible()
    return page.getByRole('dialog')
  }
  const deal = await openForm('deals', 'New Deal')
  await expect(deal.getByLabel('Amount')).toHaveAttribute('inputmode', 'text')
  await expect(deal.getByLabel('Expected close date')).toHaveAttribute('inputmode', 'text')
  const contact = await openForm('contacts', 'Add Contact')
  await expect(contact.getByLabel('Email')).toHaveAttribute('type', 'email')
  const company = await openForm('companies', 'Add Company')
  await expect(company.getByLabel('Phone')).toHaveAttribute('type', 'tel')
  await expect(company.getByLabel('Website')).toHaveAttribute('inputmode', 'url')
  const task = await openForm('tasks', 'New Task')
  await expect(task.getByLabel('Due date')).toHaveAttribute('inputmode', 'text')
  await page.goto('/crm/contacts')
  await expect(page.getByRole('searchbox').first()).toHaveAttribute('enterkeyhint', 'search')
  for (const field of await page.getByRole('textbox').all()) {
    await expect(field).toHaveAttribute('autocomplete', /./)
  }
})

test('a notch and a gesture bar of the phone cover no element of the page', async ({ page, server }) => {
  const person = await personWithRecords(server)
  await openAs(page, person, '/crm/tasks')
  await waitForNavigation(page)
  const session = await page.context().newCDPSession(page)
  const top = async () => (await page.getByText('Banyan CRM').filter({ visible: true }).first().boundingBox())?.y ?? 0
  const bottom = async () => {
    const box = await page.getByRole('link', { name: 'Tasks', exact: true }).last().boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  const [topBefore, bottomBefore] = [await top(), await bottom()]
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34 } })
  await expect.poll(top).toBeCloseTo(topBefore + 47, 0)
  await expect.poll(bottom).toBeCloseTo(bottomBefore - 34, 0)
})

test('a list keeps its scroll position while a record is opened and closed, and the focus returns', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const rows = Array.from({ length: 60 }, (_, index) => ({ brand_id: person.brandId, title: `Task ${index + 1}.` }))
  expect((await person.client.from('tasks').insert(rows)).error).toBeNull()
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('link', { name: /^Task/ }).first().waitFor()
  const list = page.getByRole('tabpanel').locator('..')
  const top = () => list.evaluate((element) => element.scrollTop)
  await list.evaluate((element) => element.scrollTo(0, 1500))
  await page.reload()
  await page.getByRole('link', { name: /^Task/ }).first().waitFor()
  for (const targetTop of [0, 900]) {
    await list.evaluate((element, to) => element.scrollTo(0, to), targetTop)
    await expect.poll(async () => Math.abs((await top()) - targetTop)).toBeLessThan(50)
    const linkInSight = page.getByRole('link', { name: /^Task/ }).nth(6)
    // Rows of the old scroll position may still be rendered: waits until the chosen row is visible.
    await expect(linkInSight).toBeInViewport()
    const title = (await linkInSight.textContent()) ?? ''
    await page.getByRole('link', { name: title, exact: true }).tap()
    await expect(page.locator('[data-panel]')).toContainText(title)
    const scrollTopBefore = await top()
    await page.keyboard.press('Escape')
    await expect(page.locator('[data-panel]')).toHaveCount(0)
    await expect(page.getByRole('link', { name: title, exact: true })).toBeFocused()
    expect(Math.abs((await top()) - scrollTopBefore)).toBeLessThan(10)
  }
})

for (const [name, size] of [
  ['phone', { width: 390, height: 844 }],
  ['desk', { width: 1440, height: 900 }],
] as const) {
  test(`the layout shifts by at most 0.02 while a page loads: ${name}`, async ({ page, server }) => {
    await page.setViewportSize(size)
    const person = await personWithRecords(server)
    await watchLayoutShift(page)
    await openAs(page, person, '/crm/overview')
    // The very first visit: the device has the session, and no row yet.
    await waitForNavigation(page)
    await page.waitForLoadState('networkidle')
    const firstVisit = await layoutShift(page)
    expect.soft(firstVisit.sum, `first visit: ${firstVisit.shifts.join('\n')}`).toBeLessThanOrEqual(0.02)
    const paths = ['overview', 'deals', 'contacts', 'companies', 'tasks', 'settings', 'import-contacts']
    for (const path of [...paths, `tasks/${person.ids.tasks}`, `deals/${person.ids.deals}`]) {
      await page.goto(`/crm/${path}`)
      await waitForNavigation(page)
      await page.waitForLoadState('networkidle')
      const { sum, shifts } = await layoutShift(page)
      expect.soft(sum, `${path}: ${shifts.join('\n')}`).toBeLessThanOrEqual(0.02)
    }
  })
}
