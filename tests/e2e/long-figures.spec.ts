import type { Locator } from '@playwright/test'
import { expect, openAs, test } from '../harness/browser.ts'
import { columnOf, personWithDeals } from './deal-seeds.ts'

/** Returns how far an element extends beyond the right edge of its frame (px). */
async function overflowOf(frame: Locator, element: Locator): Promise<number> {
  const [frameBox, elementBox] = [await frame.boundingBox(), await element.boundingBox()]
  if (!frameBox || !elementBox) throw new Error('not on screen')
  return Math.max(0, elementBox.x + elementBox.width - (frameBox.x + frameBox.width))
}

test('large sums and many currencies fit into their card and their column, on the desktop and on the phone', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Harbour wall', amount: 12_345_678.9 },
    { name: 'Rotterdam quay', amount: 1_240_000.5, currency: 'EUR' },
    { name: 'Osaka depot', amount: 185_000_000, currency: 'JPY' },
    { name: 'Boston pilot', amount: 1_240_000.5, currency: 'USD' },
  ])
  await openAs(page, person)
  for (const width of [1440, 768, 390, 360]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/crm/overview')
    const figure = page.getByText('£12,345,678.90').first()
    await expect(figure).toBeVisible()
    const spareWidth = await figure.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return element.getBoundingClientRect().right - range.getBoundingClientRect().right
    })
    expect(spareWidth, `£ in its card at ${width}`).toBeGreaterThanOrEqual(0)

    await page.goto('/crm/deals')
    const incoming = columnOf(page, 'Incoming')
    if (width === 1440) {
      // The sums of four currencies do not fit in the page header: the header shows the first sum, and a click shows all.
      const value = page.getByRole('definition').getByRole('button')
      await expect(value).toHaveText('£12,345,678.90 +3')
      await value.click()
      await expect(page.getByRole('dialog', { name: 'Pipeline value' })).toContainText('$1,240,000.50')
      await page.keyboard.press('Escape')
      const hint = await page.getByText('Drag deals between stages').boundingBox()
      const action = await page.getByRole('button', { name: 'New Deal', exact: true }).boundingBox()
      expect(action?.y ?? 999).toBeLessThan((hint?.y ?? 0) + (hint?.height ?? 0))
    }
    await expect(incoming.getByText(/£12,345,678\.90 \+/)).toBeVisible()
    const addButton = incoming.getByRole('button', { name: 'New deal in Incoming' })
    expect(await overflowOf(incoming, addButton), `the plus of its column at ${width}`).toBe(0)
    const sum = incoming.getByText(/£12,345,678\.90 \+/)
    await expect(sum).toHaveText('£12,345,678.90 + €1,240,000.50 + ¥185,000,000 + $1,240,000.50')
    const cutWidth = await sum.evaluate((element) => element.scrollWidth - element.clientWidth)
    expect(cutWidth, `the sum of its column at ${width}`).toBeLessThanOrEqual(0)
  }
})
