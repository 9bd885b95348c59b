import { expect, expectAccessible, openAs, openContext, test, toastOf } from '../harness/browser.ts'
import { setVisibility } from '../harness/waking-tabs.ts'
import { cardsOf, columnOf, stageOnServer } from './deal-seeds.ts'
import { moverChip, dropByMouse, liftByMouse, moveDeal, ownerAndAna, openOwnersLiveBoard } from './live-seeds.ts'

const dealsNamed = (...names: string[]) => names.map((name) => ({ name }))

test("a colleague's move is shown on the card and in a toast, and announced politely; the focus stays", {
  tag: '@long',
}, async ({ page, server }) => {
  const { ana, stages } = await openOwnersLiveBoard(
    page,
    server,
    dealsNamed('Acme renewal', 'Depot lighting', 'Data platform'),
  )
  await cardsOf(page, 'Depot lighting').focus()
  await moveDeal(ana, stages, 'Acme renewal', 'Proposal')
  await expect(moverChip(page, 'Proposal', 'Acme renewal')).toHaveText(/Ana$/)
  await expect(toastOf(page)).toContainText('Ana moved Acme renewal to Proposal')
  await expect(page.locator('#live-polite')).toHaveText('Ana moved Acme renewal to Proposal')
  await expect(page.locator('[data-deal]:focus')).toContainText('Depot lighting')
  // The chip with Ana's name disappears. Moves in quick succession are summed up in one toast.
  await expect(page.locator('[data-mover]')).toHaveCount(0)
  await moveDeal(ana, stages, 'Acme renewal', 'Won')
  await moveDeal(ana, stages, 'Depot lighting', 'Won')
  await expect(toastOf(page)).toContainText('Ana moved 2 deals to Won')
  // The focused card has moved away: the card that takes its position has the focus.
  await expect(page.locator('[data-deal]:focus')).toContainText('Data platform')
  await moveDeal(ana, stages, 'Data platform', 'Lost')
  await toastOf(page).getByRole('button', { name: 'Show' }).click()
  await expect(page.locator('[data-deal]:focus')).toContainText('Data platform')

  // A colleague deletes the open deal: the panel says so, and its button 'Restore' restores the deal.
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Deal' })
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Data platform')
  expect((await ana.client.from('deals').delete().eq('name', 'Data platform')).error).toBeNull()
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Ana Pryce deleted this deal')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Restore' }).click()
  await expect(toastOf(page)).toContainText('Deal restored')
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Data platform')
})

