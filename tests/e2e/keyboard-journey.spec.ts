import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, newEmail, test, toastOf } from '../harness/browser.ts'
import { tabToAndPressEnter, tabTo } from '../harness/keyboard.ts'
import { cardsOf, columnOf } from './deal-seeds.ts'

const pageLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
const dragAnnouncement = (page: Page) => page.locator('[id^="DndLiveRegion"]')

test('the whole journey works by keyboard alone: sign up, brand, contact, import, search, deal, moves, sign out', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await page.goto('/auth')
  await tabTo(page, page.getByRole('tab', { name: 'Sign In' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(newEmail())
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type('correct horse')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Brand name')).toBeFocused()

  const brand = `Keys ${randomUUID().slice(0, 6)}`
  await page.keyboard.type(brand)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('banner')).toContainText(brand)

  await tabToAndPressEnter(page, pageLink(page, 'Contacts'))
  await tabToAndPressEnter(page, page.getByRole('button', { name: 'Add Contact', exact: true }))
  await expect(page.getByRole('dialog').getByLabel('Email')).toBeFocused()
  await page.keyboard.type('mei@copperline.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Mei')
  await page.keyboard.press('Enter')
  await expect(toastOf(page)).toContainText('Contact added')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add Contact', exact: true })).toBeFocused()

  await tabToAndPressEnter(
    page,
    page.getByRole('button', { name: 'Import CSV' }).filter({ visible: true }),
    'Shift+Tab',
  )
  await expect(page).toHaveURL(/\/crm\/import-contacts$/)
  const chooser = page.waitForEvent('filechooser')
  await tabToAndPressEnter(page, page.getByRole('button', { name: 'Choose File' }))
  const buffer = Buffer.from(
    'email,first_name,last_name,company\nida@nordhafen.example,Ida,Holm,Nordhafen\n,No,Mail,\n',
  )
  await (await chooser).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await expect(toastOf(page)).toContainText('Successfully imported 1 contacts. 1 errors.')
  await tabToAndPressEnter(page, page.getByRole('button', { name: 'View contacts' }))

  await expect(page.getByText('2 contacts')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByPlaceholder('Search contacts...')).toBeFocused()
  await page.keyboard.type('nordhafen')
  await expect(page.getByText('1 contact', { exact: true })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Ida Holm' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('2 contacts')).toBeVisible()

  await tabToAndPressEnter(page, pageLink(page, 'Deals'), 'Shift+Tab')
  await tabToAndPressEnter(page, page.getByRole('button', { name: 'New Deal', exact: true }))
  const dialog = page.getByRole('dialog', { name: 'New Deal' })
  await expect(dialog.getByLabel('Deal name')).toBeFocused()
  await page.keyboard.type('Depot lighting')
  await tabTo(page, dialog.getByLabel('Amount'))
  await page.keyboard.type('1250')
  await tabTo(page, dialog.getByLabel('Contact', { exact: true }))
  await page.keyboard.type('ida')
  await expect(page.getByRole('option', { name: /Ida Holm/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Depot lighting')).toContainText('Ida Holm')

  await tabTo(page, cardsOf(page, 'Depot lighting'))
  await page.keyboard.press('Space')
  await expect(dragAnnouncement(page)).toHaveText('Lifted Depot lighting from Incoming')
  for (let step = 0; step < 40 && (await dragAnnouncement(page).textContent()) !== 'Over Qualified'; step++) {
    await page.keyboard.press('ArrowRight')
  }
  await page.keyboard.press('Space')
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Depot lighting')).toBeFocused()
  await expect(toastOf(page)).toContainText('Deal moved successfully')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Depot lighting')).toBeFocused()
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()

  await tabToAndPressEnter(page, page.getByRole('button', { name: /^Account/ }), 'Shift+Tab')
  await expect(page.getByRole('menuitem', { name: 'Switch Brand' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
})
