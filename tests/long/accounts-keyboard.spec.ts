import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, newEmail, toastOf } from '../harness/browser.ts'
import { testClient } from '../harness/client.ts'
import { expectFocusKept, tabToAndPressEnter, tabTo } from '../harness/keyboard.ts'
import { linkOf, password, test, titleOf } from '../harness/mail-browser.ts'
import type { TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

const secondPassword = 'a better staple'
const thirdPassword = 'the best of staples'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name })

/** Checks the attributes that tell browsers and password managers what a field is for. */
async function expectHints(field: Locator, hints: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(hints)) await expect(field).toHaveAttribute(name, value)
}

/** Signs this person in again, as on a second device. */
async function signInOnSecondDevice(server: TestServer, email: string): Promise<void> {
  const { error } = await testClient(server).auth.signInWithPassword({ email, password })
  if (error) throw error
}

async function enrolApp(page: Page): Promise<string> {
  const addButton = button(page, 'Add a factor')
  await tabToAndPressEnter(page, addButton)
  await expect(page.getByRole('button', { name: /^Authenticator app/ })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  const codeField = page.getByLabel('Code')
  await expect(codeField).toBeFocused()
  await expectHints(codeField, { autocomplete: 'one-time-code', inputmode: 'numeric' })
  await expectAccessible(page)
  const secret = ((await page.getByTestId('secret').textContent()) ?? '').replaceAll(' ', '')
  await page.keyboard.type(totpCode(secret))
  await expect(toastOf(page)).toContainText('Factor added')
  await expect(addButton).toBeFocused()
  return secret
}

/** Creates recovery codes; returns the first of them. */
async function makeRecoveryCodes(page: Page): Promise<string> {
  await tabToAndPressEnter(page, button(page, 'Make recovery codes'))
  const list = page.getByRole('list', { name: 'Your recovery codes' })
  await expect(list).toBeFocused()
  await expectAccessible(page)
  const code = (await list.getByRole('listitem').first().textContent()) ?? ''
  await tabToAndPressEnter(page, button(page, 'I have saved them'))
  await expect(page.getByText('10 of 10 are left')).toBeVisible()
  await expectFocusKept(page)
  return code
}

async function changePassword(page: Page): Promise<void> {
  const changeButton = button(page, 'Change password').first()
  await tabToAndPressEnter(page, changeButton)
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  const currentPasswordField = dialog.getByRole('textbox', { name: 'Current password' })
  await expect(currentPasswordField).toBeFocused()
  await expectHints(currentPasswordField, { autocomplete: 'current-password', type: 'password' })
  await page.keyboard.type('not this one')
  const newPasswordField = dialog.getByRole('textbox', { name: 'New password' })
  await tabTo(page, newPasswordField)
  await expectHints(newPasswordField, { autocomplete: 'new-password', type: 'password' })
  await page.keyboard.type(secondPassword)
  await page.keyboard.press('Enter')
  await expect(currentPasswordField).toBeFocused()
  await expect(currentPasswordField).toHaveAccessibleDescription(/.+/)
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Password changed')
  await expect(changeButton).toBeFocused()
}

async function inviteAndWithdraw(page: Page, email: string): Promise<void> {
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(email)
  await tabTo(page, page.getByRole('combobox', { name: 'Role' }))
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Admin' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabToAndPressEnter(page, button(page, 'Add member'))
  await expect(button(page, 'Send invitation')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Invitation sent')
  const pendingList = page.getByRole('list', { name: 'Pending invitations' })
  await expect(pendingList).toContainText(`${email}Invited as Admin`)
  await expectFocusKept(page)
  await tabToAndPressEnter(page, pendingList.getByRole('button', { name: /^Withdraw/ }))
  await expect(toastOf(page)).toContainText('Invitation withdrawn')
  await expect(pendingList).toHaveCount(0)
  await expectFocusKept(page)
}

async function signIn(page: Page, email: string, currentPassword: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  const emailField = page.getByLabel('Email')
  await tabTo(page, emailField)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(email)
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type(currentPassword)
  await page.keyboard.press('Enter')
}

for (const [name, viewport] of [
  ['desk', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test.describe(name, () => {
    test.use({ viewport })

    test('an account works by keyboard alone: confirm, add a second factor, invite, reset the password', async ({
      page,
      server,
      mail,
    }) => {
      test.setTimeout(300_000)
      const email = newEmail()
      await page.goto('/auth')
      await tabTo(page, page.getByRole('tab', { name: 'Sign In' }))
      await expectHints(page.getByLabel('Email'), { autocomplete: 'username', type: 'email', inputmode: 'email' })
      await expectHints(page.getByRole('textbox', { name: 'Password' }), { autocomplete: 'current-password' })
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
      await tabTo(page, page.getByLabel('Email'))
      await page.keyboard.type(email)
      await tabTo(page, page.getByRole('textbox', { name: 'Password' }))
      await expectHints(page.getByRole('textbox', { name: 'Password' }), { autocomplete: 'new-password' })
      await page.keyboard.type(password)
      await page.keyboard.press('Enter')
      await expect(titleOf(page, 'Check your mail')).toBeVisible()
      await expectFocusKept(page)
      await tabTo(page, page.getByRole('button', { name: /^Send again/ }))
      await tabTo(page, page.getByRole('link', { name: 'Back to Sign In' }))
      await expectAccessible(page)

      await page.goto(linkOf(await mail.next(email, /Confirm/)))
      await expectAccessible(page)
      await tabToAndPressEnter(page, button(page, 'Confirm'))
      await expect(page.getByLabel('Brand name')).toBeFocused()
      await page.keyboard.type(`Keys ${email.slice(4, 12)}`)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/crm\/overview$/)

      await signInOnSecondDevice(server, email)
      await page.goto('/crm/settings?tab=security')
      const sessions = region(page, 'Sessions')
      await expect(sessions.getByRole('listitem')).toHaveCount(2)
      await tabToAndPressEnter(page, sessions.getByRole('button', { name: /^End node/ }))
      await expect(sessions.getByRole('listitem')).toHaveCount(1)
      await expectFocusKept(page)
      await changePassword(page)
      const secret = await enrolApp(page)
      const recoveryCode = await makeRecoveryCodes(page)

      await page.goto('/crm/settings')
      await inviteAndWithdraw(page, newEmail('nia'))
      await tabToAndPressEnter(page, page.getByRole('button', { name: /^Account/ }), 'Shift+Tab')
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/auth$/)

      await signIn(page, email, secondPassword)
      const codeField = page.getByLabel('Code')
      await expect(titleOf(page, 'Enter your code')).toBeVisible()
      await expect(codeField).toBeFocused()
      await expectHints(codeField, { autocomplete: 'one-time-code', inputmode: 'numeric' })
      await page.keyboard.type('000000')
      await expect(page.getByRole('alert').filter({ hasText: 'Invalid TOTP code' })).toBeVisible()
      await expect(codeField).toBeFocused()
      await expectAccessible(page)
      await tabToAndPressEnter(page, button(page, 'Use a recovery code'))
      await expect(page.getByRole('textbox', { name: 'Recovery code' })).toBeFocused()
      await expectAccessible(page)
      await page.keyboard.type(recoveryCode)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/crm\//)
      await tabToAndPressEnter(page, page.getByRole('button', { name: /^Account/ }), 'Shift+Tab')
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/auth$/)

      await tabToAndPressEnter(page, page.getByRole('link', { name: 'Forgot password?' }))
      await expect(titleOf(page, 'Forgot your password?')).toBeVisible()
      await expectFocusKept(page)
      await tabTo(page, page.getByLabel('Email'))
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type(email)
      await page.keyboard.press('Enter')
      await expect(titleOf(page, 'Check your mail')).toBeVisible()
      await page.goto(linkOf(await mail.next(email, /new password/i)))
      await tabToAndPressEnter(page, button(page, 'Continue'))
      await expect(titleOf(page, 'Enter your code')).toBeVisible()
      await page.keyboard.type(totpCode(secret, 1))
      await expect(titleOf(page, 'Set a new password')).toBeVisible()
      const newPasswordField = page.getByRole('textbox', { name: 'New password' })
      await expect(newPasswordField).toBeFocused()
      await expectHints(newPasswordField, { autocomplete: 'new-password', type: 'password' })
      await expectAccessible(page)
      await page.keyboard.type(thirdPassword)
      await page.keyboard.press('Enter')
      await expect(toastOf(page)).toContainText('Password changed')
      await page.waitForURL(/\/crm\/|\/select-brand$/)
      await page.goto('/crm/settings?tab=security')
      await tabToAndPressEnter(page, page.getByRole('button', { name: 'Remove My phone' }))
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Remove' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(toastOf(page)).toContainText('Factor removed')
      await expect(region(page, 'Second factors')).not.toContainText('My phone')
      await expectFocusKept(page)
      const { error } = await testClient(server).auth.signInWithPassword({ email, password: thirdPassword })
      expect(error).toBeNull()
    })
  })
}
