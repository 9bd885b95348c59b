import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'
import { insertRow, openContacts, personWithContacts, rowsWithText, type SeedContact } from './contact-seeds.ts'

const mei: SeedContact = { email: 'mei@copperline.example', first: 'Mei', last: 'Tanaka', company: 'Copperline' }
const pieter: SeedContact = { email: 'p.vdh@maashaven.example', first: 'Pieter', last: 'van der Heijden' }

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Contact' })

/** Creates a person whose brand has the contacts Mei and Pieter. Mei has a deal and a task. `meiId` is the id of Mei's row. */
async function personWithMei(server: TestServer): Promise<Person & { meiId: string }> {
  const person = await personWithContacts(server, [mei, pieter])
  const { data: contact } = await person.client.from('contacts').select('id').eq('email', mei.email).single()
  const { data: stage } = await person.client.from('deal_stages').select('id').eq('name', 'Proposal').single()
  const meiId: string = contact?.id
  await insertRow(person, 'deals', { name: 'Lathe line', amount: 12_400, stage_id: stage?.id, contact_id: meiId })
  await insertRow(person, 'tasks', { title: 'Send the drawings', contact_id: meiId })
  return { ...person, meiId }
}

test('a contact has its own URL and opens beside the list, by a click, by Enter and by its URL; Back and Escape close it', async ({
  page,
  server,
}) => {
  const person = await personWithMei(server)
  await openContacts(page, person)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await rowsWithText(page, 'Mei Tanaka').getByText('mei@copperline.example').click()
  await expect(page).toHaveURL(`/crm/contacts/${person.meiId}?sort=name`)
  await expect(panelOf(page).getByRole('heading', { name: 'Mei Tanaka' })).toBeVisible()
  await expect(page).toHaveTitle('Mei Tanaka · Banyan CRM')
  await expect(rowsWithText(page, 'Pieter')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toHaveCount(0)
  await expect(page).toHaveURL('/crm/contacts?sort=name')
  await expect(page).toHaveTitle('Contacts · Banyan CRM')
  await expect(page.getByRole('link', { name: 'Mei Tanaka' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panelOf(page)).toBeVisible()
  await page.goBack()
  await expect(panelOf(page)).toHaveCount(0)
  await page.goto(`/crm/contacts/${person.meiId}`)
  await expect(panelOf(page).getByRole('heading', { name: 'Mei Tanaka' })).toBeVisible()
  await expect(page).toHaveTitle('Mei Tanaka · Banyan CRM')
  await page.goto('/crm/contacts/3f2b1a1e-0000-4000-8000-000000000000')
  await expect(page.getByText('Not found, or no access')).toBeVisible()
})

test('Escape closes a panel from the moment at which it is on the page', async ({ page, server }) => {
  const person = await personWithMei(server)
  await openContacts(page, person)
  await rowsWithText(page, 'Mei Tanaka').getByText('mei@copperline.example').click()
  await expect(panelOf(page)).toBeVisible()
  // Presses Escape in the same task in which the panel was added, before it is painted.
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('[data-panel]')) return
      observer.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await expect(rowsWithText(page, 'Pieter')).toBeVisible()
  await expect(page).toHaveURL('/crm/contacts')
  await expect(panelOf(page)).toHaveCount(0)
})

test('Tab and Shift+Tab save an edited field and move the focus to the next and the previous control', async ({
  page,
  server,
}) => {
  const person = await personWithMei(server)
  await openAs(page, person, `/crm/contacts/${person.meiId}`)
  const panel = panelOf(page)
  await panel.getByRole('button', { name: /^Last name: / }).click()
  await page.keyboard.type('Sato')
  await page.keyboard.press('Shift+Tab')
  await expect(panel.getByRole('button', { name: /^First name: / })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Aiko')
  await page.keyboard.press('Tab')
  await expect(panel.getByRole('button', { name: 'Last name: Sato. Edit' })).toBeFocused()
  await expect(panel.getByRole('heading', { name: 'Aiko Sato' })).toBeVisible()
})

test('fields of a contact are edited in place: a valid value is saved, an invalid one is refused with a message under the field, and Escape restores the stored value', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithMei(server)
  await insertRow(person, 'companies', { name: 'Hoshino Trading KK' })
  await openAs(page, person, `/crm/contacts/${person.meiId}`)
  const panel = panelOf(page)
  const email = panel.getByRole('textbox', { name: 'Email' })
  await panel.getByRole('button', { name: /^Email: / }).click()
  await email.fill('')
  await page.keyboard.press('Enter')
  await expect(email).toHaveAccessibleDescription('Email is required')
  await page.keyboard.press('Escape')
  for (const [label, value] of [
    ['First name', 'Meiko'],
    ['Job title', 'Product Lead'],
    ['Phone', '+44 20 7946 0611'],
  ] as const) {
    await panel.getByRole('button', { name: new RegExp(`^${label}: `) }).click()
    await panel.getByRole('textbox', { name: label }).fill(`  ${value} `)
    await page.keyboard.press('Enter')
    await expect(panel.getByRole('button', { name: `${label}: ${value}. Edit` })).toBeFocused()
  }
  await panel.getByRole('combobox', { name: 'Company' }).click()
  await page.keyboard.type('hoshi')
  await expect(page.getByRole('option')).toHaveText([/Hoshi/, 'Add “hoshi”'])
  await page.keyboard.press('Enter')
  await panel.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('option').nth(1).click()
  await expect(panel.getByText('Product Lead, Hoshino Trading KK')).toBeVisible()
  await expect(rowsWithText(page, 'Meiko Tanaka')).toContainText('Hoshino Trading KK')

  await panel.getByRole('button', { name: /^Email: / }).click()
  await email.fill('P.VDH@maashaven.example')
  await page.keyboard.press('Enter')
  await expect(email).toHaveAccessibleDescription('Another contact has this email address: Pieter van der Heijden.')
  await expectAccessible(page)
  // The button 'Open' belongs to the refusal of a used e-mail address. With the next error it disappears.
  await email.fill('no address')
  await page.keyboard.press('Enter')
  await expect(email).not.toHaveAccessibleDescription(/^Another contact/)
  await expect(panel.getByRole('button', { name: 'Open', exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel.getByRole('button', { name: `Email: ${mei.email}. Edit` })).toBeFocused()
  await expect(panel).toBeVisible()

  // The contact with that e-mail address can be opened by a click and by keyboard. Neither saves the text again.
  let saveCount = 0
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && request.url().includes('/contacts')) saveCount += 1
  })
  for (const activate of [
    (openButton: Locator) => openButton.click(),
    (openButton: Locator) => openButton.press('Enter'),
  ]) {
    await panel.getByRole('button', { name: /^Email: / }).click()
    await email.fill('P.VDH@maashaven.example')
    await page.keyboard.press('Enter')
    await activate(panel.getByRole('button', { name: 'Open', exact: true }))
    await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Pieter van der Heijden')
    await rowsWithText(page, 'Meiko Tanaka').click()
    await expect(panel.getByRole('button', { name: `Email: ${mei.email}. Edit` })).toBeVisible()
  }
  expect(saveCount).toBe(2)
  const columns = 'first_name, title, phone, email, owner_id, companies(name)'
  await expect
    .poll(async () => (await person.client.from('contacts').select(columns).eq('id', person.meiId).single()).data)
    .toEqual({
      first_name: 'Meiko',
      title: 'Product Lead',
      phone: '+44 20 7946 0611',
      email: mei.email,
      owner_id: person.userId,
      companies: { name: 'Hoshino Trading KK' },
    })

  // With a phone number the e-mail address may be removed; then the phone number may not be removed.
  await panel.getByRole('button', { name: /^Email: / }).click()
  await email.fill('')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: 'Email: none. Edit' })).toBeVisible()
  await panel.getByRole('button', { name: /^Phone: / }).click()
  const phone = panel.getByRole('textbox', { name: 'Phone' })
  await phone.fill(' ')
  await page.keyboard.press('Enter')
  await expect(phone).toHaveAccessibleDescription('Without an email address, a phone number is required')
})

