import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import type { CsvPerson } from './csv-seeds.ts'
import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'
import { longestTask } from '../harness/longest-task.ts'
import { chooseFile, csvOf, makePeople } from './csv-seeds.ts'

async function openImport(page: Page, person: Person): Promise<void> {
  await openAs(page, person, '/crm/import-contacts')
  await page.getByRole('button', { name: 'Choose File', exact: true }).waitFor()
}

/** The brand's contacts by lower-case e-mail, with the names of their companies. */
async function contactsOf(person: Person) {
  const rows: { email: string | null; first_name: string; last_name: string; companies: { name: string } | null }[] = []
  for (let from = 0; ; from += 1000) {
    const { data, error } = await person.client
      .from('contacts')
      .select('email, first_name, last_name, companies(name)')
      .eq('brand_id', person.brandId)
      .order('id')
      .range(from, from + 999)
      .overrideTypes<typeof rows, { merge: false }>()
    if (error) throw new Error(error.message)
    rows.push(...data)
    if (data.length < 1000) return new Map(rows.map((row) => [(row.email ?? '').toLowerCase(), row]))
  }
}

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8')
}

const complete = (imported: number, errors: number) => `Successfully imported ${imported} contacts. ${errors} errors.`

test('spec 2: /crm/import-contacts: A template download named contacts_template.csv with columns email, first_name, last_name, company and 2 sample rows.', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download template' }).click()
  const file = await waiting
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
  await expect(toastOf(page)).toContainText(complete(2, 0))
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

  const letGo = await holdRequests(page, '**/rpc/import_contacts')
  await chooseFile(page, 'people.csv', 'email\na@b.example\n')
  await expect(page.getByRole('button', { name: 'Uploading...', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose File', exact: true })).toHaveCount(0)
  letGo()
  await expect(page.getByText(complete(1, 0)).first()).toBeVisible()
})

test('a file is dropped on the zone', async ({ page, server }) => {
  await openImport(page, await createPerson(server, { brand: 'Harbour' }))
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['email\ndropped@acme.example\n'], 'dropped.csv', { type: 'text/csv' }))
    return data
  })
  await page.locator('[data-drop-zone]').dispatchEvent('drop', { dataTransfer: transfer })
  await expect(toastOf(page)).toContainText(complete(1, 0))
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
  await expect(toastOf(page)).toContainText(complete(2, 1))
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

test("spec 8: CSV: completion 'Import Complete' / 'Successfully imported {n} contacts. {m} errors.' (2,000 rows, every field as it was; imported again nothing is doubled)", async ({
  page,
  server,
}) => {
  test.setTimeout(120_000)
  const person = await createPerson(server, { brand: 'Harbour' })
  const people = makePeople({ rows: 2_000, without: 37, twice: 12 })
  const csv = csvOf(people)
  await openImport(page, person)
  await chooseFile(page, 'autumn fair.csv', csv)
  await expect(toastOf(page)).toContainText('Import Complete', { timeout: 60_000 })
  await expect(toastOf(page)).toContainText('Successfully imported 1963 contacts. 37 errors.')
  await expect(page.getByText('12 rows share their address with an earlier row of the file.')).toBeVisible()
  await expect(page.getByText('1,951 contacts added.')).toBeVisible()
  // These are not known before.
  await expect(page.getByText('known before')).toHaveCount(0)
  const repeated = page.getByRole('region', { name: 'Rows with an address of an earlier row' }).getByRole('row')
  await expect(repeated.nth(1)).toContainText(/Same address as row \d+/)
  await repeated.last().getByRole('button', { name: '9 more' }).click()
  await expect(repeated).toHaveCount(13)

  const expected = new Map<string, CsvPerson>()
  for (const row of people) {
    if (row.email === null) continue
    const known = expected.get(row.email.toLowerCase())
    expected.set(row.email.toLowerCase(), { ...row, email: known?.email ?? row.email })
  }
  const stored = await contactsOf(person)
  expect(stored.size).toBe(1951)
  const companies = new Map(
    [...stored.values()].map(({ companies: company }) => [company?.name.toLowerCase() ?? '', company?.name]),
  )
  for (const [key, row] of expected) {
    const { companies: company, ...names } = stored.get(key) ?? { companies: null }
    expect(names).toEqual({ email: row.email, first_name: row.first_name, last_name: row.last_name })
    expect(company?.name).toBe(companies.get(row.company.toLowerCase()))
    expect(company?.name.toLowerCase()).toBe(row.company.toLowerCase())
  }

  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download skipped rows' }).click()
  const file = await waiting
  expect(file.suggestedFilename()).toBe('autumn fair-skipped.csv')
  const skipped = await textOf(file)
  expect(skipped).toMatch(/^\uFEFFemail,first_name,last_name,company,line,reason\r\n/)
  expect(skipped.match(/,Email or phone number is required\r\n/g)).toHaveLength(37)
  for (const row of people.filter(({ email }) => email === null)) {
    expect(skipped).toContain(row.last_name.replaceAll('"', '""'))
  }

  await page.getByRole('button', { name: 'Import another file' }).click()
  await chooseFile(page, 'again.csv', csv)
  await expect(page.getByText(complete(1963, 37)).first()).toBeVisible({ timeout: 60_000 })
  expect((await contactsOf(person)).size).toBe(1951)
})

