import { randomUUID } from 'node:crypto'
import { authRequest } from '../harness/auth-request.ts'
import { holdRequests } from '../harness/held-requests.ts'
import {
  createBrand,
  createPerson,
  expect,
  expectAccessible,
  openAs,
  signInByScreen,
  test,
  toastOf,
} from '../harness/browser.ts'

const pages = [
  ['Overview', '/crm/overview'],
  ['Deals', '/crm/deals'],
  ['Contacts', '/crm/contacts'],
  ['Companies', '/crm/companies'],
  ['Tasks', '/crm/tasks'],
  ['Settings', '/crm/settings'],
] as const

test('spec 2: /crm/*: Redirects to /auth if not signed in', async ({ page }) => {
  for (const [, path] of pages) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/auth$/)
  }
})

test('spec 2: /crm/*: Redirects to /select-brand if no active brand but memberships exist', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  const bo = await createPerson(server, { brand: 'Bolt' })
  await ana.client.rpc('add_brand_member_by_email', { p_brand_id: ana.brandId, p_email: bo.email, p_role: 'admin' })
  await openAs(page, bo, '/select-brand')
  await page.goto('/crm/deals')
  await expect(page).toHaveURL(/\/select-brand$/)
})

test('/crm without any membership goes to /select-brand', async ({ page, server }) => {
  await openAs(page, await createPerson(server), '/select-brand')
  await page.goto('/crm/tasks')
  await expect(page).toHaveURL(/\/select-brand$/)
})

test('spec 2: /crm/*: Layout with header: product title, active brand name', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openAs(page, ana)
  await expect(page.getByRole('banner').getByText('Banyan CRM').first()).toBeVisible()
  await expect(page.getByRole('banner').getByText(ana.brandName).first()).toBeVisible()
})

test('spec 2: /crm/*: Sidebar: Overview, Deals, Contacts, Companies, Tasks, Settings', async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
  await expect(links).toHaveText(pages.map(([label]) => label))
  for (const [label, path] of pages) {
    await links.filter({ hasText: label }).click()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await expect(links.filter({ hasText: label })).toHaveAttribute('aria-current', 'page')
  }
})

test("spec 2: /crm/*: 'Switch Brand' clears the active brand and goes to /select-brand", { tag: '@long' }, async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  const bo = await createPerson(server, { brand: 'Bolt' })
  await ana.client.rpc('add_brand_member_by_email', { p_brand_id: ana.brandId, p_email: bo.email, p_role: 'member' })
  await openAs(page, bo, '/select-brand')
  await page.getByRole('button', { name: 'Open Dashboard' }).first().click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Switch Brand', exact: true }).click()
  await expect(page).toHaveURL(/\/select-brand$/)
  await page.goto('/crm/overview')
  await expect(page).toHaveURL(/\/select-brand$/)
})

test("spec 2: /crm/*: 'Sign Out' which goes to /auth", async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await page.goto('/crm/overview')
  await expect(page).toHaveURL(/\/auth$/)
})

test('a sign-out ends the session on the server', async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await page.goto('/auth')
  const signInResponse = page.waitForResponse('**/auth/v1/token?grant_type=password')
  await signInByScreen(page, ana.email, ana.password)
  const { refresh_token } = await (await signInResponse).json()
  await page.getByRole('button', { name: /^Account/ }).click()
  const logoutResponse = page.waitForResponse('**/auth/v1/logout?scope=local')
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
  expect((await logoutResponse).status()).toBe(204)
  await expect(page).toHaveURL(/\/auth$/)
  const refreshResponse = await authRequest(server, '/token?grant_type=refresh_token', { body: { refresh_token } })
  expect(refreshResponse.status).toBe(400)
})

test('signing out in one tab signs the other tab out', async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  const secondTab = await page.context().newPage()
  await secondTab.goto('/crm/deals')
  await expect(secondTab.getByRole('banner')).toBeVisible()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
  await expect(secondTab).toHaveURL(/\/auth$/)
})

test('a person who signs in before the sign-out of another person has ended stays signed in, and sees no data of the other person', async ({
  page,
  server,
}) => {
  const [ana, bo] = [
    await createPerson(server, { brand: 'Acme' }),
    await createPerson(server, { name: 'bo', brand: 'Bolt' }),
  ]
  await openAs(page, ana, '/crm/contacts')
  await expect(page.getByRole('banner')).toContainText(ana.brandName)
  // The response to the sign-out is late. The app waits for it for at most two seconds.
  const release = await holdRequests(page, '**/auth/v1/logout*')
  const logoutResponse = page.waitForResponse('**/auth/v1/logout*')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.locator('body')).not.toContainText(ana.brandName)
  await signInByScreen(page, bo.email, bo.password)
  await page.getByRole('link', { name: 'Contacts', exact: true }).click()
  await expect(page.getByRole('banner')).toContainText(bo.brandName)
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  // The data is wiped before the response. The rest of the sign-out follows the response.
  expect(await databases()).not.toContain(`banyan-rows-${ana.userId}`)
  release()
  await logoutResponse
  await page.waitForTimeout(500)
  expect(await databases()).toContain(`banyan-rows-${bo.userId}`)
  await expect(page).toHaveURL(/\/crm\/contacts$/)
  await page.reload()
  await expect(page.getByRole('banner')).toContainText(bo.brandName)
  await expect(page).toHaveURL(/\/crm\/contacts$/)
})

