import type { CDPSession, Page } from '@playwright/test'
import {
  createPerson,
  expect,
  expectAccessible,
  openContext,
  type Person,
  signInByScreen,
  test,
  toastOf,
} from '../harness/browser.ts'
import { testClient } from '../harness/client.ts'
import { sentCode } from '../harness/outbox.ts'
import type { TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

const securityPath = '/crm/settings?tab=security'
const factorsOf = (page: Page) => page.getByRole('region', { name: 'Second factors' })
const titleOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Opens Settings, tab Security, as this person. */
async function openSecurity(page: Page, person: Person): Promise<void> {
  await page.goto(securityPath)
  await signInByScreen(page, person.email, person.password)
  await expect(factorsOf(page)).toBeVisible()
}

async function beginFactor(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a factor' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${kind}`) })
    .click()
}

/** Adds an authenticator app; returns its secret. */
async function addApp(page: Page): Promise<string> {
  await beginFactor(page, 'Authenticator app')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  const secret = ((await page.getByTestId('secret').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code').fill(totpCode(secret))
  await expect(toastOf(page)).toContainText('Factor added')
  return secret
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await page.waitForURL(/\/auth$/)
}

async function removeFactor(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toastOf(page)).toContainText('Factor removed')
  await expect(factorsOf(page)).not.toContainText(name)
}

/** Adds a virtual platform authenticator to the page. It verifies the user like a fingerprint reader. Returns the CDP session. */
async function addVirtualAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}

test('an authenticator app is enrolled by QR code or key, required at sign-in, and removed', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  const secret = await addApp(page)
  await expect(factorsOf(page)).toContainText('My phone')
  await expect(factorsOf(page)).toContainText('Verified')
  await signOut(page)

  await signInByScreen(page, ana.email, ana.password)
  await expect(titleOf(page, 'Enter your code')).toBeVisible()
  const codeField = page.getByLabel('Code')
  await expect(codeField).toBeFocused()
  await expect(codeField).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(codeField).toHaveAttribute('inputmode', 'numeric')
  await expectAccessible(page)
  // With the password alone, no page opens.
  await page.goto('/crm/overview')
  await expect(page).toHaveURL(/\/auth\/code$/)
  await codeField.fill('000000')
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid TOTP code' })).toBeVisible()
  await expect(codeField).toHaveValue('')
  await codeField.fill(totpCode(secret, 1))
  await expect(toastOf(page)).toContainText('Welcome back!')
  await page.waitForURL(/\/crm\/overview$/)
  await page.goto(securityPath)
  await removeFactor(page, 'My phone')
  await signOut(page)
  await signInByScreen(page, ana.email, ana.password)
  await page.waitForURL(/\/crm\//)
})

test('a phone receives its code by message, at enrolment and at sign-in, and is removed', async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  await beginFactor(page, 'Phone')
  await page.getByLabel('Phone number').fill('07700 900142')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByLabel('Phone number')).toHaveAccessibleDescription(/country code/)
  await page.getByLabel('Phone number').fill('+44 7700 900142')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('Code').fill(await sentCode(server.dataDir, '+447700900142', 1))
  await expect(factorsOf(page)).toContainText('+44 7700 900142')
  await signOut(page)

  await signInByScreen(page, ana.email, ana.password)
  await expect(page.getByText('We sent six digits to')).toContainText('+44 7700 900142')
  await page.getByLabel('Code').fill(await sentCode(server.dataDir, '+447700900142', 2))
  await page.waitForURL(/\/crm\//)
  await page.goto(securityPath)
  await removeFactor(page, '+44 7700 900142')
})

test('a passkey is created by the browser, required at sign-in, and removed', async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  await addVirtualAuthenticator(page)
  await beginFactor(page, 'Passkey')
  await page.getByRole('button', { name: 'Continue' }).click()
  // The browser needs more time for a passkey on a busy machine.
  await expect(factorsOf(page)).toContainText('This device', { timeout: 30_000 })
  await signOut(page)

  await signInByScreen(page, ana.email, ana.password)
  await expect(titleOf(page, 'Use your passkey')).toBeVisible()
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await page.waitForURL(/\/crm\//)
  await page.goto(securityPath)
  await removeFactor(page, 'This device')
})

