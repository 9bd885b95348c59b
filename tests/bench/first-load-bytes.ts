/**
 * `npm run budget`: the JavaScript that a fresh visit loads on a page, in kB (1,000 bytes) of gzip -9, seen in a real browser that holds no
 * file of the app yet. On the board somebody is signed in, and the device holds the rows. Two figures a page:
 *
 * - until usable: what the page had asked for when it was usable. It is usable when what one comes for is visible (on /auth the field of the
 *   e-mail address, on the board the first card), the live channel of a signed-in page is joined, and the main thread is idle after that.
 * - in all: what the page had asked for 10 s later.
 *
 * The page runs as it is: no timer, no cache and no worker of it is changed. What the service worker fetches to keep the app for offline use
 * has no limit, because no page waits for it, and is printed beside the two. A figure over its limit fails the run: this is the byte
 * budget of CI.
 */
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import config from '../../playwright.config.ts'
import { card, personWithDeals } from '../e2e/deal-seeds.ts'
import { openAs } from '../harness/browser.ts'
import { startTestServer } from '../harness/server.ts'

/** Time that the page is left alone after it was usable, in ms. */
const idleMs = 10_000

const deal = 'Acme renewal'

/** Limits in kB. */
const limits = {
  '/auth': { usable: 98, all: 98 },
  '/crm/deals': { usable: 227, all: 243 },
}

interface Load {
  usable: ReadonlySet<string>
  /** Resolves when the page was left alone for `idleMs`. */
  later: Promise<{
    all: ReadonlySet<string>
    /** Files that the service worker fetched. */
    kept: ReadonlySet<string>
  }>
}

const server = await startTestServer({ webRoot: 'dist/web' })
const browser = await chromium.launch(config.use?.launchOptions)
let over = 0
try {
  const stranger = await browser.newContext({ baseURL: server.url })
  const auth = await load(stranger, '/auth', untilField)
  const member = await signedIn(browser)
  const board = await load(member, '/crm/deals', untilLiveCards)
  await report('/auth', auth)
  await report('/crm/deals', board)
} finally {
  await browser.close()
  await server.stop()
}
process.exit(over === 0 ? 0 : 1)

async function load(context: BrowserContext, path: string, untilUsable: (page: Page) => Promise<void>): Promise<Load> {
  const asked = new Set<string>()
  const kept = new Set<string>()
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) (request.serviceWorker() ? kept : asked).add(pathname)
  })
  const page = await context.newPage()
  const ready = untilUsable(page)
  await page.goto(path)
  await ready
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  const usable = new Set(asked)
  const later = page.waitForTimeout(idleMs).then(() => ({ all: new Set(asked), kept: new Set(kept) }))
  return { usable, later }
}

async function untilField(page: Page): Promise<void> {
  await page.getByLabel('Email').waitFor()
}

/** Also prints how long after the first card the live channel is joined. */
async function untilLiveCards(page: Page): Promise<void> {
  // Looked for in every animation frame: a locator would look up to half a second later.
  const shown = page.waitForFunction(() => document.querySelector('[data-deal]') && Date.now())
  const joined = page
    .waitForEvent('websocket')
    .then((socket) => socket.waitForEvent('framereceived'))
    .then(() => Date.now())
  console.log(`/crm/deals: live ${(await joined) - Number(await (await shown).jsonValue())} ms after its first card`)
}

/** A browser that holds the session and the rows of somebody with a deal, and no file of the app. */
async function signedIn(browser: Browser): Promise<BrowserContext> {
  const person = await personWithDeals(server, [{ name: deal }])
  const before = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  const page = await before.newPage()
  await openAs(page, person, '/crm/deals')
  await card(page, deal).waitFor()
  // The rows have been written down.
  await page.waitForLoadState('networkidle')
  const storageState = await before.storageState({ indexedDB: true })
  await before.close()
  return browser.newContext({ baseURL: server.url, storageState })
}

async function report(path: keyof typeof limits, { usable, later }: Load) {
  const { all, kept } = await later
  const sizes = new Map<string, number>()
  for (const script of new Set([...all, ...kept])) {
    const body = await (await fetch(server.url + script)).arrayBuffer()
    sizes.set(script, gzipSync(body, { level: 9 }).length / 1000)
  }
  const total = (scripts: ReadonlySet<string>) =>
    [...scripts].reduce((sum, script) => sum + (sizes.get(script) ?? 0), 0)
  for (const [when, scripts, limit] of [
    ['until usable', usable, limits[path].usable],
    ['in all', all, limits[path].all],
  ] as const) {
    const verdict = total(scripts) <= limit ? 'within' : 'OVER'
    if (verdict === 'OVER') over += 1
    console.log(`${path}, ${when}: ${total(scripts).toFixed(1)} kB in ${scripts.size} files, ${verdict} ${limit} kB`)
  }
  const order = (name: string) => (usable.has(name) ? 0 : 1000) - (sizes.get(name) ?? 0)
  for (const name of [...all].sort((a, b) => order(a) - order(b)))
    console.log(`  ${(sizes.get(name) ?? 0).toFixed(1).padStart(6)}  ${name}${usable.has(name) ? '' : ', later'}`)
  console.log(`  ${total(kept).toFixed(1).padStart(6)}  in ${kept.size} files, fetched by the service worker`)
}
