import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { cardsOf, openBoard, personWithDeals } from './deal-seeds.ts'

// These tests check that typed text is saved, or refused with a message, and never lost silently.

const dealPanel = (page: Page) => page.getByRole('complementary', { name: 'Deal' })
const closeDate = (page: Page) => dealPanel(page).getByRole('button', { name: /^Expected close date/ })

test('an incomplete due date, or one with a year of three digits, is refused with a message', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Task title').fill('007 calls Margaret')
  await page.keyboard.press('Tab')
  await page.keyboard.type('11/11/')
  await page.keyboard.type('031 10:10 am')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByLabel('Due date')).toHaveAccessibleDescription('Write the year with four digits')
  await expect(dialog.getByLabel('Due date')).toBeFocused()

  await dialog.getByLabel('Due date').fill('1111')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByLabel('Due date')).toHaveAccessibleDescription('Type a date such as 30 Nov, fri 9:30 or +3d')

  await dialog.getByLabel('Due date').fill('2031-11-11T10:10')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  const dueTimes = async () => (await person.client.from('tasks').select('due_at').eq('brand_id', person.brandId)).data
  await expect.poll(dueTimes).toEqual([{ due_at: '2031-11-11T10:10:00+00:00' }])
})

test('a year has four digits at most', { tag: '@long' }, async ({ page, server }) => {
  await openBoard(page, await createPerson(server, { brand: 'Harbour' }))
  await page.getByRole('button', { name: 'New Deal' }).first().click()
  await page.getByLabel('Expected close date').focus()
  await page.keyboard.type('11/11/20311')
  await page.getByLabel('Deal name').focus()
  await expect(page.getByLabel('Expected close date')).toHaveAccessibleDescription(/^Type a date/)
  await expect(page.getByLabel('Expected close date')).toHaveValue('11/11/20311')
})

test('a date keeps its saved value while the edited one is incomplete', { tag: '@long' }, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Depot lighting', day: '2031-11-11' }])
  await openBoard(page, person)
  await cardsOf(page, 'Depot lighting').click()
  await closeDate(page).click()
  await page.keyboard.type('11.')
  await page.keyboard.press('Enter')
  await expect(dealPanel(page).getByRole('alert')).toHaveText('Type a date such as 30 Nov, fri or +3d')
  await page.goBack()
  await expect(dealPanel(page)).toHaveCount(0)
  await cardsOf(page, 'Depot lighting').click()
  await expect(closeDate(page)).toHaveText('11 Nov 2031')

  await closeDate(page).click()
  await page.getByLabel('Expected close date').fill('')
  await page.keyboard.press('Enter')
  await expect(closeDate(page)).toHaveText('Add')
  const closeDates = async () => (await person.client.from('deals').select('expected_close_date').single()).data
  await expect.poll(closeDates).toEqual({ expected_close_date: null })
})

test('Back saves the edited field of a panel; Escape before it discards the edit', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(person, 'companies', { name: 'Acme' })
  await openAs(page, person, '/crm/companies')
  const openAcme = () => page.getByRole('link', { name: 'Acme' }).click()
  const notes = page.getByRole('complementary', { name: 'Company' }).getByLabel(/^Notes/)
  await openAcme()
  await notes.click()
  await page.keyboard.type('Wants a quote by Friday')
  await page.goBack()
  await expect(page).toHaveURL(/\/crm\/companies$/)
  const storedNotes = async () => (await person.client.from('companies').select('notes').eq('id', id).single()).data
  await expect.poll(storedNotes).toEqual({ notes: 'Wants a quote by Friday' })

  await openAcme()
  await notes.click()
  await page.keyboard.type(', or not')
  await page.keyboard.press('Escape')
  await page.goBack()
  await openAcme()
  await expect(notes).toHaveText('Wants a quote by Friday')
})

