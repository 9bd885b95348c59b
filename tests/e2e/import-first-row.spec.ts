import { createPerson, expect, expectAccessible, test, toastOf } from '../harness/browser.ts'
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
