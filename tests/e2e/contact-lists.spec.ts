import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'
import { insertRow, openContacts, personWithContacts, rowsWithText, type SeedContact } from './contact-seeds.ts'

const names = ['Owen', 'Anke', 'Mei', 'Tom', 'Élodie', 'Zoë']
const people: SeedContact[] = names.map((first, index) => ({
  first,
  email: `${'fbcade'[index]}@acme.example`,
  company: ['Nordhafen', 'Acme', 'Zeta', 'Acme', 'Kestrel', 'Beta'][index] ?? '',
}))

async function personWithSix(server: TestServer): Promise<Person> {
  const person = await personWithContacts(server, people)
  // This person owns two of the contacts. The other contacts have no owner.
  await person.client.from('contacts').update({ owner_id: null }).eq('brand_id', person.brandId)
  const ownedByPerson = { owner_id: person.userId }
  await person.client
    .from('contacts')
    .update(ownedByPerson)
    .in('first_name', ['Mei', 'Tom'])
    .eq('brand_id', person.brandId)
  return person
}

const shownNames = async (page: Page) =>
  (await page.getByRole('row').getByRole('link').allTextContents()).map((name) => name.trim())

test("contacts are sorted by name, email, company, and newest first again; the URL contains the order and 'Mine'", {
  tag: '@long',
}, async ({ page, server }) => {
  await openContacts(page, await personWithSix(server))
  await expect.poll(() => shownNames(page)).toEqual(names)
  const byName = ['Anke', 'Élodie', 'Mei', 'Owen', 'Tom', 'Zoë']
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => shownNames(page)).toEqual(byName)
  await page.getByRole('button', { name: 'Email', exact: true }).click()
  await expect.poll(() => shownNames(page)).toEqual(['Tom', 'Anke', 'Mei', 'Élodie', 'Zoë', 'Owen'])
  await page.getByRole('button', { name: 'Company', exact: true }).click()
  await expect.poll(() => shownNames(page)).toEqual(['Anke', 'Tom', 'Zoë', 'Élodie', 'Owen', 'Mei'])
  await page.getByRole('button', { name: 'Company', exact: true }).click()
  await expect(page).toHaveURL('/crm/contacts')
  await expect.poll(() => shownNames(page)).toEqual(names)

  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await page.getByRole('button', { name: 'Mine' }).click()
  await expect(page).toHaveURL('/crm/contacts?sort=name&mine=1')
  await expect.poll(() => shownNames(page)).toEqual(['Mei', 'Tom'])
  await expect(page.getByText('2 contacts', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Mine' })).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => shownNames(page)).toEqual(['Mei', 'Tom'])
  await page.getByRole('button', { name: 'Mine' }).click()
  await expect.poll(() => shownNames(page)).toEqual(byName)

  // Beside a panel the table keeps the columns that a call needs: name, phone and company, and the e-mail address if there is room.
  const headerTexts = () => page.getByRole('columnheader').filter({ visible: true }).allInnerTexts()
  expect(await headerTexts()).toEqual(['', 'Name', 'Job title', 'Email', 'Phone', 'Company'])
  await page.getByRole('link', { name: 'Anke', exact: true }).click()
  await expect(page.getByRole('complementary').getByRole('heading', { name: 'Anke' })).toBeVisible()
  await expect.poll(headerTexts).toEqual(['', 'Name', 'Email', 'Phone', 'Company'])
  await page.setViewportSize({ width: 1200, height: 900 })
  await expect.poll(headerTexts).toEqual(['', 'Name', 'Phone', 'Company'])
})

test('several contacts are selected by click and Shift, get an owner, are deleted, and are restored by Undo', async ({
  page,
  server,
}) => {
  const person = await personWithSix(server)
  await openContacts(page, person)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect.poll(() => shownNames(page)).toEqual(['Anke', 'Élodie', 'Mei', 'Owen', 'Tom', 'Zoë'])
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await page.getByRole('checkbox', { name: 'Select Anke' }).click()
  await rowsWithText(page, 'Mei')
    .getByText('Zeta')
    .click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 selected')
  await rowsWithText(page, 'Zoë')
    .getByText('Beta')
    .click({ modifiers: ['ControlOrMeta'] })
  await expect(bar).toContainText('4 selected')
  await page.getByRole('checkbox', { name: 'Select Mei' }).click()
  await expect(bar).toContainText('3 selected')
  await expect(rowsWithText(page, 'Anke')).toHaveAttribute('aria-selected', 'true')
  // The response to the change of the owner is held back. The delete does not wait for it.
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/rest/v1/contacts?*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    const response = await route.fetch()
    await released
    await route.fulfill({ response })
  })
  await bar.getByRole('button', { name: 'Owner' }).click()
  await page.getByRole('menuitem', { name: 'You' }).click()
  const ownedCount = async () =>
    (await person.client.from('contacts').select('first_name').eq('owner_id', person.userId).order('first_name')).data
      ?.length
  await expect.poll(ownedCount).toBe(5)
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(toastOf(page)).toContainText('3 contacts deleted')
  release()
  await expect(bar).toHaveCount(0)
  await expect.poll(() => shownNames(page)).toEqual(['Mei', 'Owen', 'Tom'])
  await expect.poll(async () => (await person.client.from('contacts').select('id')).data?.length).toBe(3)
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => shownNames(page)).toEqual(['Anke', 'Élodie', 'Mei', 'Owen', 'Tom', 'Zoë'])
  await expect.poll(async () => (await person.client.from('contacts').select('id')).data?.length).toBe(6)
})

