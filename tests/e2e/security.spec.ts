import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import {
  createBrand,
  createPerson,
  expect,
  expectAccessible,
  newEmail,
  openAs,
  openContext,
  type Person,
  signInByScreen,
  test,
  toastOf,
} from '../harness/browser.ts'
import { testClient } from '../harness/client.ts'
import type { TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

const region = (page: Page, name: string) => page.getByRole('region', { name })

async function openSecurity(page: Page, person: Person): Promise<void> {
  await page.goto('/crm/settings?tab=security')
  await signInByScreen(page, person.email, person.password)
  await expect(region(page, 'Second factors')).toBeVisible()
}

/** Signs this person in again, as on a second device. Returns the client. */
async function anotherDevice(server: TestServer, person: Person) {
  const client = testClient(server)
  const { error } = await client.auth.signInWithPassword({ email: person.email, password: person.password })
  if (error) throw error
  return client
}

test('the list of sessions marks the current one; another one can be ended, then all others', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  const sessions = region(page, 'Sessions')
  // There are two sessions: the one of the sign-up, and the current one.
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByRole('listitem').first()).toContainText('This session')
  await expect(sessions.getByRole('listitem').first()).toContainText('Chrome on Linux')
  await sessions.getByRole('button', { name: 'End node', exact: true }).click()
  await expect(toastOf(page)).toContainText('Session ended')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  const { data } = await ana.client.from('deal_stages').select('id')
  expect(data ?? []).toEqual([])

  const phoneClient = await anotherDevice(server, ana)
  await page.reload()
  await sessions.getByRole('button', { name: 'End all others' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  expect((await phoneClient.auth.refreshSession()).error?.code).toBe('refresh_token_not_found')
})

test('a person who returns to a tab sees the factor that was added in another tab, and the new session', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openAs(page, ana, '/crm/settings')
  await page.goto('/crm/settings?tab=security')
  await expect(region(page, 'Second factors')).toContainText('None yet')
  const otherTab = await page.context().newPage()
  await otherTab.goto('/crm/settings?tab=security')
  await addAppByScreen(otherTab)
  await anotherDevice(server, ana)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(region(page, 'Second factors')).toContainText('Verified')
  await expect(region(page, 'Sessions').getByRole('listitem')).toHaveCount(2)
})

test('an ended session shows the sign-in page; after the sign-in the same page returns, and the unsent edit is sent', async ({
  page,
  server,
  browser,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openAs(page, ana, '/crm/deals')
  const context = await openContext(browser, server)
  const laptop = await context.newPage()
  await openSecurity(laptop, ana)

  await page.getByRole('button', { name: 'New Deal' }).first().click()
  await page.getByRole('textbox', { name: 'Deal name' }).fill('Kept over the end')
  await region(laptop, 'Sessions').getByRole('button', { name: 'End all others' }).click()
  await expect(toastOf(laptop)).toContainText('All other sessions ended')
  // The next request reports that the session has ended; the open form stays until it is submitted.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.getByRole('button', { name: 'Create deal' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(ana.email)
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Password' }).fill(ana.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(/\/crm\/deals$/)
  await expect(page.getByText('Kept over the end')).toBeVisible()
  const otherClient = await anotherDevice(server, ana)
  await expect
    .poll(async () => (await otherClient.from('deals').select('name').eq('brand_id', ana.brandId)).data)
    .toEqual([{ name: 'Kept over the end' }])
  await context.close()
})

test('the password is changed with the old one, and other sessions end', { tag: '@long' }, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog')
  const [currentField, newField] = [
    dialog.getByRole('textbox', { name: 'Current password' }),
    dialog.getByRole('textbox', { name: 'New password' }),
  ]
  await expect(currentField).toHaveAttribute('autocomplete', 'current-password')
  await expect(newField).toHaveAttribute('autocomplete', 'new-password')
  await currentField.fill('not this one')
  await newField.fill('a better staple')
  const saveButton = dialog.getByRole('button', { name: 'Change password' })
  await saveButton.click()
  await expect(currentField).toBeFocused()
  await expect(currentField).toHaveAccessibleDescription(/.+/)
  await currentField.fill(ana.password)
  await newField.fill('password')
  await saveButton.click()
  await expect(newField).toHaveAccessibleDescription(/.+/)
  await expectAccessible(page)
  await newField.fill('a better staple')
  await newField.press('Enter')
  await expect(toastOf(page)).toContainText('Password changed')
  expect((await ana.client.auth.refreshSession()).error).not.toBeNull()
  await expect(region(page, 'Sessions').getByRole('listitem')).toHaveCount(1)
})

