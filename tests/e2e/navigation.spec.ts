import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, type Person, test } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'
import { openContacts, personWithContacts, rowsWithText } from './contact-seeds.ts'

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const navigationLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true })

/** Returns how far the most scrolled element of the page is scrolled (px). */
const highestScroll = (page: Page) =>
  page.evaluate(() => Math.max(...[...document.querySelectorAll('#main, #main *')].map((each) => each.scrollTop)))

test('the previous page stays until the next one is ready, the clicked navigation entry is marked at once, and after several clicks the page of the last one is shown', {
  tag: '@long',
}, async ({ page, server }) => {
  await openContacts(page, await personWithContacts(server, [{ first: 'Mei', email: 'mei@acme.example' }]))
  const search = page.getByLabel('Search contacts...')
  await search.fill('Mei')
  const release = await holdRequests(page, '**/assets/companies-*.js')
  await navigationLink(page, 'Companies').click()
  await expect(navigationLink(page, 'Companies')).toHaveAttribute('aria-current', 'page')
  await expect(navigationLink(page, 'Contacts')).not.toHaveAttribute('aria-current')
  await expect(page).toHaveURL('/crm/companies')
  await expect(title(page)).toHaveText('Contacts')
  await expect(search).toHaveValue('Mei')
  await navigationLink(page, 'Settings').click()
  await expect(title(page)).toHaveText('Settings')
  release()
  await page.waitForResponse(/companies-.*\.js/)
  await page.waitForTimeout(300)
  await expect(title(page)).toHaveText('Settings')
  await page.goBack()
  await expect(title(page)).toHaveText('Companies')
  await page.goBack()
  await expect(title(page)).toHaveText('Contacts')
  await page.goForward()
  await expect(title(page)).toHaveText('Companies')
})

test('a page whose code does not load says so in its frame, and appears once the code loads, or once the network is back', {
  tag: '@long',
}, async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/overview')
  await page.route('**/assets/companies-*.js', (route) => route.abort())
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await navigationLink(page, 'Companies').click()
  const errorAlert = page.getByRole('main').getByRole('alert')
  await expect(errorAlert).toContainText('Something went wrong here')
  // A reload would lose text that is typed in another field.
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  await navigationLink(page, 'Tasks').click()
  await expect(title(page)).toHaveText('Tasks')
  await page.unroute('**/assets/companies-*.js')
  await page.goBack()
  await expect(title(page)).toHaveText('Companies')
  await expect(errorAlert).toHaveCount(0)

  await page.route('**/assets/settings-*.js', (route) => route.abort())
  await navigationLink(page, 'Settings').click()
  await expect(errorAlert).toContainText('Something went wrong here')
  await page.unroute('**/assets/settings-*.js')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(title(page)).toHaveText('Settings')
})

test('if an update has removed the code of a page, the app reloads once', { tag: '@long' }, async ({
  page,
  server,
}) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/overview')
  await page.route('**/assets/companies-*.js', (route) => route.fulfill({ status: 404 }))
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await navigationLink(page, 'Companies').click()
  await expect.poll(() => loads).toBe(1)
  await expect(page).toHaveURL('/crm/companies')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Something went wrong here')
  await navigationLink(page, 'Tasks').click()
  await navigationLink(page, 'Companies').click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Something went wrong here')
  expect(loads).toBe(1)
})

test('Back restores the scroll position of a list, also after a reload and out of a panel; another page starts at its top', async ({
  page,
  server,
}) => {
  await openContacts(page, await personWithMany(server))
  const top = () => highestScroll(page)
  const leftAt = await scrollAndLeave(page)
  expect(await top()).toBe(0)
  await page.goBack()
  await expect(title(page)).toHaveText('Contacts')
  await expect.poll(top).toBe(leftAt)
  await page.reload()
  await expect.poll(top).toBe(leftAt)

  // Clicks the row in the middle of the screen. No bar covers this row, so the click does not scroll the list.
  const nameInTheMiddle = () =>
    page.evaluate(() => {
      const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
      return middle?.closest('[role=row]')?.querySelector('a')?.textContent ?? ''
    })
  await expect.poll(nameInTheMiddle).toContain('Person')
  await page.getByRole('link', { name: await nameInTheMiddle(), exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Contact' })
  await expect(panel).toBeVisible()
  expect(await top()).toBe(leftAt)
  await navigationLink(page, 'Companies').click()
  await expect(title(page)).toHaveText('Companies')
  await page.goBack()
  await expect(panel).toBeVisible()
  await expect.poll(top).toBe(leftAt)
  // The panel's history entry records, also after a reload, that the panel was opened over its list: after Escape, Forward opens it again.
  await page.reload()
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await page.goForward()
  await expect(panel).toBeVisible()
})

test('Back restores the scroll position of a list whose rows come from the server, after the page is shown', async ({
  page,
  server,
}) => {
  // Without a pull, the device has no rows of its own.
  await holdRequests(page, '**/rest/v1/rpc/pull*')
  await openContacts(page, await personWithMany(server))
  const leftAt = await scrollAndLeave(page)
  await page.goBack()
  await expect(title(page)).toHaveText('Contacts')
  await expect.poll(() => highestScroll(page)).toBe(leftAt)
})

/** Scrolls the list of contacts and goes to the companies. Returns how far the list was scrolled (px). */
async function scrollAndLeave(page: Page): Promise<number> {
  await rowsWithText(page, 'Person').nth(3).hover()
  await page.mouse.wheel(0, 2000)
  await expect.poll(() => highestScroll(page)).toBeGreaterThan(1500)
  const leftAt = await highestScroll(page)
  await navigationLink(page, 'Companies').click()
  await expect(title(page)).toHaveText('Companies')
  return leftAt
}

async function personWithMany(server: Parameters<typeof createPerson>[0]): Promise<Person> {
  const person = await createPerson(server, { brand: 'Harbour' })
  const contacts = Array.from({ length: 120 }, (_, n) => ({
    brand_id: person.brandId,
    first_name: `Person ${n}`,
    email: `person${n}@acme.example`,
  }))
  const { error } = await person.client.from('contacts').insert(contacts)
  expect(error).toBeNull()
  return person
}
