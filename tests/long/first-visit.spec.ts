import { createPerson, expect, openAs, test } from '../harness/browser.ts'

test.use({ serviceWorkers: 'allow' })

test('a page that the worker takes over while it still loads keeps what a start without a network needs', async ({
  context,
  page,
  server,
}) => {
  let run: (() => void) | undefined
  const mayRun = new Promise<void>((resolve) => {
    run = resolve
  })
  // This page has asked for its configuration without a worker, and its own code is late.
  await page.route('**/assets/*.js', async (route) => {
    await mayRun
    await route.continue()
  })
  await page.goto('/crm/overview', { waitUntil: 'commit' })
  const other = await context.newPage()
  await openAs(other, await createPerson(server, { brand: 'Harbour' }))
  const isTaken = () => page.evaluate(() => navigator.serviceWorker.controller !== null)
  await expect.poll(isTaken, { timeout: 30_000 }).toBe(true)
  await expect.poll(() => other.evaluate(() => caches.delete('config')), { timeout: 30_000 }).toBe(true)
  await other.close()
  run?.()
  await expect.poll(() => page.evaluate(() => caches.has('config')), { timeout: 15_000 }).toBe(true)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
})
