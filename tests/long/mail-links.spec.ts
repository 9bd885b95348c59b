import {
  createPerson,
  expect,
  newEmail,
  openContext,
  type Person,
  signInByScreen,
  toastOf,
  webRoot,
} from '../harness/browser.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import {
  confirmedPerson,
  openLinkExpectingInvalid,
  expireAccountLinks,
  linkOf,
  password,
  test,
  titleOf,
} from '../harness/mail-browser.ts'
import type { MailServer } from '../harness/mail-server.ts'
import { linkParameters } from '../harness/mailed-link.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Requests a change of the e-mail address; returns the link mailed to the old address and the one to the new address. */
async function requestChange(person: Person, mail: MailServer, newAddress: string): Promise<[string, string]> {
  const { error } = await person.client.auth.updateUser({ email: newAddress })
  if (error) throw error
  return [linkOf(await mail.next(person.email, /change/i)), linkOf(await mail.next(newAddress, /change|confirm/i))]
}

async function inviteByMail(owner: Person, mail: MailServer, email: string): Promise<string> {
  const { error } = await owner.client.rpc('invite_member', { p_brand_id: owner.brandId, p_email: email })
  if (error) throw new Error(error.message)
  return linkOf(await mail.next(email))
}

const emailOf = async (person: Person) => (await person.client.auth.getUser()).data.user?.email

test('a change of the e-mail address whose links expired gets new links to both addresses, which work', async ({
  page,
  server,
  mail,
}) => {
  const ana = await confirmedPerson(server, mail)
  const newAddress = newEmail('anna')
  const [toOld, toNew] = await requestChange(ana, mail, newAddress)
  await expireAccountLinks(server)
  await openLinkExpectingInvalid(page, toOld, 'Confirm')
  await openLinkExpectingInvalid(page, toNew, 'Confirm')
  expect(await emailOf(ana)).toBe(ana.email)
  await page.getByLabel('Email').fill(ana.email)
  await page.getByRole('button', { name: 'Send new links' }).click()
  await expect(page.getByText('new links are on their way')).toBeVisible()
  for (const recipient of [ana.email, newAddress]) {
    await page.goto(linkOf(await mail.next(recipient)))
    await page.getByRole('button', { name: 'Confirm' }).click()
    if (recipient === ana.email) await expect(titleOf(page, 'One of two links confirmed')).toBeVisible()
  }
  await expect(toastOf(page)).toContainText('Email changed')
  expect(await emailOf(ana)).toBe(newAddress)
  await openLinkExpectingInvalid(page, toNew, 'Confirm')
})

test('an expired invitation opens nothing; once it is sent again, it opens the brand', async ({
  page,
  server,
  mail,
}) => {
  const ana = await confirmedPerson(server, mail, 'Acme')
  const niaEmail = newEmail('nia')
  const link = await inviteByMail(ana, mail, niaEmail)
  const runSql = (text: string) => server.database?.owner.query(text, [niaEmail])
  await runSql(`update public.invitations set expires_at = now() - interval '1 minute',
    sent_at = now() - interval '8 days' where email = $1`)
  await openLinkExpectingInvalid(page, link, 'Accept the invitation')
  await expect(page.getByText('A link works once, within seven days.')).toBeVisible()
  await expect(page.getByText('Ask whoever invited you to send it again.')).toBeVisible()
  expect((await runSql('select from auth.users where email = $1'))?.rowCount).toBe(0)

  const { data } = await ana.client.from('invitations').select('id').eq('brand_id', ana.brandId).single()
  await ana.client.rpc('resend_invitation', { p_brand_id: ana.brandId, p_id: data?.id })
  await page.goto(linkOf(await mail.next(niaEmail)))
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByRole('textbox', { name: 'New password' }).fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await openLinkExpectingInvalid(page, link, 'Accept the invitation')
})

/**
 * The kinds of mailed links. `linkFor` mails Nia such a link and returns it. `button` is the name of the button on the page that the link opens,
 * and `end` is the URL after a click on this button.
 */
