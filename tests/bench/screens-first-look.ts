import type { BrowserContext, Page } from '@playwright/test'
import { PageMeter, rendererPids } from './page-meter.ts'

/** Measures the time (ms) from the navigation until rows and totals are painted and the page reacts to a click, with an empty local database. */
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
  const { answered } = await page.evaluate(untilPainted, row)
  await page.waitForTimeout(8000)
  const { nodes, longest } = await page.evaluate(() => ({
    nodes: document.querySelectorAll('*').length,
    longest: (globalThis as unknown as { longest: { ms: number } }).longest.ms,
  }))
  await page.close()
  return { 'painted and answered ms': answered, 'longest task ms': longest, 'DOM nodes': nodes }
}

/**
 * Runs in the page. Resolves with two times (ms since the navigation): when the browser has painted the first row of each visible column (or of the
 * list), and two frames after it has handled the click that follows.
 */
export function untilPainted(row: string): Promise<{ painted: number; answered: number }> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const columns = [...document.querySelectorAll('[data-stage]:not([data-folded])')].filter(
        (column) => column.getBoundingClientRect().left < innerWidth - 40,
      )
      const ready =
        columns.length > 0
          ? columns.every((column) => column.querySelector(row) !== null)
          : document.querySelector(row) !== null
      if (!ready) return void requestAnimationFrame(look)
      // The frame that this callback belongs to is painted when the callback has ended. A task runs after that.
      setTimeout(() => {
        const painted = performance.now()
        // Clicks on the account menu. The first button of the header would leave the brand, so the next measurement would start on another page.
        const menu = document.querySelector<HTMLElement>('header [aria-haspopup="menu"]')
        if (!menu) return reject(new Error('The header has no menu to click on.'))
        menu.click()
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ painted, answered: performance.now() })))
      })
    }
    look()
  })
}

/**
 * Measures the slowest key press while a word is typed, from the key to the next paint (ms), and the time until the list shows
 * the result.
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
  const box = page.getByLabel(label).or(page.getByPlaceholder(label)).first()
  await box.focus()
  let slowest = 0
  for (const letter of text) {
    await page.evaluate(() => {
      const answered = new Promise<number>((resolve) => {
        addEventListener(
          'input',
          () => {
            const at = performance.now()
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - at)))
          },
          { once: true, capture: true },
        )
      })
      Object.assign(globalThis, { answered })
    })
    await page.keyboard.type(letter)
    slowest = Math.max(
      slowest,
      await page.evaluate(() => (globalThis as unknown as { answered: Promise<number> }).answered),
    )
  }
  const typed = Date.now()
  await page
    .locator(row)
    .filter({ hasText: new RegExp(text, 'i') })
    .first()
    .waitFor()
  const shown = Date.now() - typed
  await page.close()
  return { 'slowest key ms': slowest, 'result after last key ms': shown }
}

/**
 * Measures the first paint with all rows in the local database: the time from the moment when the app opens its first database until rows and
 * totals are painted, the time until the page has reacted to a click after that, and the processor time of the main thread since the navigation.
 */
export async function measurePaintFromDisk(context: BrowserContext, path: string, row: string) {
  const page = await context.newPage()
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(() => {
    const open: unknown = Reflect.get(IDBFactory.prototype, 'open')
    Reflect.set(IDBFactory.prototype, 'open', function (this: IDBFactory, ...args: unknown[]) {
      Object.assign(globalThis, { scriptAt: Reflect.get(globalThis, 'scriptAt') ?? performance.now() })
      return Reflect.apply(open as IDBFactory['open'], this, args)
    })
  })
  const [pid = 0] = await rendererPids(page)
  const meter = await PageMeter.of(page, pid)
  const busy = await meter.busy()
  await page.goto(path, { waitUntil: 'commit' })
  const { painted, answered } = await page.evaluate(untilPainted, row)
  const script = await page.evaluate(() => Number(Reflect.get(globalThis, 'scriptAt')))
  const spent = (await meter.busy()) - busy
  await page.waitForTimeout(3000)
  const all = (await meter.busy()) - busy
  await page.close()
  return {
    'painted after the script runs ms': painted - script,
    'and a click handled ms': answered - script,
    'processor ms until then': spent,
    'and 3 s later': all,
  }
}

/** Deletes all local data except the session, as on a device that has just signed in. */
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
