import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test } from '../harness/browser.ts'
import { insert } from './contact-seeds.ts'

const sortOf = (page: Page) => new URL(page.url()).searchParams.get('sort')

const define = (person: Person, table: string, label: string, type: string, more = {}) =>
  insert(person, 'custom_fields', { table, label, type, ...more })

test('contacts are sorted by a custom field by its head, the keyboard and the address; the field is a column then', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const score = await define(person, 'contacts', 'Score', 'number')
  const tier = await define(person, 'contacts', 'Tier', 'choice', { options: ['Platinum', 'Gold', 'Silver'] })
  await define(person, 'contacts', 'About', 'long_text')
  const contact = (first_name: string, custom: Record<string, unknown>) =>
    insert(person, 'contacts', { first_name, email: `${first_name}@harbour.example`, custom })
  await contact('Ana', { [score]: 9, [tier]: 'Silver' })
  await contact('Bo', { [score]: 10, [tier]: 'Platinum' })
  await contact('Cy', {})
  await contact('Dee', { [score]: -2.5, [tier]: 'Gold' })
  await openAs(page, person, '/crm/contacts')
  await page.goto(`/crm/contacts?sort=custom.${score}`)
  const table = page.getByRole('table', { name: 'Contacts' })
  const names = table.getByRole('row').getByRole('link')
  const head = (name: string) => table.getByRole('columnheader', { name })
  await expect(names).toHaveText(['Dee', 'Ana', 'Bo', 'Cy'])
  await expect(head('Score')).toHaveAttribute('aria-sort', 'ascending')

  await head('Score').getByRole('button').click()
  await expect(names).toHaveText(['Bo', 'Ana', 'Dee', 'Cy'])
  await expect(head('Score')).toHaveAttribute('aria-sort', 'descending')
  expect(sortOf(page)).toBe(`custom.${score}.desc`)
  await expectAccessible(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sorted.png` })
  await page.reload()
  await expect(names).toHaveText(['Bo', 'Ana', 'Dee', 'Cy'])
  await head('Score').getByRole('button').press('Enter')
  await expect(names).toHaveText(['Dee', 'Cy', 'Bo', 'Ana'])
  expect(sortOf(page)).toBeNull()

  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Tier' }).check()
  await page.getByRole('checkbox', { name: 'About' }).check()
  await page.keyboard.press('Escape')
  await expect(head('About').getByRole('button')).toHaveCount(0)
  await head('Tier').getByRole('button').focus()
  await page.keyboard.press('Space')
  await expect(names).toHaveText(['Bo', 'Dee', 'Ana', 'Cy'])
  // An edit puts the row where it belongs, offline too.
  await names.filter({ hasText: 'Cy' }).click()
  const panel = page.getByRole('complementary', { name: 'Contact' })
  const choice = panel.getByRole('combobox', { name: 'Tier' })
  await expect(choice).toBeVisible()
  await page.context().setOffline(true)
  await choice.click()
  await page.getByRole('option', { name: 'Platinum' }).click()
  await expect(names.first()).toHaveText(/Bo|Cy/)
  await expect(names.nth(2)).toHaveText('Dee')
  await page.context().setOffline(false)
  await panel.getByRole('button', { name: 'Close' }).click()

  // Who takes the column away no longer sorts by it.
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Tier' }).uncheck()
  await page.keyboard.press('Escape')
  await expect.poll(() => sortOf(page)).toBeNull()
  await expect(names).toHaveText(['Dee', 'Cy', 'Bo', 'Ana'])

  // A field that was retired orders nothing.
  await person.client
    .from('custom_fields')
    .update({ retired_at: new Date().toISOString() })
    .eq('brand_id', person.brandId)
    .eq('id', score)
    .throwOnError()
  await page.goto(`/crm/contacts?sort=custom.${score}.desc`)
  await expect(names).toHaveText(['Dee', 'Cy', 'Bo', 'Ana'])
})

test('companies are sorted by a custom field from the menu, and each card shows its value', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const spend = await define(person, 'companies', 'Annual spend', 'money', { currency: 'EUR' })
  const company = (name: string, custom: Record<string, unknown>) => insert(person, 'companies', { name, custom })
  await company('Alder', { [spend]: 1200 })
  await company('Birch', {})
  await company('Cedar', { [spend]: 90.5 })
  await openAs(page, person, '/crm/companies')
  const names = page.getByRole('region', { name: 'Companies' }).getByRole('heading')
  await page.getByRole('button', { name: 'Sort: Newest' }).click()
  await expect(page.getByRole('menuitem', { name: 'Descending' })).toHaveCount(0)
  await page.getByRole('menuitemradio', { name: 'Annual spend' }).click()
  await expect(names).toHaveText(['Cedar', 'Alder', 'Birch'])
  await expect(page.getByText('Annual spend: €1,200')).toBeVisible()
  await page.getByRole('button', { name: 'Sort: Annual spend' }).click()
  await expectAccessible(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sort-menu.png` })
  await page.getByRole('menuitem', { name: 'Descending' }).click()
  await expect(names).toHaveText(['Alder', 'Cedar', 'Birch'])
  expect(sortOf(page)).toBe(`custom.${spend}.desc`)
  await page.getByRole('button', { name: 'Sort: Annual spend, descending' }).click()
  await page.getByRole('menuitemradio', { name: 'Newest' }).click()
  await expect(names).toHaveText(['Cedar', 'Birch', 'Alder'])
})
