import type { Page } from '@playwright/test'
import { test as base, createBrand, expect, newEmail, type Person, webRoot } from './browser.ts'
import { testClient } from './client.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { linkParameters } from './mailed-link.ts'
import { startTestServer, type TestServer } from './server.ts'

/**
 * Like `test` of browser.ts, with a server that sends mails through a real SMTP server (`mail`): people must confirm a sign-up, and
 * a new member without an account is invited by mail.
 */
export const test = base.extend<object, { mail: MailServer; server: TestServer }>({
  mail: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern.
    async ({}, provide) => {
      const mail = await startMailServer()
      await provide(mail)
      await mail.stop()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ mail }, provide) => {
      const server = await startTestServer({ webRoot, env: { SMTP_URL: mail.url, MAIL_FROM: 'crm@banyan.example' } })
      await provide(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

/** Returns the mail's link into the app. Throws if there is none. */
export function linkOf(mail: { links: readonly string[] }): string {
  const link = mail.links.find((each) => each.includes('/auth/confirm'))
  if (!link) throw new Error(`no link in the mail; there are ${mail.links.join(' ')}`)
  return link
}

/** Returns the six-digit code of a mail. Throws if there is none. */
export function codeOf(mail: { text: string }): string {
  const code = /\b\d{6}\b/.exec(mail.text)?.[0]
  if (!code) throw new Error(`no code in the mail: ${mail.text}`)
  return code
}

export const password = 'correct horse'
export const titleOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Creates a person with a confirmed account, with the same calls as the screens. */
export async function confirmedPerson(
  server: TestServer,
  mail: MailServer,
  brand?: string,
  email = newEmail(),
): Promise<Person> {
  const client = testClient(server)
  await client.auth.signUp({ email, password })
  const { data, error } = await client.auth.verifyOtp({
    token_hash: linkParameters(linkOf(await mail.next(email))).get('token_hash') ?? '',
    type: 'signup',
  })
  if (error || !data.user) throw error ?? new Error('not confirmed')
  const person: Person = { server, email, password, userId: data.user.id, client, brandId: '', brandName: '' }
  if (brand) await createBrand(person, brand)
  return person
}

/** Replaces the token of a link by one that was never issued. */
export function withUnknownToken(link: string): string {
  const url = new URL(link)
  const parameters = linkParameters(link)
  parameters.set('token_hash', `${parameters.get('token_hash')?.slice(0, -4)}AAAA`)
  url.hash = parameters.toString()
  return url.href
}

/** Sets the expiry of all mailed links of accounts to a past time. Links of invitations are not changed. */
export async function expireAccountLinks(server: TestServer): Promise<void> {
  await server.database?.owner.query("update auth.one_time_tokens set expires_at = now() - interval '1 minute'")
}

/** Opens a link and presses the page's button with this name. Expects the message that the link no longer works. */
export async function openLinkExpectingInvalid(page: Page, link: string, button: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: button }).click()
  await expect(titleOf(page, 'This link no longer works')).toBeVisible()
}
