/**
 * `npm run bench:screens`: a brand with 10,000 deals and 50,000 contacts in a real browser, signed in, local database empty,
 * HTTP cache warm. Prints the median of five: the time until the first cards of each visible column and the totals are painted and a click
 * is answered, the longest task during the pull, DOM nodes, and the delay of typing in a search.
 */
import { chromium, type BrowserContext, type Page } from '@playwright/test'
import config from '../../playwright.config.ts'
import { createPerson, openAs } from '../harness/browser.ts'
import { fillLargeBrand } from '../harness/large-brand.ts'
import { startTestServer } from '../harness/server.ts'

const runCount = 5

const server = await startTestServer({ webRoot: 'dist/web' })
const person = await createPerson(server, { brand: 'Large' })
if (server.database === null) throw new Error('The server must run in this process.')
await fillLargeBrand(server.database.owner, person.brandId, { deals: 10_000, contacts: 50_000, companies: 5000 })

const browser = await chromium.launch(config.use?.launchOptions)
try {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
  })
  // Chromium ends with its last page, so one stays open.
  await context.newPage()
  const page = await context.newPage()
  await openAs(page, person, '/crm/deals')
  await page.waitForTimeout(1000)
  await page.close()

  await measure('Board', () => firstPaint(context, '/crm/deals', '[data-deal]'))
  await measure('Contacts', () => firstPaint(context, '/crm/contacts', '[role=row] [role=cell]'))
  await measure('Typing on the board', () => typing(context, '/crm/deals', '[data-deal]', 'Search deals…', 'Deal 77'))
  await measure('Typing in contacts', () =>
    typing(context, '/crm/contacts', '[role=row] [role=cell]', 'Search contacts...', 'person 4999'),
  )
} finally {
  await browser.close()
  await server.stop()
}
// The official client of the person would keep the process.
process.exit(0)

async function measure(title: string, run: () => Promise<Record<string, number>>) {
  const results: Record<string, number>[] = []
  for (let i = 0; i < runCount; i++) results.push(await run())
  const figures = Object.keys(results[0] ?? {}).map((name) => {
    const values = results.map((result) => result[name] ?? Number.NaN).sort((a, b) => a - b)
    return `${name} ${Math.round(values[runCount >> 1] ?? Number.NaN)} (${values.map(Math.round).join(' ')})`
  })
  console.log(`${title}, median of ${runCount}: ${figures.join('; ')}`)
}

/** From the navigation until rows and totals are painted and a click is answered, in ms, on an empty local database. */
async function firstPaint(context: BrowserContext, path: string, row: string) {
  const page = await context.newPage()
  await emptyLocalDatabase(page)
  // The test runner wraps named functions in a helper that does not exist in the page.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(() => {
    const longest = { ms: 0 }
    Object.assign(globalThis, { longest })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) longest.ms = Math.max(longest.ms, entry.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  await page.goto(path, { waitUntil: 'commit' })
  const painted = await page.evaluate(untilPainted, row)
  await page.waitForTimeout(8000)
  const { nodes, longest } = await page.evaluate(() => ({
    nodes: document.querySelectorAll('*').length,
    longest: (globalThis as unknown as { longest: { ms: number } }).longest.ms,
  }))
  await page.close()
  return { 'painted and answered ms': painted, 'longest task ms': longest, 'DOM nodes': nodes }
}

/**
 * Runs in the page: resolves two frames after the first row of each visible column (or list) is there and a click was
 * answered.
 */
function untilPainted(row: string): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const columns = [...document.querySelectorAll('[data-stage]')].filter(
        (column) => column.getBoundingClientRect().left < innerWidth - 40,
      )
      const ready =
        columns.length > 0
          ? columns.every((column) => column.querySelector(row) !== null)
          : document.querySelector(row) !== null
      if (!ready) return void requestAnimationFrame(look)
      const button = document.querySelector<HTMLElement>('header button, [aria-haspopup="menu"]')
      button?.click()
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())))
    }
    look()
  })
}

/**
 * The slowest key while a word is typed, from the key to the next paint (ms), and the time until the list shows the
 * result.
 */
async function typing(context: BrowserContext, path: string, row: string, label: string, text: string) {
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

/** Deletes everything except the session, as on a device that has just signed in. */
async function emptyLocalDatabase(page: Page) {
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