test('recovery codes are shown once, and each works once', async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  await addApp(page)
  await page.getByRole('button', { name: 'Make recovery codes' }).click()
  const codeItems = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
  await expect(codeItems).toHaveCount(10)
  const codes = await codeItems.allTextContents()
  expect(new Set(codes).size).toBe(10)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('10 of 10 are left')).toBeVisible()

  const signInWithRecoveryCode = async () => {
    await signOut(page)
    await signInByScreen(page, ana.email, ana.password)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByRole('textbox', { name: 'Recovery code' }).fill((codes[0] ?? '').toUpperCase())
    await page.getByRole('button', { name: 'Verify' }).click()
  }
  await signInWithRecoveryCode()
  await page.waitForURL(/\/crm\//)
  await page.goto(securityPath)
  await expect(page.getByText('9 of 10 are left')).toBeVisible()
  await signInWithRecoveryCode()
  await expect(page.getByRole('textbox', { name: 'Recovery code' })).toHaveAccessibleDescription(/.+/)
  await expect(page).toHaveURL(/\/auth\/code$/)
})

test('a user with several factors can choose another one, or sign out and sign in again', async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  await addVirtualAuthenticator(page)
  const secret = await addApp(page)
  await beginFactor(page, 'Passkey')
  await page.getByLabel('Name').fill('Office laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(factorsOf(page)).toContainText('Office laptop', { timeout: 30_000 })
  await signOut(page)

  await signInByScreen(page, ana.email, ana.password)
  await expect(titleOf(page, 'Enter your code')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await signInByScreen(page, ana.email, ana.password)
  await page.getByRole('button', { name: 'Another factor' }).click()
  await expect(titleOf(page, 'Choose a factor')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Office laptop/ }).click()
  await expect(titleOf(page, 'Use your passkey')).toBeVisible()
  await page.getByRole('button', { name: 'Another factor' }).click()
  await page.getByRole('button', { name: /^My phone/ }).click()
  await page.getByLabel('Code').fill(totpCode(secret, 1))
  await page.waitForURL(/\/crm\//)
})

/**
 * Signs in with the password alone and reads a brand. Returns the number of rows that REST returns, and the messages with which `pull` and
 * `list_brand_members` refuse (undefined if they do not refuse).
 */
async function readWithPasswordOnly(server: TestServer, person: Person, brandId: string) {
  const client = testClient(server)
  await client.auth.signInWithPassword({ email: person.email, password: person.password })
  const counts = await Promise.all(
    ['brands', 'memberships', 'deal_stages', 'deals', 'contacts', 'companies', 'tasks'].map(async (table) => {
      const { data, error } = await client
        .from(table)
        .select('*')
        .eq(table === 'brands' ? 'id' : 'brand_id', brandId)
      expect(error).toBeNull()
      return data?.length ?? -1
    }),
  )
  const { error } = await client.rpc('pull', { p_brand_id: brandId, p_cursor: null, p_tables: ['deals'], p_limit: 10 })
  const members = await client.rpc('list_brand_members', { p_brand_id: brandId })
  return { rows: counts.reduce((sum, count) => sum + count, 0), pull: error?.message, members: members.error?.message }
}

test('a brand that demands a second factor shows nothing without one, says why, and links to the enrolment', async ({
  page,
  server,
  browser,
}) => {
  const ana = await createPerson(server, { brand: 'Harbour' })
  const bo = await createPerson(server, { name: 'bo' })
  await ana.client.rpc('add_brand_member_by_email', { p_brand_id: ana.brandId, p_email: bo.email, p_role: 'member' })
  const context = await openContext(browser, server)
  const bosPage = await context.newPage()
  await bosPage.goto('/crm/deals')
  await signInByScreen(bosPage, bo.email, bo.password)
  await expect(bosPage.getByRole('heading', { name: 'Deals Pipeline' })).toBeVisible()

  await openSecurity(page, ana)
  const requirementSwitch = page.getByRole('switch', { name: 'Require a second factor' })
  await requirementSwitch.click()
  await expect(toastOf(page)).toContainText('Add a second factor to your own account first')
  await expect(requirementSwitch).not.toBeChecked()
  await addApp(page)
  await requirementSwitch.click()
  await expect(requirementSwitch).toBeChecked()

  expect(await readWithPasswordOnly(server, bo, ana.brandId)).toEqual({
    rows: 0,
    pull: 'SECOND_FACTOR_REQUIRED',
    members: 'SECOND_FACTOR_REQUIRED',
  })
  // A page that gets the focus again shows at once that the brand needs a second factor.
  await bosPage.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(bosPage).toHaveURL(/\/select-brand$/)
  const notice = bosPage.getByRole('region', { name: 'Second factor needed' })
  await expect(notice).toContainText(ana.brandName)
  await expectAccessible(bosPage)
  await notice.getByRole('link', { name: 'Add a second factor' }).click()
  await addApp(bosPage)
  await bosPage.getByRole('link', { name: 'Back to brands' }).click()
  await expect(bosPage).toHaveURL(/\/crm\/overview$/)
  await context.close()
})
