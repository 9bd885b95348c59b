import type { Page } from '@playwright/test'
import { expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'
import { cardsOf, columnOf, openBoard, personWithDeals, stageOnServer } from './deal-seeds.ts'
import { dropByMouse, liftByMouse } from './live-seeds.ts'

const widthOf = async (page: Page, stage: string) => (await columnOf(page, stage).boundingBox())?.width
const headerOf = (page: Page, stage: string) => columnOf(page, stage).locator('header')

test('the Won and Lost columns are visible but folded; cards can be dropped on them and moved across them by keyboard; a column that the user unfolds stays unfolded after a reload', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Acme renewal', amount: 500 },
    { name: 'Depot lighting', amount: 70, stage: 'Verbal Yes' },
    { name: 'Signed', amount: 4_000, stage: 'Won' },
  ])
  await openBoard(page, person)
  for (const stage of ['Won', 'Lost']) {
    expect(await widthOf(page, stage)).toBe(44)
    await expect(columnOf(page, stage)).toBeInViewport({ ratio: 1 })
  }
  await expect(headerOf(page, 'Won')).toHaveText('1Won£4,000')
  await expect(cardsOf(page, 'Signed')).toHaveCount(0)
  await expectAccessible(page)

  await liftByMouse(page, 'Acme renewal')
  await dropByMouse(page, 'Won')
  await expect(toastOf(page)).toContainText('Deal moved successfully')
  await expect(headerOf(page, 'Won')).toHaveText('2Won£4,500')
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Won')
  expect(await widthOf(page, 'Won')).toBe(44)

  // By keyboard, the focus moves to a folded column and back. Enter unfolds the column, and Down Arrow then moves the focus to a card.
  await cardsOf(page, 'Depot lighting').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Unfold Won, 2 deals' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(cardsOf(page, 'Depot lighting')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Fold Won', exact: true })).toBeFocused()
  expect(await widthOf(page, 'Won')).toBe(320)
  await page.keyboard.press('ArrowDown')
  await expect(cardsOf(columnOf(page, 'Won'), 'Acme renewal').or(cardsOf(page, 'Signed')).first()).toBeFocused()
  await page.reload()
  await expect(cardsOf(page, 'Signed')).toHaveCount(1)
  expect(await widthOf(page, 'Lost')).toBe(44)
  await page.getByRole('button', { name: 'Fold Won', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Unfold Won, 2 deals' })).toBeFocused()

  // A card that is moved by keyboard stays visible: a folded column is unfolded as long as it contains this card.
  await cardsOf(page, 'Depot lighting').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(cardsOf(columnOf(page, 'Won'), 'Depot lighting')).toBeFocused()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(cardsOf(columnOf(page, 'Lost'), 'Depot lighting')).toBeFocused()
  await expect.poll(() => widthOf(page, 'Won')).toBe(44)
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(cardsOf(columnOf(page, 'Won'), 'Depot lighting')).toBeFocused()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(cardsOf(columnOf(page, 'Verbal Yes'), 'Depot lighting')).toBeFocused()
  await expect.poll(() => stageOnServer(person, 'Depot lighting')).toBe('Verbal Yes')
  expect(await widthOf(page, 'Lost')).toBe(44)
})

test('a search folds columns without hits and unfolds columns with hits; a link to a deal unfolds its column beside the panel', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Acme renewal', amount: 500 },
    { name: 'Depot lighting', stage: 'Proposal' },
    { name: 'Signed by Acme', amount: 4_000, stage: 'Won' },
  ])
  await openBoard(page, person)
  await page.getByPlaceholder('Search deals…').fill('acme')
  await expect(cardsOf(page, 'Depot lighting')).toHaveCount(0)
  await expect(page.locator('[data-deal]')).toHaveCount(2)
  expect(await widthOf(page, 'Won')).toBe(320)
  for (const stage of ['Qualified', 'Proposal', 'Lost']) expect(await widthOf(page, stage)).toBe(44)
  await page.getByRole('button', { name: 'Unfold Proposal, 0 deals' }).click()
  expect(await widthOf(page, 'Proposal')).toBe(320)
  await page.getByPlaceholder('Search deals…').fill('')
  await expect.poll(() => widthOf(page, 'Qualified')).toBe(320)
  expect(await widthOf(page, 'Won')).toBe(44)
  await expect(cardsOf(page, 'Depot lighting')).toBeVisible()

  const { data } = await person.client.from('deals').select('id').eq('name', 'Signed by Acme').single()
  await openAs(page, person, `/crm/deals/${data?.id}`)
  const panel = page.getByRole('complementary', { name: 'Deal' })
  await expect(panel).toBeVisible()
  const clearance = async () => {
    const [cardBox, panelBox] = [await cardsOf(page, 'Signed').boundingBox(), await panel.boundingBox()]
    return cardBox && panelBox ? panelBox.x - (cardBox.x + cardBox.width) : null
  }
  await expect.poll(clearance).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(cardsOf(page, 'Signed')).toBeFocused()
})
