import { readFile } from 'node:fs/promises'
import { createPerson, expect, expectAccessible, openAs, signInByScreen, test, toastOf } from '../harness/browser.ts'
import { totpCode } from '../harness/totp.ts'
import { addAppAndRecoveryCodes, addAppByScreen, anotherDevice, openSecurity } from './security-page.ts'

test('the account is exported and deleted; the last owner of a brand hands it over first', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  const bo = await createPerson(server, { name: 'bo' })
  await openSecurity(page, ana)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export my data' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(JSON.parse(file)).toMatchObject({ account: { email: ana.email } })
  expect(file).not.toContain('encrypted_password')

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  const password = dialog.getByRole('textbox', { name: 'Password' })
  await password.fill('not this one')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(password).toHaveAccessibleDescription('This is not your password')
  await password.fill(ana.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByRole('heading')).toHaveText('You are the last owner')
  await expect(dialog).toContainText(ana.brandName)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const client = await anotherDevice(server, ana)
  await client.rpc('add_brand_member_by_email', { p_brand_id: ana.brandId, p_email: bo.email, p_role: 'member' })
  await client.rpc('hand_over_brand', { p_brand_id: ana.brandId, p_user_id: bo.userId })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await password.fill(ana.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await signInByScreen(page, ana.email, ana.password)
  await expect(toastOf(page)).toContainText('Invalid login credentials')
})

test('an account with a second factor is deleted after the password and a code', async ({ page, server }) => {
  const ana = await createPerson(server)
  await openAs(page, ana, '/account')
  const dialog = page.getByRole('dialog')
  const secret = await addAppByScreen(page)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(ana.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  // Each code can be used once, so the code of the next 30 s is typed.
  await dialog.getByLabel('Code').fill(totpCode(secret, 1))
  await expect(page).toHaveURL(/\/auth$/)
  await signInByScreen(page, ana.email, ana.password)
  await expect(toastOf(page)).toContainText('Invalid login credentials')
})

test('an account whose factor is lost is deleted after the password and a recovery code', async ({ page, server }) => {
  const ana = await createPerson(server)
  await openAs(page, ana, '/account')
  const [code = ''] = await addAppAndRecoveryCodes(page)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(ana.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  const codeField = dialog.getByRole('textbox', { name: 'Recovery code' })
  await expect(codeField).toBeFocused()
  await dialog.getByRole('button', { name: 'Verify' }).click()
  await expect(codeField).toHaveAccessibleDescription('Enter the code')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Use a second factor' }).click()
  await expect(dialog.getByLabel('Code', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  await codeField.fill(code)
  await codeField.press('Enter')
  await expect(page).toHaveURL(/\/auth$/)
  await signInByScreen(page, ana.email, ana.password)
  await expect(toastOf(page)).toContainText('Invalid login credentials')
})
