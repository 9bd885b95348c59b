import type { Page } from '@playwright/test'
import { expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { sidewaysScroll, smallTargets } from '../harness/phone-page.ts'
import type { TestServer } from '../harness/server.ts'
import { insertRow, openContacts, personWithContacts, rowsWithText, type SeedContact } from '../e2e/contact-seeds.ts'

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

test('a contact can be handled by keyboard alone: add, find, open, edit, delete, undo', async ({ page, server }) => {
  const person = await personWithContacts(server, [pieter])
  await openContacts(page, person)
  await rowsWithText(page, 'Pieter').waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Add Contact' })
  await expect(dialog.getByLabel('Email')).toBeFocused()
  for (const text of ['zoe@acme.example', 'Zoë', 'Quist', '+44 117 496 0725', 'Buyer', 'Acme Fixings']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Control+Enter')
  await expect(rowsWithText(page, 'Zoë Quist')).toContainText('+44 117 496 0725')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('/')
  await page.keyboard.type('acme fix')
  await expect(page.getByText('1 contact', { exact: true })).toBeVisible()
  const link = page.getByRole('link', { name: 'Zoë Quist' })
  for (let press = 0; press < 10 && !(await link.evaluate((element) => element === document.activeElement)); press++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(panelOf(page)).toBeFocused()
  await page.keyboard.press('e')
  await expect(panelOf(page).getByRole('textbox', { name: 'Email' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('zoe.quist@acme.example')
  await page.keyboard.press('Enter')
  await expect(rowsWithText(page, 'zoe.quist@acme.example')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toHaveCount(0)
  await expect(link).toBeFocused()
  await page.keyboard.press('x')
  const toolbar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(toolbar).toContainText('1 selected')
  await page.keyboard.press('Escape')
  await expect(toolbar).toHaveCount(0)
  await page.keyboard.press('x')
  const deleteButton = toolbar.getByRole('button', { name: 'Delete' })
  for (
    let press = 0;
    press < 10 && !(await deleteButton.evaluate((element) => element === document.activeElement));
    press++
  )
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No contacts found matching your search')).toBeVisible()
  const undoButton = toastOf(page).getByRole('button', { name: 'Undo' })
  for (
    let press = 0;
    press < 40 && !(await undoButton.evaluate((element) => element === document.activeElement));
    press++
  )
    await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(rowsWithText(page, 'zoe.quist@acme.example')).toBeVisible()
  const contactsOnServer = async () =>
    (await person.client.from('contacts').select('email, phone, title, companies(name)').eq('last_name', 'Quist')).data
  const companies = { name: 'Acme Fixings' }
  await expect
    .poll(contactsOnServer)
    .toEqual([{ email: 'zoe.quist@acme.example', phone: '+44 117 496 0725', title: 'Buyer', companies }])
})

test('the contact panel has no accessibility violations; on the phone every touch target is large enough and nothing scrolls sideways', async ({
  page,
  server,
}) => {
  const person = await personWithMei(server)
  await openAs(page, person, `/crm/contacts/${person.meiId}`)
  await panelOf(page).getByText('Lathe line').waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await panelOf(page).getByText('Lathe line').waitFor()
  await expectAccessible(page)
  expect(await sidewaysScroll(page)).toEqual([])
  expect(await smallTargets(page)).toEqual([])
})
