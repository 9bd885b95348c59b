import { expect, expectAccessible, newEmail, signInByScreen, signUpByScreen, toastOf } from '../harness/browser.ts'
import { testClient } from '../harness/client.ts'
import {
  codeOf,
  confirmedPerson,
  openLinkExpectingInvalid,
  withUnknownToken,
  expireAccountLinks,
  linkOf,
  password,
  test,
  titleOf,
} from '../harness/mail-browser.ts'
import { linkParameters } from '../harness/mailed-link.ts'

test('a person signs up, confirms by the link and selects a brand; opening the link does not use up its token', async ({
  page,
  mail,
}) => {
  const email = newEmail()
  await page.goto('/auth')
  await signUpByScreen(page, email, password)
  await expect(titleOf(page, 'Check your mail')).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send again/ })).toHaveAttribute('aria-disabled', 'true')
  const link = linkOf(await mail.next(email, /Confirm/))

  // Requests the link as a mail scanner does, without running the page's scripts.
  expect((await page.request.get(link)).status()).toBe(200)
  await page.goto(link)
  await expect(titleOf(page, 'Confirm your email')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/\/select-brand$/)
  await expect(toastOf(page)).toContainText('Email confirmed')
  await expect(page.getByText(email)).toBeVisible()
})

test('the token of a link is sent in no request, and is removed from the URL and the history at once', async ({
  page,
  server,
  mail,
}) => {
  const email = newEmail()
  await testClient(server).auth.signUp({ email, password })
  const link = linkOf(await mail.next(email))
  const token = linkParameters(link).get('token_hash') ?? '?'
  const requests: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(link)) requests.push(`${request.url()} ${JSON.stringify(request.headers())}`)
  })
  await page.goto('/auth')
  await page.goto(link)
  await expect(page).toHaveURL(/\/auth\/confirm$/)
  await expect(titleOf(page, 'Confirm your email')).toBeVisible()
  expect(requests.join(' ')).not.toContain(token)
  await page.goBack()
  await expect(page).toHaveURL(/\/auth$/)
  await page.goForward()
  await expect(page).toHaveURL(/\/auth\/confirm$/)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/\/select-brand$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/select-brand$/)
})

test('an older link with the token in its query works, and the token is removed from the URL', {
  tag: '@long',
}, async ({ page, server, mail }) => {
  const email = newEmail()
  await testClient(server).auth.signUp({ email, password })
  await page.goto(linkOf(await mail.next(email)).replace('#', '?'))
  await expect(page).toHaveURL(/\/auth\/confirm$/)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/\/select-brand$/)
})

test('used, unknown and expired links of a sign-up are refused; a new link goes to the same e-mail address', {
  tag: '@long',
}, async ({ page, server, mail }) => {
  const email = newEmail()
  await page.goto('/auth')
  await signUpByScreen(page, email, password)
  const link = linkOf(await mail.next(email))
  await openLinkExpectingInvalid(page, withUnknownToken(link), 'Confirm')
  await expireAccountLinks(server)
  await openLinkExpectingInvalid(page, link, 'Confirm')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send a new link' }).click()
  await expect(titleOf(page, 'Check your mail')).toBeVisible()
  await expect(page.getByText(`If ${email} waits for confirmation`)).toBeVisible()
  const newLink = linkOf(await mail.next(email))
  await page.goto(newLink)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/\/select-brand$/)
  await openLinkExpectingInvalid(page, newLink, 'Confirm')
})

test('without a confirmed e-mail address a sign-in is refused, with the reason', { tag: '@long' }, async ({
  page,
  mail,
}) => {
  const email = newEmail()
  await page.goto('/auth')
  await signUpByScreen(page, email, password)
  await mail.next(email)
  await page.getByRole('link', { name: 'Back to Sign In' }).click()
  await signInByScreen(page, email, password)
  await expect(toastOf(page)).toContainText(/not confirmed/i)
})

test('a forgotten password is reset by a link, which works once', async ({ page, server, mail }) => {
  const ana = await confirmedPerson(server, mail)
  await page.goto('/auth')
  await page.getByLabel('Email').fill(ana.email)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(ana.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(titleOf(page, 'Check your mail')).toBeVisible()
  const link = linkOf(await mail.next(ana.email, /password/i))
  await openLinkExpectingInvalid(page, withUnknownToken(link), 'Continue')

  await page.goto(link)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(titleOf(page, 'Set a new password')).toBeVisible()
  const passwordField = page.getByRole('textbox', { name: 'New password' })
  await expect(passwordField).toHaveAttribute('autocomplete', 'new-password')
  await passwordField.fill('12345')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(passwordField).toHaveAccessibleDescription('Password needs at least 6 characters')
  await passwordField.fill('a better staple')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page).toHaveURL(/\/select-brand$/)
  await mail.next(ana.email, /was changed/)
  const client = testClient(server)
  expect((await client.auth.signInWithPassword({ email: ana.email, password })).error?.code).toBe('invalid_credentials')
  expect((await client.auth.signInWithPassword({ email: ana.email, password: 'a better staple' })).error).toBeNull()
  await openLinkExpectingInvalid(page, link, 'Continue')
})

