import type { Locator, Page } from '@playwright/test'
import { expect, test, toastOf } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'
import { cardsOf, columnOf, openBoard, personWithDeals, runAsOwnerRole, stageOnServer, stagesOf } from './deal-seeds.ts'

/** Presses on a card and drags it by this number of pixels; the button stays down. */
async function lift(page: Page, from: Locator, distance: { x: number; y: number }): Promise<void> {
  const box = await from.boundingBox()
  if (!box) throw new Error('the card is not in sight')
  await page.mouse.move(box.x + 40, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + 40 + distance.x, box.y + 20 + distance.y, { steps: 4 })
}

/** Drags a lifted card over a column. */
async function carryOver(page: Page, stage: string): Promise<void> {
  const box = await columnOf(page, stage).boundingBox()
  if (!box) throw new Error(`${stage} is not in sight`)
  await page.mouse.move(box.x + box.width / 2, box.y + 200, { steps: 8 })
}

/** Moves a lifted card with the right arrow key, 25 px a press and at most 80 presses, until the card is over the column. */
async function carryByKeys(page: Page, stage: string): Promise<void> {
  const isOver = async () => (await dragAnnouncement(page).textContent()) === `Over ${stage}`
  for (let presses = 0; presses < 80 && !(await isOver()); presses++) await page.keyboard.press('ArrowRight')
  await expect(dragAnnouncement(page)).toHaveText(`Over ${stage}`)
}

const liftedCard = (page: Page) => page.locator('.deal-lifted')
const dragAnnouncement = (page: Page) => page.locator('[id^="DndLiveRegion"]')

test('spec 9: Drag activation distance 8px.', async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Acme renewal' }]))
  await lift(page, cardsOf(page, 'Acme renewal'), { x: 5, y: 0 })
  await expect(liftedCard(page)).toHaveCount(0)
  await page.mouse.up()
  await lift(page, cardsOf(page, 'Acme renewal'), { x: 10, y: 0 })
  await expect(liftedCard(page)).toHaveCount(1)
  await page.mouse.up()
  await expect(liftedCard(page)).toHaveCount(0)
})

test('spec 4: Deal stage: moving a card to a different column changes its stage_id, applied optimistically', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal', amount: 500 }])
  await openBoard(page, person)
  const release = await holdRequests(page, '**/rest/v1/deals?*', 'PATCH')
  await lift(page, cardsOf(page, 'Acme renewal'), { x: 40, y: 0 })
  await carryOver(page, 'Proposal')
  await page.mouse.up()
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Acme renewal')).toBeVisible()
  await expect(columnOf(page, 'Proposal').locator('header')).toContainText('£500')
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('£0')
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Incoming')
  release()
  await expect(toastOf(page)).toContainText('Deal moved successfully')
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Proposal')
  await page.reload()
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Acme renewal')).toBeVisible()
})

test('a card that is lifted and moved at once does not scroll the board; the board scrolls while the pointer is near its edge', async ({
  page,
  server,
}) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Acme renewal' }]))
  const scrollPositions = await page.locator('[data-board-scroller]').evaluateHandle((scroller) => {
    const lefts: number[] = []
    scroller.addEventListener('scroll', () => lefts.push(scroller.scrollLeft))
    return lefts
  })
  // Simulates a slow computer: the timer with which the drag library scrolls is due before the library has measured the board.
  await page.evaluate(() => {
    const setInterval = window.setInterval
    Reflect.set(window, 'setInterval', (run: () => void, ms: number) => {
      run()
      return setInterval(run, ms)
    })
  })
  const qualifiedBox = await columnOf(page, 'Qualified').boundingBox()
  if (!qualifiedBox) throw new Error('Qualified is not in sight')
  await lift(page, cardsOf(page, 'Acme renewal'), { x: 10, y: 0 })
  await page.mouse.move(qualifiedBox.x + 40, qualifiedBox.y + 100)
  await expect(dragAnnouncement(page)).toHaveText('Over Qualified')
  expect(await scrollPositions.jsonValue()).toEqual([])
  await carryOver(page, 'Verbal Yes')
  await expect.poll(() => scrollPositions.jsonValue()).not.toEqual([])
  await page.keyboard.press('Escape')
  await page.mouse.up()
})

test('spec 4: Deal stage: Dropping in the same column does nothing.', async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }, { name: 'Depot lighting' }])
  await openBoard(page, person)
  const patchUrls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') patchUrls.push(request.url())
  })
  await lift(page, cardsOf(page, 'Acme renewal'), { x: 10, y: 150 })
  await expect(liftedCard(page)).toHaveCount(1)
  await page.mouse.up()
  await expect(liftedCard(page)).toHaveCount(0)
  await expect(dragAnnouncement(page)).toHaveText('Acme renewal stays in Incoming')
  await expect(toastOf(page)).toHaveCount(0)
  await expect(columnOf(page, 'Incoming').locator('[data-deal]')).toContainText(['Acme renewal', 'Depot lighting'])
  expect(patchUrls).toEqual([])
})

