import { createPerson, expect, expectAccessible, openAs, openContext, test, toastOf } from '../harness/browser.ts'
import { totpCode } from '../harness/totp.ts'
import { addAppByScreen, anotherDevice, openSecurity, region } from './security-page.ts'

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
