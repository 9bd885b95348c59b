import type { Locator, Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { smallTargets } from '../harness/phone-page.ts'
import { insertRow } from './contact-seeds.ts'

const contactPanel = (page: Page) => page.getByRole('complementary', { name: 'Contact' })
const fieldsOf = (page: Page, table: string) => page.getByRole('region', { name: `Fields of ${table}` })

const valuesOf = async (person: Person, contactId: string): Promise<Record<string, unknown>> => {
  const { data } = await person.client.from('contacts').select('custom').eq('id', contactId).single()
  return data?.custom
}

test('an admin defines a custom field, members fill it, and retiring it loses no values', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(person, 'contacts', { email: 'mei@copperline.example', first_name: 'Mei' })
  await openAs(page, person, '/crm/settings')
  await page.getByRole('tab', { name: 'Fields' }).click()
  const contacts = fieldsOf(page, 'contacts')
  const dialog = page.getByRole('dialog')
  const add = async (label: string, type: string, more = async () => {}) => {
    await contacts.getByRole('button', { name: 'Add field' }).click()
    await page.getByLabel('Name', { exact: true }).fill(label)
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: type, exact: true }).click()
    await more()
    await dialog.getByRole('button', { name: 'Add field' }).click()
    await expect(dialog).toHaveCount(0)
  }
  await add('Renewal date', 'Date')
  await add('Tier', 'One of a list', async () => {
    await dialog.getByRole('button', { name: 'Add field' }).click()
    await expect(dialog.getByText('Add an option')).toBeVisible()
    await page.getByLabel('Option 1', { exact: true }).fill('Gold')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Silver')
    await dialog.getByRole('checkbox', { name: 'Required' }).check()
    await expectAccessible(page)
  })
  await add('Annual spend', 'Money')
  await contacts.getByRole('button', { name: 'Move Tier' }).press('ArrowUp')
  const labels = contacts.getByRole('list', { name: /in order/ }).getByRole('listitem')
  await expect(labels).toHaveText([/^Tier/, /^Renewal date/, /^Annual spend/])
  const grip = contacts.getByRole('button', { name: 'Move Annual spend' })
  await grip.hover()
  await page.mouse.down()
  await labels.first().hover({ position: { x: 40, y: 4 } })
  await page.mouse.up()
  await expect(labels).toHaveText([/^Annual spend/, /^Tier/, /^Renewal date/])
  await expectAccessible(page)

  // A form requires the required fields.
  await page.getByRole('link', { name: 'Contacts' }).click()
  await page.getByRole('button', { name: 'Add Contact' }).click()
  await dialog.getByLabel('Email', { exact: true }).fill('ann@harbour.example')
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expect(dialog.getByText('Tier is required')).toBeVisible()
  await dialog.getByRole('combobox', { name: /^Tier/ }).click()
  await page.getByRole('option', { name: 'Silver' }).click()
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expect(toastOf(page).filter({ hasText: 'Contact added' })).toBeVisible()
  // When the form closes, the page goes back over the form's history entry. Waits for this step back, because it would undo the next navigation.
  await expect.poll(() => page.evaluate(() => Number(history.state.layers ?? 0))).toBe(0)

  await page.goto(`/crm/contacts/${id}`)
  const panel = contactPanel(page)
  await panel.getByRole('button', { name: /^Annual spend: / }).click()
  await panel.getByRole('textbox', { name: 'Annual spend' }).fill('a lot')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('textbox', { name: 'Annual spend' })).toHaveAccessibleDescription(
    'Type a number, such as 12,400',
  )
  await panel.getByRole('textbox', { name: 'Annual spend' }).fill('12k')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: /^Annual spend: / })).toHaveText('£12,000')
  await panel.getByRole('combobox', { name: 'Tier' }).click()
  await page.getByRole('option', { name: 'Gold' }).click()
  await panel.getByRole('button', { name: /^Renewal date: / }).click()
  await page.keyboard.type('7 dec 2026')
  await page.keyboard.press('Enter')
  await expect.poll(async () => Object.values(await valuesOf(person, id)).length).toBe(3)
  await expectAccessible(page)
  await page.keyboard.press('Control+z')
  await expect.poll(async () => Object.values(await valuesOf(person, id)).length).toBe(2)

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Fields' }).click()
  await contacts.getByRole('button', { name: 'Actions for Annual spend' }).click()
  await page.getByRole('menuitem', { name: 'Retire' }).click()
  await expect(labels).toHaveText([/^Tier/, /^Renewal date/])
  await contacts.getByText('Retired (1)').click()
  await contacts.getByRole('button', { name: 'Bring back Annual spend' }).click()
  await expect(labels).toHaveText([/^Annual spend/, /^Tier/, /^Renewal date/])
  await page.goto(`/crm/contacts/${id}`)
  await expect(panel.getByRole('button', { name: /^Annual spend: / })).toHaveText('£12,000')
})