test('related records are linked both ways; a task is ticked, deals and tasks are created in the panels', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithMei(server)
  await openAs(page, person, `/crm/contacts/${person.meiId}`)
  const panel = panelOf(page)
  await expect(panel.getByRole('link', { name: /Proposal: .*Lathe line/ })).toContainText('£12,400')
  await panel.getByRole('checkbox', { name: 'Complete Send the drawings' }).click()
  await expect(panel.getByText(/^Done /)).toBeVisible()
  await panel.getByRole('button', { name: 'New Task' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Task' })
  await expect(dialog.getByRole('combobox', { name: 'Contact' })).toHaveValue('Mei Tanaka')
  await dialog.getByLabel('Task title').fill('Call again')
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByRole('checkbox', { name: 'Complete Call again' })).toBeVisible()
  await panel.getByRole('button', { name: 'New Deal' }).click()
  const dealForm = page.getByRole('dialog', { name: 'New Deal' })
  await expect(dealForm.getByRole('combobox', { name: 'Contact' })).toHaveValue('Mei Tanaka')
  await expect(dealForm.getByRole('combobox', { name: 'Company' })).toHaveValue('Copperline')
  await dealForm.getByLabel('Deal name').fill('Spare parts')
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByRole('link', { name: /Incoming: .*Spare parts/ })).toBeVisible()
  await panel.getByRole('link', { name: 'Open Copperline' }).click()
  const company = page.getByRole('complementary', { name: 'Company' })
  await expect(company.getByRole('link', { name: /Incoming: .*Spare parts/ })).toBeVisible()
  await company.getByRole('button', { name: 'New Deal' }).click()
  await expect(dealForm.getByRole('combobox', { name: 'Company' })).toHaveValue('Copperline')
  await expect(dealForm.getByLabel('Deal name')).toHaveValue('')
  await dealForm.getByLabel('Deal name').fill('Maintenance')
  await page.keyboard.press('Control+Enter')
  await expect(company.getByRole('link', { name: /Incoming: .*Maintenance/ })).toBeVisible()
  await expect(company.getByRole('checkbox', { name: 'Complete Call again' })).toBeVisible()
  await company.getByRole('button', { name: 'New Task' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Contact' })).toHaveValue('Mei Tanaka')
  await dialog.getByLabel('Task title').fill('Send the offer')
  await page.keyboard.press('Control+Enter')
  await expect(company.getByRole('checkbox', { name: 'Complete Send the offer' })).toBeVisible()

  // The company has two contacts: the form preselects neither, and lists them first. It also says that the company's panel shows the task
  // only if one of the company's contacts or deals is chosen.
  const { data: meisRow } = await person.client.from('contacts').select('company_id').eq('id', person.meiId).single()
  await person.client.from('contacts').insert([
    { brand_id: person.brandId, email: 'abe@other.example', first_name: 'Abe' },
    { brand_id: person.brandId, email: 'zoe@copperline.example', first_name: 'Zoe', company_id: meisRow?.company_id },
  ])
  await expect(company.getByRole('link', { name: /Zoe/ })).toBeVisible()
  await company.getByRole('button', { name: 'New Task' }).click()
  const contact = dialog.getByRole('combobox', { name: 'Contact' })
  await expect(contact).toHaveAccessibleDescription('A contact or deal of Copperline shows the task there')
  await contact.click()
  await expect(page.getByRole('option')).toContainText(['Mei Tanaka', 'Zoe', 'Abe'])
  await page.getByRole('option', { name: 'Zoe' }).click()
  await expect(contact).not.toHaveAccessibleDescription(/Copperline/)
  await expectAccessible(page)
  await dialog.getByLabel('Task title').fill('Welcome Zoe')
  await page.keyboard.press('Control+Enter')
  await expect(company.getByRole('checkbox', { name: 'Complete Welcome Zoe' })).toBeVisible()
  await company.getByRole('link', { name: /Mei Tanaka/ }).click()
  await expect(panel).toBeVisible()
  await panel.getByRole('link', { name: /Lathe line/ }).click()
  await expect(page).toHaveURL(/\/crm\/deals\//)
})

test("a delete lists the records that it unlinks; the toast's 'Undo' restores the contact with its links", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithMei(server)
  await openAs(page, person, `/crm/contacts/${person.meiId}`)
  const linkedContactIds = async () => {
    const { data: deals } = await person.client.from('deals').select('contact_id')
    const { data: tasks } = await person.client.from('tasks').select('contact_id')
    return [...(deals ?? []), ...(tasks ?? [])].map(({ contact_id }) => contact_id)
  }
  await panelOf(page).getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toContainText('Unlinks 1 deal and 1 task')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(panelOf(page)).toHaveCount(0)
  await expect(rowsWithText(page, 'Mei Tanaka')).toHaveCount(0)
  await expect(toastOf(page)).toContainText('Contact deleted')
  await expect.poll(linkedContactIds).toEqual([null, null])
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(rowsWithText(page, 'Mei Tanaka')).toBeVisible()
  await expect.poll(linkedContactIds).toEqual([person.meiId, person.meiId])
})
