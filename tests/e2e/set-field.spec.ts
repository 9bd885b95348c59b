import { createPerson, expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'

test('a field of several records is set, or emptied on request, and Undo restores the value of each', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'custom_fields', { table: 'contacts', label: 'Region', type: 'text' })
  const moneyType = { type: 'money', currency: 'EUR' }
  const spendId = await insertRow(person, 'custom_fields', { table: 'contacts', label: 'Annual spend', ...moneyType })
  for (const [first_name, amount] of [
    ['Mei', 12_400],
    ['Noor', 900.5],
  ] as const)
    await insertRow(person, 'contacts', {
      first_name,
      email: `${first_name}@harbour.example`,
      custom: { [spendId]: amount },
    })
  await openAs(page, person, '/crm/contacts')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Annual spend' }).check()
  await page.keyboard.press('Escape')
  await expect(row('Mei')).toContainText('€12,400')
  await row('Mei').getByRole('checkbox').check()
  await row('Noor').getByRole('checkbox').check()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Set field…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set a field of 2 contacts' })
  // No field is chosen at first. Without a value, the dialog shows an error and does not empty the field of the contacts.
  await dialog.getByRole('button', { name: 'Set field' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Field' })).toHaveAccessibleDescription('Choose a field')
  await expect(dialog.getByRole('combobox', { name: 'Field' })).toBeFocused()
  await dialog.getByRole('combobox', { name: 'Field' }).click()
  await page.getByRole('option', { name: 'Annual spend' }).click()
  await dialog.getByRole('button', { name: 'Set field' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Value' })).toHaveAccessibleDescription('Type a value')
  await expect(dialog.getByRole('textbox', { name: 'Value' })).toBeFocused()
  await dialog.getByRole('textbox', { name: 'Value' }).fill('much')
  await dialog.getByRole('button', { name: 'Set field' }).click()
  await expect(dialog.getByText('Type a number, such as 12,400')).toBeVisible()
  await expectAccessible(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/set-field.png` })
  await dialog.getByRole('textbox', { name: 'Value' }).fill('5k')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Annual spend of 2 contacts is €5,000')
  await expect(row('Mei')).toContainText('€5,000')
  await expect(row('Noor')).toContainText('€5,000')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(row('Mei')).toContainText('€12,400')
  await expect(row('Noor')).toContainText('€900.50')

  // Emptying the field is a separate choice.
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Set field…' }).click()
  await dialog.getByRole('combobox', { name: 'Field' }).click()
  await page.getByRole('option', { name: 'Annual spend' }).click()
  await dialog.getByRole('checkbox', { name: 'Empty the field instead' }).check()
  await expect(dialog.getByRole('textbox', { name: 'Value' })).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Empty field' }).click()
  await expect(toastOf(page)).toContainText('Annual spend of 2 contacts emptied')
  await expect(row('Mei')).not.toContainText('€12,400')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(row('Mei')).toContainText('€12,400')
  await expect(row('Noor')).toContainText('€900.50')
})