test("while a card is held the board does not change; after the drop all remote moves appear, and the toast is about the user's own move", {
  tag: '@long',
}, async ({ page, server }) => {
  const { owner, ana, stages } = await openOwnersLiveBoard(
    page,
    server,
    dealsNamed('Acme renewal', 'Depot lighting', 'Data platform'),
  )
  const nextPull = () => page.waitForResponse((response) => response.url().includes('/rpc/pull'))

  await liftByMouse(page, 'Acme renewal')
  let pullResponse = nextPull()
  await moveDeal(ana, stages, 'Depot lighting', 'Verbal Yes')
  await (await pullResponse).finished()
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Depot lighting')).toBeVisible()
  await expect(toastOf(page)).toHaveCount(0)
  await dropByMouse(page, 'Proposal')
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Acme renewal')).toBeVisible()
  await expect(moverChip(page, 'Verbal Yes', 'Depot lighting')).toHaveText(/Ana$/)
  await expect(toastOf(page)).toContainText('Deal moved successfully')
  expect(await stageOnServer(owner, 'Acme renewal')).toBe('Proposal')

  await cardsOf(page, 'Data platform').focus()
  await page.keyboard.press('Space')
  await expect(page.locator('.deal-lifted')).toHaveCount(1)
  pullResponse = nextPull()
  await moveDeal(ana, stages, 'Depot lighting', 'Qualified')
  await (await pullResponse).finished()
  await expect(cardsOf(columnOf(page, 'Verbal Yes'), 'Depot lighting')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Depot lighting')).toBeVisible()
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Data platform')).toBeFocused()

  // The right button opens the browser's menu, and some systems then report no release. So this press does not stop the board.
  await cardsOf(page, 'Data platform').hover()
  await page.mouse.down({ button: 'right' })
  await moveDeal(ana, stages, 'Depot lighting', 'Proposal')
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Depot lighting')).toBeVisible()
  await page.mouse.up({ button: 'right' })

  // Ctrl with a press opens no menu here, so the board does not change until the release.
  await cardsOf(page, 'Data platform').hover()
  await page.keyboard.down('Control')
  await page.mouse.down()
  pullResponse = nextPull()
  await moveDeal(ana, stages, 'Depot lighting', 'Qualified')
  await (await pullResponse).finished()
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Depot lighting')).toBeVisible()
  await page.mouse.up()
  await page.keyboard.up('Control')
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Depot lighting')).toBeVisible()
})

test("the server's echo of the user's own move changes nothing, and a scrolled column keeps its position", {
  tag: '@long',
}, async ({ page, server }) => {
  // The cards have two different heights, so that a moved card changes the heights above the visible part of the column.
  const manyDeals = Array.from({ length: 24 }, (_, index) => ({
    name: `Deal ${index}.`,
    ...(index % 3 === 0 ? { company: `Company ${index}`, day: '2027-03-01' } : {}),
  }))
  const { ana, stages } = await openOwnersLiveBoard(page, server, manyDeals)
  await cardsOf(page, 'Deal 1.').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(toastOf(page)).toContainText('Deal moved successfully')
  await page.evaluate(() => {
    const ownCard = [...document.querySelectorAll('[data-deal]')].find((element) =>
      element.textContent.startsWith('Deal 1.'),
    )
    ownCard?.setAttribute('data-same', '')
  })
  // The user scrolls the column, and then Ana's moves arrive.
  await columnOf(page, 'Incoming').locator('[data-deal]').last().hover()
  await page.mouse.wheel(0, 700)
  const visibleCard = cardsOf(page, 'Deal 12.')
  await expect(visibleCard).toBeInViewport()
  const topOfVisibleCard = async () => Math.round((await visibleCard.boundingBox())?.y ?? 0)
  let topBefore = await topOfVisibleCard()
  const topChange = async () => {
    const lastTop = topBefore
    topBefore = await topOfVisibleCard()
    return topBefore - lastTop
  }
  await expect.poll(topChange, { intervals: [100] }).toBe(0)
  await moveDeal(ana, stages, 'Deal 3.', 'Verbal Yes')
  await expect(cardsOf(columnOf(page, 'Verbal Yes'), 'Deal 3.')).toBeVisible()
  expect(Math.abs((await topOfVisibleCard()) - topBefore)).toBeLessThanOrEqual(1)
  await moveDeal(ana, stages, 'Deal 3.', 'Incoming')
  await expect(cardsOf(columnOf(page, 'Verbal Yes'), 'Deal 3.')).toHaveCount(0)
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('23')
  expect(Math.abs((await topOfVisibleCard()) - topBefore)).toBeLessThanOrEqual(1)
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Deal 1.')).toHaveAttribute('data-same', '')
  await expect(moverChip(page, 'Qualified', 'Deal 1.')).toHaveCount(0)
})

test('moves that happened while the page was hidden are summed up in one toast, and no card names who moved it', {
  tag: '@long',
}, async ({ page, server }) => {
  const { ana, stages } = await openOwnersLiveBoard(
    page,
    server,
    dealsNamed('Acme renewal', 'Depot lighting', 'Data platform'),
  )
  await setVisibility([page], 'hidden')
  await moveDeal(ana, stages, 'Acme renewal', 'Proposal')
  await moveDeal(ana, stages, 'Depot lighting', 'Verbal Yes')
  await page.evaluate(() => {
    const realNow = Date.now.bind(Date)
    Date.now = () => realNow() + 60_000
  })
  await setVisibility([page], 'visible')
  await expect(toastOf(page)).toContainText('2 deals moved while you were away')
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Acme renewal')).toBeVisible()
  await expect(page.locator('[data-mover]')).toHaveCount(0)
})

test('an open record shows who else has it open', { tag: '@long' }, async ({ page, server, browser }) => {
  const { owner, ana } = await ownerAndAna(server, dealsNamed('Acme renewal'))
  const { data } = await owner.client.from('deals').select('id').eq('brand_id', owner.brandId).single()
  const dealPath = `/crm/deals/${data?.id}`
  await openAs(page, owner, dealPath)
  const context = await openContext(browser, server)
  const anasPage = await context.newPage()
  await openAs(anasPage, ana, dealPath)
  const panel = page.getByRole('complementary', { name: 'Deal' })
  await expect(panel.getByText('Ana Pryce is here')).toBeVisible()
  await expect(anasPage.getByRole('complementary', { name: 'Deal' }).getByText(/is here$/)).toBeVisible()
  await anasPage.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(panel.getByText('Ana Pryce is here')).toHaveCount(0)
  await context.close()
})