test('for a user without a second factor, the tab Security sends no request that the server refuses', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  const refusedRequests: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refusedRequests.push(`${response.status()} ${response.url()}`)
  })
  await openSecurity(page, ana)
  await expect(page.getByText('This session')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change email' })).toBeVisible()
  expect(refusedRequests).toEqual([])
})

test('before and after the first second factor is added, the page says that this ends the other sessions', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  await expect(region(page, 'Sessions').getByRole('listitem')).toHaveCount(2)
  const addButton = page.getByRole('button', { name: 'Add a factor' })
  const dialog = page.getByRole('dialog')
  const warning = 'The first second factor ends your other sessions: sign in again on other devices.'
  await addButton.click()
  await expect(dialog).toHaveAccessibleDescription(warning)
  await dialog.getByRole('button', { name: /^Authenticator app/ }).click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog).toHaveAccessibleDescription(warning)
  const secret = (await page.getByTestId('secret').textContent()) ?? ''
  await page.getByLabel('Code').fill(totpCode(secret.replaceAll(' ', '')))
  await expect(toastOf(page)).toHaveText(/Factor added\s*Your other sessions have ended\./)
  await expect(region(page, 'Sessions').getByRole('listitem')).toHaveCount(1)
  expect((await ana.client.auth.refreshSession()).error).not.toBeNull()
  // A further factor ends no session, so the dialog has no warning.
  await addButton.click()
  await expect(dialog).toHaveAccessibleDescription('')
})

test('without a mail server the e-mail address is changed as soon as the current password was entered', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  const [email, currentField] = [
    dialog.getByLabel('New email'),
    dialog.getByRole('textbox', { name: 'Current password' }),
  ]
  await expect(email).toBeFocused()
  await expect(currentField).toHaveAttribute('autocomplete', 'current-password')
  const newAddress = newEmail('anna')
  await email.fill(newAddress)
  await email.press('Enter')
  await expect(currentField).toBeFocused()
  await expect(currentField).toHaveAccessibleDescription('Password is required')
  await currentField.fill('not this one')
  await currentField.press('Enter')
  await expect(currentField).toHaveAccessibleDescription('This is not your current password')
  await expect(currentField).toBeFocused()
  await expectAccessible(page)
  await currentField.fill(ana.password)
  await currentField.press('Enter')
  await expect(toastOf(page)).toContainText('Email changed')
  await expect(region(page, 'Email')).toContainText(newAddress)
})

test('the account is exported and deleted; the last owner of a brand hands it over first', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  const bo = await createPerson(server, { name: 'bo' })
  await openSecurity(page, ana)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export my data' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(JSON.parse(file)).toMatchObject({ account: { email: ana.email } })
  expect(file).not.toContain('encrypted_password')

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  const password = dialog.getByRole('textbox', { name: 'Password' })
  await password.fill('not this one')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(password).toHaveAccessibleDescription('This is not your password')
  await password.fill(ana.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByRole('heading')).toHaveText('You are the last owner')
  await expect(dialog).toContainText(ana.brandName)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const client = await anotherDevice(server, ana)
  await client.rpc('add_brand_member_by_email', { p_brand_id: ana.brandId, p_email: bo.email, p_role: 'member' })
  await client.rpc('hand_over_brand', { p_brand_id: ana.brandId, p_user_id: bo.userId })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await password.fill(ana.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await signInByScreen(page, ana.email, ana.password)
  await expect(toastOf(page)).toContainText('Invalid login credentials')
})

