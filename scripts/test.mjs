/**
 * `npm test`: every test (unit, SQL, API, browser) against a database and a browser of its own; `--long` instead runs
 * crash loops, soaks and large data. The last line is `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
if (!existsSync(chromium)) {
  console.error(`No browser at ${chromium}: install Debian's package chromium, or set CHROMIUM to its path.`)
  process.exit(1)
}

const long = process.argv.includes('--long')
const env = { ...process.env, CHROMIUM: chromium, ...(long ? { BANYAN_LONG: '1' } : {}) }
mkdirSync('.cache', { recursive: true })

run('node', ['scripts/build.mjs', '--if-stale'])

const totals = [vitest(), playwright()]

const passed = totals.reduce((sum, total) => sum + total.passed, 0)
const failed = totals.reduce((sum, total) => sum + total.failed, 0)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

function vitest() {
  const report = '.cache/vitest.json'
  rmSync(report, { force: true })
  const status = run('npx', ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`])
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  const { numPassedTests, numFailedTests, success } = JSON.parse(readFileSync(report, 'utf8'))
  // A file that breaks while loading fails the run without a failed test.
  const broken = numFailedTests === 0 && (!success || status !== 0) ? 1 : 0
  return { passed: numPassedTests, failed: numFailedTests + broken }
}

function playwright() {
  const report = '.cache/playwright.json'
  rmSync(report, { force: true })
  const status = run('npx', ['playwright', 'test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  const { expected, unexpected, flaky } = JSON.parse(readFileSync(report, 'utf8')).stats
  const broken = unexpected + flaky === 0 && status !== 0 ? 1 : 0
  // In CI a browser test has a second try; Playwright lists those that needed it as flaky, and so does this line.
  if (flaky > 0) console.log(`${flaky} browser tests passed only at their second try (see "flaky" above).`)
  return { passed: expected + flaky, failed: unexpected + broken }
}

function run(command, args, more = {}) {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...env, ...more } }).status ?? 1
}
