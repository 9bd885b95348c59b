import { createPerson, expect, expectAccessible, newEmail, test, toastOf } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'
import { openContacts, personWithContacts, rowsWithText, type SeedContact } from './contact-seeds.ts'

const mei: SeedContact = {
  email: 'mei.tanaka@copperline.example',
  first: 'Mei',
  last: 'Tanaka',
  title: 'Product Lead',
  phone: '+44 20 7946 0611',
  company: 'Copperline',
}
const nameless: SeedContact = { email: 'info@juniper.example', company: 'Juniper Studios' }
const bare: SeedContact = { first: 'Hollis', last: 'Marchbank' }
const pieter: SeedContact = { email: 'p.vdh@maashaven.example', first: 'Pieter', last: 'van der Heijden' }

test("spec 2: /crm/contacts: Title 'Contacts'. 'Import CSV' button goes to /crm/import-contacts; 'Add Contact' dialog.", async ({
  page,
  server,
}) => {
  await openContacts(page, await personWithContacts(server, [mei]))
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact', exact: true })
  await expect(dialog.getByLabel('Email')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Import CSV', exact: true }).click()
  await expect(page).toHaveURL(/\/crm\/import-contacts$/)
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Contacts', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )
})

test("spec 2: /crm/contacts: Cards show initials (or '?'), full name, title, email, phone and company; with none of these: 'No contact details'.", async ({
  page,
  server,
}) => {
  const person = await personWithContacts(server, [mei, nameless, bare])
  await openContacts(page, person)
  for (const fact of ['MT', 'Mei Tanaka', 'Product Lead', mei.email ?? '', '+44 20 7946 0611', 'Copperline']) {
    await expect(rowsWithText(page, 'Mei Tanaka')).toContainText(fact)
  }
  await expect(rowsWithText(page, 'info@juniper.example')).toContainText('?')
  // A contact without a name is shown by its e-mail address.
  await expect(rowsWithText(page, 'info@juniper.example').getByRole('link').first()).toHaveText('info@juniper.example')
  await expect(rowsWithText(page, 'info@juniper.example')).toContainText('Juniper Studios')
  await expect(rowsWithText(page, 'Hollis Marchbank')).toContainText('No contact details')
  await expect(page.getByText('No contact details', { exact: true })).toHaveCount(1)

  await page.setViewportSize({ width: 390, height: 844 })
  const card = page.getByRole('article').filter({ hasText: 'Mei Tanaka' })
  for (const fact of ['MT', 'Product Lead', mei.email ?? '', '+44 20 7946 0611', 'Copperline']) {
    await expect(card).toContainText(fact)
  }
  await expect(page.getByRole('article').filter({ hasText: 'Hollis' })).toContainText('No contact details')
})

test("spec 2: /crm/contacts: Search box 'Search contacts...' filters case-insensitively on name, email and company name.", async ({
  page,
  server,
}) => {
  await openContacts(page, await personWithContacts(server, [mei, nameless, bare, pieter]))
  await expect(page.getByText('4 contacts')).toBeVisible()
  await page.keyboard.press('/')
  const search = page.getByPlaceholder('Search contacts...', { exact: true })
  await expect(search).toBeFocused()
  for (const [text, contactName] of [
    ['MEI TAN', 'Mei Tanaka'],
    ['VAN DER', 'Pieter van der Heijden'],
    ['INFO@', 'info@juniper.example'],
    ['copperL', 'Mei Tanaka'],
    ['hol', 'Hollis Marchbank'],
  ] as const) {
    await search.fill(text)
    await expect(page.getByText('1 contact', { exact: true })).toBeVisible()
    await expect(rowsWithText(page, contactName)).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(2)
  }
  await page.keyboard.press('Escape')
  await expect(search).toHaveValue('')
  await expect(page.getByText('4 contacts')).toBeVisible()
})

test("spec 2: /crm/contacts: Empty states: 'No contacts found matching your search'", async ({ page, server }) => {
  await openContacts(page, await personWithContacts(server, [mei]))
  await page.getByPlaceholder('Search contacts...', { exact: true }).fill('nobody')
  await expect(page.getByText('No contacts found matching your search', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).last().click()
  await expect(rowsWithText(page, 'Mei Tanaka')).toBeVisible()
})

test("spec 2: /crm/contacts: Empty states: 'No contacts yet' (with an 'Add Your First Contact' button)", async ({
  page,
  server,
}) => {
  await openContacts(page, await createPerson(server, { brand: 'Harbour' }))
  await expect(page.getByText('No contacts yet', { exact: true })).toBeVisible()
  // The two buttons that open the import have different names.
  await expect(page.getByRole('button', { name: 'Import CSV' })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Import a CSV File', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Add Your First Contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByLabel('Email').fill('first@acme.example')
  await page.keyboard.press('Control+Enter')
  await expect(rowsWithText(page, 'first@acme.example')).toBeVisible()
  await expect(page.getByText('No contacts yet', { exact: true })).toHaveCount(0)
})

test("spec 5: Contact: email required and trimmed ('Email is required'); first, last and company names trimmed and sent as null when empty.", async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openContacts(page, person)
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByLabel('Email').fill('   ')
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expect(dialog.getByLabel('Email')).toHaveAccessibleDescription('Email is required')
  await expect(dialog.getByLabel('Email')).toBeFocused()

  // A phone number is sufficient too, so the error disappears.
  await dialog.getByLabel('Phone').fill('0')
  await expect(dialog.getByText('Email is required')).toHaveCount(0)
  await expect(dialog.getByLabel('Email')).not.toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Phone').fill('')

  const email = newEmail('zoe')
  await dialog.getByLabel('Email').fill(`  ${email} `)
  await dialog.getByLabel('First name').fill('  Zoë ')
  const sentRequest = page.waitForRequest(/rpc\/upsert_contact/)
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  expect((await sentRequest).postDataJSON()).toMatchObject({
    p_brand_id: person.brandId,
    p_email: email,
    p_first: 'Zoë',
    p_last: null,
    p_company_name: null,
  })
})

test("spec 8: Contact: success 'Contact added'", { tag: '@long' }, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openContacts(page, person)
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByLabel('Email').fill('kenji@hoshino.example')
  await dialog.getByLabel('Last name').fill('Watanabe')
  await dialog.getByLabel('Company').fill('Hoshino Trading KK')
  await dialog.getByRole('button', { name: 'Add Contact' }).dblclick()
  await expect(toastOf(page)).toContainText('Contact added')
  await expect(dialog).toHaveCount(0)
  await expect(rowsWithText(page, 'kenji@hoshino.example')).toContainText('Hoshino Trading KK')
  const { data } = await person.client.from('contacts').select('email, last_name, companies(name)')
  expect(data).toEqual([
    { email: 'kenji@hoshino.example', last_name: 'Watanabe', companies: { name: 'Hoshino Trading KK' } },
  ])
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  for (const label of ['Email', 'First name', 'Last name', 'Company']) {
    await expect(dialog.getByLabel(label)).toHaveValue('')
  }
})

test("spec 8: Contact: 'Error adding contact'", { tag: '@long' }, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openContacts(page, person)
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByLabel('Email').fill('nobody')
  await dialog.getByLabel('First name').fill('Bo')
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expect(toastOf(page)).toContainText('Error adding contact')
  await expect(dialog.getByLabel('Email')).toHaveAccessibleDescription('This is not an email address')
  await expect(dialog.getByLabel('Email')).toHaveValue('nobody')
  await expect(dialog.getByLabel('First name')).toHaveValue('Bo')
  await expect(rowsWithText(page, 'nobody')).toHaveCount(0)
})

