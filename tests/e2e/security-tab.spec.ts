import { createBrand, createPerson, expect, expectAccessible, test } from '../harness/browser.ts'
import { openSecurity, region } from './security-page.ts'

test('for a user without a second factor, the tab Security sends no request that the server refuses', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  const refusedRequests: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refusedRequests.push(`${response.status()} ${response.url()}`)
  })
  await openSecurity(page, ana)
  await expect(page.getByText('This session')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change email' })).toBeVisible()
  expect(refusedRequests).toEqual([])
})

test('the tab Security has no accessibility violations and fits on the phone', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const ana = await createPerson(server)
  await createBrand(ana, 'Acme')
  await page.setViewportSize({ width: 390, height: 844 })
  await openSecurity(page, ana)
  await expect(region(page, 'Sessions')).toBeVisible()
  await expect(region(page, 'Require a second factor')).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  for (const button of await page.locator('#main').getByRole('button').all())
    expect((await button.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessible(page)
})