test("spec 8: CSV: parse failure 'Error' / 'Failed to parse CSV file'", async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const good = 'ida@nordhafen.example,Ida,Holm,Nordhafen GmbH\n'
  await chooseFile(
    page,
    'leads (3) final.csv',
    `email,first_name,last_name,company\n${good.repeat(1_500)}"gwen@ashby.example,Gwen,Ashby,Ashby & Sons\n`,
  )
  await expect(toastOf(page)).toContainText('Error')
  await expect(toastOf(page)).toContainText('Failed to parse CSV file')
  await expect(
    page.getByText('Line 1,502 opens a quotation mark that is never closed. Nothing was imported.'),
  ).toBeVisible()
  await expect(page.locator('pre')).toContainText('"gwen@ashby.example,Gwen,Ashby,Ashby & Sons')
  await expect(page.getByText('leads (3) final.csv')).toBeVisible()
  expect((await contactsOf(person)).size).toBe(0)
  await expectAccessible(page)

  await chooseFile(page, 'good.csv', `email\nida@nordhafen.example\n`)
  await expect(page.getByText(complete(1, 0)).first()).toBeVisible()
})

test('a file of another kind is refused with a message, and the page still works', async ({ page, server }) => {
  await openImport(page, await createPerson(server, { brand: 'Harbour' }))
  const { busy } = await longestTask(page, async () => {
    for (const [name, content, sentence] of [
      ['workbook.csv', Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), /Excel workbook.*Save it as CSV first/],
      ['nul.csv', 'email\na\0@b.example\n', /not a text file/],
      ['empty.csv', '', /The file is empty/],
      ['huge.csv', Buffer.alloc(50 * 1024 * 1024 + 1, 'a@b.example\n'), /larger than 50 MB/],
      ['binary.csv', Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 197) % 256)), /not a text file/],
      ['open.csv', `email\n"${'x,y\n'.repeat(12_000_000)}`, /Line 2 has a field of more than 16 million characters/],
    ] as const) {
      await chooseFile(page, name, content)
      await expect(page.getByText(sentence)).toBeVisible({ timeout: 30_000 })
      await expect(page.getByText('Failed to parse CSV file').first()).toBeVisible()
    }
  })
  expect(busy).toBeLessThan(200)
})