test("a colleague's change of the edited field is not overwritten without a warning", async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Depot lighting', amount: 100 }])
  await openBoard(page, person)
  await cardsOf(page, 'Depot lighting').click()
  const amount = dealPanel(page).getByRole('textbox', { name: 'Amount' })
  const editAmount = () =>
    dealPanel(page)
      .getByRole('button', { name: /^Amount/ })
      .click()
  const setAmountAsColleague = async (value: number) => {
    await person.client.from('deals').update({ amount: value }).eq('brand_id', person.brandId)
    await expect(cardsOf(page, 'Depot lighting')).toContainText(`£${value}`)
  }
  const onServer = async () => (await person.client.from('deals').select('amount').single()).data?.amount

  await editAmount()
  await setAmountAsColleague(111)
  await page.keyboard.press('Enter')
  await expect(amount).toHaveCount(0)
  await expect(dealPanel(page).getByRole('button', { name: /^Amount/ })).toHaveText('£111')
  expect(await onServer()).toBe(111)

  await editAmount()
  await page.keyboard.type('222')
  await setAmountAsColleague(333)
  await page.keyboard.press('Enter')
  await expect(dealPanel(page).getByRole('alert')).toHaveText('Somebody changed this to “£333” meanwhile.')
  expect(await onServer()).toBe(333)
  await page.keyboard.press('Enter')
  await expect.poll(onServer).toBe(222)
})

test('a typed company that is not chosen from the list is refused with a message; its full name selects it', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const company_id = await insertRow(person, 'companies', { name: 'Acme Fixings' })
  await openBoard(page, person)
  await page.getByRole('button', { name: 'New Deal' }).first().click()
  const dialog = page.getByRole('dialog')
  const company = dialog.getByRole('combobox', { name: 'Company' })
  await dialog.getByLabel('Deal name').fill('Depot lighting')
  await company.click()
  await page.keyboard.type('Acm')
  await expect(page.getByRole('option', { name: 'Acme Fixings' })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Choose one from the list, or clear it')).toBeVisible()
  await expect(company).toHaveValue('Acm')

  await company.click()
  await expect(page.getByRole('option', { name: 'Acme Fixings' })).toBeVisible()
  await page.keyboard.type('acme fixings')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(company).toHaveValue('Acme Fixings')
  await dialog.getByRole('button', { name: /Create Deal/ }).click()
  await expect(dialog).toHaveCount(0)
  const storedDeal = async () => (await person.client.from('deals').select('name, company_id').single()).data
  await expect.poll(storedDeal).toEqual({ name: 'Depot lighting', company_id })

  await page.getByRole('button', { name: 'New Deal' }).first().click()
  await dialog.getByLabel('Deal name').fill('Another')
  await company.click()
  await page.keyboard.type('Nobody')
  await dialog.getByRole('button', { name: /Create Deal/ }).click()
  await expect(dialog.getByText('Choose one from the list, or clear it')).toBeVisible()
  await expect(company).toBeFocused()
  await dialog.getByRole('button', { name: 'Clear' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
})

test('a text that is cut when it is pasted, because the field is too short for it, is reported', async ({
  page,
  server,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const person = await createPerson(server, { brand: 'Harbour' })
  // The code that reports it is loaded after the start of the page.
  const loaded = page.waitForResponse(/\/assets\/cut-text-/)
  await openAs(page, person, '/crm/contacts')
  await loaded
  await page.evaluate(() => navigator.clipboard.writeText('x'.repeat(199)))
  await page.getByRole('button', { name: 'Add Contact', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('First name')
  await name.fill('Ida and ')
  await page.keyboard.press('ControlOrMeta+V')
  await expect(name).toHaveValue(`Ida and ${'x'.repeat(192)}`)
  await expect(toastOf(page)).toHaveText('At most 200 characters: the end was cut.')
  await dialog.getByLabel('Email').fill('ida@harbour.example')
  await page.keyboard.press('Control+Enter')
  await expect(toastOf(page)).toContainText('Contact added')

  await page.getByRole('link', { name: /^Ida and / }).click()
  await page.getByRole('button', { name: /^Last name/ }).click()
  await page.keyboard.insertText('w'.repeat(201))
  await expect(toastOf(page)).toHaveText('At most 200 characters: the end was cut.')
})
