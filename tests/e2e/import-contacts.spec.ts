import { readFile } from 'node:fs/promises'
import type { Download } from '@playwright/test'
import type { CsvPerson } from './csv-seeds.ts'
import { createPerson, expect, expectAccessible, test, toastOf } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'
import { longestTask } from '../harness/longest-task.ts'
import { insertRow } from './contact-seeds.ts'
import { chooseFile, csvOf, makePeople } from './csv-seeds.ts'
import { importCompleteText, contactsOf, openImport } from './import-page.ts'

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8')
}

test('spec 2: /crm/import-contacts: A template download named contacts_template.csv with columns email, first_name, last_name, company and 2 sample rows.', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download template' }).click()
  const file = await downloadEvent
  expect(file.suggestedFilename()).toBe('contacts_template.csv')
  const text = await textOf(file)
  const lines = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n')
  expect(lines[0]).toBe('email,first_name,last_name,company')
  expect(lines).toHaveLength(3)

  // The template can be imported.
  await chooseFile(page, 'contacts_template.csv', text)
  await expect(toastOf(page)).toContainText(importCompleteText(2, 0))
})

test("spec 2: /crm/import-contacts: An upload accepting .csv only. The button reads 'Choose File' and 'Uploading...' while running.", async ({
  page,
  server,
}) => {
  await openImport(page, await createPerson(server, { brand: 'Harbour' }))
  await expect(page.getByLabel('CSV file')).toHaveAttribute('accept', '.csv')
  await chooseFile(page, 'people.txt', 'email\na@b.example\n')
  await expect(toastOf(page)).toContainText('people.txt is not a .csv file')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose File', exact: true }).click()
  await chooser

  const release = await holdRequests(page, '**/rpc/import_contacts')
  await chooseFile(page, 'people.csv', 'email\na@b.example\n')
  await expect(page.getByRole('button', { name: 'Uploading...', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose File', exact: true })).toHaveCount(0)
  release()
  await expect(page.getByText(importCompleteText(1, 0)).first()).toBeVisible()
})

test('a file can be dropped on the drop zone', { tag: '@long' }, async ({ page, server }) => {
  await openImport(page, await createPerson(server, { brand: 'Harbour' }))
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['email\ndropped@acme.example\n'], 'dropped.csv', { type: 'text/csv' }))
    return data
  })
  await page.locator('[data-drop-zone]').dispatchEvent('drop', { dataTransfer: transfer })
  await expect(toastOf(page)).toContainText(importCompleteText(1, 0))
})

test('spec 5: CSV import: header row used; empty lines skipped; rows without an email are counted as errors and skipped.', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  await chooseFile(
    page,
    'mixed.csv',
    'Company;LAST NAME;E-mail;first name\r\n\r\nAcme;Pryce;ana@acme.example;Ana\r\n\r\nAcme;Ghost;;Gwen\r\n;;bo@acme.example;\r\n',
  )
  await expect(toastOf(page)).toContainText('Import Complete')
  await expect(toastOf(page)).toContainText(importCompleteText(2, 1))
  const skipped = page.getByRole('region', { name: 'Skipped rows' })
  await expect(skipped.getByRole('row').nth(1)).toContainText('5')
  await expect(skipped.getByRole('row').nth(1)).toContainText('Acme, Ghost, –, Gwen')
  await expect(skipped.getByRole('row').nth(1)).toContainText('Email or phone number is required')
  const contacts = await contactsOf(person)
  expect(contacts.get('ana@acme.example')).toEqual({
    email: 'ana@acme.example',
    first_name: 'Ana',
    last_name: 'Pryce',
    companies: { name: 'Acme' },
  })
  expect(contacts.get('bo@acme.example')).toEqual({
    email: 'bo@acme.example',
    first_name: null,
    last_name: null,
    companies: null,
  })
  await page.getByRole('button', { name: 'View contacts' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'ana@acme.example' })).toContainText('Acme')
})

