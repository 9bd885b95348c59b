import type { Locator, Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { chooseFile } from '../e2e/csv-seeds.ts'

const noAnswer = 'The server does not answer. Check your connection and try again.'

/** Creates a brand with its owner Ana and the member Bo. */
async function twoInABrand(server: Parameters<typeof createPerson>[0]): Promise<{ ana: Person; bo: Person }> {
  const ana = await createPerson(server, { brand: 'Harbour' })
  const bo = await createPerson(server, { name: 'bo' })
  const args = { p_brand_id: ana.brandId, p_email: bo.email, p_role: 'member' }
  expect((await ana.client.rpc('add_brand_member_by_email', args)).error).toBeNull()
  return { ana, bo }
}

/** Opens the dialog that confirms the removal of a member. */
async function askToRemove(page: Page, member: Person): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${member.email}` }).click()
  await page.getByRole('menuitem', { name: 'Remove from brand' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true })).toBeVisible()
}

/** Waits until no button is busy. */
async function expectIdle(where: Locator): Promise<void> {
  await expect(where.locator('[aria-busy="true"]')).toHaveCount(0)
}

test('each change of the team reports that there is no connection, and typed text stays', async ({ page, server }) => {
  const { ana, bo } = await twoInABrand(server)
  await openAs(page, ana, '/crm/settings')
  const team = page.getByRole('region', { name: 'Team Members' })
  await expect(team.getByText('Current Members (2)')).toBeVisible()
  await expect(team.getByRole('textbox', { name: 'Email' })).toBeVisible()
  // Loads the dialog's code before the network is lost.
  await askToRemove(page, bo)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.context().setOffline(true)
  await expect(page.getByText('You are offline. Changes to the team, the brand and your account need')).toBeVisible()
  await expectAccessible(page)

  await team.getByRole('textbox', { name: 'Email' }).fill('new@harbour.example')
  await team.getByRole('button', { name: 'Add member' }).click()
  await expect(toastOf(page)).toContainText(noAnswer)
  await expect(team.getByRole('textbox', { name: 'Email' })).toHaveValue('new@harbour.example')
  await toastOf(page).getByRole('button', { name: 'Dismiss' }).click()

  await askToRemove(page, bo)
  const removeDialog = page.getByRole('dialog')
  await removeDialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(toastOf(page)).toContainText(noAnswer)
  await expectIdle(page.locator('body'))
  await expect(team.getByText('Current Members (2)')).toBeVisible()
})

test('creating, renaming and deleting brands need a connection, and typed text stays', async ({ page, server }) => {
  const { ana } = await twoInABrand(server)
  await openAs(page, ana, '/crm/settings')
  await page.getByRole('tab', { name: 'Brand' }).click()
  const nameField = page.getByRole('textbox', { name: 'Brand name' })
  await expect(nameField).toHaveValue(ana.brandName)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'New brand' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.context().setOffline(true)
  await nameField.fill('Harbour and sons')
  await page.getByRole('button', { name: 'Rename' }).click()
  await expect(toastOf(page)).toContainText(`Error renaming brand${noAnswer}`)
  await expect(nameField).toHaveValue('Harbour and sons')
  await toastOf(page).getByRole('button', { name: 'Dismiss' }).click()

  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'New brand' }).click()
  const dialog = page.getByRole('dialog', { name: 'New brand' })
  await expect(dialog).toContainText('You are offline. A new brand needs a connection.')
  await dialog.getByRole('textbox', { name: 'Brand name' }).fill('Second')
  await dialog.getByRole('button', { name: 'Create Brand' }).click()
  await expect(toastOf(page)).toContainText(`Error creating brand${noAnswer}`)
  await expect(dialog.getByRole('textbox', { name: 'Brand name' })).toHaveValue('Second')
  await expectIdle(dialog)
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Create Brand' }).click()
  await expect(page.getByText('Brand created successfully!')).toBeVisible()
})

test('changes of password, sessions and second factors need a connection, and typed text stays', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, ana, '/crm/settings')
  await page.getByRole('tab', { name: 'Security' }).click()
  await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(2)
  const openPasswordDialog = () => page.getByRole('button', { name: 'Change password' }).click()
  await openPasswordDialog()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect(toastOf(page)).toContainText(noAnswer)
  await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(2)
  await openPasswordDialog()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Current password' }).fill(ana.password)
  await dialog.getByRole('textbox', { name: 'New password' }).fill('a quite different one')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog.getByText(noAnswer)).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'New password' })).toHaveValue('a quite different one')
  await expectIdle(dialog)
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(toastOf(page)).toContainText('Password changed')
})

test('an import that loses its connection waits with a message, and continues automatically', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, ana, '/crm/import-contacts')
  await chooseFile(page, 'before.csv', 'email\nbefore@slate.example\n')
  await expect(toastOf(page)).toContainText('Successfully imported 1 contacts. 0 errors.')
  await toastOf(page).getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'Import another file' }).click()
  await page.context().setOffline(true)
  await expect(page.getByText('You are offline. An import needs a connection.')).toBeVisible()
  await chooseFile(page, 'new.csv', 'email\nifor@slate.example\n')
  await expect(page.getByText('The server does not answer. Trying again.')).toBeVisible()
  await page.context().setOffline(false)
  await expect(toastOf(page)).toContainText('Successfully imported 1 contacts. 0 errors.')
  const { data } = await ana.client.from('contacts').select('email').eq('brand_id', ana.brandId).order('email')
  expect(data).toEqual([{ email: 'before@slate.example' }, { email: 'ifor@slate.example' }])
})