test('for a known e-mail address the dialog names its contact, fills empty fields, asks about different values, and Undo reverts the change', {
  tag: '@long',
}, async ({ page, server }) => {
  const dieter = { email: 'd.krause@nordhafen.example', first: 'Dieter', last: 'Krause', title: 'Buyer' }
  const person = await personWithContacts(server, [{ ...dieter, company: 'Nordhafen' }])
  const storedContacts = async () => {
    const columns = 'email, first_name, last_name, title, phone, companies(name)'
    return (await person.client.from('contacts').select(columns)).data
  }
  const contactsBefore = await storedContacts()
  await openContacts(page, person)
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByLabel('Email').fill('D.KRAUSE@nordhafen.example')
  await expect(dialog.getByText('Dieter Krause has this address')).toBeVisible()
  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect(dialog.getByText('There is nothing new to save.')).toBeVisible()

  for (const [label, text] of Object.entries({
    'First name': 'Dietrich',
    Phone: '040 12345',
    'Job title': 'Head of Purchasing',
  }))
    await dialog.getByLabel(label).fill(text)
  await expect(dialog.getByText('There is nothing new to save.')).toHaveCount(0)
  await dialog.getByLabel('Company').fill('Krause & Co')
  await dialog.getByRole('button', { name: 'Update' }).click()
  const question = page.getByRole('dialog', { name: 'Which is right?' })
  await expect(question).toContainText('Empty fields are filled in either way: phone.')
  await expect(question.getByRole('radio', { name: /^Keep theirs/ })).toHaveCount(3)
  await expect(question.getByRole('radio', { name: /^Keep theirs/ }).first()).toBeFocused()
  await expectAccessible(page)
  await question.getByRole('radio', { name: /^Take mine.*Head of Purchasing/ }).check()
  await question.getByRole('radio', { name: /^Take mine.*Krause & Co/ }).check()
  await question.getByRole('button', { name: 'Update' }).click()
  await expect(toastOf(page)).toContainText('Contact updatedDieter Krause')
  await expect(page.getByText('1 contact', { exact: true })).toBeVisible()
  expect(await storedContacts()).toEqual([
    {
      email: dieter.email,
      first_name: 'Dieter',
      last_name: 'Krause',
      title: 'Head of Purchasing',
      phone: '040 12345',
      companies: { name: 'Krause & Co' },
    },
  ])
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(storedContacts).toEqual(contactsBefore)
  await expect
    .poll(async () => (await person.client.from('companies').select('name')).data)
    .toEqual([{ name: 'Nordhafen' }])

  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  await expect(dialog.getByLabel('Email')).toHaveValue('')
  await dialog.getByLabel('Email').fill(dieter.email)
  await dialog.getByRole('button', { name: 'Open' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('complementary').getByRole('heading', { name: 'Dieter Krause' })).toBeVisible()
  await expect(page.getByRole('complementary')).toBeFocused()
})

test('while a slow server has not responded, the form does not call the new contact a known contact', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  // The form stays open while it waits for the server: for 60 s instead of 3 s.
  await page.addInitScript(() => {
    const originalSetTimeout = window.setTimeout.bind(window)
    const setLongTimeout = (run: () => void, ms: number) => originalSetTimeout(run, ms === 3_000 ? 60_000 : ms)
    Object.assign(window, { setTimeout: setLongTimeout })
  })
  await openContacts(page, person)
  const release = await holdRequests(page, '**/rest/v1/rpc/{add_company,upsert_contact}')
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByLabel('Email').fill('ria@rab.example')
  await dialog.getByLabel('First name').fill('Ria')
  await dialog.getByLabel('Company').fill('Rab')
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  // The list behind the dialog shows the new contact, which waits for the server's response.
  await expect(page.getByText('ria@rab.example')).toBeVisible()
  await expect(dialog.locator('button[aria-busy=true]')).toContainText('Add Contact')
  await expect(dialog.getByText('has this address')).toHaveCount(0)
  await expect(page.locator('#live-polite')).not.toContainText('has this address')
  release()
  await expect(toastOf(page)).toContainText('Contact added')
  await expect(dialog).toHaveCount(0)
})

