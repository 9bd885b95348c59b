import { createPerson, expect, openAs, test, toastOf } from '../harness/browser.ts'
import { openContacts, personWithContacts, rowsWithText } from './contact-seeds.ts'

test("spec 5: Contact: email required and trimmed ('Email is required'); first, last and company names trimmed and sent as null when empty. (each of them)", {
  tag: '@long',
}, async ({ page, server }) => {
  await openContacts(page, await createPerson(server, { brand: 'Harbour' }))
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  for (const [typed, sent] of [
    [
      { Email: ' a@trim.example ', 'First name': '   ', 'Last name': '\u00a0Holm ', Company: '  ' },
      { p_email: 'a@trim.example', p_first: null, p_last: 'Holm', p_company_name: null },
    ],
    [
      { Email: 'b@trim.example', 'First name': ' Ida ', 'Last name': ' ', Company: ' Nordhafen GmbH ' },
      { p_email: 'b@trim.example', p_first: 'Ida', p_last: null, p_company_name: 'Nordhafen GmbH' },
    ],
  ] as const) {
    await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
    for (const [label, text] of Object.entries(typed)) await dialog.getByLabel(label).fill(text)
    const request = page.waitForRequest(/rpc\/upsert_contact/)
    await dialog.getByRole('button', { name: 'Add Contact' }).click()
    expect((await request).postDataJSON()).toMatchObject(sent)
    await expect(dialog).toHaveCount(0)
  }
})

test("spec 2: /crm/contacts: Search box 'Search contacts...' filters case-insensitively on name, email and company name. (a text that no contact contains finds nothing)", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithContacts(server, [
    { email: 'one@alpha.example', first: 'Zoë', last: 'Ångström', title: 'Needle', phone: '+44 555 0100' },
    { email: 'two@beta.example', first: 'Bo', last: 'Holm', company: 'Haystack & Sons' },
  ])
  await openContacts(page, person)
  const search = page.getByPlaceholder('Search contacts...', { exact: true })
  for (const [text, found] of [
    ['ZOË', 'Zoë Ångström'],
    ['ångSTRÖM', 'Zoë Ångström'],
    ['@BETA', 'Bo Holm'],
    ['haystack & s', 'Bo Holm'],
    ['bo holm', 'Bo Holm'],
  ] as const) {
    await search.fill(text)
    await expect(page.getByText('1 contact', { exact: true })).toBeVisible()
    await expect(rowsWithText(page, found)).toBeVisible()
  }
  for (const text of ['nothing', '%', '_']) {
    await search.fill(text)
    await expect(page.getByText('No contacts found matching your search')).toBeVisible()
  }
})

test('spec 7: contacts: full list with company name ordered by created_at descending', async ({ page, server }) => {
  const person = await personWithContacts(server, [
    { email: 'new@order.example', company: 'Alpha' },
    { email: 'middle@order.example' },
    { email: 'old@order.example', company: 'Beta' },
  ])
  await openContacts(page, person)
  const rows = page.getByRole('row').filter({ hasText: '@order.example' })
  await expect(rows).toContainText(['new@order.example', 'middle@order.example', 'old@order.example'])
  await expect(rows.first()).toContainText('Alpha')
})

test('spec 9: CSV template has 2 sample rows.', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person, '/crm/import-contacts')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download template' }).click()
  await page.getByLabel('CSV file').setInputFiles(await (await download).path().then(asCsv))
  await expect(toastOf(page)).toContainText('Successfully imported 2 contacts. 0 errors.')
  const { data } = await person.client.from('contacts').select('email, first_name, last_name, companies(name)')
  expect(data).toHaveLength(2)
  for (const contact of data ?? []) {
    expect(contact.email).toMatch(/^\S+@\S+$/)
    expect(contact.first_name).toBeTruthy()
    expect(contact.last_name).toBeTruthy()
    expect(contact.companies).toBeTruthy()
  }
})

/** Reads the downloaded file at this path. Returns it in the form that `setInputFiles` accepts. */
async function asCsv(path: string) {
  const { readFile } = await import('node:fs/promises')
  return { name: 'contacts_template.csv', mimeType: 'text/csv', buffer: await readFile(path) }
}
