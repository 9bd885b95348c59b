/**
 * `npm run lighthouse -- [runs] [paths]`: runs Lighthouse for mobile with simulated throttling. Prints the median of the runs (five by default) of
 * each page, and the machine's benchmark index, which is needed to compare machines. /auth is opened without a session, the other pages by a user of
 * the demo brand with 200 deals. The HTTP cache is empty.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import config from '../../playwright.config.ts'
import { fillDemoBrand } from '../../scripts/demo/fill.ts'
import { owner } from '../../scripts/demo/records.ts'
import { signInByScreen } from '../harness/browser.ts'
import { testClient } from '../harness/client.ts'
import { startTestServer } from '../harness/server.ts'

const debuggingPort = 9229
const dealCount = 200
const [runs = 5, ...paths] = process.argv
  .slice(2)
  .map((argument) => (argument.startsWith('/') ? argument : Number(argument))) as [number?, ...string[]]
const server = await startTestServer({ webRoot: 'dist/web', run: 'process' })

interface Result {
  performance: number
  accessibility: number
  bestPractices: number
  lcp: number
  tbt: number
  cls: number
  index: number
}

await fillDemoBrand(() => testClient(server))
await addDeals()
for (const path of paths.length > 0 ? paths : ['/auth', '/crm/deals', '/crm/contacts']) await measure(path)
await server.stop()
// The connection to the tests' database would keep the process running.
process.exit(0)

async function measure(path: string): Promise<void> {
  const results: Result[] = []
  for (let run = 0; run < runs; run++) results.push(await measureOnce(path))
  const median = (read: (result: Result) => number) =>
    results.map(read).sort((a, b) => a - b)[Math.floor(results.length / 2)] ?? Number.NaN
  console.log(`${path}, mobile, median of ${results.length}:`)
  console.log(`  performance ${median((r) => r.performance)} (${results.map((r) => r.performance).join(' ')})`)
  console.log(`  accessibility ${median((r) => r.accessibility)}, best practices ${median((r) => r.bestPractices)}`)
  const times = `LCP ${(median((r) => r.lcp) / 1000).toFixed(2)} s (${results.map((r) => (r.lcp / 1000).toFixed(2)).join(' ')}), TBT ${Math.round(median((r) => r.tbt))} ms`
  console.log(`  ${times}, CLS ${median((r) => r.cls).toFixed(3)}, benchmarkIndex ${median((r) => r.index)}`)
}

async function measureOnce(path: string): Promise<Result> {
  const { chrome, profile } = await startChrome()
  const isSignedIn = path.startsWith('/crm')
  if (isSignedIn) await signIn(path)
  const flags = { port: debuggingPort, output: 'json', logLevel: 'error', disableStorageReset: isSignedIn } as const
  const result = await lighthouse(server.url + path, flags)
  // Kills the whole process group: a process that is still running would write into the profile folder while it is removed.
  if (chrome.pid) process.kill(-chrome.pid, 'SIGKILL')
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  if (result === undefined) throw new Error('Lighthouse returned no result.')
  const { categories, audits, environment, finalDisplayedUrl } = result.lhr
  if (new URL(finalDisplayedUrl).pathname !== path) throw new Error(`${path} led to ${finalDisplayedUrl}`)
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
  return {
    performance: Math.round((categories.performance?.score ?? 0) * 100),
    accessibility: (categories.accessibility?.score ?? 0) * 100,
    bestPractices: (categories['best-practices']?.score ?? 0) * 100,
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    index: environment.benchmarkIndex,
  }
}

/** Signs in within the browser that Lighthouse uses, and clears the browser's HTTP cache. The session and the local rows remain. */
async function signIn(path: string): Promise<void> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${debuggingPort}`)
  const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage()
  await page.goto(server.url + path)
  await signInByScreen(page, owner.email, owner.password)
  await page.waitForURL(`**${path}`)
  // The page is closed before it installs its service worker, 3 s after its start: with the worker's cache, the run would not
  // measure a first load.
  await page.waitForLoadState('networkidle')
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await page.close()
  await browser.close()
}

/** Adds deals, because the demo brand has fewer than a real team. */
async function addDeals(): Promise<void> {
  const client = testClient(server)
  await client.auth.signInWithPassword({ email: owner.email, password: owner.password })
  const { data: stages } = await client.from('deal_stages').select('id, brand_id').order('position')
  const { count } = await client.from('deals').select('id', { count: 'exact', head: true })
  const newDeals = Array.from({ length: Math.max(0, dealCount - (count ?? 0)) }, (_, i) => {
    const stage = stages?.[i % stages.length]
    return { id: randomUUID(), brand_id: stage?.brand_id, stage_id: stage?.id, name: `Deal ${i + 1}`, amount: i * 100 }
  })
  const { error } = await client.from('deals').insert(newDeals)
  if (error) throw new Error(error.message)
}

async function startChrome(): Promise<{ chrome: ChildProcess; profile: string }> {
  const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'))
  const { executablePath = '/usr/bin/chromium', args = [] } = config.use?.launchOptions ?? {}
  const flags = [
    '--headless=new',
    `--remote-debugging-port=${debuggingPort}`,
    `--user-data-dir=${profile}`,
    ...args,
    'about:blank',
  ]
  const chrome = spawn(executablePath, flags, { stdio: 'ignore', detached: true })
  for (let tries = 0; tries < 100; tries++) {
    if ((await fetch(`http://127.0.0.1:${debuggingPort}/json/version`).catch(() => null))?.ok)
      return { chrome, profile }
    await new Promise((resume) => setTimeout(resume, 100))
  }
  throw new Error('Chromium did not open its debugging port.')
}
