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
  const addField = async (label: string, type: string, otherSteps = async () => {}) => {
    await contacts.getByRole('button', { name: 'Add field' }).click()
    await page.getByLabel('Name', { exact: true }).fill(label)
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: type, exact: true }).click()
    await otherSteps()
    await dialog.getByRole('button', { name: 'Add field' }).click()
    await expect(dialog).toHaveCount(0)
  }
  await addField('Renewal date', 'Date')
  await addField('Tier', 'One of a list', async () => {
    await dialog.getByRole('button', { name: 'Add field' }).click()
    await expect(dialog.getByText('Add an option')).toBeVisible()
    await page.getByLabel('Option 1', { exact: true }).fill('Gold')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Silver')
    await dialog.getByRole('checkbox', { name: 'Required' }).check()
    await expectAccessible(page)
  })
  await addField('Annual spend', 'Money')
  await contacts.getByRole('button', { name: 'Move Tier' }).press('ArrowUp')
  const fieldLines = contacts.getByRole('list', { name: /in order/ }).getByRole('listitem')
  await expect(fieldLines).toHaveText([/^Tier/, /^Renewal date/, /^Annual spend/])
  const grip = contacts.getByRole('button', { name: 'Move Annual spend' })
  await grip.hover()
  await page.mouse.down()
  await fieldLines.first().hover({ position: { x: 40, y: 4 } })
  await page.mouse.up()
  await expect(fieldLines).toHaveText([/^Annual spend/, /^Tier/, /^Renewal date/])
  await expectAccessible(page)

  // The form of a new contact is not submitted without a value in a required field.
  await page.getByRole('link', { name: 'Contacts' }).click()
  await page.getByRole('button', { name: 'Add Contact' }).click()
  await dialog.getByLabel('Email', { exact: true }).fill('ann@harbour.example')
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expect(dialog.getByText('Tier is required')).toBeVisible()
  await dialog.getByRole('combobox', { name: /^Tier/ }).click()
  await page.getByRole('option', { name: 'Silver' }).click()
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expect(toastOf(page).filter({ hasText: 'Contact added' })).toBeVisible()
  // When the form closes, the page goes back over the form's history entry. Waits for this step back: it would undo a navigation before it.
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
  await expect(fieldLines).toHaveText([/^Tier/, /^Renewal date/])
  await contacts.getByText('Retired (1)').click()
  await contacts.getByRole('button', { name: 'Bring back Annual spend' }).click()
  await expect(fieldLines).toHaveText([/^Annual spend/, /^Tier/, /^Renewal date/])
  await page.goto(`/crm/contacts/${id}`)
  await expect(panel.getByRole('button', { name: /^Annual spend: / })).toHaveText('£12,000')
})

test('while the contacts scroll sideways, their checkboxes and names stay in sight', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const fieldIds: string[] = []
  for (const label of ['Region', 'Tier', 'Source', 'Renewal note'])
    fieldIds.push(await insertRow(person, 'custom_fields', { table: 'contacts', label, type: 'text' }))
  const custom = Object.fromEntries(fieldIds.map((id) => [id, 'A value of some length']))
  const title = 'Head of procurement and logistics'
  for (const first_name of ['Mei', 'Lucía', 'Pieter'])
    await insertRow(person, 'contacts', { first_name, title, email: `${first_name}@harbour.example`, custom })
  await openAs(page, person, '/crm/contacts')
  await page.getByRole('button', { name: 'Columns' }).click()
  for (const label of ['Region', 'Tier', 'Source', 'Renewal note'])
    await page.getByRole('checkbox', { name: label }).check()
  await page.keyboard.press('Escape')
  const table = page.getByRole('table', { name: 'Contacts' })
  const row = (name: string) => table.getByRole('row').filter({ hasText: name })
  // The checkbox and the name stay in sight: nothing that scrolls is drawn over them.
  const xOf = async (locator: Locator) => (await locator.boundingBox())?.x
  const nameLink = page.getByRole('link', { name: 'Lucía' })
  const fixedParts = [
    row('Lucía').getByRole('checkbox'),
    nameLink,
    table.getByRole('columnheader', { name: 'Name' }),
    table.getByRole('columnheader', { name: 'Selection' }),
  ]
  const xBefore = await Promise.all(fixedParts.map(xOf))
  await table.evaluate((element) => element.scrollTo({ left: 9_999 }))
  expect(await table.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
  expect(await Promise.all(fixedParts.map(xOf))).toEqual(xBefore)
  const isOnTop = (locator: Locator) =>
    locator.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const hit = document.elementFromPoint(x + Math.min(width, 40) / 2, y + height / 2)
      return hit !== null && (element.contains(hit) || hit.contains(element)) && hit.closest('[role=row]') !== hit
    })
  for (const part of fixedParts) expect(await isOnTop(part)).toBe(true)
  const colourOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).backgroundColor)
  const nameCell = row('Lucía').getByRole('cell').nth(1)
  const colourBefore = await colourOf(nameCell)
  const { x = 0, y = 0 } = (await nameLink.boundingBox()) ?? {}
  await page.mouse.move(x + 5, y + 5)
  await expect.poll(() => colourOf(nameCell)).not.toBe(colourBefore)
  // Both change gradually.
  await expect.poll(async () => (await colourOf(nameCell)) === (await colourOf(row('Lucía')))).toBe(true)
  await expectAccessible(page)
})

