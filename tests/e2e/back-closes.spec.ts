import type { Page } from '@playwright/test'
import { expect, test } from '../harness/browser.ts'
import { cardsOf, openBoard, personWithDeals } from './deal-seeds.ts'

/** Waits until the history has an entry for each of `count` open layers (dialogs, sheets, menus, lists, searches). */
const expectLayers = (page: Page, count: number) =>
  expect.poll(() => page.evaluate(() => Number(history.state.layers ?? 0))).toBe(count)
const historyLength = (page: Page) => page.evaluate(() => history.length)

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('Back closes the first dialog right after it opens, even while the code that handles Back is still loading', async ({
  page,
  server,
}) => {
  await page.route('**/assets/back-layers-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await route.continue()
  })
  await openBoard(page, await personWithDeals(server, [{ name: 'Roof' }]))
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Contacts' }).tap()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Deals' }).tap()
  await page.getByRole('button', { name: 'Move Roof to stage' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Move to' })
  await expect(sheet).toBeVisible()
  await page.goBack()
  await expect(sheet).toHaveCount(0)
  await expect(page).toHaveURL(/\/crm\/deals$/)
})

test('Back closes a sheet, a menu, a dialog and a panel, one at a time; closing them in another way leaves no history entry', {
  tag: '@long',
}, async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Roof' }]))
  const title = page.getByRole('heading', { level: 1 })
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Contacts' }).tap()
  await pages.getByRole('link', { name: 'Deals' }).tap()
  await expect(page).toHaveURL(/\/crm\/deals$/)
  const sheet = page.getByRole('dialog', { name: 'Move to' })
  const openSheet = async () => {
    await page.getByRole('button', { name: 'Move Roof to stage' }).tap()
    await expect(sheet).toBeVisible()
    await expectLayers(page, 1)
  }

  await openSheet()
  await page.goBack()
  await expect(sheet).toHaveCount(0)
  await expect(page).toHaveURL(/\/crm\/deals$/)
  await expect(cardsOf(page, 'Roof')).toBeVisible()
  await page.goForward()
  await expectLayers(page, 0)
  await expect(sheet).toHaveCount(0)

  // Three times, the sheet is open and its button 'Close' closes it: the history does not grow, and Back then leaves the page.
  await openSheet()
  const lengthBefore = await historyLength(page)
  for (const opensAgain of [true, true, false]) {
    await sheet.getByRole('button', { name: 'Close' }).tap()
    await expectLayers(page, 0)
    if (opensAgain) await openSheet()
  }
  expect(await historyLength(page)).toBe(lengthBefore)
  await page.goBack()
  await expect(page).toHaveURL(/\/crm\/contacts$/)

  // An item of the menu leads to another page. One step back returns to the page on which the menu was opened.
  const menu = page.getByRole('menu')
  await page.getByRole('banner').getByRole('button').last().tap()
  await expect(menu).toBeVisible()
  await expectLayers(page, 1)
  await menu.getByRole('menuitem', { name: 'Settings' }).tap()
  await expect(page).toHaveURL(/\/crm\/settings$/)
  await expect(title).toHaveText('Settings')
  await page.goBack()
  await expect(page).toHaveURL(/\/crm\/contacts$/)
  await expect(title).toHaveText('Contacts')

  // A dialog is open over a panel: Back closes only the dialog. After a reload only the panel is open.
  await pages.getByRole('link', { name: 'Deals' }).tap()
  await cardsOf(page, 'Roof').tap({ position: { x: 40, y: 20 } })
  const panel = page.getByRole('complementary', { name: 'Deal' })
  await expect(panel).toBeVisible()
  await panel.getByRole('button', { name: 'New Task' }).tap()
  const dialog = page.getByRole('dialog', { name: 'New Task' })
  await expectLayers(page, 1)
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  await expect(panel).toBeVisible()
  await panel.getByRole('button', { name: 'New Task' }).tap()
  await expectLayers(page, 1)
  await page.reload()
  await expect(panel).toBeVisible()
  await expectLayers(page, 0)
  await panel.getByRole('button', { name: 'More' }).tap()
  await expect(menu).toBeVisible()
  await expectLayers(page, 1)
  // The command 'Delete deal' closes the menu and the panel: the page goes back over the history entries of both.
  await menu.getByRole('menuitem', { name: 'Delete deal' }).tap()
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(/\/crm\/deals$/)
  await expectLayers(page, 0)
})

test("Back closes the lists of a deal's fields, its calendar and the board's search before the deal and the page", {
  tag: '@long',
}, async ({ page, server }) => {
  const contact = { first: 'Mei', last: 'Tanaka', email: 'mei@acme.example' }
  await openBoard(page, await personWithDeals(server, [{ name: 'Roof', contact }, { name: 'Pier' }]))
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Contacts' }).tap()
  await pages.getByRole('link', { name: 'Deals' }).tap()
  const panel = page.getByRole('complementary', { name: 'Deal' })
  const list = page.getByRole('listbox')
  const search = page.getByRole('searchbox', { name: 'Search deals…' })

  // A deal is opened while the search is open.
  await page.getByRole('button', { name: 'Search deals' }).tap()
  await expectLayers(page, 1)
  await page.keyboard.type('Roof')
  await expect(cardsOf(page, 'Pier')).toHaveCount(0)
  await cardsOf(page, 'Roof').tap({ position: { x: 40, y: 20 } })
  await expect(panel).toBeVisible()
  await expectLayers(page, 0)

  // The list of a select is closed by Back, and then by a choice. Neither leaves a history entry behind.
  const stageField = panel.getByRole('combobox', { name: 'Stage' })
  await stageField.tap()
  await expect(list).toBeVisible()
  await expectLayers(page, 1)
  await page.goBack()
  await expect(list).toHaveCount(0)
  await expect(stageField).toBeFocused()
  await stageField.tap()
  await expectLayers(page, 1)
  await page.getByRole('option', { name: 'Won' }).tap()
  await expectLayers(page, 0)
  await expect(stageField).toHaveText('Won')

  // Back closes a combobox with typed text and restores its value.
  const contactField = panel.getByRole('combobox', { name: 'Contact' })
  await contactField.tap()
  await contactField.fill('Nobody')
  await expectLayers(page, 1)
  await page.goBack()
  await expect(contactField).toHaveAttribute('aria-expanded', 'false')
  await expect(contactField).toHaveValue('Mei Tanaka')

  await panel.getByRole('button', { name: /Expected close date/ }).tap()
  await panel.getByRole('button', { name: /Choose a date/ }).tap()
  const calendar = page.getByRole('dialog')
  await expect(calendar).toBeVisible()
  await expectLayers(page, 1)
  await page.goBack()
  await expect(calendar).toHaveCount(0)

  // A list in a dialog: Back closes the list, the dialog, the deal and the search, one at a time, and then leaves the page.
  await panel.getByRole('button', { name: 'New Task' }).tap()
  const dialog = page.getByRole('dialog', { name: 'New Task' })
  await dialog.getByRole('combobox', { name: 'Priority' }).tap()
  await expectLayers(page, 2)
  await page.goBack()
  await expect(list).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  await expect(panel).toBeVisible()
  await page.goBack()
  await expect(panel).toHaveCount(0)
  await expect(search).toHaveValue('Roof')
  await expectLayers(page, 1)
  await page.goBack()
  await expect(search).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Search deals' })).toBeFocused()
  await expect(cardsOf(page, 'Pier')).toBeVisible()
  await expect(page).toHaveURL(/\/crm\/deals$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/crm\/contacts$/)
})