test('an expired link of a forgotten password is refused; an unknown e-mail address gets the same response', {
  tag: '@long',
}, async ({ page, server, mail }) => {
  const ana = await confirmedPerson(server, mail)
  await page.goto('/auth/forgot')
  await page.getByLabel('Email').fill(newEmail('nobody'))
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(titleOf(page, 'Check your mail')).toBeVisible()
  await page.goto('/auth/forgot')
  await page.getByLabel('Email').fill(ana.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  const link = linkOf(await mail.next(ana.email, /password/i))
  await expireAccountLinks(server)
  await openLinkExpectingInvalid(page, link, 'Continue')
  await expect(page.getByText('A link works once, within one hour.')).toBeVisible()
})

test('an e-mail address changes once the links to the old and the new address are both used', { tag: '@long' }, async ({
  page,
  server,
  mail,
}) => {
  const ana = await confirmedPerson(server, mail, 'Acme')
  const newAddress = newEmail('anna')
  await page.goto('/crm/settings?tab=security')
  await signInByScreen(page, ana.email, password)
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(newAddress)
  await page.getByRole('textbox', { name: 'Current password' }).fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText(/Links are on their way/)).toContainText(newAddress)
  const [toOld, toNew] = [linkOf(await mail.next(ana.email, /change/i)), linkOf(await mail.next(newAddress))]
  await openLinkExpectingInvalid(page, withUnknownToken(toNew), 'Confirm')

  await page.goto(toOld)
  await expect(page.getByText(`It is for ${ana.email}.`)).toBeVisible()
  await expect(page.getByText('You are signed in as')).toHaveCount(0)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(titleOf(page, 'One of two links confirmed')).toBeVisible()
  await openLinkExpectingInvalid(page, toOld, 'Confirm')
  await page.goto(toNew)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(toastOf(page)).toContainText('Email changed')
  await page.waitForURL(/\/crm\//)
  await page.goto('/crm/settings?tab=security')
  await expect(page.getByRole('region', { name: 'Email' })).toContainText(newAddress)
})

test('a change of the email address can be cancelled, also after a reload: its links no longer work', async ({
  page,
  server,
  mail,
}) => {
  const ana = await confirmedPerson(server, mail, 'Acme')
  const newAddress = newEmail('typo')
  await page.goto('/crm/settings?tab=security')
  await signInByScreen(page, ana.email, password)
  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New email').fill(ana.email.toUpperCase())
  await dialog.getByRole('textbox', { name: 'Current password' }).fill(password)
  await dialog.getByRole('button', { name: 'Change email' }).click()
  await expect(dialog.getByText('This is your address already')).toBeVisible()
  await dialog.getByLabel('New email').fill(newAddress)
  await dialog.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText(/Links are on their way/)).toContainText(newAddress)
  const toNew = linkOf(await mail.next(newAddress))

  await page.reload()
  await page.getByRole('button', { name: 'Cancel the change' }).click()
  await expect(toastOf(page)).toContainText('Your email stays the same')
  await expect(page.getByText(/Links are on their way/)).toHaveCount(0)
  await openLinkExpectingInvalid(page, toNew, 'Confirm')
})

test('an invited person without an account signs up by the link and opens the brand with the invited role', {
  tag: '@long',
}, async ({ page, server, mail, browser }) => {
  const ana = await confirmedPerson(server, mail, 'Acme')
  const niasEmail = newEmail('nia')
  await page.goto('/crm/settings')
  await signInByScreen(page, ana.email, password)
  await expect(page.getByText('Current Members (1)')).toBeVisible()
  await page.getByLabel('Email').fill(niasEmail)
  await page.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Admin' }).click()
  await page.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(toastOf(page)).toContainText('Invitation sent')
  const pending = page.getByRole('list', { name: 'Pending invitations' })
  await expect(pending).toContainText(`${niasEmail}Invited as Admin`)
  await expect(pending).toContainText('7 days left')
  const link = linkOf(await mail.next(niasEmail))

  const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB' })
  const guestPage = await context.newPage()
  await openLinkExpectingInvalid(guestPage, withUnknownToken(link), 'Accept the invitation')
  await expect(guestPage.getByText('Ask whoever invited you to send it again.')).toBeVisible()
  await guestPage.goto(link)
  await guestPage.getByRole('button', { name: 'Accept the invitation' }).click()
  await expect(titleOf(guestPage, 'Choose a password')).toBeVisible()
  await guestPage.getByRole('textbox', { name: 'New password' }).fill(password)
  await guestPage.getByRole('button', { name: 'Save password' }).click()
  await expect(guestPage).toHaveURL(/\/crm\/overview$/)
  await guestPage.goto('/crm/settings')
  await expect(guestPage.getByRole('listitem').filter({ hasText: niasEmail })).toContainText('Admin')
  await openLinkExpectingInvalid(guestPage, link, 'Accept the invitation')
  await context.close()
})

