import { createPerson, expect, expectAccessible, openAs, openContext, type Person, test } from '../harness/browser.ts'
import { addApp } from '../harness/person-with-app.ts'
import type { TestServer } from '../harness/server.ts'

/** Creates the owner of a brand with a second factor, and a member of the brand without one who has no other brand. */
async function ownerAndMember(server: TestServer): Promise<{ owner: Person; member: Person }> {
  const owner = await createPerson(server, { name: 'ana', brand: 'Oak & Co' })
  const member = await createPerson(server, { name: 'bob' })
  const { brandId } = owner
  await owner.client.rpc('add_brand_member_by_email', { p_brand_id: brandId, p_email: member.email, p_role: 'member' })
  await addApp(owner.client)
  return { owner, member }
}

async function requireFactor({ client, brandId }: Person, required: boolean): Promise<void> {
  const { error } = await client.rpc('require_second_factor', { p_brand_id: brandId, p_required: required })
  expect(error).toBeNull()
}

test('a brand that no longer requires a second factor opens when the page gets the focus; one that requires it again is explained', async ({
  page,
  server,
}) => {
  const { owner, member } = await ownerAndMember(server)
  await requireFactor(owner, true)
  await openAs(page, member, '/select-brand')
  const explanation = page.getByRole('region', { name: 'Second factor needed' })
  await expect(explanation).toContainText(owner.brandName)
  await requireFactor(owner, false)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(page).toHaveURL(/\/crm\/overview$/)

  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Switch Brand' }).click()
  const openButton = page.getByRole('button', { name: /^Open Dashboard/ })
  await expect(openButton).toBeVisible()
  await requireFactor(owner, true)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(explanation).toContainText(owner.brandName)
  await expect(openButton).toBeHidden()
  await requireFactor(owner, false)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(openButton).toBeVisible()
  await expect(explanation).toBeHidden()
})

test('while one of two brands becomes available again, the page does not open the other one automatically', async ({
  page,
  server,
}) => {
  const { owner, member } = await ownerAndMember(server)
  const otherOwner = await createPerson(server, { name: 'eve', brand: 'Elm' })
  const invitee = { p_brand_id: otherOwner.brandId, p_email: member.email, p_role: 'member' }
  await otherOwner.client.rpc('add_brand_member_by_email', invitee)
  await openAs(page, member, '/select-brand')
  const openButtons = page.getByRole('button', { name: /^Open Dashboard/ })
  await expect(openButtons).toHaveCount(2)
  await requireFactor(owner, true)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  const explanation = page.getByRole('region', { name: 'Second factor needed' })
  await expect(explanation).toContainText(owner.brandName)
  await expect(openButtons).toHaveCount(1)

  await requireFactor(owner, false)
  await page.route('**/rest/v1/memberships?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(explanation).toBeHidden()
  await expect(openButtons).toHaveCount(2)
  await expect(page).toHaveURL(/\/select-brand$/)
})

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
