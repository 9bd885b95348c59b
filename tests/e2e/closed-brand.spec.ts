import { createPerson, expect, expectAccessible, openAs, openContext, test } from '../harness/browser.ts'

test("'Security' on /select-brand leads a person without a brand, or between brands, to their account, also on the phone", async ({
  page,
  server,
  browser,
}) => {
  await openAs(page, await createPerson(server), '/select-brand')
  const link = page.getByRole('banner').getByRole('link', { name: 'Security' })
  await expect(page.getByLabel('Brand name')).toBeFocused()
  await expectAccessible(page)
  await link.click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByRole('button', { name: 'Delete my account' })).toBeVisible()

  const context = await openContext(browser, server)
  const phone = await context.newPage()
  await phone.setViewportSize({ width: 390, height: 844 })
  await openAs(phone, await createPerson(server, { brand: 'Acme' }), '/crm/overview')
  await phone.getByRole('button', { name: /^Account/ }).click()
  await phone.getByRole('menuitem', { name: 'Switch Brand' }).click()
  const phoneLink = phone.getByRole('banner').getByRole('link', { name: 'Security' })
  expect((await phoneLink.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  if (process.env.SHOTS) await phone.screenshot({ path: `${process.env.SHOTS}/select-phone.png` })
  await phoneLink.click()
  await expect(phone.getByRole('button', { name: 'Delete my account' })).toBeVisible()
  await context.close()
})
