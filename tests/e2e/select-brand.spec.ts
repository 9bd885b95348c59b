import { randomUUID } from 'node:crypto'
import {
  createBrand,
  createPerson,
  expect,
  expectAccessible,
  openAs,
  type Person,
  signInByScreen,
  test,
  toastOf,
} from '../harness/browser.ts'
import { addApp } from '../harness/person-with-app.ts'

/** Creates a member of ana's brand who also owns another brand. Returns this person, and the names of ana's and of the own brand. */
async function personOfTwoBrands(
  server: Parameters<typeof createPerson>[0],
): Promise<{ person: Person; names: string[] }> {
  const ana = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const person = await createPerson(server, { name: 'bo', brand: 'Larkspur' })
  const { error } = await ana.client.rpc('add_brand_member_by_email', {
    p_brand_id: ana.brandId,
    p_email: person.email,
    p_role: 'member',
  })
  expect(error).toBeNull()
  return { person, names: [ana.brandName, person.brandName] }
}

test('spec 2: /select-brand: Unauthenticated users go to /auth', async ({ page }) => {
  await page.goto('/select-brand')
  await expect(page).toHaveURL(/\/auth$/)
})

test("spec 2: /select-brand: With no memberships: 'Welcome to Banyan CRM' and 'Create Your First Brand' (name input, Create Brand, Cancel)", async ({
  page,
  server,
}) => {
  await openAs(page, await createPerson(server), '/select-brand')
  await expect(page.getByRole('heading', { name: 'Welcome to Banyan CRM', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Create Your First Brand', exact: true })).toBeVisible()
  await expect(page.getByLabel('Brand name')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Create Brand' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await expectAccessible(page)
})

test('Cancel closes the brand form and clears it', { tag: '@long' }, async ({ page, server }) => {
  await openAs(page, await createPerson(server), '/select-brand')
  await page.getByLabel('Brand name').fill('Fathom & Field')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Brand name')).toBeHidden()
  await page.getByRole('button', { name: 'Create Your First Brand', exact: true }).click()
  await expect(page.getByLabel('Brand name')).toHaveValue('')
})

test('spec 2: /select-brand: Enter submits', async ({ page, server }) => {
  await openAs(page, await createPerson(server), '/select-brand')
  const name = `Fathom & Field ${randomUUID().slice(0, 6)}`
  await page.getByLabel('Brand name').fill(name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByRole('banner')).toContainText(name)
})

test("spec 8: Brand: success 'Brand created successfully!'", async ({ page, server }) => {
  await openAs(page, await createPerson(server), '/select-brand')
  await page.getByLabel('Brand name').fill(`Tern & Tide ${randomUUID().slice(0, 6)}`)
  await page.getByRole('button', { name: 'Create Brand' }).click()
  await expect(toastOf(page)).toContainText('Brand created successfully!')
})

test('spec 4: After a brand is created the page reloads', async ({ page, server }) => {
  await openAs(page, await createPerson(server), '/select-brand')
  // The old page stays active until the response to the reload arrives, here for half a second. It must not open the brand in that time.
  await page.route('**/select-brand', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await page.evaluate(() => {
    Object.assign(globalThis, { before: true })
    const originalReplaceState = history.replaceState.bind(history)
    history.replaceState = (...given) => {
      sessionStorage.setItem('opened before the reload', String(given[2]))
      originalReplaceState(...given)
    }
  })
  await page.getByLabel('Brand name').fill(`Reload ${randomUUID().slice(0, 6)}`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(toastOf(page)).toContainText('Brand created successfully!')
  expect(await page.evaluate(() => 'before' in globalThis)).toBe(false)
  expect(await page.evaluate(() => sessionStorage.getItem('opened before the reload'))).toBeNull()
})

test('in each brand that a person creates, the person is asked once for the name that colleagues see', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server)
  await openAs(page, person, '/select-brand')
  const brandName = `Asked ${randomUUID().slice(0, 6)}`
  await page.getByLabel('Brand name').fill(brandName)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/crm\/overview$/)
  const name = page.getByRole('textbox', { name: /^What do your colleagues call you\?/ })
  await expect(name).toBeVisible()
  const switchBrand = () => page.getByRole('banner').getByTitle('Switch Brand').locator('visible=true').click()
  await switchBrand()
  await page.getByRole('button', { name: 'New brand' }).click()
  await page.getByLabel('Brand name').fill(`Skipped ${randomUUID().slice(0, 6)}`)
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').filter({ hasText: 'Skipped' }).getByRole('button').click()
  await page.getByRole('button', { name: 'Skip', exact: true }).click()
  await expect(name).toHaveCount(0)
  await switchBrand()
  await page.getByRole('listitem').filter({ hasText: brandName }).getByRole('button').click()
  await name.fill('Ida Holm')
  await expect(name).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeInViewport()
  await expectAccessible(page)
  await name.press('Enter')
  await expect(name).toHaveCount(0)
  const { data } = await person.client.from('memberships').select('display_name').eq('display_name', 'Ida Holm')
  expect(data).toHaveLength(1)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Total Contacts' })).toBeVisible()
  await expect(name).toHaveCount(0)
})

test("spec 5: Create brand: name required ('Brand name required')", async ({ page, server }) => {
  await openAs(page, await createPerson(server), '/select-brand')
  await page.getByLabel('Brand name').fill('   ')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Brand name')).toHaveAccessibleDescription('Brand name required')
  await expectAccessible(page)
})

test("spec 8: Brand duplicate (code 23505 or message containing 'duplicate key value'): 'Brand name already exists' / 'Please choose a different name.'", async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Taken' })
  await openAs(page, await createPerson(server), '/select-brand')
  await page.getByLabel('Brand name').fill(ana.brandName)
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Brand name already exists')
  await expect(toastOf(page)).toContainText('Please choose a different name.')
  await expect(page.getByLabel('Brand name')).toHaveValue(ana.brandName)
})

test("spec 8: Other brand failure: 'Error creating brand' with message", async ({ page, server }) => {
  await openAs(page, await createPerson(server), '/select-brand')
  await page.route('**/rest/v1/brands*', (route) =>
    route.fulfill({
      status: 400,
      json: { code: '23514', message: 'The name is not allowed', details: null, hint: null },
    }),
  )
  await page.getByLabel('Brand name').fill('Nope')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Error creating brand')
  await expect(toastOf(page)).toContainText('The name is not allowed')
  await expect(page.getByRole('button', { name: 'Create Brand' })).toBeEnabled()
})

test("spec 2: /select-brand: With memberships: 'Select a Brand' cards showing brand name and the user's role (capitalised) and an 'Open Dashboard' button", async ({
  page,
  server,
}) => {
  const { person, names } = await personOfTwoBrands(server)
  await openAs(page, person, '/select-brand')
  await expect(page.getByRole('heading', { level: 1, name: 'Select a Brand', exact: true })).toBeVisible()
  const cards = page.getByRole('listitem')
  await expect(cards).toHaveCount(2)
  await expect(cards.filter({ hasText: names[0] }).getByText('Member', { exact: true })).toBeVisible()
  await expect(cards.filter({ hasText: names[1] }).getByText('Owner', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await cards.filter({ hasText: names[1] }).getByRole('button', { name: 'Open Dashboard', exact: true }).click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByRole('banner')).toContainText(names[1] ?? '')
})

test('spec 2: /select-brand: A user with exactly one membership is auto-selected and sent to /crm/overview', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Only' })
  await page.goto('/auth')
  await signInByScreen(page, ana.email, ana.password)
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByRole('banner')).toContainText(ana.brandName)
})

test("for a person with one brand, 'Switch Brand' shows that brand and 'New brand'; Back and URLs of pages open the brand again", {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Only' })
  await openAs(page, ana, '/crm/tasks')
  const openButton = page.getByRole('listitem').filter({ hasText: ana.brandName }).getByRole('button')
  await page.getByRole('banner').getByTitle('Switch Brand').locator('visible=true').click()
  await expect(openButton).toBeFocused()
  await expect(page).toHaveURL(/\/select-brand$/)
  await expect(page.getByRole('button', { name: 'New brand' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Switch Brand' }).click()
  await expect(openButton).toBeFocused()
  await page.goBack()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByRole('banner')).toContainText(ana.brandName)
  await page.getByRole('banner').getByTitle('Switch Brand').locator('visible=true').click()
  await expect(openButton).toBeFocused()
  await page.goto('/crm/tasks')
  await expect(page).toHaveURL(/\/crm\/tasks$/)
})

test('if a person without a brand is added to one while /select-brand is open, the brand opens when the page gets the focus', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server)
  await openAs(page, ana, '/select-brand')
  await expect(page.getByRole('heading', { name: 'Welcome to Banyan CRM' })).toBeVisible()
  const owner = await createPerson(server, { name: 'owner', brand: 'Larkspur' })
  const args = { p_brand_id: owner.brandId, p_email: ana.email, p_role: 'member' }
  expect((await owner.client.rpc('add_brand_member_by_email', args)).error).toBeNull()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByRole('banner')).toContainText(owner.brandName)
})

