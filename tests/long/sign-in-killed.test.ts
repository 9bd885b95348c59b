import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect as expectOn, type Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPerson, type Person, signInByScreen } from '../harness/browser.ts'
import { type FaultyProxy, startFaultyProxy } from '../harness/faulty-proxy.ts'
import { openKillableBrowser } from '../harness/killable-browser.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let proxy: FaultyProxy
beforeAll(async () => {
  server = await startTestServer({ webRoot: process.env.BANYAN_WEB_ROOT ?? 'dist/web' })
  proxy = await startFaultyProxy(server)
})
afterAll(async () => {
  await proxy.stop()
  await server.stop()
})

const emails = ['one@slate.example', 'two@slate.example', 'three@slate.example']

/** Adds contacts offline. Then ends the session on the server, goes online again, and waits for the sign-in page. */
async function leaveQueueBehind(page: Page, person: Person): Promise<void> {
  await page.goto(`${proxy.url}/crm/contacts`)
  await signInByScreen(page, person.email, person.password)
  await page.waitForURL('**/crm/contacts')
  const addButton = page.getByRole('button', { name: 'Add Contact' }).first()
  await addButton.click()
  await expectOn(page.getByRole('dialog').getByLabel('Email')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.context().setOffline(true)
  for (const email of emails) {
    await addButton.click()
    await page.getByRole('dialog').getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await expectOn(page.getByRole('dialog')).toBeHidden()
  }
  await expectOn(page.getByRole('button', { name: 'Offline, 3 waiting' })).toBeVisible()
  await server.database?.owner.query('delete from auth.sessions where user_id = $1', [person.userId])
  await page.context().setOffline(false)
  await page.waitForURL('**/auth', { timeout: 30_000 })
}

test.each([0, 150, 400, 700, 1000])(
  'a browser that is killed %i ms after a sign-in keeps the session and the waiting operations',
  async (delay) => {
    const person = await createPerson(server, { brand: 'Acme' })
    const profile = await mkdtemp(join(tmpdir(), 'banyan-profile-'))
    let browser = await openKillableBrowser(profile)
    try {
      const page = browser.context.pages()[0] ?? (await browser.context.newPage())
      await leaveQueueBehind(page, person)
      // No queued operation reaches the server before the kill.
      proxy.judge = ({ method, path }) => (method === 'POST' && path.includes('upsert_contact') ? 'refuse' : 'pass')
      await signInByScreen(page, person.email, person.password)
      await page.waitForURL((url) => url.pathname !== '/auth')
      await new Promise((resolve) => setTimeout(resolve, delay))
      await browser.kill()
      proxy.judge = () => 'pass'

      browser = await openKillableBrowser(profile)
      const reopenedPage = browser.context.pages()[0] ?? (await browser.context.newPage())
      await reopenedPage.goto(`${proxy.url}/crm/contacts`)
      await expectOn(reopenedPage.getByRole('button', { name: 'All changes saved' })).toBeVisible({ timeout: 30_000 })
      expect(new URL(reopenedPage.url()).pathname).toBe('/crm/contacts')
      const { rows = [] } =
        (await server.database?.owner.query(
          'select email, version from public.contacts where brand_id = $1 order by created_at, email',
          [person.brandId],
        )) ?? {}
      expect(rows).toEqual(emails.map((email) => ({ email, version: 1 })))
    } finally {
      proxy.judge = () => 'pass'
      await browser.kill()
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    }
  },
)