test('the checkbox above a list selects the loaded rows, then all matching ones; they are deleted on the server and restored', {
  tag: '@long',
}, async ({ page, server }) => {
  test.setTimeout(120_000)
  const person = await personWithContacts(server, [
    { first: 'Right', email: 'right@acme.example', company: 'Nordhafen' },
  ])
  await server.database?.owner.query(
    `insert into public.contacts (brand_id, email, first_name) select $1, 'wrong' || n || '@acme.example', 'Wrong ' || n
     from generate_series(1, 520) n`,
    [person.brandId],
  )
  await openContacts(page, person)
  await expect(page.getByText('521 contacts', { exact: true })).toBeVisible()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  const search = page.getByPlaceholder('Search contacts...', { exact: true })
  await search.fill('wrong')
  await expect(page.getByText('520 contacts', { exact: true })).toBeVisible()

  // In a field, Ctrl+A selects the text; in a dialog, it selects no rows of the list; elsewhere on the page, it selects the rows.
  await search.press('ControlOrMeta+a')
  await expect(bar).toHaveCount(0)
  await page.getByRole('row').nth(1).getByRole('link').click()
  const panel = page.getByRole('complementary', { name: 'Contact' })
  await expect(panel).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(bar).toContainText(/selectedSelect all 520 that match/)
  expect(await page.evaluate(() => getSelection()?.toString())).not.toContain('@acme.example')
  await bar.getByRole('button', { name: 'Clear' }).click()
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toHaveCount(0)
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(bar).toHaveCount(0)
  await page.getByRole('heading', { name: 'Contacts', exact: true }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(bar).toContainText(/selectedSelect all 520 that match/)
  const selectAllBox = page.getByRole('checkbox', { name: 'Select all' })
  await expect(selectAllBox).toBeChecked({ indeterminate: true })
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)

  await selectAllBox.click()
  await bar.getByRole('button', { name: 'Select all 520 that match' }).click()
  await expect(bar).toContainText('All 520 selected')
  await expect(selectAllBox).toBeChecked()
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 520 contacts?' })
  await expect(dialog).toContainText('All contacts that match “wrong”, also those that are not shown.')
  await dialog.getByRole('button', { name: 'Delete 520 contacts' }).click()
  await expect(bar).toContainText(/of 520 contacts/)
  await expect(toastOf(page)).toContainText('520 contacts deleted', { timeout: 40_000 })
  await expect(toastOf(page).getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page)).toContainText('Undid: 520 contacts deleted')
  const contactCount = async () =>
    (await person.client.from('contacts').select('id', { count: 'exact', head: true }).eq('brand_id', person.brandId))
      .count
  await expect.poll(contactCount, { timeout: 40_000 }).toBe(521)
  await expect(page.getByText('520 contacts', { exact: true })).toBeVisible({ timeout: 20_000 })
  await search.fill('')

  // Companies have the same checkbox above their cards.
  await page.getByRole('link', { name: 'Companies', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await expect(bar).toContainText('1 selected')
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await expect(bar).toHaveCount(0)
})

test("companies are sorted, filtered by 'Mine', opened beside the list, edited, selected, deleted and restored", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  for (const name of ['Zeta', 'Acme', 'Kestrel']) await insertRow(person, 'companies', { name, owner_id: null })
  await openAs(page, person, '/crm/companies')
  const cardNames = () => page.getByRole('article').getByRole('heading').allTextContents()
  await expect.poll(cardNames).toEqual(['Kestrel', 'Acme', 'Zeta'])
  await page.getByRole('button', { name: 'Sort: Newest' }).click()
  await page.getByRole('menuitemradio', { name: 'Name' }).click()
  await expect(page).toHaveURL('/crm/companies?sort=name')
  await expect.poll(cardNames).toEqual(['Acme', 'Kestrel', 'Zeta'])

  await page.getByRole('link', { name: 'Kestrel' }).click()
  const panel = page.getByRole('complementary', { name: 'Company' })
  for (const [label, value] of [
    ['Company name', 'Kestrel Logistics'],
    ['Phone', '+44 161 496 0133'],
    ['Website', 'www.kestrel.example'],
  ] as const) {
    await panel.getByRole('button', { name: new RegExp(`^${label}: `) }).click()
    await panel.getByRole('textbox', { name: label }).fill(value)
    await page.keyboard.press('Enter')
    await expect(panel.getByRole('button', { name: `${label}: ${value}. Edit` })).toBeVisible()
  }
  await expect(panel.getByRole('link', { name: /Website/ })).toHaveAttribute('href', 'https://www.kestrel.example/')
  await panel.getByRole('button', { name: /^Company name: / }).click()
  await panel.getByRole('textbox', { name: 'Company name' }).fill(' ')
  await page.keyboard.press('Enter')
  await expect(panel.getByText('Company name is required')).toBeVisible()
  await page.keyboard.press('Escape')
  await panel.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('option').nth(1).click()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await page.getByRole('button', { name: 'Mine' }).click()
  await expect.poll(cardNames).toEqual(['Kestrel Logistics'])
  await page.getByRole('button', { name: 'Mine' }).click()

  await page
    .getByRole('article')
    .filter({ hasText: 'Acme' })
    .click({ modifiers: ['ControlOrMeta'] })
  await page.getByRole('checkbox', { name: 'Select Zeta' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(cardNames).toEqual(['Kestrel Logistics'])
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(cardNames).toEqual(['Acme', 'Kestrel Logistics', 'Zeta'])
})
