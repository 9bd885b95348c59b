import type { Page } from '@playwright/test'
import {
  createPerson,
  expect,
  expectAccessible,
  openAs,
  openContext,
  type Person,
  test,
  toastOf,
} from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'

/** Creates a brand with its owner, the admin cy and the member bo. */
async function makeTeam(server: TestServer): Promise<{ owner: Person; admin: Person; member: Person }> {
  const owner = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const [admin, member] = [await createPerson(server, { name: 'cy' }), await createPerson(server, { name: 'bo' })]
  await addMember(owner, admin, 'admin')
  await addMember(owner, member, 'member')
  return { owner, admin, member }
}

async function addMember(owner: Person, person: Person, role: string): Promise<void> {
  const args = { p_brand_id: owner.brandId, p_email: person.email, p_role: role }
  const { error } = await owner.client.rpc('add_brand_member_by_email', args)
  if (error) throw new Error(error.message)
}

const lineOf = (page: Page, { email }: Person) =>
  page.getByRole('region', { name: 'Team Members' }).getByRole('listitem').filter({ hasText: email })
const roleButton = (page: Page, { email }: Person) => page.getByRole('button', { name: `role of ${email}` })
const actionsButton = (page: Page, { email }: Person) => page.getByRole('button', { name: `Actions for ${email}` })

test('an owner is offered every role; the member sees a new role at once', async ({ page, server, browser }) => {
  const { owner, member } = await makeTeam(server)
  const context = await openContext(browser, server)
  const memberPage = await context.newPage()
  await openAs(memberPage, member, '/crm/settings')
  await expect(memberPage.getByText('Current Members (3)')).toBeVisible()
  await expect(roleButton(memberPage, owner)).toHaveCount(0)
  await openAs(page, owner, '/crm/settings')
  await roleButton(page, member).click()
  await expect(page.getByRole('menuitemradio')).toHaveText(['Member', 'Admin', 'Owner'])
  await page.getByRole('menuitemradio', { name: 'Admin' }).click()
  await expect(roleButton(page, member)).toHaveText('Admin')
  await expect(roleButton(page, member)).toBeFocused()
  await memberPage.bringToFront()
  await expect(lineOf(memberPage, member).getByText('Admin', { exact: true })).toBeVisible()
  const { data } = await owner.client.from('memberships').select('role').eq('user_id', member.userId)
  expect(data).toEqual([{ role: 'admin' }])
  await context.close()
})

test('an admin is offered the roles Member and Admin, and no action on the owner; after a demotion a change of a role is refused', {
  tag: '@long',
}, async ({ page, server }) => {
  const { owner, admin, member } = await makeTeam(server)
  await openAs(page, admin, '/crm/settings')
  await roleButton(page, member).click()
  await expect(page.getByRole('menuitemradio')).toHaveText(['Member', 'Admin'])
  await page.keyboard.press('Escape')
  await expect(roleButton(page, owner)).toHaveCount(0)
  await expect(actionsButton(page, owner)).toHaveCount(0)
  // The admin was demoted meanwhile: the page still offers the change, but SQL refuses it.
  await page.route('**/rpc/{pull,list_brand_members}', (route) => route.abort())
  await owner.client.from('memberships').update({ role: 'member' }).eq('user_id', admin.userId)
  await roleButton(page, member).click()
  await page.getByRole('menuitemradio', { name: 'Admin' }).click()
  await expect(toastOf(page)).toContainText('Error changing role')
  await expect(toastOf(page)).toContainText('Your role in this brand does not allow it.')
  await expect(roleButton(page, member)).toHaveText('Member')
})

test('a member is removed after a confirmation, and the focus stays in the list', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const { owner, member } = await makeTeam(server)
  await openAs(page, owner, '/crm/settings')
  await actionsButton(page, member).click()
  await page.getByRole('menuitem', { name: 'Remove from brand' }).click()
  const dialog = page.getByRole('dialog', { name: /^Remove bo-/ })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(actionsButton(page, member)).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Remove from brand' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Current Members (2)')).toBeVisible()
  await expect(lineOf(page, member)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Current Members (2)' })).toBeFocused()
})

test('a person changes their name, and it appears in the list, in the header, and for colleagues', {
  tag: '@long',
}, async ({ page, server }) => {
  const { owner, member } = await makeTeam(server)
  await openAs(page, member, '/crm/settings')
  await expect(actionsButton(page, owner)).toHaveCount(0)
  await actionsButton(page, member).click()
  await page.getByRole('menuitem', { name: 'Change your name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change your name' })
  await dialog.getByLabel('Name').fill('  ')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription('Name is required')
  await dialog.getByLabel('Name').fill(' Bo Bellweather ')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(lineOf(page, member)).toContainText('Bo Bellweather (you)')
  await page.getByRole('button', { name: /^Account/ }).click()
  await expect(page.getByRole('menu', { name: 'Account' })).toContainText('Bo Bellweather')
  const { data } = await owner.client.from('memberships').select('display_name').eq('user_id', member.userId)
  expect(data).toEqual([{ display_name: 'Bo Bellweather' }])
})

test('an owner who leaves a brand loses it at once; the last owner cannot leave', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const { owner, member } = await makeTeam(server)
  await openAs(page, owner, '/crm/settings')
  await actionsButton(page, owner).click()
  await page.getByRole('menuitem', { name: 'Leave brand' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('You are the last owner, so you cannot leave the brand.')
  await expect(dialog.getByRole('button', { name: 'Leave' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await owner.client.from('memberships').update({ role: 'owner' }).eq('user_id', member.userId)
  await actionsButton(page, owner).click()
  await page.getByRole('menuitem', { name: 'Leave brand' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Banyan CRM' })).toBeVisible()
  await expect(toastOf(page)).toContainText(`You left ${owner.brandName}`)
  const { data } = await member.client.from('memberships').select('user_id').eq('user_id', owner.userId)
  expect(data).toEqual([])
})

test('the dialog to leave a brand says how many changes could not be sent and will be lost', async ({
  page,
  server,
}) => {
  const { owner, member } = await makeTeam(server)
  await openAs(page, member, '/crm/contacts')
  const path = '**/rest/v1/rpc/upsert_contact'
  await page.route(path, (route) => route.abort())
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  await page.getByRole('dialog').getByLabel('Email').fill('lost@slate.example')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  const refusal = { code: '22023', message: 'This contact is refused.', details: null, hint: null }
  // The latest route counts. Without the first route the server would accept the contact if it is sent again before this one.
  await page.route(path, (route) => route.fulfill({ status: 400, json: refusal }))
  await page.goto('/crm/settings')
  await expect(page.getByRole('button', { name: /attention/ })).toBeVisible()
  await actionsButton(page, member).click()
  await page.getByRole('menuitem', { name: 'Leave brand' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('1 change could not be sent and will be lost.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(toastOf(page)).toContainText(`You left ${owner.brandName}`)
})

test("on the phone the roles are in the member's menu", { tag: '@long' }, async ({ page, server }) => {
  const { owner, member } = await makeTeam(server)
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, owner, '/crm/settings')
  await actionsButton(page, member).click()
  await page.getByRole('menuitemradio', { name: 'Admin' }).click()
  await expect(lineOf(page, member).getByText('Admin', { exact: true })).toBeVisible()
})

test('the team page has no accessibility violations in menus and dialogs', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const { owner, member } = await makeTeam(server)
  await openAs(page, owner, '/crm/settings')
  await roleButton(page, member).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await actionsButton(page, member).click()
  await page.getByRole('menuitem', { name: 'Remove from brand' }).click()
  await page.getByRole('dialog').waitFor()
  await expectAccessible(page)
})