test("spec 8: Deal move: failure 'Error moving deal' with message, then board reloads; success 'Deal moved successfully'", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  const wonId = (await stagesOf(person)).get('Won')
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Space')
  await carryByKeys(page, 'Won')
  await runAsOwnerRole(server, 'delete from public.deal_stages where brand_id = $1 and id = $2', [
    person.brandId,
    wonId,
  ])
  const reloadRequest = page.waitForRequest((request) => request.url().includes('/rpc/'))
  await page.keyboard.press('Space')
  await expect(toastOf(page)).toContainText('Error moving deal')
  expect((await toastOf(page).innerText()).replace('Error moving deal', '').trim()).not.toBe('')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  await reloadRequest
  await expect(columnOf(page, 'Won')).toHaveCount(0)
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Incoming')
})

test('spec 4: Deal stage: keyboard dragging is supported (25px step)', async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Space')
  await expect(dragAnnouncement(page)).toHaveText('Lifted Acme renewal from Incoming')
  const boxBefore = await liftedCard(page).boundingBox()
  await page.keyboard.press('ArrowRight')
  await expect
    .poll(async () => Math.round(((await liftedCard(page).boundingBox())?.x ?? 0) - (boxBefore?.x ?? 0)))
    .toBe(25)
  await carryByKeys(page, 'Qualified')
  await carryByKeys(page, 'Proposal')
  await page.keyboard.press('Space')
  await expect(dragAnnouncement(page)).toHaveText('Dropped in Proposal')
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Acme renewal')).toBeFocused()
  await expect(toastOf(page)).toContainText('Deal moved successfully')
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Proposal')
})

test('Escape puts a lifted card back, and the focus stays on it', { tag: '@long' }, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Space')
  await carryByKeys(page, 'Qualified')
  await page.keyboard.press('Escape')
  await expect(dragAnnouncement(page)).toHaveText('Cancelled. Acme renewal was put back')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme renewal')).toBeFocused()
  await expect(toastOf(page)).toHaveCount(0)
})

test('Shift with an arrow moves a card one stage, announces it and keeps the focus on it', async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Acme renewal')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Deal moved successfully' })).toHaveCount(1)
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme renewal')).toBeFocused()
  // The toast of the previous move appears with the server's response and may replace the announcement. In this case the key is pressed again.
  await expect(async () => {
    await page.keyboard.press('Shift+ArrowLeft')
    const endAnnouncement = page.getByRole('status').filter({ hasText: 'Acme renewal is already in the first stage' })
    await expect(endAnnouncement).toHaveCount(1, { timeout: 500 })
  }).toPass()
  await expect.poll(() => stageOnServer(person, 'Acme renewal')).toBe('Incoming')
})

test('each of several quick presses of Shift with an arrow moves the card by one stage, and the card keeps the focus', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openBoard(page, person)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 3 })
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.down('Shift')
  for (const [key, stage] of [
    ['ArrowRight', 'Verbal Yes'],
    ['ArrowLeft', 'Incoming'],
  ] as const) {
    // The later key presses may happen while the card is moving and no element has the focus.
    await Promise.all([1, 2, 3].map(() => page.keyboard.down(key)))
    await page.keyboard.up(key)
    await expect(cardsOf(columnOf(page, stage), 'Acme renewal')).toBeFocused()
  }
  await page.keyboard.up('Shift')
  await expect.poll(() => stageOnServer(person, 'Acme renewal')).toBe('Incoming')
  // A single press moves the card by one stage.
  await page.keyboard.press('Shift+ArrowRight')
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Acme renewal')).toBeFocused()
  await expect.poll(() => stageOnServer(person, 'Acme renewal')).toBe('Qualified')
})

test('Escape right after the key that lifts a card puts the card back', { tag: '@long' }, async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Acme renewal' }]))
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  for (let round = 0; round < 3; round++) {
    await cardsOf(page, 'Acme renewal').focus()
    await Promise.all([page.keyboard.press('Space'), page.keyboard.press('Escape')])
    await expect(dragAnnouncement(page)).toHaveText('Cancelled. Acme renewal was put back')
    await expect(liftedCard(page)).toHaveCount(0)
    await cardsOf(page, 'Acme renewal').blur()
  }
})

/** Presses the mouse on `from`. Then moves it by these steps and releases it in one task, before the page renders the moves. */
async function flick(page: Page, from: Locator, steps: readonly { x: number; y: number }[]): Promise<void> {
  await lift(page, from, { x: 0, y: 0 })
  const box = await from.boundingBox()
  await page.evaluate(
    ({ left, top, steps }) => {
      const dispatchMouseEvent = (type: string, { x, y }: { x: number; y: number }) =>
        document.dispatchEvent(new MouseEvent(type, { clientX: left + x, clientY: top + y, cancelable: true }))
      for (const step of steps) dispatchMouseEvent('mousemove', step)
      dispatchMouseEvent('mouseup', steps.at(-1) ?? { x: 0, y: 0 })
    },
    { left: (box?.x ?? 0) + 40, top: (box?.y ?? 0) + 20, steps },
  )
  await page.mouse.up()
}