test('a person who signed up before the invitation was sent is added at once, and the message says so', {
  tag: '@long',
}, async ({ page, server, mail }) => {
  const ana = await confirmedPerson(server, mail, 'Acme')
  const niasEmail = newEmail('nia')
  await page.goto('/crm/settings')
  await signInByScreen(page, ana.email, password)
  await expect(page.getByText('Current Members (1)')).toBeVisible()
  await page.getByLabel('Email').fill(niasEmail)
  await page.getByRole('button', { name: 'Add member' }).click()
  const sendButton = page.getByRole('button', { name: 'Send invitation' })
  await expect(sendButton).toBeVisible()
  await confirmedPerson(server, mail, undefined, niasEmail)
  await sendButton.click()
  await expect(toastOf(page)).toContainText('Member added successfully!')
  await expect(page.getByText('Current Members (2)')).toBeVisible()
})

test('an invited person without a password requests a change of the e-mail address, and sets a password, by mailed codes', {
  tag: '@long',
}, async ({ page, server, mail, browser }) => {
  const ana = await confirmedPerson(server, mail, 'Acme')
  const niasEmail = newEmail('nia')
  const args = { p_brand_id: ana.brandId, p_email: niasEmail, p_role: 'member' }
  expect((await ana.client.rpc('invite_member', args)).error).toBeNull()
  await page.goto(linkOf(await mail.next(niasEmail)))
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await expect(titleOf(page, 'Choose a password')).toBeVisible()
  await page.goto('/select-brand')
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await page.goto('/crm/settings?tab=security')

  const newAddress = newEmail('nia')
  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New email').fill(newAddress)
  await dialog.getByRole('button', { name: 'Mail me a code instead' }).click()
  const codeField = dialog.getByRole('textbox', { name: 'Code' })
  await expect(codeField).toBeFocused()
  await expect(codeField).toHaveAccessibleDescription(new RegExp(`We sent six digits to ${niasEmail}.`))
  await expect(dialog.getByText('Send again in')).toBeVisible()
  await expectAccessible(page)
  const sentCode = codeOf(await mail.next(niasEmail, /confirmation code/i))
  await codeField.press('Enter')
  await expect(codeField).toHaveAccessibleDescription('Enter the code')
  await codeField.fill(sentCode === '000000' ? '000001' : '000000')
  await codeField.press('Enter')
  await expect(codeField).toHaveAccessibleDescription('Verification code has expired or is invalid')
  await expect(codeField).toHaveValue('')
  await codeField.fill(`${sentCode.slice(0, 3)} ${sentCode.slice(3)}`)
  await codeField.press('Enter')
  await expect(page.getByText(/Links are on their way/)).toContainText(newAddress)

  await page.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByRole('button', { name: 'Mail me a code instead' }).click()
  await expect(codeField).toBeFocused()
  await codeField.fill(codeOf(await mail.next(niasEmail, /confirmation code/i)))
  await dialog.getByRole('textbox', { name: 'New password' }).fill(password)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(toastOf(page)).toContainText('Password changed')
  const context = await browser.newContext({ baseURL: server.url })
  const secondDevicePage = await context.newPage()
  await secondDevicePage.goto('/auth')
  await signInByScreen(secondDevicePage, niasEmail, password)
  await expect(secondDevicePage).toHaveURL(/\/crm\/overview$/)
  await context.close()
})

test('the pages of a forgotten password and of mailed links have no accessibility violations, light and dark', {
  tag: '@long',
}, async ({ page }) => {
  for (const path of ['/auth/forgot', '/auth/confirm#token_hash=x&type=signup', '/auth/confirm#type=recovery']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page)
  }
  await page.goto('/auth/forgot')
  await page.getByLabel('Email').fill(newEmail())
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(titleOf(page, 'Check your mail')).toBeVisible()
  await expectAccessible(page)
})
