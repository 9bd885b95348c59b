import type { Locator, Page } from '@playwright/test'
import { expect, test, toastOf } from '../harness/browser.ts'
import { cardsOf, columnOf, openBoard, personWithDeals } from '../e2e/deal-seeds.ts'

/** Presses `key` until this element has the focus. Throws after 60 presses. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let press = 0; press < 60; press++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never comes to ${String(target)}`)
}

test('a deal can be handled by keyboard alone: create, open, edit, move, link, delete, undo', async ({
  page,
  server,
}) => {
  const contact = { first: 'Mei', last: 'Tanaka', email: 'mei@acme.example' }
  const person = await personWithDeals(server, [{ name: 'Depot lighting', contact }])
  await openBoard(page, person)
  const panel = page.getByRole('complementary', { name: 'Deal' })

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog').getByLabel('Deal name')).toBeFocused()
  await page.keyboard.type('Acme renewal')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await tabTo(page, columnOf(page, 'Incoming').locator('[data-deal][tabindex="0"]'))
  await page.keyboard.press('Home')
  await expect(cardsOf(page, 'Acme renewal')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('heading', { level: 2 })).toContainText('Acme renewal')
  await page.keyboard.press('e')
  await page.keyboard.type('Acme, two years')
  await page.keyboard.press('Enter')
  await expect(cardsOf(page, 'Acme, two years')).toBeVisible()

  await tabTo(page, panel.getByRole('combobox', { name: 'Stage' }))
  await page.keyboard.press('p')
  await page.keyboard.press('Enter')
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Acme, two years')).toBeVisible()
  await tabTo(page, panel.getByRole('combobox', { name: 'Contact' }))
  await page.keyboard.type('Mei')
  await expect(page.getByRole('option', { name: /Mei Tanaka/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(cardsOf(page, 'Acme, two years')).toContainText('Mei Tanaka')

  await tabTo(page, panel.getByRole('button', { name: 'More' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Delete deal' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel).toHaveCount(0)
  await expect(cardsOf(page, 'Acme, two years')).toHaveCount(0)
  await expect(toastOf(page)).toContainText('Deal deleted')
  await tabTo(page, toastOf(page).getByRole('button', { name: 'Undo' }))
  await page.keyboard.press('Enter')
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Acme, two years')).toContainText('Mei Tanaka')
})
