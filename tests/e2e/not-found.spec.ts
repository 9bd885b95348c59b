import { createPerson, expect, expectAccessible, openAs, test } from '../harness/browser.ts'

test("spec 2: any other path: 404 page with 'Oops! Page not found' and a link 'Return to Home'", async ({ page }) => {
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found', exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Return to Home', exact: true }).click()
  await expect(page).toHaveURL(/\/auth$/)
})

test('spec 2: any other path: the attempted path is logged', async ({ page }) => {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found', exact: true })).toBeVisible()
  // The browser reports a line a moment after the page has written it.
  await expect.poll(() => lines.join('\n')).toContain('/no/such/page')
})

test('an unknown path below /crm is a 404 too', async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  await page.goto('/crm/nothing')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found', exact: true })).toBeVisible()
})

test('a missing asset returns 404, never the page', async ({ request, baseURL }) => {
  const response = await request.get(`${baseURL}/assets/gone-12345678.js`)
  expect(response.status()).toBe(404)
})