test('custom fields can be shown as columns of the contacts, chosen per device, and can filter the list; the URL contains the filter', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const field = (label: string, type: string, more = {}) =>
    insertRow(person, 'custom_fields', { table: 'contacts', label, type, ...more })
  const tier = await field('Tier', 'choice', { options: ['Gold', 'Silver, old'] })
  const spend = await field('Annual spend', 'money', { currency: 'EUR' })
  const contact = (first_name: string, custom: Record<string, unknown>) =>
    insertRow(person, 'contacts', { first_name, email: `${first_name}@harbour.example`, custom })
  await contact('Mei', { [tier]: 'Gold', [spend]: 12_400 })
  await contact('Pieter', { [tier]: 'Silver, old' })
  for (const label of ['Region', 'Renewal note']) await field(label, 'text')
  const since = await field('Client since', 'date')
  await contact('Noor', { [since]: '2026-11-23', [spend]: 900.5 })
  const vip = await insertRow(person, 'tags', { name: 'Key account', color: 'red' })
  const names = { first_name: 'Lucía', last_name: 'Fernández Ortega', phone: '+44 20 7946 0958 1' }
  await insertRow(person, 'contacts', { ...names, email: 'lucia@harbour.example', tag_ids: [vip] })
  await openAs(page, person, '/crm/contacts')
  const table = page.getByRole('table', { name: 'Contacts' })
  const row = (name: string) => table.getByRole('row').filter({ hasText: name })
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Tier' }).check()
  await page.getByRole('checkbox', { name: 'Annual spend' }).check()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(table.getByRole('columnheader', { name: 'Annual spend' })).toBeVisible()
  await expect(row('Mei')).toContainText('€12,400')
  await page.reload()
  await expect(row('Pieter')).toContainText('Silver, old')

  // With four columns the table scrolls sideways: numbers are not cut, a tag shrinks before its contact's name, and no column header is covered.
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Region' }).check()
  await page.getByRole('checkbox', { name: 'Renewal note' }).check()
  await page.keyboard.press('Escape')
  const isCut = (text: Locator) =>
    text.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
      scrollWidth > clientWidth,
      scrollHeight > clientHeight + 4,
    ])
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/columns.png` })
  expect(await isCut(page.getByText(names.phone))).toEqual([false, false])
  expect(await isCut(page.getByText('Lucía Fernández Ortega'))).toEqual([false, false])
  await expect(row('Lucía').getByRole('list', { name: 'Tags' })).toHaveText('Key account')
  await table.evaluate((element) => element.scrollTo({ left: 9_999 }))
  const [last, button] = await Promise.all(
    [table.getByRole('columnheader').last(), page.getByRole('button', { name: 'Columns' })].map((each) =>
      each.boundingBox(),
    ),
  )
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0)
  expect(await table.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/columns-end.png` })

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Silver, old' }).check()
  await expect(row('Mei')).toHaveCount(0)
  await expect(row('Pieter')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  // Escape also makes the page go back over the filter's history entry. Waits for this step back, because it would cancel the reload.
  await expect.poll(() => page.evaluate(() => Number(history.state.layers ?? 0))).toBe(0)
  const address = page.url()
  expect(new URL(address).searchParams.get('fields')).toBe(`one.${tier}:Silver%2C%20old`)
  await page.reload()
  await expect(row('Pieter')).toBeVisible()
  await expect(row('Mei')).toHaveCount(0)
  await page.getByRole('button', { name: 'Tier: Silver, old. Remove this filter' }).click()
  await expect(row('Mei')).toBeVisible()

  // The bounds of an amount and of a date are typed as in other fields. A range includes both bounds.
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const [from, to] = ['from', 'to'].map((end) => page.getByRole('textbox', { name: `Annual spend ${end}` }))
  await from?.fill('a lot')
  await to?.fill('12.400,00')
  await expect(page.getByRole('textbox', { name: 'Annual spend from' })).toHaveAccessibleDescription(
    'Type a number, such as 12,400',
  )
  await expect(page.getByText('Type a number, such as 12,400')).toBeInViewport({ ratio: 1 })
  await to?.press('Enter')
  await expect(row('Lucía')).toHaveCount(0)
  await from?.fill('1k')
  await from?.press('Enter')
  await expect(row('Noor')).toHaveCount(0)
  await expect(row('Mei')).toBeVisible()
  await expectAccessible(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ranges.png` })
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Annual spend to' })).toHaveValue('')
  await page.getByRole('textbox', { name: 'Client since from' }).fill('23 nov 2026')
  // The typed bound is applied even if a click outside closes the filter.
  await page.getByRole('heading', { name: 'Contacts', exact: true }).click()
  await expect(row('Mei')).toHaveCount(0)
  expect(new URL(page.url()).searchParams.get('fields')).toBe(`to.${since}:2026-11-23..`)
  await page.reload()
  await expect(row('Noor')).toBeVisible()
  await expect(row('Mei')).toHaveCount(0)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/range-chip.png` })
  await page.getByRole('button', { name: /^Client since: from 23 Nov.* Remove this filter$/ }).click()
  await expect(row('Mei')).toBeVisible()
})

