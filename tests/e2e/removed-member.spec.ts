import type { Page } from '@playwright/test'
import { createBrand, createPerson, expect, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'
import { everythingStored } from '../harness/stored.ts'
import type { TestServer } from '../harness/server.ts'

/** Creates ana's brand with bo as a member. The brand has a contact and a deal whose texts contain 'marker' or 'Marker'. */
async function memberWithData(server: TestServer): Promise<{ owner: Person; member: Person }> {
  const owner = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const member = await createPerson(server, { name: 'bo' })
  const { error } = await owner.client.rpc('add_brand_member_by_email', {
    p_brand_id: owner.brandId,
    p_email: member.email,
    p_role: 'member',
  })
  if (error) throw new Error(error.message)
  const { brandId: brand_id } = owner
  await owner.client.from('contacts').insert({ brand_id, email: 'marker@acme.example', first_name: 'Marker' })
  const { data } = await owner.client.from('deal_stages').select('id').eq('brand_id', brand_id).order('position')
  await owner.client.from('deals').insert({ brand_id, name: 'Marker deal', stage_id: data?.[0]?.id })
  return { owner, member }
}

const removeMember = (owner: Person, member: Person) =>
  owner.client.from('memberships').delete().eq('brand_id', owner.brandId).eq('user_id', member.userId)

for (const isLive of [true, false]) {
  test(`the open pages of a removed member leave the brand and show a message, and the brand's rows are wiped from the device (${isLive ? 'live' : 'by the periodic pull'})`, async ({
    page,
    server,
  }) => {
    const { owner, member } = await memberWithData(server)
    if (!isLive) await page.context().routeWebSocket(/realtime/, (socket) => void socket.close())
    await openAs(page, member, '/crm/deals')
    await expect(page.getByText('Marker deal')).toBeVisible()
    const secondPage = await page.context().newPage()
    await secondPage.goto('/crm/contacts')
    await expect(secondPage.getByText('marker@acme.example').first()).toBeVisible()
    await removeMember(owner, member)
    for (const tab of [secondPage, page]) {
      await tab.bringToFront()
      await expect(tab).toHaveURL(/\/select-brand$/)
      await expect(tab.getByRole('alert').first()).toHaveText(`You are no longer a member of ${owner.brandName}.`)
      await expect(tab.getByText(/marker/i)).toHaveCount(0)
    }
    await expect.poll(() => everythingStored(page)).not.toMatch(/marker/i)
    await page.goto('/crm/contacts')
    await expect(page).toHaveURL(/\/select-brand$/)
  })
}

test('a removed member with one brand left sees that brand open, with the message', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const { owner, member } = await memberWithData(server)
  await createBrand(member, 'Umbra')
  await page.goto('/auth')
  await signInAndOpenBrand(page, member, owner.brandName)
  await expect(page.getByRole('banner')).toContainText(owner.brandName)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByText('Current Members (2)')).toBeVisible()
  const withoutBrand: string[] = []
  page.on('request', (request) => {
    if (/brand_id=eq\.(&|$)/.test(request.url())) withoutBrand.push(request.url())
  })
  await removeMember(owner, member)
  await expect(page.getByRole('banner')).toContainText(member.brandName)
  await expect(toastOf(page)).toContainText(`You are no longer a member of ${owner.brandName}.`)
  await expect(page).toHaveURL(/\/crm\/overview$/)
  expect(withoutBrand, 'nothing is requested between two brands').toEqual([])
})

test('if a member is removed while no brand is open, the brand is wiped from the device at the next load', {
  tag: '@long',
}, async ({ page, server }) => {
  const { owner, member } = await memberWithData(server)
  await createBrand(member, 'Umbra')
  await signInAndOpenBrand(page, member, owner.brandName)
  await page.goto('/crm/contacts')
  await expect(page.getByText('marker@acme.example').first()).toBeVisible()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Switch Brand' }).click()
  await page.waitForURL('**/select-brand')
  await expect.poll(() => everythingStored(page)).toContain('marker@acme.example')
  await removeMember(owner, member)
  await page.reload()
  // The only remaining brand opens automatically.
  await expect(page.getByRole('banner')).toContainText(member.brandName)
  await expect.poll(() => everythingStored(page)).not.toMatch(/marker/i)
})

test('a removed member on /select-brand sees the remaining brand after a reload, even if another tab has already stored the memberships', {
  tag: '@long',
}, async ({ page, server }) => {
  const { owner, member } = await memberWithData(server)
  await createBrand(member, 'Umbra')
  await signInAndOpenBrand(page, member, owner.brandName)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Switch Brand' }).click()
  await page.waitForURL('**/select-brand')
  await removeMember(owner, member)
  const secondPage = await page.context().newPage()
  await secondPage.goto('/select-brand')
  await expect(secondPage.getByRole('banner')).toContainText(member.brandName)
  await page.bringToFront()
  await page.reload()
  await expect(page.getByRole('banner')).toContainText(member.brandName)
})

test('the offline changes of a removed member are refused without a second message', { tag: '@long' }, async ({
  page,
  server,
  context,
}) => {
  const { owner, member } = await memberWithData(server)
  await openAs(page, member, '/crm/deals')
  await expect(page.getByText('Marker deal')).toBeVisible()
  // Waits for the code that the board loads later: without that code the board does not appear while offline.
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'New deal in Incoming' }).click()
  await page.keyboard.press('Enter')
  await removeMember(owner, member)
  await context.setOffline(false)
  await expect(page).toHaveURL(/\/select-brand$/)
  await expect(page.getByRole('alert').first()).toContainText(`You are no longer a member of ${owner.brandName}.`)
  await expect(toastOf(page)).toHaveCount(0)
})

test('an outcome that arrives after the removal shows no message, and offers no undo', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const { owner, member } = await memberWithData(server)
  await createBrand(member, 'Umbra')
  await page.context().routeWebSocket(/realtime/, (socket) => void socket.close())
  await signInAndOpenBrand(page, member, owner.brandName)
  await page.goto('/crm/deals')
  await expect(page.getByText('Marker deal')).toBeVisible()
  const releasePull = await holdRequests(page, '**/rpc/pull*')
  const releaseWrite = await holdRequests(page, '**/rest/v1/deals*', 'POST')
  await removeMember(owner, member)
  await page.getByRole('button', { name: 'New deal in Incoming' }).click()
  releasePull()
  const shownToasts = new Set<string>()
  const removalText = `You are no longer a member of ${owner.brandName}.`
  await expect(toastOf(page)).toContainText(removalText)
  releaseWrite()
  // A toast about the new deal, such as its refusal or 'Saved on this device' after three seconds, would replace the message.
  await expect
    .poll(
      async () => {
        for (const text of await toastOf(page).allInnerTexts())
          shownToasts.add(text.includes(removalText) ? removalText : text)
        return toastOf(page).count()
      },
      { intervals: [100] },
    )
    .toBe(0)
  expect([...shownToasts]).toEqual([removalText])
})

async function signInAndOpenBrand(page: Page, person: Person, brandName: string): Promise<void> {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: brandName })
    .getByRole('button', { name: 'Open Dashboard' })
    .click()
  await page.waitForURL('**/crm/overview')
}
