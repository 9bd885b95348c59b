/**
 * `npm run budget`: the JavaScript that a first visit loads on a page, in kB of gzip -9, seen in a real browser with an
 * empty cache. A page over its limit fails the run: this is the byte budget of CI.
 */
import { gzipSync } from 'node:zlib'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import config from '../../playwright.config.ts'
import { startTestServer } from '../harness/server.ts'

/**
 * Requests within this many ms after the last one belong to the first load; dialogs that are fetched when the page is
 * idle do not.
 */
const quietMs = 2500

/**
 * Runs in the page: timers of at least this length never fire, so that a slow machine gives the same result. As text,
 * so that no compiler changes it.
 */
const leaveOutLate = `{
  const start = window.setTimeout.bind(window)
  window.setTimeout = (run, delay = 0, ...more) => (delay < ${quietMs} ? start(run, delay, ...more) : 0)
}`

/** Limits in kB (1,000 bytes). */
const limits = { '/auth': 160, '/crm/deals': 250 }

const server = await startTestServer({ webRoot: 'dist/web' })
// Pages stay open until the end: Chromium could not open another page after its last one was closed.
const browser = await chromium.launch(config.use?.launchOptions)
let over = 0
try {
  const visitor = await browser.newContext({ baseURL: server.url })
  report('/auth', await load(visitor, '/auth'))

  const member = await browser.newContext({ baseURL: server.url })
  await signUpWithBrand(await member.newPage())
  report('/crm/deals', await load(member, '/crm/deals'))
} finally {
  await browser.close()
  await server.stop()
}
process.exit(over === 0 ? 0 : 1)

/** Opens the page with an empty cache and returns the size of each script that it loads, by name. */
async function load(context: BrowserContext, path: string): Promise<Map<string, number>> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const scripts = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) scripts.add(pathname)
  })
  await page.addInitScript(leaveOutLate)
  await page.goto(path)
  await page.waitForTimeout(quietMs)

  const sizes = new Map<string, number>()
  for (const script of scripts) {
    const body = await (await fetch(server.url + script)).arrayBuffer()
    sizes.set(script, gzipSync(body, { level: 9 }).length)
  }
  return sizes
}

function report(path: keyof typeof limits, sizes: Map<string, number>) {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1000
  const verdict = total <= limits[path] ? 'within' : 'OVER'
  if (verdict === 'OVER') over += 1
  console.log(`${path}: ${total.toFixed(1)} kB in ${sizes.size} files, ${verdict} its limit of ${limits[path]} kB`)
  for (const [name, size] of [...sizes].sort((a, b) => b[1] - a[1]))
    console.log(`  ${(size / 1000).toFixed(1).padStart(6)}  ${name}`)
}

async function signUpWithBrand(page: Page) {
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Email').fill('bytes@example.com')
  await page.getByLabel('Password', { exact: true }).fill('byte-budget')
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await page.getByLabel('Brand name').fill('Byte budget')
  await page.getByRole('button', { name: 'Create Brand' }).click()
  await page.waitForURL('**/crm/overview')
}