test("'New brand' in the header's menu creates a brand and opens it", { tag: '@long' }, async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'New brand' }).click()
  const name = `Second ${randomUUID().slice(0, 6)}`
  await page.getByLabel('Brand name').fill(name)
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Brand created successfully!')
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByRole('banner')).toContainText(name)
})

test('the appearance that is chosen in the menu survives a reload', { tag: '@long' }, async ({ page, server }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Appearance' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveClass(/dark/)
  await page.reload()
  await expect(page.locator('html')).toHaveClass(/dark/)
})

test('the account menu works by keyboard alone', { tag: '@long' }, async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  const account = page.getByRole('button', { name: /^Account/ })
  await account.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Switch Brand', exact: true })).toBeFocused()
  await page.keyboard.press('a')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('menuitem', { name: 'Appearance' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Sign Out', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(account).toBeFocused()
})

test('the first Tab key focuses the link that skips to the content', { tag: '@long' }, async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  await page.reload()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('the app frame has no accessibility violations, light and dark, with the menu open and on the phone', {
  tag: '@long',
}, async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Account/ }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})

test('on the phone the bottom bar has five pages, and the menu has Settings', { tag: '@long' }, async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
  await expect(links).toHaveText(['Overview', 'Deals', 'Contacts', 'Companies', 'Tasks'])
  for (const box of await Promise.all((await links.all()).map((link) => link.boundingBox()))) {
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect(box?.width).toBeGreaterThanOrEqual(44)
  }
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/crm\/settings$/)
})

test('the overview is not wider than the window, from 390 to 2,560 pixels', async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  for (const width of [390, 768, 1024, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})

test("the brand's name opens the brand switch; a form says that it keeps its draft, and which keys submit it", {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await createBrand(ana, 'Second brand')
  await openAs(page, ana, '/select-brand')
  await page.getByRole('button', { name: 'Open Dashboard' }).first().click()
  await page.goto('/crm/companies')
  await page.getByRole('button', { name: 'Add Company', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Company' })
  await expect(dialog.getByRole('button', { name: 'Add Company' })).toContainText('Ctrl↵')
  await expect(dialog.getByText('Your draft is kept')).toHaveCount(0)
  await dialog.getByLabel('Company name').fill('Tern')
  await expect(dialog.getByText('Your draft is kept')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Add Company', exact: true }).click()
  await expect(dialog.getByLabel('Company name')).toHaveValue('Tern')
  // The draft also survives a reload.
  await page.reload()
  await page.getByRole('main').getByRole('button', { name: 'Add Company', exact: true }).click()
  await expect(dialog.getByLabel('Company name')).toHaveValue('Tern')
  await expect(dialog.getByText('Your draft is kept')).toBeVisible()
  await dialog.getByLabel('Notes').press('Control+Enter')
  await expect(toastOf(page)).toContainText('Company added')
  await page.getByRole('link', { name: 'Tern' }).click()
  await page.getByRole('complementary').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete company' }).click()
  await expect(toastOf(page)).toContainText('Company deletedTern')

  // After the submit the form is empty. Another form has its own draft. It is not shown in another brand, and the sign-out deletes it.
  await page.goto('/crm/companies?new=1')
  await expect(dialog.getByLabel('Company name')).toHaveValue('')
  await page.goto('/crm/tasks?new=1')
  const taskDialog = page.getByRole('dialog', { name: 'New Task' })
  await taskDialog.getByLabel('Task title').fill('Call the bank')
  const layerCount = () => page.evaluate(() => Number(history.state.layers ?? 0))
  await taskDialog.getByRole('combobox', { name: 'Priority' }).click()
  await expect.poll(layerCount).toBe(2)
  await page.getByRole('option', { name: 'High' }).click()
  // When the list closes, the page goes back over the list's history entry. Waits for this step back: it would cancel a
  // reload that has begun.
  await expect.poll(layerCount).toBe(1)
  await page.reload()
  await expect(taskDialog.getByLabel('Task title')).toHaveValue('Call the bank')
  await expect(taskDialog.getByRole('combobox', { name: 'Priority' })).toHaveText('High')
  await taskDialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('banner').getByTitle('Switch Brand').locator('visible=true').click()
  await expect(page).toHaveURL(/\/select-brand$/)
  await page.getByRole('button', { name: 'Open Dashboard' }).nth(1).click()
  await page.waitForURL('**/crm/overview')
  await page.goto('/crm/tasks?new=1')
  await expect(taskDialog.getByLabel('Task title')).toHaveValue('')
  await taskDialog.getByRole('button', { name: 'Cancel' }).click()
  const storedDrafts = () => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))
  expect(await storedDrafts()).toContain('Call the bank')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect.poll(storedDrafts).not.toContain('Call the bank')
})