test('a card released in the same frame as its last move or its lift is dropped at the pointer, and the board keeps working', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openBoard(page, person)
  await flick(page, cardsOf(page, 'Acme renewal'), [{ x: 12, y: 0 }])
  await expect(dragAnnouncement(page)).toHaveText('Acme renewal stays in Incoming')
  const { error } = await person.client.from('deals').update({ amount: 700 }).eq('brand_id', person.brandId)
  expect(error).toBeNull()
  await expect(cardsOf(page, 'Acme renewal')).toContainText('£700')
  await flick(page, cardsOf(page, 'Acme renewal'), [
    { x: 12, y: 0 },
    { x: 340, y: 60 },
  ])
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Acme renewal')).toBeVisible()
  await expect.poll(() => stageOnServer(person, 'Acme renewal')).toBe('Qualified')
})

test('a card whose only mouse move is the one that lifts it is dropped at the pointer', async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').dragTo(columnOf(page, 'Proposal'))
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Acme renewal')).toBeVisible()
  await expect.poll(() => stageOnServer(person, 'Acme renewal')).toBe('Proposal')
})

test('Escape puts a carried card back and does nothing else: the panel stays open, and the selection stays', {
  tag: '@long',
}, async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Acme renewal' }, { name: 'Depot lighting' }]))
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('x')
  const selectedText = page.getByText('1 selected')
  await expect(selectedText).toBeVisible()
  await page.keyboard.press('Space')
  await expect(liftedCard(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(liftedCard(page)).toHaveCount(0)
  await expect(selectedText).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(selectedText).toHaveCount(0)
  await cardsOf(page, 'Depot lighting').click()
  const panel = page.getByRole('complementary', { name: 'Deal' })
  await expect(panel).toBeVisible()
  await lift(page, cardsOf(page, 'Acme renewal'), { x: 20, y: 0 })
  await expect(liftedCard(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(liftedCard(page)).toHaveCount(0)
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
})

test("the menu 'Move to stage' of a card moves the card, by pointer and by keyboard", { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').hover()
  await page.getByRole('button', { name: 'Move Acme renewal to stage' }).click()
  const menu = page.getByRole('menu', { name: 'Move to stage' })
  await expect(menu.getByRole('menuitemradio')).toHaveCount(6)
  await expect(menu.getByRole('menuitemradio', { name: 'Incoming' })).toHaveAttribute('aria-checked', 'true')
  await menu.getByRole('menuitemradio', { name: 'Verbal Yes' }).click()
  await expect(cardsOf(columnOf(page, 'Verbal Yes'), 'Acme renewal')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Move Acme renewal to stage' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('q')
  await page.keyboard.press('Enter')
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Acme renewal')).toBeFocused()
  await expect.poll(() => stageOnServer(person, 'Acme renewal')).toBe('Qualified')
})

test('Undo in the toast reverts a move', async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openBoard(page, person)
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  await expect.poll(() => stageOnServer(person, 'Acme renewal')).toBe('Incoming')
})

test('arrow keys move between cards, Tab leaves a column', async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'First' },
    { name: 'Second' },
    { name: 'Third', stage: 'Proposal' },
  ])
  await openBoard(page, person)
  await cardsOf(page, 'First').focus()
  await page.keyboard.press('ArrowDown')
  await expect(cardsOf(page, 'Second')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(cardsOf(page, 'Third')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(cardsOf(page, 'First')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Fold Qualified', exact: true })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'New deal in Qualified' })).toBeFocused()
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true })

  test('a long press lifts a card, and a swipe scrolls', { tag: '@long' }, async ({ page, server }) => {
    await openBoard(page, await personWithDeals(server, [{ name: 'Acme renewal' }]))
    const box = await cardsOf(page, 'Acme renewal').boundingBox()
    if (!box) throw new Error('the card is not in sight')
    const client = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: box.y + 20 }] })
    await touch('touchStart', box.x + 40)
    await touch('touchMove', box.x + 80)
    await touch('touchEnd', 0)
    await expect(liftedCard(page)).toHaveCount(0)
    await touch('touchStart', box.x + 40)
    await expect(liftedCard(page)).toHaveCount(1)
    for (let x = 60; x <= 400; x += 20) await touch('touchMove', box.x + x)
    await expect(dragAnnouncement(page)).toHaveText('Over Qualified')
    await touch('touchEnd', 0)
    await expect(cardsOf(columnOf(page, 'Qualified'), 'Acme renewal')).toBeVisible()
    await expect(toastOf(page)).toContainText('Deal moved successfully')
  })
})
