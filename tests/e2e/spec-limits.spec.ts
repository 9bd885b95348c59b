import type { Page } from '@playwright/test'
import { createPerson, expect, newEmail, openAs, signUpByScreen, test } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { cardsOf, columnOf, openBoard, personWithDeals } from './deal-seeds.ts'

const liftedCard = (page: Page) => page.locator('.deal-lifted')

/** Presses on the card and drags it by this number of pixels; the button stays down. */
async function carry(page: Page, deal: string, x: number, y: number): Promise<void> {
  const box = await cardsOf(page, deal).boundingBox()
  if (!box) throw new Error('the card is not in sight')
  await page.mouse.move(box.x + 40, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + 40 + x, box.y + 20 + y, { steps: 3 })
}

test('spec 4: Deal stage: Dragging starts after 8px of pointer movement', async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Acme renewal' }]))
  for (const [x, y, liftedCount] of [
    [7, 0, 0],
    [0, 7, 0],
    [9, 0, 1],
    [0, 9, 1],
    [-7, 7, 1],
  ] as const) {
    await carry(page, 'Acme renewal', x, y)
    await page.waitForTimeout(100)
    await expect(liftedCard(page)).toHaveCount(liftedCount)
    await page.mouse.up()
    await expect(liftedCard(page)).toHaveCount(0)
  }
})

test('spec 9: Keyboard drag step 25px.', async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Acme renewal' }]))
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Space')
  await expect(liftedCard(page)).toHaveCount(1)
  let box = await liftedCard(page).boundingBox()
  for (const [key, x, y] of [
    ['ArrowRight', 25, 0],
    ['ArrowDown', 0, 25],
    ['ArrowLeft', -25, 0],
    ['ArrowUp', 0, -25],
  ] as const) {
    const boxBefore = box
    await page.keyboard.press(key)
    await expect(async () => {
      box = await liftedCard(page).boundingBox()
      // 0 is added because -0.2 rounds to -0, which `toEqual` does not accept as 0.
      const movedBy = [(box?.x ?? 0) - (boxBefore?.x ?? 0), (box?.y ?? 0) - (boxBefore?.y ?? 0)].map(
        (px) => Math.round(px) + 0,
      )
      expect(movedBy).toEqual([x, y])
    }).toPass()
  }
  await page.keyboard.press('Escape')
})

test('spec 9: Stage column width 20rem.', async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, []))
  for (const rootPx of [16, 20]) {
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', `${size}px`), rootPx)
    await expect.poll(async () => (await columnOf(page, 'Incoming').boundingBox())?.width).toBe(20 * rootPx)
  }
})

test('spec 9: Amount step 0.01, minimum 0.', async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  await openBoard(page, person)
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New Deal' })
  await dialog.getByLabel('Deal name').fill('A penny')
  for (const invalidAmount of ['-0.01', '0.005', '-5']) {
    await dialog.getByLabel('Amount').fill(invalidAmount)
    await dialog.getByRole('button', { name: 'Create Deal' }).click()
    await expect(dialog.getByLabel('Amount')).toHaveAttribute('aria-invalid', 'true')
  }
  await dialog.getByLabel('Amount').fill('0.01')
  await dialog.getByRole('button', { name: 'Create Deal' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(cardsOf(page, 'A penny')).toContainText('£0.01')
  expect((await person.client.from('deals').select('amount')).data).toEqual([{ amount: 0.01 }])
})

test('spec 9: Currency symbol: pound.', async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Acme renewal', amount: 1_234_567.5 }]))
  await expect(cardsOf(page, 'Acme renewal')).toContainText('£1,234,567.50')
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('£1,234,567.50')
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  await expect(page.getByRole('dialog').getByText('£', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('region', { name: 'Pipeline Value' })).toContainText('£1,234,567.50')
})

test('spec 9: Minimum password length 6.', async ({ page }) => {
  await page.goto('/auth')
  const signUpUrls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/signup')) signUpUrls.push(request.url())
  })
  await signUpByScreen(page, newEmail(), 'abc12')
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAttribute('aria-invalid', 'true')
  expect(signUpUrls).toEqual([])
  await page.getByRole('textbox', { name: 'Password' }).fill('abc12x')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/select-brand$/)
  expect(signUpUrls).toHaveLength(1)
})

test('spec 9: Default task priority normal.', async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await insertRow(person, 'tasks', { title: 'Nobody said how urgent' })
  await openAs(page, person, '/crm/tasks')
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New Task' })
  await expect(dialog.getByRole('combobox', { name: 'Priority' })).toHaveText('Normal')
  expect((await person.client.from('tasks').select('priority')).data).toEqual([{ priority: 'normal' }])
})
