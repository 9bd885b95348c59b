/**
 * `npm test`: runs the tests (unit, SQL, API, browser) with their own database and browser, without tests that have the tag 'long',
 * which take many seconds each. `--long` runs the tagged tests and tests/long (crash loops, soak tests, large data); `--tagged` runs
 * only the tagged tests. Lists failures again at the end; the last line is `N passed, N failed`. vitest and Playwright, called
 * directly, ignore the tag.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { failureSummary, playwrightOutcome, vitestOutcome } from './test-report.ts'

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
if (!existsSync(chromium)) {
  console.error(`No browser at ${chromium}: install Debian's package chromium, or set CHROMIUM to its path.`)
  process.exit(1)
}

/** The parts that a run can consist of, as options of vitest and Playwright. `folder`: the value of BANYAN_LONG; '1' runs tests/long. */
const parts = {
  usual: { folder: '', vitest: ['--tags-filter=!long'], playwright: ['--grep-invert', '@long'] },
  tagged: { folder: '', vitest: ['--tags-filter=long'], playwright: ['--grep', '@long'] },
  folder: { folder: '1', vitest: [], playwright: [] },
}
const hasOption = (option) => process.argv.includes(option)
const selectedParts = hasOption('--tagged')
  ? [parts.tagged]
  : hasOption('--long')
    ? [parts.tagged, parts.folder]
    : [parts.usual]
// With BANYAN_BUILT, tests start the server from dist/server, which is built below, instead of from its source files.
const env = { ...process.env, CHROMIUM: chromium, BANYAN_BUILT: '1' }
mkdirSync('.cache', { recursive: true })
// .ci/run prints this file at its end.
const summary = '.cache/test-summary.txt'
rmSync(summary, { force: true })

run('node', ['scripts/build.mjs', '--if-stale'])

// vitest and Playwright do not run in parallel: on two cores that takes as long, and tests that wait for the CPU reach their timeouts.
const outcomes = selectedParts.flatMap((part) => [vitest(part), playwright(part)])

const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed.length, 0)
const lines = [...failureSummary(outcomes), `${passed} passed, ${failed} failed`]
writeFileSync(summary, `${lines.join('\n')}\n`)
console.log(lines.join('\n'))
process.exit(failed === 0 && passed > 0 ? 0 : 1)

function vitest(part) {
  const path = '.cache/vitest.json'
  const errorsPath = '.cache/vitest-errors.json'
  for (const file of [path, errorsPath]) rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=./scripts/unhandled-errors.ts', '--reporter=json']
  const options = [...part.vitest, ...reporters, `--outputFile.json=${path}`]
  const status = run('npx', ['vitest', 'run', ...options], { BANYAN_LONG: part.folder })
  const errors = existsSync(errorsPath) ? JSON.parse(readFileSync(errorsPath, 'utf8')) : []
  return outcomeOf('vitest', path, status, (report, root) => vitestOutcome(report, root, errors))
}

function playwright(part) {
  const path = '.cache/playwright.json'
  rmSync(path, { force: true })
  const status = run('npx', ['playwright', 'test', ...part.playwright, '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: path,
    BANYAN_LONG: part.folder,
  })
  return outcomeOf('playwright', path, status, playwrightOutcome)
}

/** Reads a report. A failed run without a reported failure counts as one failure. */
function outcomeOf(name, path, status, read) {
  if (!existsSync(path)) return { passed: 0, failed: [{ name, message: 'ended without a report' }], secondTry: [] }
  const outcome = read(JSON.parse(readFileSync(path, 'utf8')), process.cwd())
  if (status !== 0 && outcome.failed.length === 0) outcome.failed.push({ name, message: `ended with ${status}` })
  return outcome
}

function run(command, args, more = {}) {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...env, ...more } }).status ?? 1
}
