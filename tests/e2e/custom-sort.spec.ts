import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'

const sortOf = (page: Page) => new URL(page.url()).searchParams.get('sort')

const defineField = (person: Person, table: string, label: string, type: string, otherColumns = {}) =>
  insertRow(person, 'custom_fields', { table, label, type, ...otherColumns })

test('contacts are sorted by a custom field by the column header, the keyboard and the URL; the field then becomes a column', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const scoreId = await defineField(person, 'contacts', 'Score', 'number')
  const tierId = await defineField(person, 'contacts', 'Tier', 'choice', { options: ['Platinum', 'Gold', 'Silver'] })
  await defineField(person, 'contacts', 'About', 'long_text')
  const addContact = (first_name: string, custom: Record<string, unknown>) =>
    insertRow(person, 'contacts', { first_name, email: `${first_name}@harbour.example`, custom })
  await addContact('Ana', { [scoreId]: 9, [tierId]: 'Silver' })
  await addContact('Bo', { [scoreId]: 10, [tierId]: 'Platinum' })
  await addContact('Cy', {})
  await addContact('Dee', { [scoreId]: -2.5, [tierId]: 'Gold' })
  await openAs(page, person, '/crm/contacts')
  await page.goto(`/crm/contacts?sort=custom.${scoreId}`)
  const table = page.getByRole('table', { name: 'Contacts' })
  const shownNames = table.getByRole('row').getByRole('link')
  const headerOf = (name: string) => table.getByRole('columnheader', { name })
  await expect(shownNames).toHaveText(['Dee', 'Ana', 'Bo', 'Cy'])
  await expect(headerOf('Score')).toHaveAttribute('aria-sort', 'ascending')

  await headerOf('Score').getByRole('button').click()
  await expect(shownNames).toHaveText(['Bo', 'Ana', 'Dee', 'Cy'])
  await expect(headerOf('Score')).toHaveAttribute('aria-sort', 'descending')
  expect(sortOf(page)).toBe(`custom.${scoreId}.desc`)
  await expectAccessible(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sorted.png` })
  await page.reload()
  await expect(shownNames).toHaveText(['Bo', 'Ana', 'Dee', 'Cy'])
  await headerOf('Score').getByRole('button').press('Enter')
  await expect(shownNames).toHaveText(['Dee', 'Cy', 'Bo', 'Ana'])
  expect(sortOf(page)).toBeNull()

  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Tier' }).check()
  await page.getByRole('checkbox', { name: 'About' }).check()
  await page.keyboard.press('Escape')
  await expect(headerOf('About').getByRole('button')).toHaveCount(0)
  await headerOf('Tier').getByRole('button').focus()
  await page.keyboard.press('Space')
  await expect(shownNames).toHaveText(['Bo', 'Dee', 'Ana', 'Cy'])
  // An edit of the sorted field moves the row to its new position, offline too.
  await shownNames.filter({ hasText: 'Cy' }).click()
  const panel = page.getByRole('complementary', { name: 'Contact' })
  const tierField = panel.getByRole('combobox', { name: 'Tier' })
  await expect(tierField).toBeVisible()
  await page.context().setOffline(true)
  await tierField.click()
  await page.getByRole('option', { name: 'Platinum' }).click()
  await expect(shownNames.first()).toHaveText(/Bo|Cy/)
  await expect(shownNames.nth(2)).toHaveText('Dee')
  await page.context().setOffline(false)
  await panel.getByRole('button', { name: 'Close' }).click()

  // Removing the column of a field also ends the sort by this field.
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Tier' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => sortOf(page)).toBeNull()
  await expect(shownNames).toHaveText(['Dee', 'Cy', 'Bo', 'Ana'])

  // A sort by a retired field in the URL is ignored.
  await person.client
    .from('custom_fields')
    .update({ retired_at: new Date().toISOString() })
    .eq('brand_id', person.brandId)
    .eq('id', scoreId)
    .throwOnError()
  await page.goto(`/crm/contacts?sort=custom.${scoreId}.desc`)
  await expect(shownNames).toHaveText(['Dee', 'Cy', 'Bo', 'Ana'])
})

test('companies are sorted by a custom field from the menu, and each card shows its value', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const spendId = await defineField(person, 'companies', 'Annual spend', 'money', { currency: 'EUR' })
  const addCompany = (name: string, custom: Record<string, unknown>) => insertRow(person, 'companies', { name, custom })
  await addCompany('Alder', { [spendId]: 1200 })
  await addCompany('Birch', {})
  await addCompany('Cedar', { [spendId]: 90.5 })
  await openAs(page, person, '/crm/companies')
  const shownNames = page.getByRole('region', { name: 'Companies' }).getByRole('heading')
  await page.getByRole('button', { name: 'Sort: Newest' }).click()
  await expect(page.getByRole('menuitem', { name: 'Descending' })).toHaveCount(0)
  await page.getByRole('menuitemradio', { name: 'Annual spend' }).click()
  await expect(shownNames).toHaveText(['Cedar', 'Alder', 'Birch'])
  await expect(page.getByText('Annual spend: €1,200')).toBeVisible()
  await page.getByRole('button', { name: 'Sort: Annual spend' }).click()
  await expectAccessible(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sort-menu.png` })
  await page.getByRole('menuitem', { name: 'Descending' }).click()
  await expect(shownNames).toHaveText(['Alder', 'Cedar', 'Birch'])
  expect(sortOf(page)).toBe(`custom.${spendId}.desc`)
  await page.getByRole('button', { name: 'Sort: Annual spend, descending' }).click()
  await page.getByRole('menuitemradio', { name: 'Newest' }).click()
  await expect(shownNames).toHaveText(['Cedar', 'Birch', 'Alder'])
})

