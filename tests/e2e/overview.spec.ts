import type { Locator, Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'
import { insertRow } from './contact-seeds.ts'
import { personWithDeals } from './deal-seeds.ts'

const dayMs = 86_400_000
const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const regionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function filledBrand(server: Parameters<typeof personWithDeals>[0]): Promise<Person> {
  const person = await personWithDeals(server, [
    { name: 'Refit', stage: 'Incoming', amount: 12_400, day: '2099-01-02' },
    { name: 'Pilot', stage: 'Proposal', amount: 3_000, currency: 'EUR' },
    { name: 'Renewal', stage: 'Verbal Yes', amount: 508_250.5, day: '2099-01-01', company: 'Copperline' },
    { name: 'Signed', stage: 'Won', amount: 9_000 },
    { name: 'Gone', stage: 'Lost', amount: 7_000 },
  ])
  await insertRow(person, 'contacts', { email: 'a@b.example' })
  await insertRow(person, 'contacts', { email: 'c@d.example' })
  await insertRow(person, 'tasks', { title: 'Late', due_at: fromNow(-2 * dayMs) })
  await insertRow(person, 'tasks', { title: 'Soon', due_at: fromNow(6.9 * dayMs) })
  await insertRow(person, 'tasks', { title: 'Later', due_at: fromNow(7.1 * dayMs) })
  await insertRow(person, 'tasks', { title: 'Some day' })
  const id = await insertRow(person, 'tasks', { title: 'Done', due_at: fromNow(dayMs) })
  await person.client.from('tasks').update({ status: 'done' }).eq('brand_id', person.brandId).eq('id', id)
  return person
}

test("spec 2: /crm/overview: 'Dashboard Overview' with six stat cards: Active Deals, Pipeline Value (pounds, thousands separators), Total Contacts, Companies, Open Tasks, Due This Week.", async ({
  page,
  server,
}) => {
  await openAs(page, await filledBrand(server), '/crm/overview')
  await expect(page.getByRole('heading', { name: 'Dashboard Overview', exact: true })).toBeVisible()
  for (const [name, figure] of [
    ['Active Deals', '3'],
    ['Pipeline Value', '£520,650.50'],
    ['Total Contacts', '2'],
    ['Companies', '1'],
    ['Open Tasks', '4'],
  ] as const) {
    await expect(regionOf(page, name).getByText(figure, { exact: true })).toBeVisible()
  }
  await expect(regionOf(page, 'Pipeline Value')).toContainText('+ €3,000')
  await expect(regionOf(page, 'Open Tasks')).toContainText('1 overdue')
})

test('spec 9: Due This Week: open tasks due within 7 days from now.', async ({ page, server }) => {
  await openAs(page, await filledBrand(server), '/crm/overview')
  await expect(regionOf(page, 'Due This Week').getByText('1', { exact: true })).toBeVisible()
})

test('spec 2: /crm/overview: six stat cards, each with a loading placeholder', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const release = await holdRequests(page, '**/rpc/{pull,read_queries}')
  await openAs(page, person, '/crm/overview')
  await expect(page.locator('[data-placeholder]:visible')).toHaveCount(6)
  await expect(regionOf(page, 'Active Deals')).toBeVisible()
  release()
  await expect(regionOf(page, 'Active Deals').getByText('0', { exact: true })).toBeVisible()
  await expect(page.locator('[data-placeholder]')).toHaveCount(0)
})

test('spec 2: /crm/overview: Quick Actions open dialogs: Add Contact, Create Deal, Add Company, New Task.', async ({
  page,
  server,
}) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/overview')
  await expect(page.getByRole('heading', { name: 'Quick Actions' })).toBeVisible()
  for (const [action, title] of [
    ['Add Contact', 'Add Contact'],
    ['Create Deal', 'New Deal'],
    ['Add Company', 'Add Company'],
    ['New Task', 'New Task'],
  ] as const) {
    const button = page.getByRole('button', { name: action, exact: true })
    await button.click()
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(button).toBeFocused()
  }
})

