import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, signInByScreen, test } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'

/** Makes the app in this page miss the messages of other tabs, as after it hung. */
async function missMessages(page: Page): Promise<void> {
  await page.addInitScript(() => {
    class SilentChannel extends BroadcastChannel {
      override addEventListener(): void {}
    }
    const Channel = BroadcastChannel
    globalThis.BroadcastChannel = new Proxy(Channel, {
      construct: (_, [name]: [string]) => (name === 'banyan' ? new SilentChannel(name) : new Channel(name)),
    })
  })
}

test('a tab that hung while its user signed out and another user signed in shows and keeps nothing of the first user', async ({
  page,
  server,
}) => {
  const [ana, bo] = [await createPerson(server, { brand: 'Harbour' }), await createPerson(server, { brand: 'Bolt' })]
  const id = await insertRow(ana, 'contacts', { email: 'zoe@x.test', first_name: 'Zoe' })
  const hungPage = await page.context().newPage()
  await missMessages(hungPage)
  await openAs(hungPage, ana, `/crm/contacts/${id}`)
  await hungPage.getByRole('textbox', { name: 'Write a note' }).fill('A secret of Ana')
  await hungPage.getByRole('button', { name: 'Add Contact' }).click()
  await hungPage.getByRole('dialog').getByRole('textbox', { name: 'First' }).fill('Secret contact')
  const shownAndStored = () =>
    hungPage.evaluate(() =>
      [
        ...[...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value),
        document.body.textContent,
        JSON.stringify(sessionStorage),
      ].join(),
    )
  expect(await shownAndStored()).toMatch(/Secret contact[^]*A secret of Ana/)

  await page.goto('/crm/overview')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await signInByScreen(page, bo.email, bo.password)
  await expect(page).toHaveURL(/\/crm\/overview$/)

  await hungPage.bringToFront()
  await expect(hungPage).toHaveURL(/\/crm\/overview$/)
  await expect(hungPage.getByRole('button', { name: bo.brandName })).toBeVisible()
  expect(await shownAndStored()).not.toMatch(/secret|Zoe/i)
})
