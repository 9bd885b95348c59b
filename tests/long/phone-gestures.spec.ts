import type { Page } from '@playwright/test'
import { card, column, openBoard, personWithDeals } from '../e2e/deal-seeds.ts'
import { expect, test } from '../harness/browser.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

/** Touches at `from`, moves over the steps (px), and lifts the finger. */
async function drag(page: Page, from: { x: number; y: number }, steps: readonly { x?: number; y?: number }[]) {
  const client = await page.context().newCDPSession(page)
  const at = ({ x = 0, y = 0 }) => [{ x: from.x + x, y: from.y + y }]
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at({}) })
  for (const step of steps) await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step) })
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** Returns the distances from the start after each step of 10 px, up to `end` px. */
const upTo = (end: number) =>
  Array.from({ length: Math.abs(end) / 10 }, (_, place) => Math.sign(end) * 10 * (place + 1))
const sideways = (end: number) => upTo(end).map((x) => ({ x }))
const down = (end: number) => upTo(end).map((y) => ({ y }))

const current = (page: Page) => page.getByRole('navigation', { name: 'Stages' }).locator('button[aria-current=true]')

/** Returns how far the left edge of a stage is from the place of the current stage, which is 16 px from the edge of the screen (px). */
async function offset(page: Page, stage: string): Promise<number> {
  const box = await column(page, stage).boundingBox()
  return Math.abs((box?.x ?? Infinity) - 16)
}

test('a swipe goes to the next stage and back; the stage bar marks the current one and opens any', async ({
  page,
  server,
}) => {
  await openBoard(
    page,
    await personWithDeals(server, [{ name: 'Roof' }, { name: 'Harbour crane', stage: 'Qualified' }]),
  )
  await expect(current(page)).toContainText('Incoming')
  const box = await card(page, 'Roof').boundingBox()
  if (!box) throw new Error('the card is not in sight')
  const middle = { x: 195, y: Math.round(box.y + 200) }
  await drag(page, middle, sideways(-220))
  await expect(current(page)).toContainText('Qualified')
  await expect.poll(() => offset(page, 'Qualified')).toBeLessThan(2)
  await expect(card(page, 'Harbour crane')).toBeInViewport({ ratio: 1 })
  await drag(page, middle, sideways(220))
  await expect(current(page)).toContainText('Incoming')
  await expect(card(page, 'Roof')).toBeInViewport({ ratio: 1 })
  await page.getByRole('navigation', { name: 'Stages' }).getByRole('button', { name: /Lost/ }).tap()
  await expect(current(page)).toContainText('Lost')
  await expect.poll(() => offset(page, 'Lost')).toBeLessThan(17)
  expect(await page.evaluate(() => document.scrollingElement?.scrollLeft)).toBe(0)
})

test('a sheet closes when it is dragged down far, and springs back otherwise', async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Roof' }]))
  const open = page.getByRole('button', { name: 'Move Roof to stage' })
  await open.tap()
  const sheet = page.getByRole('dialog', { name: 'Move to' })
  await expect(sheet).toBeVisible()
  await sheet.evaluate((dialog) => Promise.all(dialog.getAnimations({ subtree: true }).map((each) => each.finished)))
  const rest = await sheet.boundingBox()
  if (!rest) throw new Error('the sheet is not in sight')
  const head = { x: 120, y: rest.y + 20 }
  await drag(page, head, down(60))
  await expect.poll(async () => (await sheet.boundingBox())?.y).toBe(rest.y)
  await drag(page, head, down(160))
  await expect(sheet).toHaveCount(0)
  await expect(open).toBeFocused()
})