test('spec 4: The last active brand id is stored locally and restored on load', async ({ page, server }) => {
  const { person, names } = await personOfTwoBrands(server)
  await openAs(page, person, '/select-brand')
  await page.getByRole('listitem').filter({ hasText: names[0] }).getByRole('button', { name: 'Open Dashboard' }).click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await page.reload()
  await expect(page.getByRole('banner')).toContainText(names[0] ?? '')
  const secondPage = await page.context().newPage()
  await secondPage.goto('/crm/overview')
  await expect(secondPage.getByRole('banner')).toContainText(names[0] ?? '')
})

test('offline, a single stored brand opens without waiting for the server, and several are listed', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person)
  const offlinePage = await page.context().newPage()
  await offlinePage.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }))
  // The server never answers.
  await offlinePage.route(/\/(rest|auth)\/v1\//, () => {})
  await offlinePage.goto('/')
  await expect(offlinePage.getByRole('heading', { level: 1 })).toHaveText('Dashboard Overview')

  await createBrand(person, 'Umbra')
  await page.goto('/select-brand')
  await expect(page.getByRole('listitem')).toHaveCount(2)
  await offlinePage.goto('/')
  await expect(offlinePage.getByRole('listitem')).toHaveCount(2)
})

test("'New brand' on /select-brand creates another brand", { tag: '@long' }, async ({ page, server }) => {
  const { person } = await personOfTwoBrands(server)
  await openAs(page, person, '/select-brand')
  await page.getByRole('button', { name: 'New brand' }).click()
  await expect(page.getByRole('dialog', { name: 'New brand' })).toBeVisible()
  await expect(page.getByLabel('Brand name')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'New brand' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByLabel('Brand name').fill(`Third ${randomUUID().slice(0, 6)}`)
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Brand created successfully!')
  await expect(page.getByRole('listitem')).toHaveCount(3)
})

test('Sign Out on /select-brand goes to /auth', { tag: '@long' }, async ({ page, server }) => {
  const person = await createPerson(server)
  await openAs(page, person, '/select-brand')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await page.goto('/select-brand')
  await expect(page).toHaveURL(/\/auth$/)
})

test('an ended session on /select-brand shows the sign-in page, and not the form for a first brand', async ({
  page,
  server,
}) => {
  const { person, names } = await personOfTwoBrands(server)
  await openAs(page, person, '/select-brand')
  await expect(page.getByText(names[1] ?? '')).toBeVisible()
  await server.database?.owner.query('delete from auth.sessions where user_id = $1', [person.userId])
  await page.reload()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(/\/select-brand$/)
  await expect(page.getByText(names[1] ?? '')).toBeVisible()
})

test('a brand that an ended session may not create is refused with the reason, and the sign-in page follows', async ({
  page,
  server,
}) => {
  const person = await createPerson(server)
  await openAs(page, person, '/select-brand')
  await page.getByLabel('Brand name').fill(`Fathom & Field ${randomUUID().slice(0, 6)}`)
  await server.database?.owner.query('delete from auth.sessions where user_id = $1', [person.userId])
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Your session has ended. Sign in again.')
  await page.getByRole('heading', { name: 'Welcome to Banyan CRM', exact: true }).click()
  await expect(page).toHaveURL(/\/auth$/)
})

for (const path of ['/select-brand', '/account', '/auth/reset', '/auth/code']) {
  test(`Sign Out in another tab leads from ${path} to /auth`, async ({ page, server }) => {
    const person = await createPerson(server)
    if (path === '/auth/code') await addApp(person.client)
    await openAs(page, person, path)
    const secondPage = await page.context().newPage()
    await secondPage.goto(path)
    await secondPage.getByRole('button', { name: 'Sign Out' }).click()
    await expect(secondPage).toHaveURL(/\/auth$/)
    await expect(page).toHaveURL(/\/auth$/)
    await expect(page.getByLabel('Email')).toBeVisible()
  })
}

test("other people's brands are not shown", { tag: '@long' }, async ({ page, server }) => {
  const ana = await createPerson(server)
  await createBrand(ana, 'Private')
  await openAs(page, await createPerson(server), '/select-brand')
  await expect(page.getByRole('heading', { name: 'Create Your First Brand', exact: true })).toBeVisible()
  await expect(page.getByText(ana.brandName)).toHaveCount(0)
})