test('custom fields can be shown as columns of the contacts, chosen per device, and can filter the list; the URL contains the filter', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const defineField = (label: string, type: string, otherColumns = {}) =>
    insertRow(person, 'custom_fields', { table: 'contacts', label, type, ...otherColumns })
  const tierId = await defineField('Tier', 'choice', { options: ['Gold', 'Silver, old'] })
  const spendId = await defineField('Annual spend', 'money', { currency: 'EUR' })
  const addContact = (first_name: string, custom: Record<string, unknown>) =>
    insertRow(person, 'contacts', { first_name, email: `${first_name}@harbour.example`, custom })
  await addContact('Mei', { [tierId]: 'Gold', [spendId]: 12_400 })
  await addContact('Pieter', { [tierId]: 'Silver, old' })
  for (const label of ['Region', 'Renewal note']) await defineField(label, 'text')
  const sinceId = await defineField('Client since', 'date')
  await addContact('Noor', { [sinceId]: '2026-11-23', [spendId]: 900.5 })
  const vipId = await insertRow(person, 'tags', { name: 'Key account', color: 'red' })
  const lucia = { first_name: 'Lucía', last_name: 'Fernández Ortega', phone: '+44 20 7946 0958 1' }
  await insertRow(person, 'contacts', { ...lucia, email: 'lucia@harbour.example', tag_ids: [vipId] })
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

  // With four custom columns the table scrolls sideways: numbers are not cut, a tag shrinks before its contact's name, and no column header is covered.
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Region' }).check()
  await page.getByRole('checkbox', { name: 'Renewal note' }).check()
  await page.keyboard.press('Escape')
  const isCutInWidthAndHeight = (text: Locator) =>
    text.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
      scrollWidth > clientWidth,
      scrollHeight > clientHeight + 4,
    ])
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/columns.png` })
  expect(await isCutInWidthAndHeight(page.getByText(lucia.phone))).toEqual([false, false])
  expect(await isCutInWidthAndHeight(page.getByText('Lucía Fernández Ortega'))).toEqual([false, false])
  await expect(row('Lucía').getByRole('list', { name: 'Tags' })).toHaveText('Key account')
  await table.evaluate((element) => element.scrollTo({ left: 9_999 }))
  const [lastHeaderBox, columnsBox] = await Promise.all(
    [table.getByRole('columnheader').last(), page.getByRole('button', { name: 'Columns' })].map((locator) =>
      locator.boundingBox(),
    ),
  )
  expect((lastHeaderBox?.x ?? 0) + (lastHeaderBox?.width ?? 0)).toBeLessThanOrEqual(columnsBox?.x ?? 0)
  expect(await table.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/columns-end.png` })

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Silver, old' }).check()
  await expect(row('Mei')).toHaveCount(0)
  await expect(row('Pieter')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  // Escape also makes the page go back over the filter's history entry. Waits for this step back: it would cancel a reload that has begun.
  await expect.poll(() => page.evaluate(() => Number(history.state.layers ?? 0))).toBe(0)
  const filteredUrl = page.url()
  expect(new URL(filteredUrl).searchParams.get('fields')).toBe(`one.${tierId}:Silver%2C%20old`)
  await page.reload()
  await expect(row('Pieter')).toBeVisible()
  await expect(row('Mei')).toHaveCount(0)
  await page.getByRole('button', { name: 'Tier: Silver, old. Remove this filter' }).click()
  await expect(row('Mei')).toBeVisible()

  // The bounds of an amount and of a date are typed as in other fields. A range includes both bounds.
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const [fromField, toField] = ['from', 'to'].map((end) => page.getByRole('textbox', { name: `Annual spend ${end}` }))
  await fromField?.fill('a lot')
  await toField?.fill('12.400,00')
  await expect(page.getByRole('textbox', { name: 'Annual spend from' })).toHaveAccessibleDescription(
    'Type a number, such as 12,400',
  )
  await expect(page.getByText('Type a number, such as 12,400')).toBeInViewport({ ratio: 1 })
  await toField?.press('Enter')
  await expect(row('Lucía')).toHaveCount(0)
  await fromField?.fill('1k')
  await fromField?.press('Enter')
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
  expect(new URL(page.url()).searchParams.get('fields')).toBe(`to.${sinceId}:2026-11-23..`)
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
  const defineField = (label: string) => insertRow(person, 'custom_fields', { table: 'contacts', label, type: 'text' })
  const [regionId, badgeId] = [await defineField('Region'), await defineField('Badge')]
  const id = await insertRow(person, 'contacts', { email: 'mei@copperline.example', first_name: 'Mei' })
  const colleagueWrites = (custom: Record<string, unknown>) =>
    person.client.from('contacts').update({ custom }).eq('brand_id', person.brandId).eq('id', id).throwOnError()
  await openAs(page, person, `/crm/contacts/${id}`)
  const panel = contactPanel(page)
  const fillField = async (label: string, text: string) => {
    await panel.getByRole('button', { name: new RegExp(`^${label}: `) }).click()
    await panel.getByRole('textbox', { name: label }).fill(text)
    await page.keyboard.press('Enter')
    await expect(panel.getByRole('button', { name: new RegExp(`^${label}: `) })).toHaveText(text)
  }
  await expect(panel.getByRole('button', { name: /^Badge: / })).toBeVisible()
  await page.context().setOffline(true)
  await fillField('Region', 'North')
  await colleagueWrites({ [badgeId]: 'Blue' })
  await page.context().setOffline(false)
  await expect.poll(() => valuesOf(person, id)).toEqual({ [regionId]: 'North', [badgeId]: 'Blue' })
  await expect(panel.getByRole('button', { name: /^Badge: / })).toHaveText('Blue')

  await page.context().setOffline(true)
  await fillField('Region', 'South')
  await colleagueWrites({ [regionId]: 'West' })
  await page.context().setOffline(false)
  await page.getByRole('button', { name: /needs? attention/i }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Region of “Mei”')
  await dialog.getByRole('button', { name: 'Decide' }).click()
  await expect(dialog).toContainText('South')
  await expect(dialog).toContainText('West')
})

test('the list of a field with several choices takes the focus when a key opens it, and Escape closes only the list', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'custom_fields', {
    table: 'contacts',
    label: 'Languages',
    type: 'choices',
    options: ['English', 'German'],
  })
  const id = await insertRow(person, 'contacts', { email: 'mei@copperline.example', first_name: 'Mei' })
  await openAs(page, person, `/crm/contacts/${id}`)
  const field = contactPanel(page).getByRole('button', { name: /^Languages: / })
  await field.focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: 'English' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await expect(field).toBeFocused()
  await expect(field).toHaveText('German')
  await expect(contactPanel(page)).toBeVisible()
})

test.describe('on the phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('custom fields on the phone are edited in the panel and defined in Settings with touch targets of 44 px', {
    tag: '@long',
  }, async ({ page, server }) => {
    const person = await createPerson(server, { brand: 'Harbour' })
    const languagesId = await insertRow(person, 'custom_fields', {
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
    await expect.poll(() => valuesOf(person, id)).toEqual({ [languagesId]: ['English', 'French'] })
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
