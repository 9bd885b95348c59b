import type { Page } from '@playwright/test'
import {
  createPerson,
  expect,
  expectAccessible,
  openAs,
  type Person,
  signInByScreen,
  test,
} from '../harness/browser.ts'

/** Waits until the code of two dialogs is loaded, opens the form of a new contact, goes offline and submits the form. */
async function addContactOffline(page: Page, email: string): Promise<void> {
  const isFetched = (part: string) =>
    page.evaluate((name) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(name)), part)
  for (const part of ['sign-out-dialog', 'outbox-dialog']) await expect.poll(() => isFetched(part)).toBe(true)
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  await expect(page.getByRole('dialog').getByLabel('Email')).toBeFocused()
  await page.context().setOffline(true)
  await page.getByRole('dialog').getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Offline, 1 waiting' })).toBeVisible()
}

async function chooseSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
}

async function emailsOnServer(person: Person): Promise<string[]> {
  const { data, error } = await person.client.from('contacts').select('email').eq('brand_id', person.brandId)
  expect(error).toBeNull()
  return (data ?? []).map((row) => row.email as string)
}

test('the badge lists waiting changes, and they are sent when the network is back', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openAs(page, ana, '/crm/contacts')
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
  await addContactOffline(page, 'ifor@slate.example')
  await page.getByRole('button', { name: 'Offline, 1 waiting' }).click()
  const outboxDialog = page.getByRole('dialog')
  await expect(outboxDialog.getByRole('heading', { name: 'Waiting' })).toBeVisible()
  await expect(outboxDialog).toContainText('ifor@slate.example')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.context().setOffline(false)
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible({ timeout: 30_000 })
  expect(await emailsOnServer(ana)).toEqual(['ifor@slate.example'])
})

test('signing out with unsent edits asks first: Cancel keeps them, Discard deletes them', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  // Signs in on the screen, because offline the sign-in page opens only if it was loaded before.
  await page.goto('/crm/contacts')
  await signInByScreen(page, ana.email, ana.password)
  await addContactOffline(page, 'gone@slate.example')
  await chooseSignOut(page)
  const dialog = page.getByRole('dialog', { name: '1 change is not sent yet' })
  await expect(dialog.getByRole('button')).toHaveText(['', 'Send', 'Discard', 'Cancel'])
  await expect(dialog).toHaveAccessibleDescription('Signing out removes the data of all your brands from this browser.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('main').getByText('gone@slate.example').first()).toBeVisible()
  await chooseSignOut(page)
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await page.context().setOffline(false)
  await signInByScreen(page, ana.email, ana.password)
  await expect(page).toHaveURL(/\/crm\/overview$/)
  expect(await emailsOnServer(ana)).toEqual([])
})

test('Discard asks again if another tab has made a further change since the dialog was opened', async ({
  page,
  server,
}) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }), '/crm/contacts')
  const secondTab = await page.context().newPage()
  await secondTab.goto('/crm/tasks')
  await secondTab.getByRole('button', { name: 'New Task' }).first().click()
  await expect(secondTab.getByRole('dialog').getByLabel('Title')).toBeFocused()
  await addContactOffline(page, 'first@slate.example')
  await chooseSignOut(page)
  await expect(page.getByRole('dialog', { name: '1 change is not sent yet' })).toBeVisible()
  await secondTab.getByRole('dialog').getByLabel('Title').fill('Second')
  await secondTab.keyboard.press('Enter')
  await expect(secondTab.getByRole('button', { name: 'Offline, 2 waiting' })).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  const dialog = page.getByRole('dialog', { name: '2 changes are not sent yet' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/\/auth$/)
})

test('signing out with unsent edits can send them first', { tag: '@long' }, async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openAs(page, ana, '/crm/contacts')
  await addContactOffline(page, 'kept@slate.example')
  await chooseSignOut(page)
  // The edit is also sent in the background. It is held until the press on Send, because Send disappears when all is sent.
  let release = () => {}
  const isPressed = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/rest/v1/rpc/upsert_contact*', async (route) => {
    await isPressed
    await route.continue()
  })
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  release()
  await expect(page).toHaveURL(/\/auth$/, { timeout: 20_000 })
  expect(await emailsOnServer(ana)).toEqual(['kept@slate.example'])
})