test('a value that SQL refuses skips its row with a reason; the other rows are imported', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const long = 'x'.repeat(201)
  await chooseFile(
    page,
    'some.csv',
    `email,first_name\njon.reyes@,Jon\nok@acme.example,Ok\nlong@acme.example,${long}\n`,
  )
  await expect(toastOf(page)).toContainText(complete(1, 2))
  const rows = page.getByRole('region', { name: 'Skipped rows' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('jon.reyes@, Jon')
  await expect(rows.nth(2)).toContainText('longer than 200 characters')
  expect([...(await contactsOf(person)).keys()]).toEqual(['ok@acme.example'])
})

test('a German file is understood; other columns are chosen before the import; the import is taken back', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await person.client.rpc('upsert_contact', {
    p_brand_id: person.brandId,
    p_email: 'known@acme.example',
    p_last: 'Now',
  })
  await openImport(page, person)
  await chooseFile(
    page,
    'messe.csv',
    'Vorname;Nachname;E-Mail-Adresse;Telefon;Position;Firma\nIda;Holm;ida@acme.example;040 12345;Einkauf;Nordhafen\nUta;Hof;;040 12345;;Uta KG\n;Past;known@acme.example;;;\n',
  )
  await expect(toastOf(page)).toContainText(complete(3, 0))
  await expect(page.getByText('2 added, 1 known before, of which 1 got values of the file.')).toBeVisible()
  const changed = page.getByRole('region', { name: '1 known contact changed' })
  await expect(changed.getByRole('listitem')).toHaveText('NowLast name: Now →becomes Past')
  await expect(changed.getByRole('button', { name: 'Undo import' })).toBeVisible()
  await expectAccessible(page)
  const columns = 'email, phone, first_name, last_name, title, companies(name)'
  const stored = async () => (await person.client.from('contacts').select(columns).order('first_name')).data
  expect((await stored())?.slice(0, 2)).toEqual([
    {
      email: 'ida@acme.example',
      phone: '040 12345',
      first_name: 'Ida',
      last_name: 'Holm',
      title: 'Einkauf',
      companies: { name: 'Nordhafen' },
    },
    {
      email: null,
      phone: '040 12345',
      first_name: 'Uta',
      last_name: 'Hof',
      title: null,
      companies: { name: 'Uta KG' },
    },
  ])

  // Columns that nobody knows: shown first, and changeable.
  await page.getByRole('button', { name: 'Import another file' }).click()
  await chooseFile(
    page,
    'crm.csv',
    'Wer;Adresse;E-Mail 2;Notiz\nAnna Schmidt;anna@acme.example;x;VIP\nBo Ek;;X;\nIna Past;KNOWN@acme.example;;\n',
  )
  await expect(page.getByRole('heading', { name: 'Check the columns' })).toBeVisible()
  await expect(page.getByText('3 columns are left out. Choose what they become, or go on without.')).toBeVisible()
  const becomes = async (head: string, field: string) => {
    await page.getByRole('combobox', { name: `${head} becomes` }).click()
    await page.getByRole('option', { name: field, exact: true }).click()
  }
  const repeated = page.getByText('1 row shares its address with an earlier row of the file.')
  await expect(repeated).toBeVisible()
  await becomes('Adresse', 'Email')
  await expect(repeated).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'E-Mail 2 becomes' })).toHaveText('Left out')
  await becomes('Wer', 'Full name')
  const changes = page.getByRole('region', { name: '1 known contact changes' })
  await expect(changes.getByRole('listitem')).toHaveText('PastFirst name: – →becomes Ina')
  const first = page.getByRole('region', { name: 'First contacts' }).getByRole('row')
  await expect(first.nth(1)).toHaveText('Anna Schmidtanna@acme.example–––')
  await expect(first.nth(2)).toHaveText('Skipped: Email or phone number is required')
  await expectAccessible(page)
  await becomes('Adresse', 'Left out')
  await expect(page.getByText(/a contact needs one of them/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 3 rows' })).toHaveAttribute('aria-disabled', 'true')
  await becomes('Adresse', 'Email')
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(page.getByText(complete(2, 1)).first()).toBeVisible()
  await expect(page.getByText('Left out: E-Mail 2, Notiz.')).toBeVisible()

  // From the report, or by the keys of undo, which ask too.
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('button', { name: 'Delete and restore' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page)).toContainText('Undo the import of crm.csv?')
  await expect(toastOf(page)).toContainText('1 contact that it added is deleted, and the companies')
  await toastOf(page).getByRole('button', { name: 'Undo import' }).click()
  const report = page.getByRole('region', { name: 'Import' })
  await expect(report.getByText('Import undone. Deleted: 1 contact. Restored: 1 contact.')).toBeVisible()
  await expect(changed).toHaveCount(0)
  await expect(report.getByRole('button', { name: 'Undo import' })).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page)).not.toContainText('crm.csv')

  // Later, from the list of imports, when one of its contacts was changed.
  await person.client.from('contacts').update({ title: 'Chefin' }).eq('first_name', 'Uta')
  await page.goto('/crm/import-contacts')
  const past = page.getByRole('region', { name: 'Earlier imports' })
  await expect(past.getByRole('listitem').first()).toContainText(/crm\.csv.*you · undone, 1 contact deleted/)
  await past.getByRole('button', { name: 'Undo import of messe.csv' }).click()
  await expect(page.getByText('1 contact stays: it was changed since, or a deal or task names it.')).toBeVisible()
  await expect(
    page.getByText('1 contact that was there before gets back the values that the import changed.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete and restore' }).click()
  await expect(toastOf(page)).toContainText('Deleted: 1 contact and 1 company. Restored: 1 contact. 1 contact stays')
  await expect(past.getByRole('listitem').nth(1)).toContainText('undone, 1 contact deleted, 1 contact restored')
  await expect(past.getByRole('button')).toHaveCount(0)
  expect((await stored())?.map(({ first_name, email }) => first_name ?? email)).toEqual(['Uta', 'known@acme.example'])
  expect((await contactsOf(person)).get('known@acme.example')?.last_name).toBe('Now')
  await page.getByRole('link', { name: 'Contacts', exact: true }).first().click()
  await expect(page.getByText('2 contacts')).toBeVisible()

  // Where nothing can be undone, the question is none: all was changed since, or only companies are left.
  await page.goto('/crm/import-contacts')
  await chooseFile(page, 'late.csv', 'Email,First Name,Company\nlate@acme.example,Lea,Late Co\n')
  await expect(page.getByText(complete(1, 0)).first()).toBeVisible()
  await person.client.from('contacts').update({ title: 'Chefin' }).eq('first_name', 'Lea')
  await page.getByRole('button', { name: 'Undo import' }).click()
  const nothing = page.getByRole('dialog', { name: 'Nothing to undo' })
  await expect(nothing).toContainText('Nothing of this import can be undone now.1 contact stays')
  await expect(nothing.getByRole('button', { name: /Delete|Restore|Cancel/ })).toHaveCount(0)
  await expect(nothing.getByRole('button', { name: 'Close' }).last()).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(nothing).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page)).toContainText('The import of late.csv cannot be undone')
  await expect(toastOf(page).getByRole('button', { name: 'Undo import' })).toHaveCount(0)
  await person.client.from('contacts').delete().eq('first_name', 'Lea')
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('button', { name: 'Delete 1 company' }).click()
  await expect(toastOf(page)).toContainText('Import undone')
  await expect(toastOf(page)).toContainText('1 company')
})

