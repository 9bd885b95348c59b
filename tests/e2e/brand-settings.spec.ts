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
import { everythingStored } from '../harness/stored.ts'

async function addMember(owner: Person, person: Person, role: string): Promise<void> {
  const args = { p_brand_id: owner.brandId, p_email: person.email, p_role: role }
  const { error } = await owner.client.rpc('add_brand_member_by_email', args)
  if (error) throw new Error(error.message)
}

test('the URL contains the settings tab, so that a reload keeps it', { tag: '@long' }, async ({ page, server }) => {
  const owner = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, owner, '/crm/settings')
  await expect(page.getByRole('tab', { name: 'Team' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Team' }).press('End')
  await expect(page).toHaveURL(/\/crm\/settings\?tab=brand$/)
  await expect(page.getByRole('tab', { name: 'Brand' })).toBeFocused()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Ownership' })).toBeVisible()
  await page.goto('/crm/settings?tab=nonsense')
  await expect(page.getByText('Current Members (1)')).toBeVisible()
})

test('an owner renames the brand, and colleagues see the new name; the name of another brand is refused', async ({
  page,
  server,
  browser,
}) => {
  const owner = await createPerson(server, { brand: 'Harbour' })
  const otherOwner = await createPerson(server, { name: 'eve', brand: 'Umbra' })
  const member = await createPerson(server, { name: 'bo' })
  await addMember(owner, member, 'admin')
  const context = await openContext(browser, server)
  const memberPage = await context.newPage()
  await openAs(memberPage, member, '/crm/settings')
  await memberPage.getByRole('tab', { name: 'Brand' }).click()
  await expect(memberPage.getByText('Owners can rename it.')).toBeVisible()
  await expect(memberPage.getByRole('button', { name: /Rename|Hand over|Delete brand/ })).toHaveCount(0)
  await openAs(page, owner, '/crm/settings')
  await page.getByRole('tab', { name: 'Brand' }).click()
  const nameField = page.getByLabel('Brand name')
  await nameField.fill(otherOwner.brandName)
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Brand name already exists')
  await expect(toastOf(page)).toContainText('Please choose a different name.')
  await expect(nameField).toHaveValue(otherOwner.brandName)
  await nameField.fill(' ')
  await page.keyboard.press('Enter')
  await expect(nameField).toHaveAccessibleDescription('Brand name required')
  await nameField.fill(` ${owner.brandName} Ltd `)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('banner')).toContainText(`${owner.brandName} Ltd`)
  await expect(nameField).toHaveValue(`${owner.brandName} Ltd`)
  await memberPage.bringToFront()
  await expect(memberPage.getByRole('banner')).toContainText(`${owner.brandName} Ltd`)
  await context.close()
})

test('an owner who hands the brand over becomes an admin', { tag: '@long' }, async ({ page, server }) => {
  const owner = await createPerson(server, { brand: 'Harbour' })
  const member = await createPerson(server, { name: 'bo' })
  await openAs(page, owner, '/crm/settings')
  await page.getByRole('tab', { name: 'Brand' }).click()
  await page.getByRole('button', { name: 'Hand over' }).click()
  const dialog = page.getByRole('dialog', { name: `Hand over ${owner.brandName}` })
  await expect(dialog).toContainText('You are the only member. Add somebody first.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await addMember(owner, member, 'member')
  await page.getByRole('button', { name: 'Hand over' }).click()
  await dialog.getByRole('combobox', { name: 'New owner' }).click()
  await page.getByRole('option', { name: /^bo-/ }).click()
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await expect(toastOf(page)).toContainText(`owns ${owner.brandName} now`)
  await expect(page.getByRole('button', { name: /Hand over|Delete brand/ })).toHaveCount(0)
  const { data } = await owner.client.from('memberships').select('user_id,role').eq('brand_id', owner.brandId)
  expect(new Map(data?.map(({ user_id, role }) => [user_id, role]))).toEqual(
    new Map([
      [owner.userId, 'admin'],
      [member.userId, 'owner'],
    ]),
  )
})

test('an owner deletes a brand by typing its name; all its rows are deleted, on this device too', {
  tag: '@long',
}, async ({ page, server }) => {
  const owner = await createPerson(server, { brand: 'Harbour' })
  await owner.client.from('contacts').insert({ brand_id: owner.brandId, email: 'marker@acme.example' })
  await openAs(page, owner, '/crm/contacts')
  await expect(page.getByText('marker@acme.example').first()).toBeVisible()
  // A row is shown before it is stored: wait until it is stored.
  await expect.poll(() => everythingStored(page)).toContain('marker@acme.example')
  await page.goto('/crm/settings?tab=brand')
  await page.getByRole('button', { name: 'Delete brand' }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${owner.brandName}?` })
  await dialog.getByRole('textbox').fill('Harbour')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox')).toHaveAccessibleDescription('This is not the name of the brand')
  await dialog.getByRole('textbox').fill(owner.brandName)
  await dialog.getByRole('button', { name: 'Delete brand' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Banyan CRM' })).toBeVisible()
  await expect(toastOf(page)).toContainText(`${owner.brandName} was deleted`)
  await expect.poll(() => everythingStored(page)).not.toContain('marker@acme.example')
  const { data } = await owner.client.from('brands').select('id')
  expect(data).toEqual([])
})

test('the brand settings have no accessibility violations, on the desktop and on the phone', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const owner = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, owner, '/crm/settings')
  await page.getByRole('tab', { name: 'Brand' }).click()
  await page.getByRole('region', { name: 'Ownership' }).waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Delete brand' }).click()
  await page.getByRole('dialog').waitFor()
  await expectAccessible(page)
})
