import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { expect, openAs, type Person, signInByScreen, toastOf } from '../harness/browser.ts'
import { testClient } from '../harness/client.ts'
import { confirmedPerson, linkOf, password, test, titleOf } from '../harness/mail-browser.ts'
import type { TestServer } from '../harness/server.ts'

async function signOutByMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL(/\/auth$/)
}

test('a request that was sent before a sign-out, and gets its response after the next sign-in, does not end the new session', async ({
  page,
  server,
  mail,
}) => {
  const ana = await confirmedPerson(server, mail, 'Acme')
  await openAs(page, ana, '/crm/companies')
  await expect(page.getByText('No companies yet')).toBeVisible()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let heldCount = 0
  await page.route('**/rest/v1/rpc/pull', async (route) => {
    heldCount += 1
    await released
    await route.continue()
  })
  const { error } = await ana.client.from('companies').insert({ brand_id: ana.brandId, name: 'Bolt' })
  expect(error).toBeNull()
  await expect.poll(() => heldCount).toBeGreaterThan(0)

  await signOutByMenu(page)
  await signInByScreen(page, ana.email, password)
  await expect(page).toHaveURL(/\/crm\/overview$/)
  const latePull = page.waitForResponse('**/rest/v1/rpc/pull')
  release()
  await latePull
  await page.waitForTimeout(1000)
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await page.goto('/crm/companies')
  await expect(page.getByText('Bolt')).toBeVisible()
})

/** Signs this person in on the page /auth. Returns the refresh token of the session. */
async function signInAndReadToken(page: Page, { email }: Person): Promise<string> {
  await page.goto('/auth')
  const signInResponse = page.waitForResponse('**/auth/v1/token?grant_type=password')
  await signInByScreen(page, email, password)
  await expect(page).toHaveURL(/\/crm\/overview$/)
  return (await (await signInResponse).json()).refresh_token
}

/** Waits until the session of this refresh token has ended. The app itself does not wait for the end. */
async function expectEnded(server: TestServer, refresh_token: string): Promise<void> {
  const tokenSql = 'select from auth.refresh_tokens where token = $1'
  const hash = createHash('sha256').update(refresh_token).digest('base64url')
  await expect.poll(async () => (await server.database?.owner.query(tokenSql, [hash]))?.rowCount).toBe(0)
  const refreshResponse = await authRequest(server, '/token?grant_type=refresh_token', { body: { refresh_token } })
  expect(refusalOf(refreshResponse)).toEqual([400, 'refresh_token_not_found'])
}

test('the check of the password before the account is deleted leaves one session of this device', async ({
  page,
  server,
  mail,
}) => {
  const ana = await confirmedPerson(server, mail, 'Acme')
  const refresh_token = await signInAndReadToken(page, ana)
  await page.goto('/crm/settings?tab=security')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('heading', { name: 'You are the last owner' })).toBeVisible()
  await expectEnded(server, refresh_token)
  await page.reload()
  const sessions = page.getByRole('region', { name: 'Sessions' })
  // There are two sessions: the one on this device, and the one of the test's own client.
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByRole('listitem').first()).toContainText('This session')
})

test('a link that signs another person in ends the session that it replaces', async ({ page, server, mail }) => {
  const [ana, bo] = [await confirmedPerson(server, mail), await confirmedPerson(server, mail, 'Bolt')]
  const refresh_token = await signInAndReadToken(page, bo)
  await testClient(server).auth.resetPasswordForEmail(ana.email)
  await page.goto(linkOf(await mail.next(ana.email, /password/i)))
  await expect(page.getByText('Going on signs that account out here')).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/auth\/reset$/)
  await expect(titleOf(page, 'Set a new password')).toBeVisible()
  await expectEnded(server, refresh_token)
})

test('if a link of another person replaces the session, the open tab shows a message and leaves its page', async ({
  page,
  server,
  mail,
  context,
}) => {
  const [ana, bo] = [await confirmedPerson(server, mail, 'Acme'), await confirmedPerson(server, mail, 'Bolt')]
  await openAs(page, ana, '/crm/companies')
  await expect(page.getByText('No companies yet')).toBeVisible()
  await testClient(server).auth.resetPasswordForEmail(bo.email)
  const secondTab = await context.newPage()
  await secondTab.goto(linkOf(await mail.next(bo.email, /password/i)))
  await secondTab.getByRole('button', { name: 'Continue' }).click()
  await expect(secondTab).toHaveURL(/\/auth\/reset$/)
  await expect(toastOf(page)).toContainText('Another person has signed in in this browser')
  await expect(toastOf(page)).toContainText(`Changes of ${ana.email} that were not sent yet are kept on this device`)
  // The session in this browser is now Bo's, whose only brand opens.
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByTitle('Switch Brand').first()).toContainText('Bolt')
  await expect(toastOf(page)).toContainText('Another person has signed in in this browser')
})
