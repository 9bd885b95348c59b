/**
 * `npm run lighthouse -- [runs]`: Lighthouse on /auth, mobile, simulated throttling, the median of five runs, with the machine's
 * benchmark index beside it: figures of different machines compare only through that index.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import config from '../../playwright.config.ts'
import { startTestServer } from '../harness/server.ts'

const PORT = 9229
const runs = Number(process.argv[2] ?? 5)
const server = await startTestServer({ webRoot: 'dist/web', run: 'process' })
const results: {
  performance: number
  accessibility: number
  bestPractices: number
  lcp: number
  tbt: number
  index: number
}[] = []

for (let run = 0; run < runs; run++) {
  const { chrome, profile } = await startChrome()
  const answer = await lighthouse(`${server.url}/auth`, { port: PORT, output: 'json', logLevel: 'error' })
  chrome.kill('SIGKILL')
  // Its own processes go on writing for a moment.
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  if (answer === undefined) throw new Error('Lighthouse gave no answer.')
  const { categories, audits, environment } = answer.lhr
  results.push({
    performance: (categories.performance?.score ?? 0) * 100,
    accessibility: (categories.accessibility?.score ?? 0) * 100,
    bestPractices: (categories['best-practices']?.score ?? 0) * 100,
    lcp: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
    tbt: audits['total-blocking-time']?.numericValue ?? Number.NaN,
    index: environment.benchmarkIndex,
  })
}
await server.stop()

const median = (pick: (result: (typeof results)[number]) => number) =>
  results.map(pick).sort((a, b) => a - b)[Math.floor(results.length / 2)] ?? Number.NaN
console.log(`/auth, mobile, median of ${results.length}:`)
console.log(`  performance ${median((r) => r.performance)} (${results.map((r) => r.performance).join(' ')})`)
console.log(`  accessibility ${median((r) => r.accessibility)}, best practices ${median((r) => r.bestPractices)}`)
console.log(`  LCP ${(median((r) => r.lcp) / 1000).toFixed(2)} s, TBT ${Math.round(median((r) => r.tbt))} ms`)
console.log(`  benchmarkIndex ${median((r) => r.index)}`)

async function startChrome(): Promise<{ chrome: ChildProcess; profile: string }> {
  const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'))
  const { executablePath = '/usr/bin/chromium', args = [] } = config.use?.launchOptions ?? {}
  const flags = [
    '--headless=new',
    `--remote-debugging-port=${PORT}`,
    `--user-data-dir=${profile}`,
    ...args,
    'about:blank',
  ]
  const chrome = spawn(executablePath, flags, { stdio: 'ignore' })
  for (let tries = 0; tries < 100; tries++) {
    if ((await fetch(`http://127.0.0.1:${PORT}/json/version`).catch(() => null))?.ok) return { chrome, profile }
    await new Promise((resume) => setTimeout(resume, 100))
  }
  throw new Error('Chromium did not open its debugging port.')
}
