import { createPerson, expect, expectAccessible, newEmail, test, toastOf } from '../harness/browser.ts'
import { openSecurity, region } from './security-page.ts'

test('the password is changed with the old one, and other sessions end', { tag: '@long' }, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog')
  const [currentField, newField] = [
    dialog.getByRole('textbox', { name: 'Current password' }),
    dialog.getByRole('textbox', { name: 'New password' }),
  ]
  await expect(currentField).toHaveAttribute('autocomplete', 'current-password')
  await expect(newField).toHaveAttribute('autocomplete', 'new-password')
  await currentField.fill('not this one')
  await newField.fill('a better staple')
  const saveButton = dialog.getByRole('button', { name: 'Change password' })
  await saveButton.click()
  await expect(currentField).toBeFocused()
  await expect(currentField).toHaveAccessibleDescription(/.+/)
  await currentField.fill(ana.password)
  await newField.fill('password')
  await saveButton.click()
  await expect(newField).toHaveAccessibleDescription(/.+/)
  await expectAccessible(page)
  await newField.fill('a better staple')
  await newField.press('Enter')
  await expect(toastOf(page)).toContainText('Password changed')
  expect((await ana.client.auth.refreshSession()).error).not.toBeNull()
  await expect(region(page, 'Sessions').getByRole('listitem')).toHaveCount(1)
})

test('without a mail server the e-mail address is changed as soon as the current password was entered', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openSecurity(page, ana)
  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  const [email, currentField] = [
    dialog.getByLabel('New email'),
    dialog.getByRole('textbox', { name: 'Current password' }),
  ]
  await expect(email).toBeFocused()
  await expect(currentField).toHaveAttribute('autocomplete', 'current-password')
  const newAddress = newEmail('anna')
  await email.fill(newAddress)
  await email.press('Enter')
  await expect(currentField).toBeFocused()
  await expect(currentField).toHaveAccessibleDescription('Password is required')
  await currentField.fill('not this one')
  await currentField.press('Enter')
  await expect(currentField).toHaveAccessibleDescription('This is not your current password')
  await expect(currentField).toBeFocused()
  await expectAccessible(page)
  await currentField.fill(ana.password)
  await currentField.press('Enter')
  await expect(toastOf(page)).toContainText('Email changed')
  await expect(region(page, 'Email')).toContainText(newAddress)
})
