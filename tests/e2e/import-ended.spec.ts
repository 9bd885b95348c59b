import { createPerson, expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'
import { chooseFile } from './csv-seeds.ts'
import { openImport } from './import-page.ts'
import { bell, inbox } from './notification-bell.ts'

/** Returns the content of a file with this number of people, and one row that cannot be imported. */
const csvOfPeople = (people: number, name: string) =>
  ['email', ...Array.from({ length: people }, (_, n) => `${name}${n}@example.com`), 'no address'].join('\r\n')

test('an import sends a notification with a link only if its page is hidden or left before it ends; a dismissed hint of the bell does not return', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  await openAs(page, ana, '/crm/import-contacts')
  await bell(page).click()
  const hint = inbox(page).getByText(/^(They cannot come to this browser|This browser was told not to)/)
  await expect(hint).toBeVisible()
  await expectAccessible(page)
  await inbox(page).getByRole('button', { name: 'Do not show this again' }).click()
  await expect(hint).toHaveCount(0)
  await page.keyboard.press('Escape')

  await chooseFile(page, 'seen.csv', csvOfPeople(2, 'seen'))
  await expect(toastOf(page)).toContainText('Import Complete')
  await page.getByRole('button', { name: 'Import another file' }).click()

  // Simulates that another browser tab is in front.
  const setPageVisibility = (state: 'hidden' | 'visible') =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await setPageVisibility('hidden')
  await chooseFile(page, 'behind.csv', csvOfPeople(3, 'behind'))
  await expect(page.getByRole('button', { name: 'Import another file' })).toBeVisible()
  await setPageVisibility('visible')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await page.getByRole('button', { name: 'Import another file' }).click()

  // The page is left while the first chunk is being sent.
  const release = await holdRequests(page, '**/rpc/import_contacts')
  const importRequest = page.waitForRequest('**/rpc/import_contacts')
  await chooseFile(page, 'left.csv', csvOfPeople(1200, 'left'))
  await importRequest
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  release()
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2 unread')
  await bell(page).click()
  await expect(hint).toHaveCount(0)
  await expect(inbox(page).getByRole('listitem')).toHaveText([
    /^The import of left\.csv endedStopped before its end: 500 contacts imported(, 1 row skipped)?.*Unread$/,
    /^The import of behind\.csv ended3 contacts imported, 1 row skipped.*Unread$/,
  ])
  await expectAccessible(page)
  await inbox(page).getByRole('link').last().click()
  await expect(page).toHaveURL(/\/crm\/import-contacts#import-[0-9a-f-]{36}$/)
  const importLines = page.getByRole('region', { name: 'Earlier imports' }).getByRole('listitem')
  await expect(importLines.filter({ hasText: 'behind.csv' })).toBeFocused()
  await expect(importLines.filter({ hasText: 'behind.csv' })).toBeInViewport()
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
})

test('the toast of an ended import covers no button of the result', async ({ page, server }) => {
  await openImport(page, await createPerson(server, { brand: 'Harbour' }))
  await chooseFile(page, 'some.csv', csvOfPeople(2, 'some'))
  const toastBox = toastOf(page)
  await expect(toastBox).toContainText('Import Complete')
  // While the pointer is over the toast, it stays.
  await toastBox.hover()
  const lastButton = page.getByRole('button', { name: 'Import another file' })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const { y = 0, height = 0 } = (await lastButton.boundingBox()) ?? {}
    // The window ends a little below the buttons: there a toast at the bottom would be.
    await page.setViewportSize({ width, height: Math.ceil(y + height) + (width === 390 ? 90 : 30) })
    await expect(toastBox).toBeVisible()
    await page.waitForTimeout(300)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/import-${width}.png` })
    const isCovered = await lastButton.evaluate((button) => {
      const { left, top, width: buttonWidth, height: buttonHeight } = button.getBoundingClientRect()
      return !button.contains(document.elementFromPoint(left + buttonWidth / 2, top + buttonHeight / 2))
    })
    expect(isCovered).toBe(false)
  }
})
