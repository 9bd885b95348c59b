import { expect, signInByScreen, test, toastOf } from '../harness/browser.ts'
import { cardsOf, columnOf, openBoard, personWithDeals } from './deal-seeds.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('a card held at the edge scrolls the board from stage to stage and pauses at each; long names end before the icon', {
  tag: '@long',
}, async ({ page, server }) => {
  const longName = 'Consolidated Harbour Maintenance and Engineering Holdings'
  await openBoard(
    page,
    await personWithDeals(server, [{ name: 'Roof', company: longName }, { name: `${longName} retainer` }]),
  )
  for (const [name, longText] of [
    ['Roof', longName],
    [`${longName} retainer`, `${longName} retainer`],
  ] as const) {
    const textElement = cardsOf(page, name).getByTitle(longText, { exact: true })
    const icon = page.getByRole('button', { name: `Move ${name} to stage` }).locator('svg')
    const [textBox, iconBox] = [await textElement.boundingBox(), await icon.boundingBox()]
    expect((textBox?.x ?? 999) + (textBox?.width ?? 999)).toBeLessThan(iconBox?.x ?? 0)
  }

  const box = await cardsOf(page, 'Roof').boundingBox()
  if (!box) throw new Error('the card is not in sight')
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: box.y + 20 }] })
  await touch('touchStart', box.x + 60)
  await expect(page.locator('.deal-lifted')).toHaveCount(1)
  // Records the first and the last time at which the board stood still at each stage (ms).
  await page.evaluate(() => {
    const board = document.querySelector('[data-board-scroller]')
    const [firstStage, secondStage] = document.querySelectorAll<HTMLElement>('[data-stage]')
    const width = (secondStage?.offsetLeft ?? 0) - (firstStage?.offsetLeft ?? 0)
    const stops = new Map<number, [number, number]>()
    Object.assign(window, { stops })
    const observe = () => {
      const stageIndex = (board?.scrollLeft ?? 0) / width
      const nearestIndex = Math.round(stageIndex)
      const now = performance.now()
      if (Math.abs(stageIndex - nearestIndex) < 0.01)
        stops.set(nearestIndex, [stops.get(nearestIndex)?.[0] ?? now, now])
      requestAnimationFrame(observe)
    }
    observe()
  })
  const stops = () => page.evaluate(() => [...(Reflect.get(window, 'stops') as Map<number, [number, number]>)])
  for (const x of [200, 300, 380]) await touch('touchMove', x)
  await expect.poll(async () => (await stops()).length).toBeGreaterThan(3)
  await touch('touchEnd', 0)
  const [, stop1, stop2, stop3] = await stops()
  expect([stop1?.[0], stop2?.[0], stop3?.[0]]).toEqual([1, 2, 3])
  // The limits (ms) are wide, because a busy machine may observe a frame late.
  for (const [from, to] of [
    [stop1, stop2],
    [stop2, stop3],
  ])
    expect((to?.[1][0] ?? 0) - (from?.[1][0] ?? 0)).toBeGreaterThan(450)
  expect((stop1?.[1][1] ?? 0) - (stop1?.[1][0] ?? 0)).toBeGreaterThan(50)
  await expect(toastOf(page)).toContainText('Deal moved successfully')
})

test("the toast 'Welcome back!' covers the header only, and disappears within 4 s", { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [])
  await page.goto('/auth')
  await signInByScreen(page, person.email, person.password)
  await expect(toastOf(page)).toContainText('Welcome back!')
  const toast = await toastOf(page).boundingBox()
  expect((toast?.y ?? 999) + (toast?.height ?? 999)).toBeLessThan(60)
  await expect(toastOf(page)).toHaveCount(0, { timeout: 4_000 })
})

