import { createBrand, createPerson, expect, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'

/** Creates a person who is a member of one brand, admin of a second and owner of a third. */
async function personOfThreeRoles(server: TestServer) {
  const person = await createPerson(server, { name: 'bo', brand: 'Third' })
  const brands: { name: string; role: string }[] = []
  for (const [brand, role] of [
    ['First', 'member'],
    ['Second', 'admin'],
  ] as const) {
    const owner = await createPerson(server, { brand })
    await addMember(owner, person, role)
    brands.push({ name: owner.brandName, role: role === 'member' ? 'Member' : 'Admin' })
  }
  return { person, brands: [...brands, { name: person.brandName, role: 'Owner' }] }
}

async function addMember(owner: Person, person: Person, role: 'member' | 'admin'): Promise<void> {
  const args = { p_brand_id: owner.brandId, p_email: person.email, p_role: role }
  const { error } = await owner.client.rpc('add_brand_member_by_email', args)
  if (error) throw new Error(error.message)
}

test("spec 6: Brand roles: member, admin, owner. Each membership's role is shown on the brand card and is the current role of the active brand.", async ({
  page,
  server,
}) => {
  const { person, brands } = await personOfThreeRoles(server)
  await openAs(page, person, '/select-brand')
  for (const { name, role } of brands) {
    await expect(page.getByRole('listitem').filter({ hasText: name }).getByText(role, { exact: true })).toBeVisible()
  }
  for (const { name, role } of brands) {
    await page.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Open Dashboard' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
    const memberLines = page.getByRole('region', { name: 'Team Members' }).getByRole('listitem')
    await expect(memberLines.filter({ hasText: person.email }).getByText(role, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Switch Brand' }).click()
  }
})

test('spec 6: Users with no memberships can create a brand.', async ({ page, server }) => {
  const person = await createPerson(server)
  await openAs(page, person, '/select-brand')
  const name = `First of ${person.userId.slice(0, 8)}`
  await page.getByLabel('Brand name').fill(name)
  await page.getByRole('button', { name: 'Create Brand' }).click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
  const { data } = await person.client.from('memberships').select('role, brand:brands(name)')
  expect(data).toEqual([{ role: 'owner', brand: { name } }])
})

test("spec 8: Brand duplicate (code 23505 or message containing 'duplicate key value'): 'Brand name already exists' / 'Please choose a different name.'", {
  tag: '@long',
}, async ({ page, server }) => {
  await openAs(page, await createPerson(server), '/select-brand')
  for (const refusal of [
    { code: '23505', message: 'taken' },
    { code: 'P0001', message: 'the server says: duplicate key value violates unique constraint "brands_name"' },
  ]) {
    await page.route('**/rest/v1/brands*', (route) =>
      route.fulfill({ status: 409, json: { ...refusal, details: null, hint: null } }),
    )
    await page.getByLabel('Brand name').fill('Harbour')
    const refusalResponse = page.waitForResponse('**/rest/v1/brands*')
    await page.keyboard.press('Enter')
    await refusalResponse
    const duplicateToast = toastOf(page).filter({ hasText: 'Brand name already exists' }).last()
    await expect(duplicateToast).toContainText('Please choose a different name.')
    await expect(toastOf(page)).not.toContainText(['Error creating brand'])
    await page.unroute('**/rest/v1/brands*')
    await page.reload()
  }
})

test("spec 8: Other brand failure: 'Error creating brand' with message or 'Please try again.'", async ({
  page,
  server,
}) => {
  await openAs(page, await createPerson(server), '/select-brand')
  for (const [message, shown] of [
    ['The name is not allowed', 'The name is not allowed'],
    ['', 'Please try again.'],
  ] as const) {
    await page.route('**/rest/v1/brands*', (route) =>
      route.fulfill({ status: 400, json: { code: '23514', message, details: null, hint: null } }),
    )
    await page.getByLabel('Brand name').fill('Harbour')
    await page.keyboard.press('Enter')
    await expect(toastOf(page)).toContainText('Error creating brand')
    await expect(toastOf(page)).toContainText(shown)
    await page.unroute('**/rest/v1/brands*')
    await page.reload()
  }
})

test('spec 3: brand: slug (name lowercased, runs of non-alphanumerics replaced by a hyphen).', async ({
  page,
  server,
}) => {
  const person = await createPerson(server)
  await openAs(page, person, '/select-brand')
  const suffix = person.userId.slice(0, 8)
  await page.getByLabel('Brand name').fill(`Fathom &  Field_${suffix}`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/crm\/overview$/)
  const { data } = await person.client.from('brands').select('slug')
  expect(data).toEqual([{ slug: `fathom-field-${suffix}` }])
})

test('spec 1: All data is scoped to the active brand by brand_id.', async ({ page, server }) => {
  const person = await createPerson(server, { name: 'bo', brand: 'Quay' })
  const names = { quay: person.brandName, dune: '' }
  await addRecords(person, 'Quay')
  await createBrand(person, 'Dune')
  names.dune = person.brandName
  await addRecords(person, 'Dune')
  await openAs(page, person, '/select-brand')
  for (const [ownWord, brand, otherWord] of [
    ['Quay', names.quay, 'Dune'],
    ['Dune', names.dune, 'Quay'],
  ] as const) {
    await page.getByRole('listitem').filter({ hasText: brand }).getByRole('button').click()
    await expect(page.getByRole('region', { name: 'Total Contacts' }).getByText('1', { exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Active Deals' }).getByText('1', { exact: true })).toBeVisible()
    for (const [link, text] of [
      ['Deals', 'deal'],
      ['Contacts', 'person'],
      ['Companies', 'works'],
      ['Tasks', 'task'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link }).click()
      await expect(page.getByRole('main').getByText(`${ownWord} ${text}`).first()).toBeVisible()
      await expect(page.getByRole('main').getByText(`${otherWord} ${text}`)).toHaveCount(0)
    }
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Switch Brand' }).click()
  }
})

/** Adds a deal, a contact, a company and a task to the person's brand: '<word> deal', '<word> person', '<word> works', '<word> task'. */
async function addRecords({ client, brandId: brand_id }: Person, word: string): Promise<void> {
  const { data: stage } = await client
    .from('deal_stages')
    .select('id')
    .eq('brand_id', brand_id)
    .eq('name', 'Incoming')
    .single()
  const responses = await Promise.all([
    client.from('deals').insert({ brand_id, name: `${word} deal`, stage_id: stage?.id }),
    client.from('contacts').insert({ brand_id, email: `${word}@scope.example`, first_name: word, last_name: 'person' }),
    client.from('companies').insert({ brand_id, name: `${word} works` }),
    client.from('tasks').insert({ brand_id, title: `${word} task` }),
  ])
  for (const { error } of responses) if (error) throw new Error(error.message)
}
