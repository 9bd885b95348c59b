import type { Page } from '@playwright/test'
import {
  createPerson,
  expect,
  expectAccessible,
  newEmail,
  openAs,
  openContext,
  type Person,
  test,
  toastOf,
} from '../harness/browser.ts'
import { signUpPerson } from '../harness/client.ts'

const titleOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** Creates a link through the API, and returns the path and the fragment of its URL. */
async function linkTo({ client, brandId }: Person, email: string, role = 'member'): Promise<string> {
  const args = { p_brand_id: brandId, p_email: email, p_role: role }
  const { data, error } = await client.rpc('make_invitation_link', args)
  if (error) throw new Error(error.message)
  return `/auth/confirm#${new URLSearchParams({ token_hash: data, type: 'invitation', email })}`
}

test('an owner copies an invitation link; the invited e-mail address signs up by it, lands in the brand, and enters a name', {
  tag: '@long',
}, async ({ page, server, browser }) => {
  const owner = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const niasEmail = newEmail('nia')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, owner, '/crm/settings')
  await page.getByLabel('Email').fill(niasEmail)
  await page.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Admin' }).click()
  await page.getByRole('button', { name: 'Add member' }).click()
  await expect(
    page.getByText('User with this email not found. They must sign up first.', { exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send invitation' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Copy an invitation link' }).click()
  const linkRegion = page.getByRole('region', { name: `Invitation link for ${niasEmail}` })
  await expect(linkRegion.getByRole('button', { name: 'Copy link' })).toBeFocused()
  await expect(linkRegion).toContainText(`Send this link to ${niasEmail}. It works for them alone, once, until`)
  await expect(toastOf(page)).toContainText('Invitation link copied')
  await expectAccessible(page)
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await expect(linkRegion.getByRole('textbox', { name: 'Invitation link' })).toHaveValue(link)
  const pendingList = page.getByRole('list', { name: 'Pending invitations' })
  await expect(pendingList).toContainText(`${niasEmail}Invited by link as Admin by ana`)
  await expect(pendingList.getByRole('button', { name: /^Resend/ })).toHaveCount(0)

  const context = await openContext(browser, server)
  const guestPage = await context.newPage()
  await guestPage.goto(link)
  await expect(guestPage).toHaveURL(/\/auth\/confirm$/)
  await expect(titleOf(guestPage, `Join ${owner.brandName}`)).toBeVisible()
  await expect(guestPage.getByText(/invited you to work in this brand as an admin\./)).toBeVisible()
  const emailField = guestPage.getByLabel('Email')
  await expect(emailField).toHaveValue(niasEmail)
  await expect(emailField).not.toBeEditable()
  await expect(emailField).toHaveAccessibleDescription('The invitation is for this address.')
  await expectAccessible(guestPage)
  await guestPage.getByRole('textbox', { name: 'Password' }).fill('correct horse')
  await guestPage.getByRole('button', { name: 'Sign Up' }).click()
  await expect(guestPage).toHaveURL(/\/crm\/overview$/)
  await expect(toastOf(guestPage)).toContainText('Account created! Welcome aboard!')
  await expect(guestPage.getByRole('banner')).toContainText(owner.brandName)
  const name = guestPage.getByRole('textbox', { name: /^What do your colleagues call you\?/ })
  await expectAccessible(guestPage)
  await guestPage.reload()
  await name.fill('Nia Ferrer')
  await name.press('Enter')
  await expect(name).toHaveCount(0)
  await expect(linkRegion).toHaveText(`${niasEmail} has joined the brand. The link no longer works.Done`)
  await expect(linkRegion.getByRole('textbox')).toHaveCount(0)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/joined.png` })
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(linkRegion).toHaveCount(0)
  await expect(page.getByText('Nia Ferrer')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Team Members' })).toContainText('Current Members (2)')

  // The link works only once.
  await guestPage.goto(link)
  await expect(titleOf(guestPage, 'This link no longer works')).toBeVisible()
  await expect(guestPage.getByText(/^The link was already used: an invitation link works once\./)).toBeVisible()
  await context.close()
})

test('the box with a new invitation link says that the invitation was withdrawn', async ({ page, server }) => {
  const email = newEmail('nia')
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/settings')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('button', { name: 'Copy an invitation link' }).click()
  const linkRegion = page.getByRole('region', { name: `Invitation link for ${email}` })
  await expect(linkRegion).toContainText(`Send this link to ${email}.`)
  await page.getByRole('button', { name: `Withdraw the invitation of ${email}` }).click()
  await expect(linkRegion).toHaveText(
    `The invitation of ${email} was accepted or withdrawn. The link no longer works.Done`,
  )
  await expectAccessible(page)
  await linkRegion.getByRole('button', { name: 'Done' }).click()
  await expect(linkRegion).toHaveCount(0)
})

test('a new invitation link is shown although the list of invitations cannot be loaded', async ({ page, server }) => {
  const email = newEmail('nia')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/settings')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Add member' }).click()
  const makeButton = page.getByRole('button', { name: 'Copy an invitation link' })
  await expect(makeButton).toBeVisible()
  await page.route('**/rest/v1/invitations?*', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await makeButton.click()
  const linkRegion = page.getByRole('region', { name: `Invitation link for ${email}` })
  await expect(linkRegion).toContainText(`Send this link to ${email}.`)
  await expect(linkRegion.getByRole('textbox')).toHaveValue(/token_hash=/)
  await expect(toastOf(page)).toContainText('Invitation link copied')
})

test('a person with an account joins by the link; a person with another e-mail address is asked to sign out first', {
  tag: '@long',
}, async ({ page, server }) => {
  const owner = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const email = newEmail('kit')
  const link = await linkTo(owner, email)
  const otherPerson = await createPerson(server, { name: 'lou', brand: 'Own' })
  await openAs(page, otherPerson)
  await page.goto(link)
  await expect(titleOf(page, 'The invitation is for another email address')).toBeVisible()
  await expect(page.getByText(`It is for ${email}, and you are signed in as ${otherPerson.email}.`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()

  // The e-mail address has got an account meanwhile.
  await signUpPerson(server, email, 'correct horse')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByRole('banner')).toContainText(owner.brandName)
  await page.getByRole('button', { name: 'Skip' }).click()
  await expect(page.getByText('What do your colleagues call you?')).toHaveCount(0)
})

test('a link that was revoked, replaced or mistyped says what to do; /select-brand shows the e-mail address to invite', {
  tag: '@long',
}, async ({ page, server }) => {
  const owner = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const email = newEmail('kit')
  const firstLink = await linkTo(owner, email)
  await openAs(page, owner, '/crm/settings')
  await page.getByRole('button', { name: `New invitation link for ${email}` }).click()
  const linkField = page.getByRole('textbox', { name: 'Invitation link' })
  await expect(linkField).toHaveValue(/token_hash=/)
  const newerLink = await linkField.inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: `Withdraw the invitation of ${email}` }).click()
  await expect(toastOf(page)).toContainText('Invitation withdrawn')
  for (const [link, messagePattern] of [
    [firstLink, /^There is a newer link for you\./],
    [newerLink, /^The invitation was taken back\./],
    [
      newerLink.replace(/token_hash=\w{4}/, 'token_hash=0000'),
      /^The link is not complete, or its brand does not exist any more\./,
    ],
  ] as const) {
    await page.goto('/healthz')
    await page.goto(link)
    await expect(titleOf(page, 'This link no longer works')).toBeVisible()
    await expect(page.getByText(messagePattern)).toBeVisible()
  }
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to Banyan CRM' }).click()
  await expect(page).toHaveURL(/\/crm\/overview$/)

  const personWithoutBrand = await createPerson(server, { name: 'jo' })
  await openAs(page, personWithoutBrand, '/select-brand')
  await expect(page.getByText(`Ask a colleague to invite ${personWithoutBrand.email}.`)).toBeVisible()
})