test("after a reload, and after Back from another page, the stage bar marks the visible stage; 'Mine' keeps its place", {
  tag: '@long',
}, async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, [{ name: 'Roof', stage: 'Won' }]))
  const markedStage = page.getByRole('navigation', { name: 'Stages' }).locator('[aria-current=true]')
  const leftOf = async (stage: string) => Math.round((await columnOf(page, stage).boundingBox())?.x ?? 999)
  const snapLeft = await leftOf('Incoming')

  // A press on 'Mine' does not move it: it stays in line with the title and away from the next button.
  const mine = page.getByRole('button', { name: 'Mine', exact: true })
  const mineBox = await mine.boundingBox()
  expect(mineBox?.x).toBe(16)
  for (const pressed of ['true', 'false']) {
    await mine.tap()
    await expect(mine).toHaveAttribute('aria-pressed', pressed)
    expect(await mine.boundingBox()).toEqual(mineBox)
  }

  const expectStageShown = async (stage: string) => {
    await expect(markedStage).toHaveText(new RegExp(`^${stage}`))
    await expect.poll(() => leftOf(stage)).toBe(snapLeft)
  }
  await page.getByRole('navigation', { name: 'Stages' }).getByRole('button', { name: 'Won' }).tap()
  await expectStageShown('Won')
  // Delays the code of the stage bar by 1 s, so that the scroll position of the board is restored before.
  await page.route('**/assets/stage-bar-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await route.continue()
  })
  await page.reload()
  await expectStageShown('Won')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Contacts' }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contacts')
  await page.goBack()
  await expectStageShown('Won')
  await pages.getByRole('link', { name: 'Contacts' }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contacts')
  await pages.getByRole('link', { name: 'Deals' }).tap()
  await expect(markedStage).toHaveCount(1)
  // The board may open at any stage.
  const markedName = (await markedStage.textContent())?.replace(/\d.*$/, '') ?? ''
  await expectStageShown(markedName)
})

test('a search without hits in the visible stage shows the first stage with hits, lets the user go elsewhere, and says in which stages the hits are', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Roof' },
    { name: 'Pump hall', stage: 'Proposal' },
    { name: 'Pump shed', stage: 'Won' },
    { name: 'Pump yard', stage: 'Won' },
  ])
  await openBoard(page, person)
  const markedStage = page.getByRole('navigation', { name: 'Stages' }).locator('[aria-current=true]')
  const hitSummary = page.getByRole('status').filter({ hasText: /^\d+ in / })
  const searchButton = page.getByRole('button', { name: 'Search deals' })
  const search = page.getByRole('searchbox', { name: 'Search deals…' })
  await searchButton.tap()
  await page.keyboard.type('roof')
  await expect(search).toHaveValue('roof')
  await searchButton.tap()
  await expect(search).toHaveCount(0)
  await expect(searchButton).toBeFocused()
  await searchButton.tap()
  await page.keyboard.type('pump')
  await expect(hitSummary).toHaveText('1 in Proposal · 2 in Won')
  await expect(markedStage).toHaveText('Proposal1')
  await expect(cardsOf(page, 'Pump hall')).toBeInViewport({ ratio: 1 })
  await expect(search).toBeFocused()
  await search.fill('shed')
  await expect(hitSummary).toHaveText('1 in Won')
  await expect(cardsOf(page, 'Pump shed')).toBeInViewport({ ratio: 1 })
  // If the user goes to a stage without a hit, the board stays there, also when the search is cleared.
  await page.getByRole('navigation', { name: 'Stages' }).getByRole('button', { name: 'Qualified' }).tap()
  await expect(markedStage).toHaveText('Qualified0')
  await search.fill('')
  await expect(hitSummary).toHaveCount(0)
  await expect(markedStage).toHaveText('Qualified0')
  // The board does not move while a finger holds a card, nor after the card is released.
  await page.getByRole('navigation', { name: 'Stages' }).getByRole('button', { name: 'Incoming' }).tap()
  await expect(cardsOf(page, 'Roof')).toBeInViewport({ ratio: 1 })
  const box = await cardsOf(page, 'Roof').boundingBox()
  if (!box) throw new Error('the card is not in sight')
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchEnd') =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + 60, y: box.y + 20 }],
    })
  await touch('touchStart')
  await expect(page.locator('.deal-lifted')).toHaveCount(1)
  // While a card is held, dnd-kit ends every text selection, including the caret. Typed text may then get lost, so it is typed again.
  await expect(async () => {
    await search.fill('hall')
    await expect(hitSummary).toHaveText('1 in Proposal', { timeout: 1000 })
  }).toPass()
  await touch('touchEnd')
  await expect(page.locator('.deal-lifted')).toHaveCount(0)
  await expect(markedStage).toHaveText('Incoming0')
})
