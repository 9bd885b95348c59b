import { test as base, webRoot } from './browser.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { startTestServer, type TestServer } from './server.ts'

/** The browser's test, with a server that mails over a real SMTP server (`mail`): sign-ups are confirmed, unknown addresses invited. */
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

/** The link of a mail that leads into the app. */
export function linkOf(mail: { links: readonly string[] }): string {
  const link = mail.links.find((each) => each.includes('/auth/confirm'))
  if (!link) throw new Error(`no link in the mail; there are ${mail.links.join(' ')}`)
  return link
}
