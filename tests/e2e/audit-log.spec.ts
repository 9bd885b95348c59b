import { createPerson, expect, openContext, signInByScreen, test } from '../harness/browser.ts'
import { region } from './security-page.ts'

test('only owners can read the audit log', { tag: '@long' }, async ({ page, server, browser }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  const bo = await createPerson(server, { name: 'bo' })
  await ana.client.rpc('add_brand_member_by_email', { p_brand_id: ana.brandId, p_email: bo.email, p_role: 'admin' })
  await page.goto('/crm/settings?tab=brand')
  await signInByScreen(page, ana.email, ana.password)
  const auditLog = region(page, 'Audit log')
  await expect(auditLog).toContainText(/added .* as admin/)
  await expect(auditLog).toContainText('signed in')
  const context = await openContext(browser, server)
  const guestPage = await context.newPage()
  await guestPage.goto('/crm/settings?tab=brand')
  await signInByScreen(guestPage, bo.email, bo.password)
  await expect(region(guestPage, 'Ownership')).toBeVisible()
  await expect(region(guestPage, 'Audit log')).toHaveCount(0)
  await context.close()
})