const kinds: {
  kind: string
  button: string
  end: RegExp
  /** `email`: Nia's e-mail address after the link is used. `account`: the e-mail address for which the link is, if the page names it. */
  linkFor: (server: TestServer, mail: MailServer) => Promise<{ link: string; email: string; account?: string }>
}[] = [
  {
    kind: 'a sign-up',
    button: 'Confirm',
    end: /\/select-brand$/,
    async linkFor(server, mail) {
      const email = newEmail('nia')
      await testClient(server).auth.signUp({ email, password })
      return { link: linkOf(await mail.next(email)), email }
    },
  },
  {
    kind: 'a forgotten password',
    button: 'Continue',
    end: /\/auth\/reset$/,
    async linkFor(server, mail) {
      const { email, client } = await confirmedPerson(server, mail)
      await client.auth.resetPasswordForEmail(email)
      return { link: linkOf(await mail.next(email, /password/i)), email }
    },
  },
  {
    kind: 'a change of the e-mail address',
    button: 'Confirm',
    end: /\/select-brand$/,
    async linkFor(server, mail) {
      const nia = await confirmedPerson(server, mail)
      const email = newEmail('new-nia')
      const [toOld, link] = await requestChange(nia, mail, email)
      const token_hash = linkParameters(toOld).get('token_hash') ?? ''
      await nia.client.auth.verifyOtp({ token_hash, type: 'email_change' })
      return { link, email, account: nia.email }
    },
  },
  {
    kind: 'an invitation',
    button: 'Accept the invitation',
    end: /\/auth\/reset$/,
    async linkFor(server, mail) {
      const email = newEmail('nia')
      return {
        link: await inviteByMail(await confirmedPerson(server, mail, 'Acme'), mail, email),
        email,
        account: email,
      }
    },
  },
]

for (const { kind, button, end, linkFor } of kinds) {
  test(`a link of ${kind} opened where somebody else is signed in does not change that person's account`, async ({
    server,
    mail,
    browser,
  }) => {
    const bo = await confirmedPerson(server, mail, 'Harbour')
    const { link, email, account } = await linkFor(server, mail)
    const context = await openContext(browser, server)
    const page = await context.newPage()
    await page.goto('/crm/deals')
    await signInByScreen(page, bo.email, bo.password)
    await expect(page.getByRole('heading', { name: 'Deals Pipeline' })).toBeVisible()

    await page.goto(link)
    await expect(page.getByText(`You are signed in as ${bo.email} in this browser.`)).toBeVisible()
    if (account) await expect(page.getByText(`It is for ${account}.`)).toBeVisible()
    await page.getByRole('button', { name: button }).click()
    await expect(page).toHaveURL(end)
    await expect(page.getByText(email).first()).toBeVisible()
    // Bo's records are no longer shown, and Bo's account is unchanged.
    await page.goto('/crm/deals')
    await expect(page.getByText('Harbour')).toHaveCount(0)
    expect(await emailOf(bo)).toBe(bo.email)
    const signIn = await testClient(server).auth.signInWithPassword({ email: bo.email, password: bo.password })
    expect(signIn.error).toBeNull()
    await context.close()
  })
}

test('on a server that does not confirm e-mail addresses a person with an account signs in and accepts the invitation by its link', async ({
  mail,
  browser,
}) => {
  const env = { SMTP_URL: mail.url, MAIL_FROM: 'crm@banyan.example', EMAIL_CONFIRMATION: 'off' }
  const server = await startTestServer({ webRoot, env })
  const ana = await createPerson(server, { name: 'ana', brand: 'Acme' })
  const niaEmail = newEmail('nia')
  const link = await inviteByMail(ana, mail, niaEmail)
  await signUpPerson(server, niaEmail, password)
  const context = await openContext(browser, server)
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await expect(titleOf(page, 'You have an account already')).toBeVisible()
  await page.getByRole('link', { name: 'Sign In' }).click()
  await signInByScreen(page, niaEmail, password)
  await expect(titleOf(page, 'You are invited')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/confirm$/)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await expect(toastOf(page)).toContainText('Invitation accepted')
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await expect(page.getByRole('banner')).toContainText(ana.brandName)
  // The link has opened the brand, so no notice asks about it.
  await expect(page.getByRole('region', { name: `Added to ${ana.brandName}` })).toHaveCount(0)
  await openLinkExpectingInvalid(page, link, 'Accept the invitation')
  await context.close()
  await server.stop()
})

test('a signed-in person accepts an invitation with one click, and is asked which brand to open', async ({
  mail,
  browser,
}) => {
  const env = { SMTP_URL: mail.url, MAIL_FROM: 'crm@banyan.example', EMAIL_CONFIRMATION: 'off' }
  const server = await startTestServer({ webRoot, env })
  const ana = await createPerson(server, { name: 'ana', brand: 'Acme' })
  const niaEmail = newEmail('nia')
  const link = await inviteByMail(ana, mail, niaEmail)
  await signUpPerson(server, niaEmail, password)
  const context = await openContext(browser, server)
  const page = await context.newPage()
  await page.goto('/auth')
  await signInByScreen(page, niaEmail, password)
  await page.getByLabel('Brand name').fill('Larkspur')
  await page.getByRole('button', { name: 'Create Brand' }).click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await page.goto(link)
  await expect(page.getByText('Accept the invitation to work in its brand.')).toBeVisible()
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await expect(page).toHaveURL(/\/select-brand$/)
  const cards = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Open Dashboard' }) })
  await expect(cards).toContainText([ana.brandName, 'Larkspur'])
  await context.close()
  await server.stop()
})
