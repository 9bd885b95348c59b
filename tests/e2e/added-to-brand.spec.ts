import type { Page } from '@playwright/test'
import {
  createBrand,
  createPerson,
  expect,
  expectAccessible,
  openAs,
  openContext,
  type Person,
  signInByScreen,
  test,
  toastOf,
} from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'

/** Creates Ana Weber with a brand. She adds Bo to it without asking him. `bosBrandName`: the name of a further brand, which Bo owns. */
async function addedByAna(server: TestServer, bosBrandName?: string): Promise<{ ana: Person; bo: Person }> {
  const ana = await createPerson(server, { name: 'ana', brand: 'Acme' })
  await ana.client.from('memberships').update({ display_name: 'Ana Weber' }).eq('user_id', ana.userId)
  const bo = await createPerson(server, { name: 'bo' })
  const args = { p_brand_id: ana.brandId, p_email: bo.email, p_role: 'member' }
  expect((await ana.client.rpc('add_brand_member_by_email', args)).error).toBeNull()
  if (bosBrandName) await createBrand(bo, bosBrandName)
  return { ana, bo }
}

/** Returns true if the database says that Bo has opened Ana's brand. */
async function hasOpened({ ana, bo }: { ana: Person; bo: Person }): Promise<boolean> {
  const { data, error } = await ana.client
    .from('memberships')
    .select('opened_at')
    .eq('brand_id', ana.brandId)
    .eq('user_id', bo.userId)
    .single()
  expect(error).toBeNull()
  return data?.opened_at !== null
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/auth')
  await signInByScreen(page, email, password)
}

const cardOf = (page: Page, { brandName }: Person) => page.getByRole('listitem').filter({ hasText: brandName })
const noticeOf = (page: Page, { brandName }: Person) => page.getByRole('region', { name: `Added to ${brandName}` })
const noticeText = ({ brandName }: Person) =>
  `Ana Weber added you to ${brandName}. Its owners see nothing of your account until you open it.`

test('/select-brand names the person who added the user to a brand; only a click opens the brand', {
  tag: '@long',
}, async ({ page, server }) => {
  const people = await addedByAna(server, 'Larkspur')
  const { ana, bo } = people
  await signIn(page, bo)
  await expect(cardOf(page, ana)).toContainText('Added by Ana Weber')
  await expect(cardOf(page, bo)).not.toContainText('Added by')
  await expect(cardOf(page, bo).getByRole('button', { name: 'Leave' })).toHaveCount(0)
  // Bo's own brand is second in the list, but its button has the focus, so that a stray Enter does not open Ana's brand.
  await expect(cardOf(page, bo).getByRole('button', { name: 'Open Dashboard' })).toBeFocused()
  await expectAccessible(page)
  expect(await hasOpened(people)).toBe(false)
  const openButton = cardOf(page, ana).getByRole('button', { name: 'Open Dashboard', exact: true })
  await expect(openButton).toHaveAccessibleDescription(ana.brandName)
  await openButton.click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByRole('banner')).toContainText(ana.brandName)
  await expect(noticeOf(page, ana)).toHaveCount(0)
  expect(await hasOpened(people)).toBe(true)
})