test('a contact that is not on this device is found on the server by its e-mail address and by its phone number', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await server.database?.owner.query(
    `insert into public.contacts (brand_id, email, phone, first_name, created_at)
     select $1, 'c' || n || '@many.example', '+49 171 ' || 1000000 + n, 'Contact ' || n, now() - n * interval '1 second' from generate_series(1, 12000) n`,
    [person.brandId],
  )
  await openContacts(page, person)
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByLabel('First name').fill('Mine')
  await dialog.getByLabel('Email').fill('C11999@many.example')
  await page.keyboard.press('Enter')
  const existsHint = dialog.getByText('Contact 11999 has this address')
  const keepTheirsRadio = page.getByRole('dialog').getByRole('radio', { name: /^Keep theirs.*Contact 11999/ })
  // If the server's response arrived before the key press, the form asks which value is right. Otherwise Enter only shows the hint
  // 'Contact 11999 has this address', and after a click on 'Update' the form asks.
  await expect(existsHint.or(keepTheirsRadio).first()).toBeVisible()
  if (await existsHint.isVisible()) await dialog.getByRole('button', { name: 'Update' }).click()
  await expect(keepTheirsRadio).toBeChecked()
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click()
  await dialog.getByLabel('Phone').fill('0171 101-1998')
  await expect(dialog.getByText('Contact 11998 has this number')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Open' })).toHaveCount(2)
  await expectAccessible(page)
})