test("spec 8: CSV: completion 'Import Complete' / 'Successfully imported {n} contacts. {m} errors.' (each field of 2,000 rows is stored unchanged; a second import of the file adds no contact)", {
  tag: '@long',
}, async ({ page, server }) => {
  test.setTimeout(120_000)
  const person = await createPerson(server, { brand: 'Harbour' })
  const people = makePeople({ rows: 2_000, without: 37, twice: 12 })
  const csv = csvOf(people)
  await openImport(page, person)
  await chooseFile(page, 'autumn fair.csv', csv)
  await expect(toastOf(page)).toContainText('Import Complete', { timeout: 60_000 })
  await expect(toastOf(page)).toContainText('Successfully imported 1963 contacts. 37 errors.')
  await expect(page.getByText('12 rows are for the same contacts as earlier rows of the file.')).toBeVisible()
  await expect(page.getByText('1,951 contacts added.')).toBeVisible()
  // The brand had no contacts, so the report counts none as known before.
  await expect(page.getByText('known before')).toHaveCount(0)
  const repeatedRows = page
    .getByRole('region', { name: 'Rows for the same contact as an earlier row' })
    .getByRole('row')
  await expect(repeatedRows.nth(1)).toContainText(/Same address as row \d+/)
  await repeatedRows.last().getByRole('button', { name: '9 more' }).click()
  await expect(repeatedRows).toHaveCount(13)

  const expectedRows = new Map<string, CsvPerson>()
  for (const row of people) {
    if (row.email === null) continue
    const earlierRow = expectedRows.get(row.email.toLowerCase())
    expectedRows.set(row.email.toLowerCase(), { ...row, email: earlierRow?.email ?? row.email })
  }
  const storedContacts = await contactsOf(person)
  expect(storedContacts.size).toBe(1951)
  const companies = new Map(
    [...storedContacts.values()].map(({ companies: company }) => [company?.name.toLowerCase() ?? '', company?.name]),
  )
  for (const [key, row] of expectedRows) {
    const { companies: company, ...names } = storedContacts.get(key) ?? { companies: null }
    expect(names).toEqual({ email: row.email, first_name: row.first_name, last_name: row.last_name })
    expect(company?.name).toBe(companies.get(row.company.toLowerCase()))
    expect(company?.name.toLowerCase()).toBe(row.company.toLowerCase())
  }

  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download rows to correct' }).click()
  const file = await downloadEvent
  expect(file.suggestedFilename()).toBe('autumn fair-to-correct.csv')
  const skipped = await textOf(file)
  expect(skipped).toMatch(/^\uFEFFemail,first_name,last_name,company,Left out because\r\n/)
  expect(skipped.match(/,"?Row [\d,]+: Email or phone number is required"?\r\n/g)).toHaveLength(37)
  for (const row of people.filter(({ email }) => email === null)) {
    expect(skipped).toContain(row.last_name.replaceAll('"', '""'))
  }

  await page.getByRole('button', { name: 'Import another file' }).click()
  await chooseFile(page, 'again.csv', csv)
  await expect(page.getByText(importCompleteText(1963, 37)).first()).toBeVisible({ timeout: 60_000 })
  expect((await contactsOf(person)).size).toBe(1951)
})

test("spec 8: CSV: parse failure 'Error' / 'Failed to parse CSV file'", { tag: '@long' }, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const goodRow = 'ida@nordhafen.example,Ida,Holm,Nordhafen GmbH\n'
  await chooseFile(
    page,
    'leads (3) final.csv',
    `email,first_name,last_name,company\n${goodRow.repeat(1_500)}"gwen@ashby.example,Gwen,Ashby,Ashby & Sons\n`,
  )
  await expect(toastOf(page)).toContainText('Error')
  await expect(toastOf(page)).toContainText('Failed to parse CSV file')
  await expect(
    page.getByText('Row 1,502 opens a quotation mark that is never closed. Nothing was imported.'),
  ).toBeVisible()
  await expect(page.locator('pre')).toContainText('"gwen@ashby.example,Gwen,Ashby,Ashby & Sons')
  await expect(page.getByText('leads (3) final.csv')).toBeVisible()
  expect((await contactsOf(person)).size).toBe(0)
  await expectAccessible(page)

  await chooseFile(page, 'good.csv', `email\nida@nordhafen.example\n`)
  await expect(page.getByText(importCompleteText(1, 0)).first()).toBeVisible()
})

