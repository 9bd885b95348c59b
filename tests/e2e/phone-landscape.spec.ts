import { expect, test } from '../harness/browser.ts'
import { cardsOf, openBoard, personWithDeals } from './deal-seeds.ts'

test.use({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true })

test("a phone in landscape shows no keys; tags are easy to touch; the line 'Created' of a panel scrolls", async ({
  page,
  server,
}) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Roof' }]))
  await expect(page.locator('kbd').filter({ visible: true })).toHaveCount(0)
  await cardsOf(page, 'Roof').tap({ position: { x: 40, y: 20 } })
  const panel = page.getByRole('complementary', { name: 'Deal' })
  const tags = panel.getByRole('button', { name: 'Add tags' })
  await expect(tags).toBeVisible()
  expect((await tags.boundingBox())?.height).toBeGreaterThanOrEqual(24)
  await expect(panel.getByText(/^Created /)).not.toBeInViewport()
  await panel.getByText(/^Created /).scrollIntoViewIfNeeded()
  await expect(panel.getByText(/^Created /)).toBeInViewport()
  await page.goto('/crm/tasks')
  await page.getByRole('button', { name: 'New Task' }).first().tap()
  await expect(page.getByRole('dialog', { name: 'New Task' })).toBeVisible()
  await expect(page.locator('kbd').filter({ visible: true })).toHaveCount(0)
})