test('a contact with a phone number needs no e-mail address, offline too, and Undo removes the contact', {
  tag: '@long',
}, async ({ page, server, context }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const storedContacts = async () => {
    const columns = 'email, first_name, last_name, phone, title, companies(name)'
    return (await person.client.from('contacts').select(columns)).data
  }
  await openContacts(page, person)
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  const addUta = async (hint?: string) => {
    await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
    await expect(dialog.getByLabel('Email')).toHaveAttribute('aria-required', 'true')
    for (const [label, text] of Object.entries({
      'First name': 'Uta',
      Phone: ' 040 12345 ',
      'Job title': 'Owner',
      Company: 'Hof',
    }))
      await dialog.getByLabel(label).fill(text)
    await expect(dialog.getByLabel('Email')).toHaveAttribute('aria-required', 'false')
    if (hint) await expect(dialog.getByText(hint)).toBeVisible()
    await dialog.getByRole('button', { name: 'Add Contact' }).click()
    await expect(dialog).toHaveCount(0)
  }
  const uta = {
    first_name: 'Uta',
    last_name: null,
    email: null,
    phone: '040 12345',
    title: 'Owner',
    companies: { name: 'Hof' },
  }
  await addUta()
  await expect(toastOf(page)).toContainText('Contact added')
  expect(await storedContacts()).toEqual([uta])

  // The same number is added again: offline the form warns, but adds a second contact.
  await context.setOffline(true)
  await addUta('Uta has this number')
  await expect(toastOf(page)).toContainText('Saved on this deviceUta')
  await expect(rowsWithText(page, 'Uta')).toHaveCount(2)
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(rowsWithText(page, 'Uta')).toHaveCount(1)
  await addUta('Uta has this number')
  await expect(rowsWithText(page, 'Uta')).toHaveCount(2)
  await context.setOffline(false)
  await expect.poll(storedContacts, { timeout: 20_000 }).toEqual([uta, uta])
})

test("'Anna Schmidt <anna@muster.example>' is split into name and e-mail address; an invalid address is reported beside the field", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithContacts(server, [{ first: 'Hollis', phone: '0100' }])
  await openContacts(page, person)
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  const email = dialog.getByLabel('Email')
  await email.fill('anna at muster')
  await page.keyboard.press('Tab')
  await expect(email).toHaveAccessibleDescription('This is not an email address')
  await email.fill('"Schmidt, Anna" <anna@muster.example>')
  await expect(email).toHaveAccessibleDescription('')
  await page.keyboard.press('Tab')
  await expect(email).toHaveValue('anna@muster.example')
  await expect(dialog.getByLabel('First name')).toHaveValue('Anna')
  await expect(dialog.getByLabel('Last name')).toHaveValue('Schmidt')
  await page.keyboard.press('Escape')

  await rowsWithText(page, 'Hollis').getByRole('link').click()
  const panel = page.getByRole('complementary')
  await panel.getByRole('button', { name: /^Email: / }).click()
  await panel.getByRole('textbox', { name: 'Email' }).fill('Hollis Marchbank <hollis@march.example>')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: 'Email: hollis@march.example. Edit' })).toBeVisible()
  await expect(rowsWithText(page, 'Hollis')).toContainText('hollis@march.example')
})

test("a contact added offline is stored, and the toast says 'Saved on this device'", async ({
  page,
  server,
  context,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openContacts(page, person)
  await page.getByRole('button', { name: 'Add Contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await dialog.getByLabel('Email').fill('tunnel@acme.example')
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expect(toastOf(page)).toContainText('Saved on this devicetunnel@acme.example')
  await expect(rowsWithText(page, 'tunnel@acme.example')).toBeVisible()
  await context.setOffline(false)
  await expect
    .poll(async () => (await person.client.from('contacts').select('email')).data, { timeout: 20_000 })
    .toEqual([{ email: 'tunnel@acme.example' }])
})

test('contacts are listed newest first, and scrolling reaches the last of many', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await server.database?.owner.query(
    `insert into public.contacts (brand_id, email, first_name, created_at)
     select $1, 'c' || n || '@many.example', 'Contact ' || n, now() - n * interval '1 second' from generate_series(1, 3000) n`,
    [person.brandId],
  )
  await openContacts(page, person)
  await expect(page.getByText('3,000 contacts')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('row').nth(1)).toContainText('c1@many.example')
  expect(await page.locator('*').count()).toBeLessThan(2_500)
  await page.getByRole('table').evaluate((table) => table.scrollTo(0, table.scrollHeight))
  await expect(rowsWithText(page, 'c3000@many.example')).toBeVisible()
  expect(await page.locator('*').count()).toBeLessThan(2_500)
})

test('the contacts page has no accessibility violations: list, empty, dialog, phone', { tag: '@long' }, async ({
  page,
  server,
}) => {
  await openContacts(page, await personWithContacts(server, [mei, nameless, bare]))
  await rowsWithText(page, 'Mei Tanaka').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add Contact' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add Contact' }).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByPlaceholder('Search contacts...', { exact: true }).fill('nobody')
  await page.getByText('No contacts found matching your search', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByPlaceholder('Search contacts...', { exact: true }).fill('')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('article').first().waitFor()
  await expectAccessible(page)
})
