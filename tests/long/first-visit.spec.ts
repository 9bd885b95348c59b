import { createPerson, expect, openAs, test } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'

test.use({ serviceWorkers: 'allow' })

test('a page that the service worker takes over while it loads can still be opened offline', async ({
  context,
  page,
  server,
}) => {
  // This page has fetched its configuration before the worker controls it, and its scripts are held back.
  const releaseScripts = await holdRequests(page, '**/assets/*.js')
  await page.goto('/crm/overview', { waitUntil: 'commit' })
  const otherPage = await context.newPage()
  await openAs(otherPage, await createPerson(server, { brand: 'Harbour' }))
  const isControlled = () => page.evaluate(() => navigator.serviceWorker.controller !== null)
  await expect.poll(isControlled, { timeout: 30_000 }).toBe(true)
  await expect.poll(() => otherPage.evaluate(() => caches.delete('config')), { timeout: 30_000 }).toBe(true)
  await otherPage.close()
  releaseScripts()
  await expect.poll(() => page.evaluate(() => caches.has('config')), { timeout: 15_000 }).toBe(true)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
})