test("a custom field filled offline is merged with a colleague's value in another field; if both filled the same field, the user has to decide, and the question shows the field's label", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const field = (label: string) => insertRow(person, 'custom_fields', { table: 'contacts', label, type: 'text' })
  const [region, badge] = [await field('Region'), await field('Badge')]
  const id = await insertRow(person, 'contacts', { email: 'mei@copperline.example', first_name: 'Mei' })
  const colleagueWrites = (custom: Record<string, unknown>) =>
    person.client.from('contacts').update({ custom }).eq('brand_id', person.brandId).eq('id', id).throwOnError()
  await openAs(page, person, `/crm/contacts/${id}`)
  const panel = contactPanel(page)
  const write = async (label: string, text: string) => {
    await panel.getByRole('button', { name: new RegExp(`^${label}: `) }).click()
    await panel.getByRole('textbox', { name: label }).fill(text)
    await page.keyboard.press('Enter')
    await expect(panel.getByRole('button', { name: new RegExp(`^${label}: `) })).toHaveText(text)
  }
  await expect(panel.getByRole('button', { name: /^Badge: / })).toBeVisible()
  await page.context().setOffline(true)
  await write('Region', 'North')
  await colleagueWrites({ [badge]: 'Blue' })
  await page.context().setOffline(false)
  await expect.poll(() => valuesOf(person, id)).toEqual({ [region]: 'North', [badge]: 'Blue' })
  await expect(panel.getByRole('button', { name: /^Badge: / })).toHaveText('Blue')

  await page.context().setOffline(true)
  await write('Region', 'South')
  await colleagueWrites({ [region]: 'West' })
  await page.context().setOffline(false)
  await page.getByRole('button', { name: /needs? attention/i }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Region of “Mei”')
  await dialog.getByRole('button', { name: 'Decide' }).click()
  await expect(dialog).toContainText('South')
  await expect(dialog).toContainText('West')
})

test.describe('on the phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('custom fields on the phone are edited in the panel and defined in Settings with touch targets of 44 px', {
    tag: '@long',
  }, async ({ page, server }) => {
    const person = await createPerson(server, { brand: 'Harbour' })
    const languages = await insertRow(person, 'custom_fields', {
      table: 'contacts',
      label: 'Languages',
      type: 'choices',
      options: ['English', 'German', 'French'],
    })
    const id = await insertRow(person, 'contacts', { email: 'mei@copperline.example', first_name: 'Mei' })
    await openAs(page, person, `/crm/contacts/${id}`)
    const panel = contactPanel(page)
    await panel.getByRole('button', { name: /^Languages: / }).tap()
    await page.getByRole('checkbox', { name: 'French' }).tap()
    await page.getByRole('checkbox', { name: 'English' }).tap()
    await page.goBack()
    await expect(panel.getByRole('button', { name: /^Languages: / })).toHaveText('English, French')
    await expect.poll(() => valuesOf(person, id)).toEqual({ [languages]: ['English', 'French'] })
    await expectAccessible(page)

    await page.goto('/crm/settings?tab=fields')
    await expect(fieldsOf(page, 'contacts').getByText('Languages')).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await fieldsOf(page, 'deals').getByRole('button', { name: 'Add field' }).tap()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await expectAccessible(page)
  })
})