test("spec 8: Company: success 'Company added successfully!' from the overview (and the figures count each added record)", {
  tag: '@long',
}, async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/overview')
  await expect(regionOf(page, 'Companies').getByText('0', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Add Company' }).click()
  await page.getByLabel('Company name').fill('Acme')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Company added successfully!')
  await expect(regionOf(page, 'Companies').getByText('1', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Add Contact' }).click()
  await page.getByLabel('Email').fill('ana@acme.example')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Contact added')
  await expect(regionOf(page, 'Total Contacts').getByText('1', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Create Deal' }).click()
  await page.getByLabel('Deal name').fill('Refit')
  await page.getByLabel('Amount').fill('1250')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Deal created')
  await expect(regionOf(page, 'Pipeline Value').getByText('£1,250', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'New Task' }).click()
  await page.getByLabel('Task title').fill('Call')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Task created')
  await expect(regionOf(page, 'Open Tasks').getByText('1', { exact: true })).toBeVisible()
})

test('spec 4: Only open tasks are counted on the dashboard.', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'tasks', { title: 'Call Margaret', due_at: fromNow(dayMs) })
  await openAs(page, person, '/crm/overview')
  await expect(regionOf(page, 'Open Tasks').getByText('1', { exact: true })).toBeVisible()
  await regionOf(page, 'Tasks due').getByRole('checkbox', { name: 'Complete Call Margaret' }).check()
  await expect(toastOf(page)).toContainText('Task completed!')
  await expect(regionOf(page, 'Open Tasks').getByText('0', { exact: true })).toBeVisible()
  await expect(regionOf(page, 'Due This Week').getByText('0', { exact: true })).toBeVisible()
})

test('the overview shows the pipeline by stage, the deals that close next, and the due tasks', async ({
  page,
  server,
}) => {
  await openAs(page, await filledBrand(server), '/crm/overview')
  const pipeline = regionOf(page, 'Pipeline by stage').getByRole('listitem')
  await expect(pipeline).toHaveCount(6)
  await expect(pipeline.nth(0)).toContainText('Incoming')
  await expect(pipeline.nth(0)).toContainText('£12,400')
  await expect(pipeline.nth(2)).toContainText('€3,000')
  const closing = regionOf(page, 'Closing next').getByRole('listitem')
  await expect(closing).toHaveCount(2)
  for (const fact of ['1 Jan 2099', 'Renewal', 'Copperline', 'Verbal Yes', '£508,250.50']) {
    await expect(closing.first()).toContainText(fact)
  }
  const due = regionOf(page, 'Tasks due').getByRole('listitem')
  await expect(due.first()).toContainText('Late')
  await expect(due.first()).toContainText('(Overdue)')
  await regionOf(page, 'Tasks due').getByRole('link', { name: 'All tasks' }).click()
  await expect(page).toHaveURL(/\/crm\/tasks$/)
})

test("on the phone, a long name under 'Closing next' is shortened with an ellipsis", { tag: '@long' }, async ({
  page,
  server,
}) => {
  const name = 'Refit of the harbour wall between the old lighthouse and the ferry'
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, await personWithDeals(server, [{ name, day: '2099-01-01' }]), '/crm/overview')
  const link = regionOf(page, 'Closing next').getByRole('link', { name })
  await expect(link).toBeVisible()
  const overflow = await link.evaluate((element) => {
    const { textOverflow, overflowX } = getComputedStyle(element)
    return { textOverflow, overflowX, isCut: element.scrollWidth > element.clientWidth }
  })
  expect(overflow).toEqual({ textOverflow: 'ellipsis', overflowX: 'hidden', isCut: true })
})

test('every currency of a stage has its bar and its amount, on the desktop and on the phone', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [
    { name: 'Refit', stage: 'Incoming', amount: 5_000 },
    { name: 'Boston pilot', stage: 'Incoming', amount: 1_230_000, currency: 'USD' },
    { name: 'Quay', stage: 'Proposal', amount: 12_000, currency: 'EUR' },
    { name: 'Depot', stage: 'Proposal', amount: 20_000 },
  ])
  await openAs(page, person, '/crm/overview')
  const [incoming, proposal] = [0, 2].map((index) =>
    regionOf(page, 'Pipeline by stage').getByRole('listitem').nth(index),
  )
  if (!incoming || !proposal) throw new Error('unreachable')
  await expect(incoming).toHaveText(/2£5,000\$1,230,000$/)
  await expect(proposal).toHaveText(/2£20,000€12,000$/)
  const widthOf = async (bar: Locator) => (await bar.boundingBox())?.width ?? 0
  const fullWidth = await widthOf(proposal.locator('[data-bar=GBP]'))
  expect(await widthOf(proposal.locator('[data-bar=EUR]'))).toBeCloseTo(fullWidth, 0)
  expect(await widthOf(incoming.locator('[data-bar=USD]'))).toBeCloseTo(fullWidth, 0)
  expect(await widthOf(incoming.locator('[data-bar=GBP]'))).toBeCloseTo(fullWidth / 4, 0)
  await page.setViewportSize({ width: 390, height: 844 })
  await incoming.scrollIntoViewIfNeeded()
  for (const amount of ['£5,000', '$1,230,000']) await expect(incoming.getByText(amount)).toBeInViewport()
})

test('the overview has no accessibility violations, on the desktop and on the phone', { tag: '@long' }, async ({
  page,
  server,
}) => {
  await openAs(page, await filledBrand(server), '/crm/overview')
  await regionOf(page, 'Tasks due').getByRole('checkbox').first().waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})