test('a custom field of all matching contacts is set on the server; the undo key restores the former values', {
  tag: '@long',
}, async ({ page, server }) => {
  test.setTimeout(120_000)
  const person = await createPerson(server, { brand: 'Harbour' })
  const tierId = await defineField(person, 'contacts', 'Tier', 'choice', {
    options: ['Gold', 'Silver'],
    required: true,
  })
  await server.database?.owner.query(
    `insert into public.contacts (brand_id, email, first_name, custom)
     select $1, 'p' || n || '@fair.example', 'Fair ' || n, case when n % 2 = 0 then jsonb_build_object($2::text, 'Silver') else '{}' end
     from generate_series(1, 520) n`,
    [person.brandId, tierId],
  )
  await insertRow(person, 'contacts', { first_name: 'Other', email: 'other@harbour.example' })
  const countsByTier = async () => {
    const rows = await server.database?.owner.query<{ tier: string; count: number }>(
      `select coalesce(custom ->> $2, '-') as tier, count(*)::int as count from public.contacts where brand_id = $1 group by 1 order by 1`,
      [person.brandId, tierId],
    )
    return Object.fromEntries((rows?.rows ?? []).map(({ tier: each, count }) => [each, count]))
  }
  await openAs(page, person, '/crm/contacts')
  await expect(page.getByText('521 contacts', { exact: true })).toBeVisible()
  await page.getByPlaceholder('Search contacts...', { exact: true }).fill('fair')
  await expect(page.getByText('520 contacts', { exact: true })).toBeVisible()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await bar.getByRole('button', { name: 'Select all 520 that match' }).click()
  await bar.getByRole('button', { name: 'Set field…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set a field of 520 contacts' })
  await dialog.getByRole('button', { name: 'Set field' }).click()
  await expect(dialog.getByText('Choose a value')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Value' }).click()
  await page.getByRole('option', { name: 'Gold' }).click()
  await dialog.getByRole('button', { name: 'Set field' }).click()
  const question = page.getByRole('dialog', { name: 'Set Tier of 520 contacts to Gold?' })
  await expect(question).toContainText(
    'All contacts that match “fair”, also those that are not shown. Undo restores the former values',
  )
  await expectAccessible(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/set-all.png` })
  await question.getByRole('button', { name: 'Change 520 contacts' }).click()
  await expect(toastOf(page)).toContainText('Tier of 520 contacts is Gold', { timeout: 40_000 })
  expect(await countsByTier()).toEqual({ '-': 1, Gold: 520 })
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page).filter({ hasText: 'Undid' })).toContainText('Tier of 520 contacts changed')
  await expect.poll(countsByTier, { timeout: 90_000 }).toEqual({ '-': 261, Silver: 260 })
})
