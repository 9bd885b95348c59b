/**
 * `npm test`: every test (unit, SQL, API, browser) with its own database and browser. `--long` runs crash loops, soak
 * tests and large data instead. Failures are listed again at the end; the last line is `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { closingLines, playwrightOutcome, vitestOutcome } from './test-report.ts'

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
if (!existsSync(chromium)) {
  console.error(`No browser at ${chromium}: install Debian's package chromium, or set CHROMIUM to its path.`)
  process.exit(1)
}

const long = process.argv.includes('--long')
// What is built below is what tests start.
const env = { ...process.env, CHROMIUM: chromium, BANYAN_BUILT: '1', ...(long ? { BANYAN_LONG: '1' } : {}) }
mkdirSync('.cache', { recursive: true })
// Read by .ci/run, which prints the failures at its end.
const summary = '.cache/test-summary.txt'
rmSync(summary, { force: true })

run('node', ['scripts/build.mjs', '--if-stale'])

// One after another: in parallel they take as long on two cores, and tests that wait reach their timeouts.
const outcomes = [vitest(), playwright()]

const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed.length, 0)
const lines = [...closingLines(outcomes), `${passed} passed, ${failed} failed`]
writeFileSync(summary, `${lines.join('\n')}\n`)
console.log(lines.join('\n'))
process.exit(failed === 0 && passed > 0 ? 0 : 1)

function vitest() {
  const path = '.cache/vitest.json'
  rmSync(path, { force: true })
  const status = run('npx', ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${path}`])
  return outcomeOf('vitest', path, status, vitestOutcome)
}

function playwright() {
  const path = '.cache/playwright.json'
  rmSync(path, { force: true })
  const status = run('npx', ['playwright', 'test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: path })
  return outcomeOf('playwright', path, status, playwrightOutcome)
}

/** The result in a report. A failed run without a reported failure counts as one failure. */
function outcomeOf(name, path, status, read) {
  if (!existsSync(path)) return { passed: 0, failed: [{ name, message: 'ended without a report' }], secondTry: [] }
  const outcome = read(JSON.parse(readFileSync(path, 'utf8')), process.cwd())
  if (status !== 0 && outcome.failed.length === 0) outcome.failed.push({ name, message: `ended with ${status}` })
  return outcome
}

function run(command, args, more = {}) {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...env, ...more } }).status ?? 1
}
