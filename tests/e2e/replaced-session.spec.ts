import type { Page } from '@playwright/test'
import { expect, openAs, signInByScreen } from '../harness/browser.ts'
import { confirmedPerson, password, test } from '../harness/mail-browser.ts'

async function signOutByMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL(/\/auth$/)
}

test('a request that was sent before a sign-out, and is answered after the next sign-in, does not end the new session', async ({
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
  let held = 0
  await page.route('**/rest/v1/rpc/pull', async (route) => {
    held += 1
    await released
    await route.continue()
  })
  const { error } = await ana.client.from('companies').insert({ brand_id: ana.brandId, name: 'Bolt' })
  expect(error).toBeNull()
  await expect.poll(() => held).toBeGreaterThan(0)

  await signOutByMenu(page)
  await signInByScreen(page, ana.email, password)
  await expect(page).toHaveURL(/\/crm\/overview$/)
  const late = page.waitForResponse('**/rest/v1/rpc/pull')
  release()
  await late
  await page.waitForTimeout(1000)
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await page.goto('/crm/companies')
  await expect(page.getByText('Bolt')).toBeVisible()
})
