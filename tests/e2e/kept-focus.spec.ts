import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, test, toastOf } from '../harness/browser.ts'
import { insertRow, personWithContacts } from './contact-seeds.ts'
import { cardsOf, columnOf, openBoard, personWithDeals } from './deal-seeds.ts'

// These tests check where the keyboard focus goes after a delete, the closing of a toolbar or an undo, and by arrow keys from a search to its list.

/**
 * Time after which the app no longer moves the focus (ms). The app may move the focus to another element during the half second after the focused
 * element was removed.
 */
const focusSettledMs = 1_000

const row = (page: Page, name: string) => page.getByRole('link', { name })

test('the focus returns to the row when the toolbar of a selection closes, and moves to the record that an undo restores', {
  tag: '@long',
}, async ({ page, server }) => {
  const people = ['Ida', 'Jo', 'Kim'].map((first) => ({ first, last: 'Holm', email: `${first}@holm.example` }))
  await openAs(page, await personWithContacts(server, people), '/crm/contacts')
  const joCheckbox = page.getByRole('checkbox', { name: 'Select Jo Holm' })
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await joCheckbox.click()
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar).toHaveCount(0)
  await expect(joCheckbox).toBeFocused()
  // The focus also returns to the checkbox if a menu of the toolbar was opened and closed before.
  await joCheckbox.click()
  await bar.getByRole('button', { name: 'Owner' }).click()
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect(joCheckbox).toBeFocused()
  // After a delete the focus stays in the table; after Ctrl+Z the restored row has the focus.
  await joCheckbox.click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, 'Jo Holm')).toHaveCount(0)
  await expect(page.getByRole('table').locator(':focus')).toHaveCount(1)
  await page.waitForTimeout(focusSettledMs)
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.keyboard.press('Control+z')
  await expect(toastOf(page)).toContainText('Undid')
  await expect(row(page, 'Jo Holm')).toBeFocused()
})

test('after the undo of a move, the focus is on the card that moved back, or stays on another card that had it', async ({
  page,
  server,
}) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Roof' }, { name: 'Pump' }]))
  await cardsOf(page, 'Roof').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Roof')).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Roof')).toBeFocused()
  await page.keyboard.press('Control+Shift+z')
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Roof')).toBeFocused()
  await cardsOf(page, 'Pump').focus()
  await page.keyboard.press('Control+z')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Roof')).toBeVisible()
  await expect(cardsOf(page, 'Pump')).toBeFocused()
})

test('arrow down moves the focus from the search of a list to its first row, arrow up back to the search', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithContacts(server, [
    { first: 'Ida', last: 'Holm', email: 'ida@holm.example', company: 'Nordhafen' },
    { first: 'Jo', last: 'Holm', email: 'jo@holm.example', company: 'Copperline' },
  ])
  await openAs(page, person, '/crm/contacts')
  await row(page, 'Ida Holm').waitFor()
  await page.keyboard.press('/')
  const search = page.getByPlaceholder('Search contacts...')
  await page.keyboard.type('holm')
  // A row that is rendered again at the moment of the key gets no focus, so the key is pressed again.
  await expect(async () => {
    await search.press('ArrowDown')
    await expect(row(page, 'Ida Holm')).toBeFocused({ timeout: 1000 })
  }).toPass()
  // The response for the text that was typed last may render the rows again.
  await page.waitForTimeout(focusSettledMs)
  await expect(row(page, 'Ida Holm')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'Jo Holm')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('holm')
  await page.goto('/crm/companies')
  await page.getByRole('link', { name: 'Copperline' }).waitFor()
  await page.getByPlaceholder('Search companies...').press('ArrowDown')
  await expect(page.locator('[data-row-focus]').first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByPlaceholder('Search companies...')).toBeFocused()
})

test('the focus returns to its company when the panel closes; it stays on its company or contact when a colleague adds another one', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  // Beside the panel the grid has fewer columns, so that companies are in other rows than without the panel.
  for (const name of ['Kestrel', 'Tern', 'Marlow', 'Fathom']) await insertRow(person, 'companies', { name })
  await openAs(page, person, '/crm/companies')
  const kestrel = row(page, 'Kestrel')
  await kestrel.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Company' })
  await expect(panel.getByRole('heading', { name: 'Kestrel' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(kestrel).toBeFocused()
  // Marlow is the last card of the first row, and moves to the next row.
  for (const name of ['Marlow', 'Kestrel']) {
    const checkbox = page.getByRole('checkbox', { name: `Select ${name}` })
    await checkbox.focus()
    await insertRow(person, 'companies', { name: `Before ${name}` })
    await row(page, `Before ${name}`).waitFor()
    await expect(checkbox).toBeFocused()
  }

  await insertRow(person, 'contacts', { first_name: 'Ida', email: 'ida@holm.example' })
  await page.getByRole('link', { name: 'Contacts', exact: true }).click()
  const ida = page.getByRole('checkbox', { name: 'Select Ida' })
  await ida.focus()
  await insertRow(person, 'contacts', { first_name: 'Jo', email: 'jo@holm.example' })
  await row(page, 'Jo').waitFor()
  await expect(ida).toBeFocused()
})