test('an added person leaves the brand on /select-brand after a confirmation, without opening it, and learns which records then belong to nobody', {
  tag: '@long',
}, async ({ page, server }) => {
  const people = await addedByAna(server, 'Larkspur')
  const { ana, bo } = people
  await createBrand(bo, 'Another')
  const company = { brand_id: ana.brandId, name: 'Kestrel', owner_id: bo.userId }
  expect((await ana.client.from('companies').insert(company)).error).toBeNull()
  await signIn(page, bo)
  const leaveButton = cardOf(page, ana).getByRole('button', { name: 'Leave', exact: true })
  await expect(leaveButton).toHaveAccessibleDescription(ana.brandName)
  await leaveButton.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Leave ${ana.brandName}?` })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(dialog).toContainText('1 company that you have there will belong to nobody.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(leaveButton).toBeFocused()
  expect(await hasOpened(people)).toBe(false)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(toastOf(page)).toContainText(`You left ${ana.brandName}`)
  await expect(page.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('heading', { name: 'Select a Brand' })).toBeFocused()
  const { data } = await ana.client.from('memberships').select('user_id').eq('brand_id', ana.brandId)
  expect(data).toEqual([{ user_id: ana.userId }])
})

test("a person's only brand is selected automatically, and its notice on the overview stays until its button 'Open' opens the brand", {
  tag: '@long',
}, async ({ page, server }) => {
  const people = await addedByAna(server)
  const { ana, bo } = people
  await signIn(page, bo)
  await expect(page).toHaveURL(/\/crm\/overview$/)
  const notice = noticeOf(page, ana)
  await expect(notice).toContainText(noticeText(ana))
  await expectAccessible(page)
  await page.reload()
  await expect(notice).toContainText(noticeText(ana))
  // The page is loaded, and has another second: the brand does not count as opened before 'Open' is pressed.
  await expect(page.getByText('All changes saved')).toBeVisible()
  await page.waitForTimeout(1000)
  expect(await hasOpened(people)).toBe(false)
  await notice.getByRole('button', { name: 'Open', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(notice).toHaveCount(0)
  await expect(page.locator('#main')).toBeFocused()
  expect(await hasOpened(people)).toBe(true)
  await expect(page.getByRole('textbox', { name: /^What do your colleagues call you\?/ })).toBeVisible()
  await page.getByRole('button', { name: 'Skip' }).click()
  await expect(page.getByRole('button', { name: 'Skip' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Skip' })).toHaveCount(0)
})

test("'Leave' in the notice on the overview removes the person from the brand after a confirmation", {
  tag: '@long',
}, async ({ page, server }) => {
  const { ana, bo } = await addedByAna(server)
  await signIn(page, bo)
  await noticeOf(page, ana).getByRole('button', { name: 'Leave', exact: true }).click()
  await page
    .getByRole('dialog', { name: `Leave ${ana.brandName}?` })
    .getByRole('button', { name: 'Leave' })
    .click()
  await expect(page.getByRole('heading', { name: 'Welcome to Banyan CRM' })).toBeVisible()
  await expect(toastOf(page)).toContainText(`You left ${ana.brandName}`)
})

test('if the opening of a brand fails, the page stays and shows the reason', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const people = await addedByAna(server, 'Larkspur')
  await signIn(page, people.bo)
  await page.route('**/rpc/open_brand', (route) => route.abort())
  await cardOf(page, people.ana).getByRole('button', { name: 'Open Dashboard' }).click()
  await expect(toastOf(page)).toContainText('Error opening brand')
  await expect(toastOf(page)).toContainText('The server does not answer.')
  await expect(page).toHaveURL(/\/select-brand$/)
  await page.unroute('**/rpc/open_brand')
  await cardOf(page, people.ana).getByRole('button', { name: 'Open Dashboard' }).click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  expect(await hasOpened(people)).toBe(true)
})

test('a slow response to the opening of a brand does not replace the brand that was opened meanwhile', {
  tag: '@long',
}, async ({ page, server }) => {
  const { ana, bo } = await addedByAna(server, 'Larkspur')
  await signIn(page, bo)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/rpc/open_brand', async (route) => {
    await released
    await route.continue()
  })
  await cardOf(page, ana).getByRole('button', { name: 'Open Dashboard' }).click()
  await cardOf(page, bo).getByRole('button', { name: 'Open Dashboard' }).click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByRole('banner')).toContainText(bo.brandName)
  const openResponse = page.waitForResponse('**/rpc/open_brand')
  release()
  await openResponse
  await page.waitForTimeout(1000)
  await expect(page.getByRole('banner')).toContainText(bo.brandName)
})

test('after the first opening, each new session sends one request that opens the brand', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const { ana, bo } = await addedByAna(server)
  expect((await bo.client.rpc('open_brand', { p_brand_id: ana.brandId })).error).toBeNull()
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/rpc/open_brand')) requests.push(request.postData() ?? '')
  })
  await signIn(page, bo)
  await expect.poll(() => requests).toEqual([JSON.stringify({ p_brand_id: ana.brandId })])
  await expect(noticeOf(page, ana)).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('All changes saved')).toBeVisible()
  await page.waitForTimeout(1000)
  expect(requests).toHaveLength(1)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await signInByScreen(page, bo.email, bo.password)
  await expect.poll(() => requests.length).toBe(2)
})

test("before the opening the person's presence is not announced, and the team's list says 'Not confirmed yet'", {
  tag: '@long',
}, async ({ page, server, browser }) => {
  const { ana, bo } = await addedByAna(server)
  await openAs(page, ana, '/crm/settings')
  const bosLine = page.getByRole('region', { name: 'Team Members' }).getByRole('listitem').filter({ hasText: bo.email })
  const unconfirmedMark = bosLine.getByText('Not confirmed yet', { exact: true })
  await expect(unconfirmedMark).toBeVisible()
  await expect(bosLine).toContainText(/Joined \d+ \w+ \d{4}, added by a colleague/)
  await expectAccessible(page)
  const presenceList = page.getByRole('list', { name: 'In this brand now' })
  const context = await openContext(browser, server)
  const bosPage = await context.newPage()
  await signIn(bosPage, bo)
  await expect(bosPage.getByRole('list', { name: 'In this brand now' })).toBeVisible()
  await bosPage.waitForTimeout(1000)
  await expect(presenceList).toHaveCount(0)
  // Using the brand does not confirm the membership: the lists say whether the person pressed 'Open', not whether they visited the brand.
  await bosPage.getByRole('link', { name: 'Settings', exact: true }).click()
  const bosOwnLine = bosPage
    .getByRole('region', { name: 'Team Members' })
    .getByRole('listitem')
    .filter({ hasText: bo.email })
  await expect(bosOwnLine).toContainText('Confirm by “Open” on the Overview')
  await expect(unconfirmedMark).toBeVisible()
  await bosPage.getByRole('link', { name: 'Overview', exact: true }).click()
  await noticeOf(bosPage, ana).getByRole('button', { name: 'Open' }).click()
  await expect(presenceList).toBeVisible()
  await expect(unconfirmedMark).toHaveCount(0)
  await expect(bosLine).not.toContainText('added by a colleague')
  await context.close()
})

test('on the phone, the buttons that open or leave a brand are at least 44 px high, and nothing scrolls sideways', {
  tag: '@long',
}, async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { ana, bo } = await addedByAna(server, 'Larkspur')
  await signIn(page, bo)
  const heightsOf = async (names: string[]) =>
    Promise.all(
      names.map(async (name) => {
        const box = await page.getByRole('button', { name, exact: true }).first().boundingBox()
        return box?.height ?? 0
      }),
    )
  await expect(cardOf(page, ana)).toContainText('Added by Ana Weber')
  expect(Math.min(...(await heightsOf(['Open Dashboard', 'Leave'])))).toBeGreaterThanOrEqual(44)
  await bo.client.from('brands').delete().eq('id', bo.brandId)
  await page.reload()
  await expect(noticeOf(page, ana)).toBeVisible()
  expect(Math.min(...(await heightsOf(['Open', 'Leave'])))).toBeGreaterThanOrEqual(44)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