test('a file that is empty, too large or no CSV is refused with a message, and no task of the main thread takes 200 ms', async ({
  page,
  server,
}) => {
  await openImport(page, await createPerson(server, { brand: 'Harbour' }))
  const { busy: busyMs } = await longestTask(page, async () => {
    for (const [name, content, messagePattern] of [
      ['workbook.csv', Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), /Excel workbook.*Save it as CSV first/],
      ['nul.csv', 'email\na\0@b.example\n', /not a text file/],
      ['empty.csv', '', /The file is empty/],
      ['huge.csv', Buffer.alloc(50 * 1024 * 1024 + 1, 'a@b.example\n'), /larger than 50 MB/],
      ['binary.csv', Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 197) % 256)), /not a text file/],
      ['open.csv', `email\n"${'x,y\n'.repeat(12_000_000)}`, /Row 2 has a field of more than 16 million characters/],
    ] as const) {
      await chooseFile(page, name, content)
      await expect(page.getByText(messagePattern)).toBeVisible({ timeout: 30_000 })
      await expect(page.getByText('Failed to parse CSV file').first()).toBeVisible()
    }
  })
  expect(busyMs).toBeLessThan(200)
})

test('a value that SQL refuses skips its row with a reason; the other rows are imported', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const longName = 'x'.repeat(201)
  await chooseFile(
    page,
    'some.csv',
    `email,first_name\njon.reyes@,Jon\nok@acme.example,Ok\nlong@acme.example,${longName}\n`,
  )
  await expect(toastOf(page)).toContainText(importCompleteText(1, 2))
  const rows = page.getByRole('region', { name: 'Skipped rows' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('jon.reyes@, Jon')
  await expect(rows.nth(2)).toContainText('longer than 200 characters')
  expect([...(await contactsOf(person)).keys()]).toEqual(['ok@acme.example'])
})

test('skipped rows are downloaded, corrected and imported again, and no row is doubled', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const seatsId = await insertRow(person, 'custom_fields', { table: 'contacts', label: 'Seats', type: 'number' })
  await openImport(page, person)
  // The file has a row whose name has a line break, a row without an e-mail address, and a row with neither e-mail address nor phone number.
  const rows = 'ana@acme.example;"Ana\nMaria";;many\n;Bo;+49 30 12;few\n;=Gwen;;3\n'
  await chooseFile(page, 'fair.csv', `email;first_name;phone;Seats\n${rows}`)
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(toastOf(page)).toContainText(importCompleteText(2, 1))
  const firstRowNumber = (name: string) => page.getByRole('region', { name }).getByRole('row').getByRole('cell').first()
  await expect(firstRowNumber('Values left out')).toHaveText('2')
  await expect(firstRowNumber('Skipped rows')).toHaveText('4')
  await expect(page.getByText('The download has these rows, each with its reason.')).toBeVisible()
  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download rows to correct' }).click()
  const file = await downloadEvent
  const text = await textOf(file)
  const { data: bo } = await person.client.from('contacts').select('id').eq('first_name', 'Bo').single()
  expect(text).toBe(
    [
      '\uFEFFemail;first_name;phone;Seats;Banyan ID;Left out because',
      'ana@acme.example;;;many;;Row 2: Seats: Type a number, such as 12,400',
      `;;'+49 30 12;few;${bo?.id};Row 3: Seats: Type a number, such as 12,400`,
      ";'=Gwen;;3;;Row 4: Email or phone number is required",
      '',
    ].join('\r\n'),
  )

  await page.getByRole('button', { name: 'Import another file' }).click()
  const corrected = text.replace('many', '40').replace('few', '12').replace(";'=Gwen", "gwen@acme.example;'=Gwen")
  await chooseFile(page, file.suggestedFilename(), corrected)
  await expect(page.getByText('Every column is mapped to a field.')).toBeVisible()
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(page.getByText(importCompleteText(3, 0)).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download rows to correct' })).toHaveCount(0)
  const { data } = await person.client.from('contacts').select('first_name, custom').order('first_name')
  expect(data).toEqual([
    { first_name: '=Gwen', custom: { [seatsId]: 3 } },
    { first_name: 'Ana\nMaria', custom: { [seatsId]: 40 } },
    { first_name: 'Bo', custom: { [seatsId]: 12 } },
  ])
})

test('a custom field and a tag that a colleague adds while the columns are chosen appear without a reload', {
  tag: '@long',
}, async ({ page, server }) => {
  const owner = await createPerson(server, { brand: 'Harbour' })
  const member = await createPerson(server)
  const membership = { p_brand_id: owner.brandId, p_email: member.email, p_role: 'member' }
  await owner.client.rpc('add_brand_member_by_email', membership).throwOnError()
  await insertRow(owner, 'contacts', { email: 'ana@acme.example' })
  await openImport(page, member)
  await chooseFile(page, 'fair.csv', 'email,Seats,Tags\nana@acme.example,many,VIP\n')
  const seats = page.getByRole('combobox', { name: 'Seats becomes' })
  await expect(seats).toHaveText('Left out')
  const fieldId = await insertRow(owner, 'custom_fields', {
    table: 'contacts',
    label: 'Seats',
    type: 'choice',
    options: [],
  })
  await expect(seats).toHaveText('Seats')
  await expect(page.getByText('“many”: There is no option “many”')).toBeVisible()
  const options = [{ id: 'm', label: 'Many' }]
  await owner.client.from('custom_fields').update({ options }).eq('id', fieldId).throwOnError()
  await expect(page.getByText('There is no option “many”')).toHaveCount(0)
  const changes = page.getByRole('list', { name: '1 known contact changes' })
  await expect(changes).toContainText('Seats: – →becomes Many')
  await expect(changes).not.toContainText('VIP')
  const tagId = await insertRow(owner, 'tags', { name: 'VIP' })
  await expect(changes).toContainText('VIP')
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(toastOf(page)).toContainText(importCompleteText(1, 0))
  const { data } = await owner.client.from('contacts').select('custom, tag_ids')
  expect(data).toEqual([{ custom: { [fieldId]: 'm' }, tag_ids: [tagId] }])
})

test('a file without a header and with values beyond its last column is shown before the import, and nothing of it is lost', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  await chooseFile(page, 'list.csv', 'Ida,ida@nord.example,Nordhafen\nBo,bo@nord.example,Acme, Inc\n')
  await expect(page.getByText('so its first row is a contact, too.')).toBeVisible()
  await expect(page.getByText(/^Row 2 has more values than there are columns\./)).toBeVisible()
  await page.getByRole('combobox', { name: 'Column 1 becomes' }).click()
  await page.getByRole('option', { name: 'First name', exact: true }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(toastOf(page)).toContainText(importCompleteText(2, 0))
  await expect(page.getByRole('region', { name: 'Values left out' }).getByRole('row').nth(1)).toHaveText(
    '2After column 3: IncThe header has no such column',
  )
  const storedContacts = await contactsOf(person)
  expect([...storedContacts.values()].map(({ first_name }) => first_name).sort()).toEqual(['Bo', 'Ida'])
})

test('the import page has no accessibility violations: before, after, phone', { tag: '@long' }, async ({
  page,
  server,
}) => {
  await openImport(page, await createPerson(server, { brand: 'Harbour' }))
  await expectAccessible(page)
  await chooseFile(page, 'some.csv', 'email,first_name\n,A\n,B\n,C\n,D\n,E\nok@acme.example,F\n')
  await page.getByRole('heading', { name: 'Import Complete' }).waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})
