import {
  createPerson,
  expect,
  expectAccessible,
  newEmail,
  openAs,
  type Person,
  signUpByScreen,
  test,
  toastOf,
} from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'
import { cardsOf, openBoard, personWithDeals } from '../e2e/deal-seeds.ts'

// One accessibility check takes about a second, and each test makes many.
test.describe.configure({ timeout: 180_000 })

// The tests in tests/e2e check each page as it first appears. The tests of this file check dialogs, error states and the phone.
const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }

async function memberOfTwoBrands(server: Parameters<typeof createPerson>[0]): Promise<Person> {
  const owner = await createPerson(server, { brand: 'Harbour' })
  const person = await createPerson(server, { name: 'bo', brand: 'Larkspur' })
  const args = { p_brand_id: owner.brandId, p_email: person.email, p_role: 'admin' }
  const { error } = await owner.client.rpc('add_brand_member_by_email', args)
  if (error) throw new Error(error.message)
  return person
}

test('/auth and the 404 page have no accessibility violations: phone, sign-up with errors, a toast', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/auth')
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expectAccessible(page)
  await page.setViewportSize(desktop)
  await expectAccessible(page)
  await page.route('**/auth/v1/signup*', (route) =>
    route.fulfill({ status: 422, json: { code: 'user_already_exists', msg: 'User already registered' } }),
  )
  await signUpByScreen(page, newEmail(), 'correct horse')
  await expect(toastOf(page)).toContainText('User already registered')
  await expectAccessible(page)
})

test('/select-brand has no accessibility violations: first brand, cards and dialog on the phone, a toast', async ({
  page,
  server,
}) => {
  await page.setViewportSize(phone)
  const otherPerson = await createPerson(server, { brand: 'Taken' })
  await openAs(page, await createPerson(server), '/select-brand')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Brand name').fill(otherPerson.brandName)
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Brand name already exists')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await openAs(page, await memberOfTwoBrands(server), '/select-brand')
  await expect(page.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New brand' }).click()
  await expect(page.getByRole('dialog', { name: 'New brand' })).toBeVisible()
  await expectAccessible(page)
})

test('each Add dialog with its error has no accessibility violations, on the desktop and on the phone', async ({
  page,
  server,
}) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/overview')
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    for (const [action, title, submit] of [
      ['Add Contact', 'Add Contact', 'Add Contact'],
      ['Create Deal', 'New Deal', 'Create Deal'],
      ['Add Company', 'Add Company', 'Add Company'],
      ['New Task', 'New Task', 'Create Task'],
    ] as const) {
      await page.getByRole('button', { name: action, exact: true }).click()
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.getByRole('button', { name: submit }).click()
      await expect(dialog.locator('[aria-invalid=true]')).toHaveCount(1)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
  }
})

test('the board has no accessibility violations: empty, nothing found, open comboboxes, the menu of a card, its sheet on the phone', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [
    { name: 'Roof', company: 'Copperline', contact: { first: 'Mei', last: 'Tanaka', email: 'mei@roof.example' } },
  ])
  await openBoard(page, person)
  await cardsOf(page, 'Roof').hover()
  await page.getByRole('button', { name: 'Move Roof to stage' }).click()
  await expect(page.getByRole('menu', { name: 'Move to stage' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByPlaceholder('Search deals…').fill('nothing like it')
  await expect(page.getByRole('heading', { name: 'No deals found matching your search' })).toBeVisible()
  await expectAccessible(page)
  await page.getByPlaceholder('Search deals…').fill('')

  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Stage').click()
  await expect(page.getByRole('option', { name: 'Proposal' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByLabel('Contact', { exact: true }).fill('mei')
  await expect(page.getByRole('option', { name: /Mei Tanaka/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Move Roof to stage' }).click()
  await expect(page.getByRole('dialog', { name: 'Move to' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await person.client.from('deals').delete().eq('brand_id', person.brandId)
  await expect(page.getByRole('heading', { name: 'No deals yet' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize(desktop)
  await expectAccessible(page)
})

test('a lifted card has no accessibility violations', async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Roof' }]))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await cardsOf(page, 'Roof').focus()
    await page.keyboard.press('Space')
    await expect(page.locator('.deal-lifted')).toHaveCount(1)
    // The pale copy at the card's position is decoration, hidden from screen readers: its contrast is not checked.
    await expectAccessible(page, '[data-deal] > [aria-hidden=true]')
    await page.keyboard.press('Escape')
    await expect(page.locator('.deal-lifted')).toHaveCount(0)
  }
})

test('empty lists and failures have no accessibility violations: contacts, companies, tasks, members, on the desktop and on the phone', async ({
  page,
  server,
}) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/overview')
  await page.route('**/rpc/list_brand_members', (route) =>
    route.fulfill({ status: 500, json: { code: '57014', message: 'canceling statement due to statement timeout' } }),
  )
  for (const [path, shown] of [
    ['/crm/overview', 'Dashboard Overview'],
    ['/crm/contacts', 'No contacts yet'],
    ['/crm/companies', 'No companies yet'],
    ['/crm/tasks', 'No open tasks'],
    ['/crm/settings', 'Error loading members'],
  ] as const) {
    await page.setViewportSize(desktop)
    await page.goto(path)
    await expect(page.getByText(shown).first()).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(phone)
    await expectAccessible(page)
  }
})

test('unsent changes have no accessibility violations: the list of waiting changes, the sign-out dialog', async ({
  page,
  server,
  context,
}) => {
  const chunkResponses = ['outbox-dialog', 'sign-out-dialog'].map((part) =>
    page.waitForResponse((response) => response.url().includes(part)),
  )
  await openBoard(page, await personWithDeals(server, [{ name: 'Roof' }]))
  for (const part of await Promise.all(chunkResponses)) await part.finished()
  await context.setOffline(true)
  await cardsOf(page, 'Roof').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page
    .getByRole('banner')
    .getByRole('button', { name: /1 waiting/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'Changes on this device' })).toContainText('Roof')
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    await expectAccessible(page)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('dialog', { name: '1 change is not sent yet' })).toBeVisible()
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    await expectAccessible(page)
  }
})

test('the appearance menu, the role list and a running import have no accessibility violations', async ({
  page,
  server,
}) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/settings')
  await page.getByRole('combobox', { name: 'Role' }).click()
  await expect(page.getByRole('option')).toHaveCount(2)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Appearance' }).click()
  await expect(page.getByRole('menuitemradio')).toHaveCount(3)
  await expectAccessible(page)
  await page.goto('/crm/import-contacts')
  const release = await holdRequests(page, '**/rpc/import_contacts')
  const buffer = Buffer.from('email\nida@nordhafen.example\n')
  await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await expect(page.getByRole('progressbar')).toBeVisible()
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    await expectAccessible(page)
  }
  release()
  await expect(page.getByRole('heading', { name: 'Import Complete' })).toBeVisible()
})
