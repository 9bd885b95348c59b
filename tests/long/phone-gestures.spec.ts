import type { Page } from '@playwright/test'
import { cardsOf, columnOf, openBoard, personWithDeals } from '../e2e/deal-seeds.ts'
import { expect, test } from '../harness/browser.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

/** Touches at `from`, moves to each step (its distance from `from` in px), and lifts the finger. */
async function drag(page: Page, from: { x: number; y: number }, steps: readonly { x?: number; y?: number }[]) {
  const client = await page.context().newCDPSession(page)
  const touchPointsAt = ({ x = 0, y = 0 }) => [{ x: from.x + x, y: from.y + y }]
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: touchPointsAt({}) })
  for (const step of steps)
    await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: touchPointsAt(step) })
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** Returns the distances from the start after each step of 10 px, up to `end` px. */
const upTo = (end: number) =>
  Array.from({ length: Math.abs(end) / 10 }, (_, place) => Math.sign(end) * 10 * (place + 1))
const sideways = (end: number) => upTo(end).map((x) => ({ x }))
const down = (end: number) => upTo(end).map((y) => ({ y }))

const currentStageButton = (page: Page) =>
  page.getByRole('navigation', { name: 'Stages' }).locator('button[aria-current=true]')

/** Returns how far the left edge of a stage is from the place of the current stage, which is 16 px from the edge of the screen (px). */
async function offset(page: Page, stage: string): Promise<number> {
  const box = await columnOf(page, stage).boundingBox()
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
  await expect(currentStageButton(page)).toContainText('Incoming')
  const box = await cardsOf(page, 'Roof').boundingBox()
  if (!box) throw new Error('the card is not in sight')
  const middle = { x: 195, y: Math.round(box.y + 200) }
  await drag(page, middle, sideways(-220))
  await expect(currentStageButton(page)).toContainText('Qualified')
  await expect.poll(() => offset(page, 'Qualified')).toBeLessThan(2)
  await expect(cardsOf(page, 'Harbour crane')).toBeInViewport({ ratio: 1 })
  await drag(page, middle, sideways(220))
  await expect(currentStageButton(page)).toContainText('Incoming')
  await expect(cardsOf(page, 'Roof')).toBeInViewport({ ratio: 1 })
  await page.getByRole('navigation', { name: 'Stages' }).getByRole('button', { name: /Lost/ }).tap()
  await expect(currentStageButton(page)).toContainText('Lost')
  await expect.poll(() => offset(page, 'Lost')).toBeLessThan(17)
  expect(await page.evaluate(() => document.scrollingElement?.scrollLeft)).toBe(0)
})

test('a sheet closes when it is dragged down far, and springs back otherwise', async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Roof' }]))
  const openButton = page.getByRole('button', { name: 'Move Roof to stage' })
  await openButton.tap()
  const sheet = page.getByRole('dialog', { name: 'Move to' })
  await expect(sheet).toBeVisible()
  await sheet.evaluate((dialog) => Promise.all(dialog.getAnimations({ subtree: true }).map((each) => each.finished)))
  const restBox = await sheet.boundingBox()
  if (!restBox) throw new Error('the sheet is not in sight')
  const sheetHead = { x: 120, y: restBox.y + 20 }
  await drag(page, sheetHead, down(60))
  await expect.poll(async () => (await sheet.boundingBox())?.y).toBe(restBox.y)
  await drag(page, sheetHead, down(160))
  await expect(sheet).toHaveCount(0)
  await expect(openButton).toBeFocused()
})