/** Adds an authenticator app on the open page. Returns its secret. */
async function addAppByScreen(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add a factor' }).click()
  await dialog.getByRole('button', { name: /^Authenticator app/ }).click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const secret = ((await page.getByTestId('secret').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code').fill(totpCode(secret))
  await expect(toastOf(page)).toContainText('Factor added')
  return secret
}

test('an account with a second factor is deleted after the password and a code', async ({ page, server }) => {
  const ana = await createPerson(server)
  await openAs(page, ana, '/account')
  const dialog = page.getByRole('dialog')
  const secret = await addAppByScreen(page)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(ana.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  // Each code can be used once, so the code of the next 30 s is typed.
  await dialog.getByLabel('Code').fill(totpCode(secret, 1))
  await expect(page).toHaveURL(/\/auth$/)
  await signInByScreen(page, ana.email, ana.password)
  await expect(toastOf(page)).toContainText('Invalid login credentials')
})

/** Adds an authenticator app, then recovery codes, on the open page. Returns the codes. */
async function addAppAndRecoveryCodes(page: Page): Promise<string[]> {
  await addAppByScreen(page)
  await page.getByRole('button', { name: 'Make recovery codes' }).click()
  const codeItems = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
  await expect(codeItems).toHaveCount(10)
  const codes = await codeItems.allTextContents()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  return codes
}

test('an account whose factor is lost is deleted after the password and a recovery code', async ({ page, server }) => {
  const ana = await createPerson(server)
  await openAs(page, ana, '/account')
  const [code = ''] = await addAppAndRecoveryCodes(page)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(ana.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  const codeField = dialog.getByRole('textbox', { name: 'Recovery code' })
  await expect(codeField).toBeFocused()
  await dialog.getByRole('button', { name: 'Verify' }).click()
  await expect(codeField).toHaveAccessibleDescription('Enter the code')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Use a second factor' }).click()
  await expect(dialog.getByLabel('Code', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  await codeField.fill(code)
  await codeField.press('Enter')
  await expect(page).toHaveURL(/\/auth$/)
  await signInByScreen(page, ana.email, ana.password)
  await expect(toastOf(page)).toContainText('Invalid login credentials')
})

test('if the answer with new recovery codes is lost, the page says so, and the next press replaces them', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server)
  await openAs(page, ana, '/account')
  const card = region(page, 'Recovery codes')
  const unknownTitle = 'It is not known whether codes were made'
  const loseAnswers = () =>
    page.route(/\/factors\/recovery-codes/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
  await addAppByScreen(page)
  const dialog = page.getByRole('dialog')
  await loseAnswers()
  await card.getByRole('button', { name: 'Make recovery codes' }).click()
  await expect(toastOf(page)).toContainText(unknownTitle)
  await expect(card).toContainText('10 of 10 are left')
  await toastOf(page).getByRole('button', { name: 'Dismiss' }).click()

  await card.getByRole('button', { name: 'Make new codes' }).click()
  await dialog.getByRole('button', { name: 'Make new codes' }).click()
  await expect(toastOf(page)).toContainText(unknownTitle)
  await expect(toastOf(page)).toContainText('The old codes may no longer work: make new ones again.')
  await page.unroute(/\/factors\/recovery-codes/)
  await card.getByRole('button', { name: 'Make new codes' }).click()
  await dialog.getByRole('button', { name: 'Make new codes' }).click()
  await expect(page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')).toHaveCount(10)
})

test('new recovery codes stay until the person says that they are saved, and a page that is left says so', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openAs(page, ana, '/crm/overview')
  await page.goto('/crm/settings?tab=security')
  const codeList = page.getByRole('list', { name: 'Your recovery codes' })
  await addAppByScreen(page)
  await page.getByRole('button', { name: 'Make recovery codes' }).click()
  await expect(codeList).toBeFocused()
  const codes = await codeList.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/codes.png` })

  await page.getByRole('tab', { name: 'Notifications' }).click()
  await expect(toastOf(page)).toContainText('Your recovery codes are not saved yet')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/codes-left.png` })
  const securityTab = page.getByRole('tab', { name: 'Security' })
  await securityTab.click()
  await expect(codeList.getByRole('listitem')).toHaveText(codes)
  // The arrow keys go on choosing tabs.
  await expect(securityTab).toBeFocused()
  // The browser asks before the tab is closed or reloaded.
  const asksBeforeUnload = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  expect(await asksBeforeUnload()).toBe(true)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(region(page, 'Recovery codes')).toContainText('10 of 10 are left')
  expect(await asksBeforeUnload()).toBe(false)
  await page.getByRole('tab', { name: 'Notifications' }).click()
  await securityTab.click()
  await expect(region(page, 'Recovery codes')).toContainText('10 of 10 are left')
  await expect(toastOf(page)).toHaveCount(0)
})

test('unsaved recovery codes end with the session', async ({ page, server }) => {
  const ana = await createPerson(server)
  await openAs(page, ana, '/account')
  await addAppByScreen(page)
  await page.getByRole('button', { name: 'Make recovery codes' }).click()
  const codeList = page.getByRole('list', { name: 'Your recovery codes' })
  await expect(codeList).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(toastOf(page).filter({ hasText: 'not saved' })).toHaveCount(0)
  const bo = await createPerson(server, { name: 'bo' })
  await signInByScreen(page, bo.email, bo.password)
  await page.getByRole('link', { name: 'Security' }).click()
  await addAppByScreen(page)
  await expect(region(page, 'Recovery codes')).toBeVisible()
  await expect(codeList).toHaveCount(0)
})

test('the removal of the last factor, which deletes the recovery codes, also ends those that are not saved', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openAs(page, ana, '/crm/overview')
  await page.goto('/crm/settings?tab=security')
  await addAppByScreen(page)
  await page.getByRole('button', { name: 'Make recovery codes' }).click()
  const codeList = page.getByRole('list', { name: 'Your recovery codes' })
  await expect(codeList).toBeVisible()
  await region(page, 'Second factors')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toastOf(page)).toContainText('Factor removed')
  await expect(codeList).toHaveCount(0)
  expect(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true)
  await addAppByScreen(page)
  await expect(page.getByRole('button', { name: 'Make recovery codes' })).toBeVisible()
  await expect(codeList).toHaveCount(0)
})

test('only owners can read the audit log', { tag: '@long' }, async ({ page, server, browser }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  const bo = await createPerson(server, { name: 'bo' })
  await ana.client.rpc('add_brand_member_by_email', { p_brand_id: ana.brandId, p_email: bo.email, p_role: 'admin' })
  await page.goto('/crm/settings?tab=brand')
  await signInByScreen(page, ana.email, ana.password)
  const auditLog = region(page, 'Audit log')
  await expect(auditLog).toContainText(/added .* as admin/)
  await expect(auditLog).toContainText('signed in')
  const context = await openContext(browser, server)
  const guestPage = await context.newPage()
  await guestPage.goto('/crm/settings?tab=brand')
  await signInByScreen(guestPage, bo.email, bo.password)
  await expect(region(guestPage, 'Ownership')).toBeVisible()
  await expect(region(guestPage, 'Audit log')).toHaveCount(0)
  await context.close()
})

test('the tab Security has no accessibility violations and fits on the phone', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const ana = await createPerson(server)
  await createBrand(ana, 'Acme')
  await page.setViewportSize({ width: 390, height: 844 })
  await openSecurity(page, ana)
  await expect(region(page, 'Sessions')).toBeVisible()
  await expect(region(page, 'Require a second factor')).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  for (const button of await page.locator('#main').getByRole('button').all())
    expect((await button.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessible(page)
})
