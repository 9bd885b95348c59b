import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'
import { insertRow } from '../e2e/contact-seeds.ts'
import { chooseFile } from '../e2e/csv-seeds.ts'

// These tests check the accessibility of what opens over or beside a page: panels, edited fields, menus, toolbars, toasts, dialogs of settings.
test.describe.configure({ timeout: 300_000 })

const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }

interface PersonWithRecords extends Person {
  ids: { deals: string; contacts: string; companies: string; tasks: string }
}

/** Creates a brand with two members and one record of each noun. The records are linked with each other. Returns the owner, with the records' ids. */
async function personWithRecords(server: TestServer): Promise<PersonWithRecords> {
  const person = await createPerson(server, { brand: 'Harbour' })
  const colleague = await createPerson(server, { name: 'bo' })
  const args = { p_brand_id: person.brandId, p_email: colleague.email, p_role: 'member' }
  expect((await person.client.rpc('add_brand_member_by_email', args)).error).toBeNull()
  const companyId = await insertRow(person, 'companies', { name: 'Copperline', website: 'https://copperline.example' })
  const contactFields = { email: 'mei@copperline.example', phone: '+44 20 7946 0182' }
  const contactId = await insertRow(person, 'contacts', { ...contactFields, first_name: 'Mei', company_id: companyId })
  const { data } = await person.client.from('deal_stages').select('id').eq('brand_id', person.brandId).order('position')
  const links = { contact_id: contactId, company_id: companyId }
  const dealId = await insertRow(person, 'deals', { name: 'Roof', stage_id: data?.[0]?.id, amount: 1200, ...links })
  await person.client.from('deals').update({ stage_id: data?.[1]?.id }).eq('id', dealId)
  const due_at = new Date(Date.now() - 72 * 3_600_000).toISOString()
  const taskId = await insertRow(person, 'tasks', { title: 'Ring Mei', due_at, contact_id: contactId, deal_id: dealId })
  return { ...person, ids: { deals: dealId, contacts: contactId, companies: companyId, tasks: taskId } }
}

async function expectAccessibleOnBoth(page: Page): Promise<void> {
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    await expectAccessible(page)
  }
  await page.setViewportSize(desktop)
}

for (const list of ['deals', 'contacts', 'companies', 'tasks'] as const) {
  test(`the panel of ${list}, its menu and its edited fields have no accessibility violations`, async ({
    page,
    server,
  }) => {
    const person = await personWithRecords(server)
    await openAs(page, person, `/crm/${list}/${person.ids[list]}`)
    const panel = page.locator('[data-panel]')
    await expect(panel.getByText(/^Created/)).toBeVisible()
    await expectAccessibleOnBoth(page)
    await panel.getByRole('button', { name: 'More' }).click()
    await expect(page.getByRole('menuitem', { name: /^Delete/ })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const fieldCount = await panel.locator('[data-in-place]').count()
    expect(fieldCount).toBeGreaterThan(1)
    for (let index = 0; index < fieldCount; index++) {
      await panel.locator('[data-in-place]').nth(index).click()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(panel.locator('[data-in-place]')).toHaveCount(fieldCount)
    }
    await page.goto(`/crm/${list}/11111111-2222-4333-8444-555555555555`)
    await expect(page.getByText('Not found, or no access')).toBeVisible()
    await expectAccessibleOnBoth(page)
  })
}

for (const [list, text] of [
  ['deals', 'Roof'],
  ['contacts', 'mei@copperline.example'],
  ['companies', 'Copperline'],
] as const) {
  test(`the list of ${list} has no accessibility violations: a selection, its toolbar and menus, the toast of a delete, the filter 'Mine'`, async ({
    page,
    server,
  }) => {
    await openAs(page, await personWithRecords(server), `/crm/${list}`)
    const row = page.getByRole('main').getByText(text).first()
    await row.click({ modifiers: ['ControlOrMeta'] })
    const toolbar = page.getByRole('toolbar', { name: 'Selection' })
    await expect(toolbar).toContainText('1 selected')
    await expectAccessibleOnBoth(page)
    await toolbar.getByRole('button', { name: 'Owner' }).click()
    await expect(page.getByRole('menuitem', { name: 'No owner' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await toolbar.getByRole('button', { name: 'Delete' }).click()
    const undoButton = toastOf(page).getByRole('button', { name: 'Undo' })
    // A toast that has the focus does not close.
    await undoButton.focus()
    await expectAccessibleOnBoth(page)
    await undoButton.click()
    await expect(row).toBeVisible()
    await page.goto(`/crm/${list}?mine=1`)
    await expect(page.getByRole('button', { name: 'Mine' })).toHaveAttribute('aria-pressed', 'true')
    await expectAccessible(page)
  })
}

test('the sort menu of a list has no accessibility violations', async ({ page, server }) => {
  await openAs(page, await personWithRecords(server), '/crm/companies')
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible(page)
})

test('the list of shortcuts, a new brand, and the dialogs of settings have no accessibility violations', async ({
  page,
  server,
}) => {
  await openAs(page, await personWithRecords(server), '/crm/overview')
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
  await page.keyboard.press('?')
  await expectAccessibleDialog(page, 'Keyboard shortcuts')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'New brand' }).click()
  await expectAccessibleDialog(page, 'New brand')
  for (const [tab, button] of [
    ['brand', 'Hand over'],
    ['brand', 'Leave brand'],
    ['security', 'Add a factor'],
    ['security', 'Change password'],
    ['security', 'Change email'],
    ['security', 'Delete my account'],
  ] as const) {
    await page.goto(`/crm/settings?tab=${tab}`)
    await page.getByRole('button', { name: button, exact: true }).click()
    await expectAccessibleDialog(page)
  }
  await page.goto('/crm/settings?tab=brand')
  await expect(page.getByRole('region', { name: 'Audit log' }).getByRole('listitem').first()).toBeVisible()
  await expectAccessibleOnBoth(page)
  await page.goto('/account')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessibleOnBoth(page)
})

async function expectAccessibleDialog(page: Page, name?: string): Promise<void> {
  const dialog = page.getByRole('dialog', name === undefined ? {} : { name })
  await expect(dialog).toBeVisible()
  await expectAccessibleOnBoth(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
}

test('an import that skipped rows, and a file that cannot be read, have no accessibility violations', async ({
  page,
  server,
}) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/import-contacts')
  await page.getByRole('button', { name: 'Choose File' }).waitFor()
  await chooseFile(page, 'people.csv', 'email,first_name\nida@nordhafen.example,Ida\n,Nobody\n')
  await expect(page.getByRole('heading', { name: 'Import Complete' })).toBeVisible()
  await expectAccessibleOnBoth(page)
  await page.reload()
  await page.getByRole('button', { name: 'Choose File' }).waitFor()
  await chooseFile(page, 'broken.csv', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
  await expect(toastOf(page)).toContainText('Failed to parse CSV file')
  await expectAccessibleOnBoth(page)
})
