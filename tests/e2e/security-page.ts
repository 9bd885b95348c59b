import type { Page } from '@playwright/test'
import { expect, type Person, signInByScreen, toastOf } from '../harness/browser.ts'
import { testClient } from '../harness/client.ts'
import type { TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

export const region = (page: Page, name: string) => page.getByRole('region', { name })

/** Opens the tab Security of the settings, and signs the person in on the way. */
export async function openSecurity(page: Page, person: Person): Promise<void> {
  await page.goto('/crm/settings?tab=security')
  await signInByScreen(page, person.email, person.password)
  await expect(region(page, 'Second factors')).toBeVisible()
}

/** Signs this person in again, as on a second device. Returns the client. */
export async function anotherDevice(server: TestServer, person: Person) {
  const client = testClient(server)
  const { error } = await client.auth.signInWithPassword({ email: person.email, password: person.password })
  if (error) throw error
  return client
}

/** Adds an authenticator app on the open page. Returns its secret. */
export async function addAppByScreen(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add a factor' }).click()
  await dialog.getByRole('button', { name: /^Authenticator app/ }).click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const secret = ((await page.getByTestId('secret').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code').fill(totpCode(secret))
  await expect(toastOf(page)).toContainText('Factor added')
  return secret
}

/** Adds an authenticator app, then recovery codes, on the open page. Returns the codes. */
export async function addAppAndRecoveryCodes(page: Page): Promise<string[]> {
  await addAppByScreen(page)
  await page.getByRole('button', { name: 'Make recovery codes' }).click()
  const codeItems = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
  await expect(codeItems).toHaveCount(10)
  const codes = await codeItems.allTextContents()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  return codes
}
