/**
 * `npm run budget`: measures the JavaScript that a page loads on a first visit, in kB (1,000 bytes) of gzip -9, in a real browser without
 * files of the app. On the board, the user is signed in, and the local database has the rows. Two figures per page:
 *
 * - until usable: the files requested until the page is usable. It is usable when its main content is visible (on /auth the e-mail field,
 *   on the board the first card), the live socket of the board has received its first message, and the main thread is idle after that.
 * - in all: the files requested until 10 s later.
 *
 * The page itself, the style sheet and the fonts have figures and limits of their own: what is loaded in all.
 *
 * Timers, caches and workers of the page are unchanged. The sum of the files that the service worker fetches for offline use is printed too. It has
 * no limit, because no page waits for these files. The run fails if a figure is over its limit: this is the byte budget of CI.
 */
import { extname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import config from '../../playwright.config.ts'
import { cardsOf, personWithDeals } from '../e2e/deal-seeds.ts'
import { openAs } from '../harness/browser.ts'
import { startTestServer } from '../harness/server.ts'

/** Time to wait after the page is usable (ms). */
const idleMs = 10_000

const dealName = 'Acme renewal'

/** Limits in kB. */
const limits = {
  '/auth': { usable: 98, all: 98 },
  '/crm/deals': { usable: 227, all: 243 },
}

/** The other files of a first visit: how their paths end, and their limits in kB. Fonts are compressed already. */
const otherFiles = [
  { kind: 'page', end: '', limit: 2.5 },
  { kind: 'style sheet', end: '.css', limit: 23 },
  { kind: 'fonts', end: '.woff2', limit: 30 },
]

interface Load {
  usable: ReadonlySet<string>
  /** Resolves when `idleMs` have passed after the page was usable. */
  later: Promise<{
    all: ReadonlySet<string>
    /** The page, style sheets and fonts. */
    others: ReadonlySet<string>
    /** Files that the service worker fetched. */
    byServiceWorker: ReadonlySet<string>
  }>
}

const server = await startTestServer({ webRoot: 'dist/web' })
const browser = await chromium.launch(config.use?.launchOptions)
let exceededLimits = 0
try {
  const signedOutContext = await browser.newContext({ baseURL: server.url })
  const authLoad = await loadPage(signedOutContext, '/auth', waitForEmailField)
  const memberContext = await openSignedInContext(browser)
  const boardLoad = await loadPage(memberContext, '/crm/deals', waitForLiveCards)
  await report('/auth', authLoad)
  await report('/crm/deals', boardLoad)
} finally {
  await browser.close()
  await server.stop()
}
process.exit(exceededLimits === 0 ? 0 : 1)

async function loadPage(
  context: BrowserContext,
  path: string,
  untilUsable: (page: Page) => Promise<void>,
): Promise<Load> {
  const requested = new Set<string>()
  const byServiceWorker = new Set<string>()
  const others = new Set([path])
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) (request.serviceWorker() ? byServiceWorker : requested).add(pathname)
    else if (/\.(css|woff2)$/.test(pathname) && !request.serviceWorker()) others.add(pathname)
  })
  const page = await context.newPage()
  const becameUsable = untilUsable(page)
  await page.goto(path)
  await becameUsable
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  const usable = new Set(requested)
  const later = page
    .waitForTimeout(idleMs)
    .then(() => ({ all: new Set(requested), others, byServiceWorker: new Set(byServiceWorker) }))
  return { usable, later }
}

async function waitForEmailField(page: Page): Promise<void> {
  await page.getByLabel('Email').waitFor()
}

/** Waits until the first card is shown and the live socket has received its first message. Prints the time between the two events. */
async function waitForLiveCards(page: Page): Promise<void> {
  // Checks in every animation frame: a locator may check half a second later.
  const cardShownAt = page.waitForFunction(() => document.querySelector('[data-deal]') && Date.now())
  const joinedAt = page
    .waitForEvent('websocket')
    .then((socket) => socket.waitForEvent('framereceived'))
    .then(() => Date.now())
  console.log(
    `/crm/deals: live ${(await joinedAt) - Number(await (await cardShownAt).jsonValue())} ms after its first card`,
  )
}

/** Returns a browser context with the session and the rows of a user with a deal, and without files of the app. */
async function openSignedInContext(browser: Browser): Promise<BrowserContext> {
  const person = await personWithDeals(server, [{ name: dealName }])
  const setupContext = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  const page = await setupContext.newPage()
  await openAs(page, person, '/crm/deals')
  await cardsOf(page, dealName).waitFor()
  // When the network is idle, the rows are stored.
  await page.waitForLoadState('networkidle')
  const storageState = await setupContext.storageState({ indexedDB: true })
  await setupContext.close()
  return browser.newContext({ baseURL: server.url, storageState })
}

async function report(path: keyof typeof limits, { usable, later }: Load) {
  const { all, others, byServiceWorker } = await later
  const sizes = new Map<string, number>()
  for (const file of new Set([...all, ...others, ...byServiceWorker])) {
    const body = await (await fetch(server.url + file)).arrayBuffer()
    sizes.set(file, gzipSync(body, { level: 9 }).length / 1000)
  }
  const total = (scripts: ReadonlySet<string>) =>
    [...scripts].reduce((sum, script) => sum + (sizes.get(script) ?? 0), 0)
  const judge = (what: string, files: ReadonlySet<string>, limit: number) => {
    const verdict = total(files) <= limit ? 'within' : 'OVER'
    if (verdict === 'OVER') exceededLimits += 1
    console.log(`${path}, ${what}: ${total(files).toFixed(1)} kB in ${files.size} files, ${verdict} ${limit} kB`)
  }
  judge('until usable', usable, limits[path].usable)
  judge('in all', all, limits[path].all)
  for (const { kind, end, limit } of otherFiles)
    judge(kind, new Set([...others].filter((file) => extname(file) === end)), limit)
  const sortKey = (name: string) => (usable.has(name) ? 0 : 1000) - (sizes.get(name) ?? 0)
  for (const name of [...all].sort((a, b) => sortKey(a) - sortKey(b)))
    console.log(`  ${(sizes.get(name) ?? 0).toFixed(1).padStart(6)}  ${name}${usable.has(name) ? '' : ', later'}`)
  console.log(
    `  ${total(byServiceWorker).toFixed(1).padStart(6)}  in ${byServiceWorker.size} files, fetched by the service worker`,
  )
}
