import type { BrowserContext, Page } from '@playwright/test'
import { PageMeter, rendererPids } from './page-meter.ts'

/**
 * Measures a first paint with an empty local database: the time from the navigation until the first rows are painted and the page has reacted to
 * a click (ms), the longest task until 8 s later (ms), and the number of DOM nodes then.
 */
export async function measureFirstPaint(context: BrowserContext, path: string, row: string) {
  const page = await context.newPage()
  await emptyLocalDatabase(page)
  // tsx wraps named functions in a helper that does not exist in the page.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(() => {
    const longest = { ms: 0 }
    Object.assign(globalThis, { longest })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) longest.ms = Math.max(longest.ms, entry.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  await page.goto(path, { waitUntil: 'commit' })
  const { reacted } = await page.evaluate(untilPainted, row)
  await page.waitForTimeout(8000)
  const { nodes, longest } = await page.evaluate(() => ({
    nodes: document.querySelectorAll('*').length,
    longest: (globalThis as unknown as { longest: { ms: number } }).longest.ms,
  }))
  await page.close()
  return { 'painted and reacted ms': reacted, 'longest task ms': longest, 'DOM nodes': nodes }
}

/**
 * Runs in the page. Resolves with two times (ms since the navigation): when the browser has painted the first row of each visible column (or of the
 * list), and two frames after the click on the account menu that follows.
 */
export function untilPainted(row: string): Promise<{ painted: number; reacted: number }> {
  return new Promise((resolve, reject) => {
    const checkRows = () => {
      const columns = [...document.querySelectorAll('[data-stage]:not([data-folded])')].filter(
        (column) => column.getBoundingClientRect().left < innerWidth - 40,
      )
      const isReady =
        columns.length > 0
          ? columns.every((column) => column.querySelector(row) !== null)
          : document.querySelector(row) !== null
      if (!isReady) return void requestAnimationFrame(checkRows)
      // This frame is painted after its callbacks. A timer runs after the paint.
      setTimeout(() => {
        const painted = performance.now()
        // Clicks on the account menu, not on the header's first button: that leaves the brand, and the next run would start on another page.
        const menu = document.querySelector<HTMLElement>('header [aria-haspopup="menu"]')
        if (!menu) return reject(new Error('The header has no menu to click on.'))
        menu.click()
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ painted, reacted: performance.now() })))
      })
    }
    checkRows()
  })
}

/**
 * Measures the slowest key press while a text is typed, from the input event to the next paint (ms), and the time from the last key until a row
 * with this text is shown (ms).
 */
export async function measureTyping(
  context: BrowserContext,
  { path, row, label, text }: { path: string; row: string; label: string; text: string },
) {
  const page = await context.newPage()
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.goto(path)
  await page.locator(row).first().waitFor()
  await page.waitForTimeout(4000)
  const searchBox = page.getByLabel(label).or(page.getByPlaceholder(label)).first()
  await searchBox.focus()
  let slowestMs = 0
  for (const letter of text) {
    await page.evaluate(() => {
      const reacted = new Promise<number>((resolve) => {
        addEventListener(
          'input',
          () => {
            const inputAt = performance.now()
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - inputAt)))
          },
          { once: true, capture: true },
        )
      })
      Object.assign(globalThis, { reacted })
    })
    await page.keyboard.type(letter)
    slowestMs = Math.max(
      slowestMs,
      await page.evaluate(() => (globalThis as unknown as { reacted: Promise<number> }).reacted),
    )
  }
  const typedAt = Date.now()
  await page
    .locator(row)
    .filter({ hasText: new RegExp(text, 'i') })
    .first()
    .waitFor()
  const resultMs = Date.now() - typedAt
  await page.close()
  return { 'slowest key ms': slowestMs, 'result after last key ms': resultMs }
}

/**
 * Measures the first paint with all rows in the local database, from the moment when the app opens its first database: the time until the first
 * rows are painted, and until the page has reacted to a click. Also the main thread's processor time from the navigation until then, and 3 s later.
 */
export async function measurePaintFromDisk(context: BrowserContext, path: string, row: string) {
  const page = await context.newPage()
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(() => {
    const originalOpen: unknown = Reflect.get(IDBFactory.prototype, 'open')
    Reflect.set(IDBFactory.prototype, 'open', function (this: IDBFactory, ...args: unknown[]) {
      Object.assign(globalThis, { databaseOpenedAt: Reflect.get(globalThis, 'databaseOpenedAt') ?? performance.now() })
      return Reflect.apply(originalOpen as IDBFactory['open'], this, args)
    })
  })
  const [pid = 0] = await rendererPids(page)
  const meter = await PageMeter.of(page, pid)
  const busyBefore = await meter.busy()
  await page.goto(path, { waitUntil: 'commit' })
  const { painted, reacted } = await page.evaluate(untilPainted, row)
  const databaseOpenedAt = await page.evaluate(() => Number(Reflect.get(globalThis, 'databaseOpenedAt')))
  const busyUntilClick = (await meter.busy()) - busyBefore
  await page.waitForTimeout(3000)
  const busyAfterPause = (await meter.busy()) - busyBefore
  await page.close()
  return {
    'painted after the first database is opened ms': painted - databaseOpenedAt,
    'and a click handled ms': reacted - databaseOpenedAt,
    'processor ms until then': busyUntilClick,
    'and 3 s later': busyAfterPause,
  }
}

/** Deletes the databases with rows and outboxes, but not the session: the device is then as after a sign-in. */
export async function emptyLocalDatabase(page: Page) {
  await page.goto('/healthz')
  await page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined || !/rows|outbox/.test(name)) continue
      await new Promise((resolve) => {
        const request = indexedDB.deleteDatabase(name)
        request.onsuccess = resolve
        request.onerror = resolve
        request.onblocked = resolve
      })
    }
  })
}