/** Lets so many chunks pass, and holds the others until the returned function is called. */
async function holdImport(page: Page, passing: number): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let calls = 0
  await page.route('**/rpc/import_contacts', async (route) => {
    calls += 1
    if (calls > passing) await released
    await route.continue()
  })
  return release
}

test('Stop ends an import between two chunks; the same file again completes it', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const csv = csvOf(makePeople({ rows: 2_000, without: 0, twice: 0 }))
  const release = await holdImport(page, 2)
  await chooseFile(page, 'large.csv', csv)
  await expect(page.getByText(/of 2,000 rows/)).toBeVisible()
  await expect(page.getByText(/rows per second/)).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  release()
  await expect(page.getByRole('heading', { name: 'Import stopped' })).toBeVisible({ timeout: 20_000 })
  const reported = Number(
    /([\d,]+) of 2,000 rows were imported/
      .exec(await page.getByText(/rows were imported/).innerText())?.[1]
      ?.replace(',', ''),
  )
  const stored = (await contactsOf(person)).size
  expect(stored).toBe(reported)
  expect(stored).toBeGreaterThan(0)
  expect(stored).toBeLessThan(2_000)
  await page.unroute('**/rpc/import_contacts')
  await chooseFile(page, 'large.csv', csv)
  await expect(page.getByText(complete(2_000, 0)).first()).toBeVisible({ timeout: 40_000 })
  expect((await contactsOf(person)).size).toBe(2_000)
})

test('leaving the page stops the import and reports how many rows were imported', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const release = await holdImport(page, 2)
  await chooseFile(page, 'large.csv', csvOf(makePeople({ rows: 2_000, without: 0, twice: 0 })))
  await expect(page.getByText(/rows per second/)).toBeVisible()
  await page.getByRole('link', { name: 'Deals', exact: true }).click()
  release()
  await expect(toastOf(page)).toContainText(/Import stopped.*of 2,000 rows were imported/s)
  const reported = /([\d,]+) of 2,000/.exec(await toastOf(page).innerText())?.[1]
  expect(reported).toBe((await contactsOf(person)).size.toLocaleString('en-GB'))
})

test('a chunk whose answer is lost is sent again, and no row is doubled', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  let calls = 0
  await page.route('**/rpc/import_contacts', async (route) => {
    calls += 1
    if (calls !== 1) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await chooseFile(page, 'lost.csv', csvOf(makePeople({ rows: 800, without: 3, twice: 0 })))
  await expect(page.getByText(complete(797, 3)).first()).toBeVisible({ timeout: 30_000 })
  expect((await contactsOf(person)).size).toBe(797)
})

test('after 429 the import waits for Retry-After, and the page says so', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  let asked = 0
  await page.route('**/rpc/import_contacts', async (route) => {
    asked += 1
    if (asked > 1) return route.continue()
    const body = JSON.stringify({ code: '53300', message: 'Too many requests at once', details: null, hint: null })
    return route.fulfill({ status: 429, headers: { 'Retry-After': '3', 'Content-Type': 'application/json' }, body })
  })
  await chooseFile(page, 'fair.csv', 'email\nana@acme.example\n')
  await expect(page.getByText('The server is busy. Trying again.')).toBeVisible()
  await expect(toastOf(page)).toContainText(complete(1, 0))
  expect(asked).toBe(2)
})

test('import: no accessibility violations: before, after, phone', async ({ page, server }) => {
  await openImport(page, await createPerson(server, { brand: 'Harbour' }))
  await expectAccessible(page)
  await chooseFile(page, 'some.csv', 'email,first_name\n,A\n,B\n,C\n,D\n,E\nok@acme.example,F\n')
  await page.getByRole('heading', { name: 'Import Complete' }).waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})
