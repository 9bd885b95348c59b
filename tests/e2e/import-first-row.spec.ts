import { createPerson, expect, expectAccessible, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { chooseFile } from './csv-seeds.ts'
import { importCompleteText, openImport } from './import-page.ts'

test('the first row of a file is read as a contact or as the header, as the person chooses, and other choices stay', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  await chooseFile(page, 'list.csv', 'Ida Holm,+49 30 1234567\nBo Nord,0171 5554433\n')
  const headerCheckbox = page.getByRole('checkbox', { name: 'The first row has the names of the columns' })
  await expect(headerCheckbox).not.toBeChecked()
  await expect(page.getByText('so its first row is a contact, too.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Phone becomes' })).toContainText('Phone')
  await page.getByRole('combobox', { name: 'Column 1 becomes' }).click()
  await page.getByRole('option', { name: 'Full name', exact: true }).click()
  await expectAccessible(page)

  await headerCheckbox.press('Space')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  await expect(page.getByRole('combobox', { name: 'Ida Holm becomes' })).toContainText('Full name')
  await expect(headerCheckbox).toBeFocused()
  await headerCheckbox.press('Space')
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(toastOf(page)).toContainText(importCompleteText(2, 0))
  const { data } = await person.client.from('contacts').select('first_name, phone').order('first_name')
  expect(data).toEqual([
    { first_name: 'Bo', phone: '0171 5554433' },
    { first_name: 'Ida', phone: '+49 30 1234567' },
  ])
})

test('before an import, the page says which rows are above the header, which columns are left out, how many values are not readable, and why commas are decimal marks', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'custom_fields', { table: 'contacts', label: 'Renewal', type: 'date' })
  await insertRow(person, 'custom_fields', { table: 'contacts', label: 'Size', type: 'number' })
  const dates = ['2026-12-01', '2026-12-02', '2026-12-03', ...Array.from({ length: 47 }, () => 'soon')]
  const rows = dates.map(
    (date, n) =>
      `Ida ${n},ida${n}@harbour.example,,0171 ${n},${date},${n === 49 ? 'Kiel' : ''},"${n === 49 ? '12,5' : '1,234'}"`,
  )
  const heads = 'First Name,E-mail Address,Primary Phone,Mobile Phone,Renewal,,Size'
  await openImport(page, person)
  await chooseFile(page, 'people.csv', ['Notes:', '"A note, of two\nlines"', '', heads, ...rows].join('\n'))
  await expect(
    page.getByText('The first 3 rows of the file are above the column headings and are left out.'),
  ).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Row 4 has the names of the columns' })).toBeChecked()
  await expect(page.getByText('2 columns are left out.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Column 6 becomes' })).toHaveText('Left out')
  const columns = page.getByRole('list', { name: 'Check the columns' }).getByRole('listitem')
  await expect(
    columns.filter({
      hasText: 'Commas are read as decimal marks and points as thousands separators, because of “12,5”.',
    }),
  ).toContainText('Size')
  await expect(page.getByText('47 values are not readable and are left out; the rows are imported.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Not readable' }).getByRole('listitem').first()).toHaveText(
    /^Row 8, Renewal “soon”: Type a date/,
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import 50 rows' }).click()
  await expect(toastOf(page)).toContainText(importCompleteText(50, 0))
  await expect(page.getByText('Left out: Primary Phone, Column 6.')).toBeVisible()
  const { data } = await person.client.from('contacts').select('phone').eq('email', 'ida49@harbour.example')
  expect(data).toEqual([{ phone: '0171 49' }])
})
