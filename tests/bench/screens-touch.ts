import type { BrowserContext, Locator, Page } from '@playwright/test'
import { PageMeter, rendererPids } from './page-meter.ts'
import { pidWithMostMemory } from './process-memory.ts'

const panel = (page: Page) => page.getByRole('complementary', { name: 'Deal' })

/**
 * Opens the board and waits 5 s, after which all its deals are in memory. The meter measures the process with the most memory. This is the process
 * of the board, because the other pages and Chromium's spare process are empty.
 */
export async function openBoard(context: BrowserContext): Promise<{ page: Page; meter: PageMeter }> {
  const page = await context.newPage()
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.goto('/crm/deals')
  await page.locator('[data-deal]').first().waitFor()
  await page.waitForTimeout(5000)
  const pid = pidWithMostMemory(await rendererPids(page))
  return { page, meter: await PageMeter.of(page, pid) }
}

/** Drags a card over all columns in 240 steps. Measures frames, and long tasks at the speed of a phone. */
export async function measureDrag(context: BrowserContext) {
  const { page, meter } = await openBoard(context)
  const box = await boxOf(page.locator('[data-deal]').first())
  const busyBefore = await meter.busy()
  let frames = { count: 0, slowest: 0, seconds: 1 }
  const { longest: longestTaskMs, long: longTaskCount } = await meter.tasks(async () => {
    await page.mouse.move(box.x + 40, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 60, box.y + 20)
    await page.evaluate(countFrames)
    for (let step = 0; step < 240; step++)
      await page.mouse.move(box.x + 500 + 480 * Math.sin(step / 30), box.y + 60 + 2 * (step % 200))
    frames = await page.evaluate(() => (globalThis as unknown as { frames: typeof frames }).frames)
    await page.mouse.up()
    await page.waitForTimeout(500)
  })
  const busyDuringDrag = (await meter.busy()) - busyBefore
  await page.keyboard.press('Control+z')
  await page.close()
  return {
    'frames per second': frames.count / frames.seconds,
    'slowest frame ms': frames.slowest,
    'longest task on a phone ms': longestTaskMs,
    'tasks over 50 ms': longTaskCount,
    'processor ms per step': busyDuringDrag / 240,
  }
}

/** Measures the slowest reaction to each kind of input (Event Timing API), and the longest task at the speed of a phone. */
export async function measureInput(context: BrowserContext) {
  const { page, meter } = await openBoard(context)
  await page.evaluate(watchInput)
  const result: Record<string, number> = {}
  const measure = async (name: string, work: () => Promise<void>) => {
    await page.evaluate(() => Object.assign(globalThis, { slowestInput: 0 }))
    const { longest: longestTaskMs, long: longTaskCount } = await meter.tasks(async () => {
      await work()
      await page.waitForTimeout(600)
    })
    result[`${name} ms`] = await page.evaluate(() => Number(Reflect.get(globalThis, 'slowestInput')))
    result[`${name}: longest task on a phone ms`] = longestTaskMs
    result[`${name}: over 50 ms`] = longTaskCount
  }
  const search = page.getByPlaceholder('Search deals…')
  await measure('search', async () => {
    await search.focus()
    await page.keyboard.type('deal 77', { delay: 150 })
  })
  await search.fill('')
  await page.waitForTimeout(1000)
  await measure('open a panel', async () => {
    await page.locator('[data-deal]').nth(1).click()
    await panel(page).getByRole('heading', { level: 2 }).waitFor()
    await page.waitForTimeout(800)
  })
  await page.keyboard.press('Escape')
  await measure('move a card', async () => {
    await page.locator('[data-deal]').nth(2).focus()
    await page.keyboard.press('Space')
    for (let step = 0; step < 14; step++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await page.waitForTimeout(800)
  })
  await page.keyboard.press('Control+z')
  await page.waitForTimeout(1000)
  await page.close()
  return result
}

/** Measures the memory of the tab after the board was shown, and after the contacts were shown. */
export async function measureMemory(context: BrowserContext) {
  const { page, meter } = await openBoard(context)
  const board = await meter.memory()
  await page.getByRole('link', { name: 'Contacts' }).first().click()
  await page.locator('[role=row] [role=cell]').first().waitFor()
  await page.waitForTimeout(4000)
  const contacts = await meter.memory()
  await page.close()
  return {
    'heap MB, board': board.heap,
    'objects MB, board': board.objects,
    'process MB, board': board.process,
    'heap MB, contacts': contacts.heap,
    'process MB, contacts': contacts.process,
    nodes: contacts.nodes,
    listeners: contacts.listeners,
  }
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('the card is not visible')
  return box
}

/** Runs in the page. Starts to count frames, and records the slowest one (ms) and the elapsed time (s). */
function countFrames(): void {
  const startedAt = performance.now()
  const frames = { count: 0, slowest: 0, seconds: 0 }
  Object.assign(globalThis, { frames })
  let lastFrameAt = startedAt
  const onFrame = () => {
    const now = performance.now()
    frames.count++
    frames.slowest = Math.max(frames.slowest, now - lastFrameAt)
    frames.seconds = (now - startedAt) / 1000
    lastFrameAt = now
    requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
}

/** Runs in the page. Starts to record the duration of the slowest interaction (ms). */
function watchInput(): void {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!Reflect.get(entry, 'interactionId')) continue
      const slowest = Number(Reflect.get(globalThis, 'slowestInput') ?? 0)
      Object.assign(globalThis, { slowestInput: Math.max(slowest, entry.duration) })
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}
