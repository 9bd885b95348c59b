import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, newEmail, toastOf } from '../harness/browser.ts'
import { testClient } from '../harness/client.ts'
import { expectFocusKept, press, tabTo } from '../harness/keyboard.ts'
import { linkOf, password, test, titleOf } from '../harness/mail-browser.ts'
import type { TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

const better = 'a better staple'
const best = 'the best of staples'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name })

/** Checks the attributes that tell browsers and password managers what a field is for. */
async function expectHints(field: Locator, hints: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(hints)) await expect(field).toHaveAttribute(name, value)
}

/** Signs this person in again, as on a second device. */
async function anotherDevice(server: TestServer, email: string): Promise<void> {
  const { error } = await testClient(server).auth.signInWithPassword({ email, password })
  if (error) throw error
}

async function enrolApp(page: Page): Promise<string> {
  const add = button(page, 'Add a factor')
  await press(page, add)
  await expect(page.getByRole('button', { name: /^Authenticator app/ })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  const code = page.getByLabel('Code')
  await expect(code).toBeFocused()
  await expectHints(code, { autocomplete: 'one-time-code', inputmode: 'numeric' })
  await expectAccessible(page)
  const secret = ((await page.getByTestId('secret').textContent()) ?? '').replaceAll(' ', '')
  await page.keyboard.type(totpCode(secret))
  await expect(toastOf(page)).toContainText('Factor added')
  await expect(add).toBeFocused()
  return secret
}

/** Creates recovery codes; returns the first of them. */
async function makeRecoveryCodes(page: Page): Promise<string> {
  await press(page, button(page, 'Make recovery codes'))
  const list = page.getByRole('list', { name: 'Your recovery codes' })
  await expect(list).toBeFocused()
  await expectAccessible(page)
  const code = (await list.getByRole('listitem').first().textContent()) ?? ''
  await press(page, button(page, 'I have saved them'))
  await expect(page.getByText('10 of 10 are left')).toBeVisible()
  await expectFocusKept(page)
  return code
}

async function changePassword(page: Page): Promise<void> {
  const change = button(page, 'Change password').first()
  await press(page, change)
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  const current = dialog.getByRole('textbox', { name: 'Current password' })
  await expect(current).toBeFocused()
  await expectHints(current, { autocomplete: 'current-password', type: 'password' })
  await page.keyboard.type('not this one')
  const next = dialog.getByRole('textbox', { name: 'New password' })
  await tabTo(page, next)
  await expectHints(next, { autocomplete: 'new-password', type: 'password' })
  await page.keyboard.type(better)
  await page.keyboard.press('Enter')
  await expect(current).toBeFocused()
  await expect(current).toHaveAccessibleDescription(/.+/)
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Password changed')
  await expect(change).toBeFocused()
}

async function inviteAndWithdraw(page: Page, email: string): Promise<void> {
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(email)
  await tabTo(page, page.getByRole('combobox', { name: 'Role' }))
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Admin' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await press(page, button(page, 'Add member'))
  await expect(button(page, 'Send invitation')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Invitation sent')
  const pending = page.getByRole('list', { name: 'Pending invitations' })
  await expect(pending).toContainText(`${email}Invited as Admin`)
  await expectFocusKept(page)
  await press(page, pending.getByRole('button', { name: /^Withdraw/ }))
  await expect(toastOf(page)).toContainText('Invitation withdrawn')
  await expect(pending).toHaveCount(0)
  await expectFocusKept(page)
}

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  const address = page.getByLabel('Email')
  await tabTo(page, address)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(email)
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type(secret)
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
      await press(page, button(page, 'Confirm'))
      await expect(page.getByLabel('Brand name')).toBeFocused()
      await page.keyboard.type(`Keys ${email.slice(4, 12)}`)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/crm\/overview$/)

      await anotherDevice(server, email)
      await page.goto('/crm/settings?tab=security')
      const sessions = region(page, 'Sessions')
      await expect(sessions.getByRole('listitem')).toHaveCount(2)
      await press(page, sessions.getByRole('button', { name: /^End node/ }))
      await expect(sessions.getByRole('listitem')).toHaveCount(1)
      await expectFocusKept(page)
      await changePassword(page)
      const secret = await enrolApp(page)
      const recoveryCode = await makeRecoveryCodes(page)

      await page.goto('/crm/settings')
      await inviteAndWithdraw(page, newEmail('nia'))
      await press(page, page.getByRole('button', { name: /^Account/ }), 'Shift+Tab')
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/auth$/)

      await signIn(page, email, better)
      const code = page.getByLabel('Code')
      await expect(titleOf(page, 'Enter your code')).toBeVisible()
      await expect(code).toBeFocused()
      await expectHints(code, { autocomplete: 'one-time-code', inputmode: 'numeric' })
      await page.keyboard.type('000000')
      await expect(page.getByRole('alert').filter({ hasText: 'Invalid TOTP code' })).toBeVisible()
      await expect(code).toBeFocused()
      await expectAccessible(page)
      await press(page, button(page, 'Use a recovery code'))
      await expect(page.getByRole('textbox', { name: 'Recovery code' })).toBeFocused()
      await expectAccessible(page)
      await page.keyboard.type(recoveryCode)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/crm\//)
      await press(page, page.getByRole('button', { name: /^Account/ }), 'Shift+Tab')
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/auth$/)

      await press(page, page.getByRole('link', { name: 'Forgot password?' }))
      await expect(titleOf(page, 'Forgot your password?')).toBeVisible()
      await expectFocusKept(page)
      await tabTo(page, page.getByLabel('Email'))
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type(email)
      await page.keyboard.press('Enter')
      await expect(titleOf(page, 'Check your mail')).toBeVisible()
      await page.goto(linkOf(await mail.next(email, /new password/i)))
      await press(page, button(page, 'Continue'))
      await expect(titleOf(page, 'Enter your code')).toBeVisible()
      await page.keyboard.type(totpCode(secret, 1))
      await expect(titleOf(page, 'Set a new password')).toBeVisible()
      const next = page.getByRole('textbox', { name: 'New password' })
      await expect(next).toBeFocused()
      await expectHints(next, { autocomplete: 'new-password', type: 'password' })
      await expectAccessible(page)
      await page.keyboard.type(best)
      await page.keyboard.press('Enter')
      await expect(toastOf(page)).toContainText('Password changed')
      await page.waitForURL(/\/crm\/|\/select-brand$/)
      await page.goto('/crm/settings?tab=security')
      await press(page, page.getByRole('button', { name: 'Remove My phone' }))
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Remove' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(toastOf(page)).toContainText('Factor removed')
      await expect(region(page, 'Second factors')).not.toContainText('My phone')
      await expectFocusKept(page)
      const { error } = await testClient(server).auth.signInWithPassword({ email, password: best })
      expect(error).toBeNull()
    })
  })
}
