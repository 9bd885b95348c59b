import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test, toastOf } from '../harness/browser.ts'
import { sidewaysScroll, smallTargets } from '../harness/phone-page.ts'
import { insertRow, openContacts, personWithContacts } from './contact-seeds.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

async function longPress(page: Page, row: Locator, expected: Locator): Promise<void> {
  const box = (await row.boundingBox()) ?? { x: 0, y: 0 }
  const cdp = await page.context().newCDPSession(page)
  const touchPoints = [{ x: box.x + 40, y: box.y + 20 }]
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await expect(expected).toBeVisible()
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('on the phone contacts and companies are selected by a long press, or by Select and taps; Back ends the selection', {
  tag: '@long',
}, async ({ page, server }) => {
  const names = ['Mei', 'Owen', 'Tom', 'Zoë']
  const person = await personWithContacts(
    server,
    names.map((first) => ({ first, email: `${first}@acme.example`, company: 'Acme' })),
  )
  await insertRow(person, 'companies', { name: 'Kestrel', owner_id: null })
  await insertRow(person, 'custom_fields', { table: 'contacts', label: 'Region', type: 'text' })
  await openContacts(page, person)
  const card = (name: string) => page.getByRole('article').filter({ hasText: name })
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  const pages = page.getByRole('navigation', { name: 'Pages' })

  // 'Select' starts a selection, taps add to it, and Back ends it without leaving the page.
  const selectButton = page.getByRole('button', { name: 'Select', exact: true })
  await selectButton.tap()
  await expect(bar).toContainText('Tap contacts to select them')
  await card('Owen').tap()
  await card('Tom').tap()
  await expect(bar).toContainText('2 selected')
  await expect(page).toHaveURL(/\/crm\/contacts$/)
  await expect(page.getByRole('checkbox', { name: 'Select Owen' })).toBeChecked()
  // Each action of the bar has a label. The actions are in one line and equally wide. The bar does not cover the list.
  const actions = ['Owner', 'Tags', 'Set field…', 'Export', 'Delete']
  const actionBoxes: { y: number; width: number }[] = []
  for (const name of actions) {
    await expect(bar.getByText(name, { exact: true })).toBeInViewport({ ratio: 1 })
    actionBoxes.push((await bar.getByRole('button', { name }).boundingBox()) ?? { y: 0, width: 0 })
  }
  expect(new Set(actionBoxes.map(({ y }) => y)).size).toBe(1)
  for (const { width } of actionBoxes) expect(width).toBeCloseTo(actionBoxes[0]?.width ?? 0, 0)
  const listBox = (await page.getByRole('region', { name: 'Contacts' }).boundingBox()) ?? { y: 0, height: 0 }
  const barTop = (await bar.boundingBox())?.y ?? 0
  expect(listBox.y + listBox.height).toBeLessThanOrEqual(barTop + 1)
  expect(await sidewaysScroll(page)).toEqual([])
  expect((await smallTargets(page)).filter((target) => !target.startsWith('a '))).toEqual([])
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Select Owen' }).tap()
  await expect(bar).toContainText('1 selected')
  await page.goBack()
  await expect(bar).toHaveCount(0)
  await expect(page).toHaveURL(/\/crm\/contacts$/)

  // A record that is opened during a selection covers the list: Back closes the record first.
  await selectButton.tap()
  await card('Tom').tap()
  await page.getByRole('button', { name: 'Add Contact' }).tap()
  await page.getByRole('dialog').getByLabel('Email').fill('owen@acme.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).tap()
  const panel = page.getByRole('complementary', { name: 'Contact' })
  await expect(panel).toBeVisible()
  await expect.poll(() => page.evaluate(() => Object(history.state).layers)).toBeUndefined()
  await page.goBack()
  await expect(panel).toHaveCount(0)
  await expect(bar).toContainText('1 selected')
  await page.goBack()
  await expect(bar).toHaveCount(0)

  // A long press selects its row and opens nothing.
  await longPress(page, card('Mei'), bar)
  await expect(bar).toContainText('1 selected')
  // A second long press adds its row to the selection, and opens no menu.
  await longPress(page, card('Owen'), bar.getByText('2 selected'))
  await card('Owen').tap()
  await expect(bar).toContainText('1 selected')
  await card('Zoë').tap()
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Delete' }).tap()
  await expect(toastOf(page)).toContainText('2 contacts deleted')
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('article')).toHaveCount(2)
  await card('Tom').tap()
  await expect(page.getByRole('complementary', { name: 'Contact' })).toBeVisible()
  await page.goBack()

  await pages.getByRole('link', { name: 'Companies' }).tap()
  await selectButton.tap()
  await page.getByRole('button', { name: 'Select all' }).tap()
  await expect(bar).toContainText('2 selected')
  await page.getByRole('button', { name: 'Select none' }).tap()
  await expect(bar).toContainText('Tap companies to select them')
  await card('Kestrel').tap()
  await expect(page.getByRole('button', { name: 'Select all' })).toBeVisible()
  await bar.getByRole('button', { name: 'Owner' }).tap()
  await page.getByRole('menuitem', { name: 'You' }).tap()
  await expect(toastOf(page)).toContainText('1 company now with')
})
