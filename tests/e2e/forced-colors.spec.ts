import type { Locator } from '@playwright/test'
import { expect, openAs, test } from '../harness/browser.ts'
import { insertRow, personWithContacts } from './contact-seeds.ts'

/** Returns the width of an element's outline (px), 0 if it has none. */
function outlineOf(element: Locator): Promise<number> {
  return element.evaluate((node) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(node)
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
  })
}

/** Returns whether two elements have different backgrounds. */
async function differ(one: Locator, other: Locator): Promise<boolean> {
  const backgroundOf = (element: Locator) => element.evaluate((node) => getComputedStyle(node).backgroundColor)
  return (await backgroundOf(one)) !== (await backgroundOf(other))
}

test('with forced colours, edges, focus and state are visible without shadows and backgrounds', async ({
  page,
  server,
}) => {
  const person = await personWithContacts(server, [{ first: 'Ann', last: 'Reed', email: 'ann@acme.example' }])
  await insertRow(person, 'tasks', { title: 'Call Ann' })
  await page.emulateMedia({ forcedColors: 'active' })
  await openAs(page, person, '/crm/tasks')
  const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
  expect(await differ(pages.filter({ hasText: 'Tasks' }), pages.filter({ hasText: 'Deals' }))).toBe(true)
  expect(await outlineOf(page.getByRole('checkbox', { name: 'Call Ann' }))).toBe(1)
  expect(await outlineOf(page.getByRole('region', { name: 'Open Tasks' }))).toBe(1)

  await page.getByRole('button', { name: /^Account/ }).click()
  const items = page.getByRole('menuitem')
  await expect(items.first()).toBeFocused()
  expect([await outlineOf(items.first()), await outlineOf(items.nth(1))]).toEqual([2, 0])
  expect(await outlineOf(page.getByRole('menu'))).toBe(1)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'New Task' }).click()
  const dialog = page.getByRole('dialog')
  const title = dialog.getByLabel('Task title')
  await expect(title).toBeFocused()
  const frameOf = (field: Locator) => field.locator('xpath=ancestor::*[contains(@class, "field-frame")]')
  const priority = dialog.getByRole('combobox', { name: 'Priority' })
  expect([await outlineOf(dialog), await outlineOf(frameOf(title)), await outlineOf(frameOf(priority))]).toEqual([
    1, 2, 1,
  ])
  expect(await outlineOf(dialog.getByRole('button', { name: 'Cancel' }))).toBe(1)
  await priority.click()
  const options = page.getByRole('option')
  const outlines = await Promise.all((await options.all()).map(outlineOf))
  expect(outlines.toSorted((one, other) => one - other)).toEqual([0, 0, 0, 2])

  await page.goto('/crm/contacts')
  const box = page.getByRole('checkbox', { name: 'Select Ann Reed' })
  await box.check()
  const tick = box.locator('xpath=following-sibling::*')
  const [tickColour, boxColour] = [
    await tick.evaluate((node) => getComputedStyle(node).color),
    await box.evaluate((node) => getComputedStyle(node).backgroundColor),
  ]
  expect(tickColour).not.toBe(boxColour)
  expect(await outlineOf(box)).toBe(1)

  await page.goto('/crm/settings')
  const tabs = page.getByRole('tab')
  expect(await differ(tabs.filter({ hasText: 'Team' }), tabs.filter({ hasText: 'Security' }))).toBe(true)
})
