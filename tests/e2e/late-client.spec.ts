import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, type Person, test } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'

const clientFile = /\/assets\/client-[^/]*\.js/

/** Opens the list of contacts of a person whose device stores one contact, first@slate.example. */
async function openKeptContact(page: Page, server: TestServer): Promise<Person> {
  const ana = await createPerson(server, { brand: 'Acme' })
  const { error } = await ana.client.from('contacts').insert({ brand_id: ana.brandId, email: 'first@slate.example' })
  expect(error).toBeNull()
  await openAs(page, ana, '/crm/contacts')
  await expect(page.getByText('first@slate.example').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
  // Waits until the first pull is stored.
  await page.waitForLoadState('networkidle')
  return ana
}

test('while the official client cannot be loaded, rows are shown and a change is queued; afterwards it is sent', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await openKeptContact(page, server)
  let abortedCount = 0
  await page.route(clientFile, (route) => {
    abortedCount++
    return route.abort()
  })
  await page.reload()
  await expect(page.getByText('first@slate.example').first()).toBeVisible()
  await expect.poll(() => abortedCount).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  await page.getByRole('dialog').getByLabel('Email').fill('second@slate.example')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Offline, 1 waiting' })).toBeVisible()

  await page.unroute(clientFile)
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible({ timeout: 20_000 })
  const { data } = await ana.client.from('contacts').select('email').eq('brand_id', ana.brandId).order('email')
  expect(data).toEqual([{ email: 'first@slate.example' }, { email: 'second@slate.example' }])
})

test('the rows of the device are shown before the official client is requested', async ({ page, server }) => {
  await openKeptContact(page, server)
  let wasShownAtRequest: boolean | undefined
  await page.route(clientFile, async (route) => {
    wasShownAtRequest ??= await page.getByText('first@slate.example').first().isVisible()
    await route.continue()
  })
  await page.reload()
  await expect.poll(() => wasShownAtRequest).toBe(true)
})

test('while the code of the live socket cannot be loaded, the page tries again; afterwards changes arrive live', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  let requestCount = 0
  await page.route(/\/assets\/live-client-[^/]*\.js/, (route) => {
    requestCount++
    return requestCount < 3 ? route.abort() : route.continue()
  })
  let isJoined = false
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('Subscribed to PostgreSQL')) isJoined = true
    }),
  )
  await openAs(page, ana, '/crm/contacts')
  await expect.poll(() => isJoined, { timeout: 20_000 }).toBe(true)
  expect(requestCount).toBe(3)
  const { error } = await ana.client.from('contacts').insert({ brand_id: ana.brandId, email: 'live@slate.example' })
  expect(error).toBeNull()
  await expect(page.getByText('live@slate.example').first()).toBeVisible()
})

test('if the code of some parts of the board cannot be loaded, all other parts are shown; the missing parts appear once their code can be loaded', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  let abortedCount = 0
  const partFiles = /\/assets\/(colleague-moves|inbox)-[^/]*\.js/
  await page.route(partFiles, (route) => {
    abortedCount++
    return route.abort()
  })
  await openAs(page, ana, '/crm/deals')
  await page.getByRole('button', { name: 'Notifications' }).click()
  await expect.poll(() => abortedCount).toBeGreaterThan(1)
  await expect(page.getByRole('heading', { name: 'Deals Pipeline' })).toBeVisible()
  await expect(page.getByText('Something went wrong here')).toHaveCount(0)

  // The browser remembers that the files failed, so the page reloads when it tries again.
  const reloaded = page.waitForEvent('load')
  await page.unroute(partFiles)
  await reloaded
  await page.getByRole('button', { name: 'Notifications' }).click()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
})

test('the page requests React together with the first file of the app', async ({ page }) => {
  const html = await (await page.request.get('/auth')).text()
  expect(html).toMatch(/<link rel="modulepreload"[^>]* href="\/assets\/react-/)
})
