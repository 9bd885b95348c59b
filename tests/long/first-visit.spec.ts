import { createPerson, expect, openAs, test } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'

test.use({ serviceWorkers: 'allow' })

test('a page that the service worker takes over while it loads can still be opened offline', async ({
  context,
  page,
  server,
}) => {
  // This page has fetched its configuration before the worker controls it, and its scripts are held back.
  const run = await holdRequests(page, '**/assets/*.js')
  await page.goto('/crm/overview', { waitUntil: 'commit' })
  const other = await context.newPage()
  await openAs(other, await createPerson(server, { brand: 'Harbour' }))
  const isTaken = () => page.evaluate(() => navigator.serviceWorker.controller !== null)
  await expect.poll(isTaken, { timeout: 30_000 }).toBe(true)
  await expect.poll(() => other.evaluate(() => caches.delete('config')), { timeout: 30_000 }).toBe(true)
  await other.close()
  run()
  await expect.poll(() => page.evaluate(() => caches.has('config')), { timeout: 15_000 }).toBe(true)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
})
