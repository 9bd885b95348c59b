import { createPerson, expect, openAs, test } from '../harness/browser.ts'

const pages = [
  ['/crm/overview', 'Dashboard Overview'],
  ['/crm/deals', 'Deals Pipeline'],
  ['/crm/contacts', 'Contacts'],
  ['/crm/import-contacts', 'Import'],
  ['/crm/companies', 'Companies'],
  ['/crm/tasks', 'Tasks'],
  ['/crm/settings', 'Settings'],
] as const

test('spec 2: /crm/*: Layout with header (product title, active brand name, menu) and sidebar, on every page', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Acme' })
  await openAs(page, person)
  for (const [path, title] of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByRole('banner').getByText('Banyan CRM').first()).toBeVisible()
    await expect(page.getByRole('banner').getByText(person.brandName).first()).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link')).toHaveCount(6)
    await page.getByRole('button', { name: /^Account/ }).click()
    for (const item of ['Switch Brand', 'Sign Out']) {
      await expect(page.getByRole('menuitem', { name: item })).toBeVisible()
    }
  }
})

test('spec 2: /crm/*: Nested page /crm/import-contacts also exists.', async ({ page, server }) => {
  await page.goto('/crm/import-contacts')
  await expect(page).toHaveURL(/\/auth$/)
  await openAs(page, await createPerson(server, { brand: 'Acme' }), '/crm/import-contacts')
  await expect(page.getByRole('button', { name: 'Choose File' })).toBeVisible()
})

test("spec 2: /crm/*: 'Switch Brand' clears the active brand and goes to /select-brand (every page then leads there)", async ({
  page,
  server,
}) => {
  const owner = await createPerson(server, { brand: 'Acme' })
  const person = await createPerson(server, { brand: 'Bolt' })
  const args = { p_brand_id: owner.brandId, p_email: person.email, p_role: 'member' }
  expect((await owner.client.rpc('add_brand_member_by_email', args)).error).toBeNull()
  await openAs(page, person, '/select-brand')
  await page.getByRole('button', { name: 'Open Dashboard' }).first().click()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Switch Brand', exact: true }).click()
  await expect(page).toHaveURL(/\/select-brand$/)
  for (const [path] of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Select a Brand' })).toBeVisible()
    await expect(page).toHaveURL(/\/select-brand$/)
  }
})

test('spec 8: Unknown route: 404 page', { tag: '@long' }, async ({ page, server }) => {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  for (const path of ['/nowhere', '/auth/more', '/crm/deals/extra', '/select-brand/1']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Return to Home' })).toBeVisible()
    expect(lines.join('\n')).toContain(path)
  }
})
