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

/** The parts that a run can consist of, as options of vitest and Playwright. `banyanLong`: the value of BANYAN_LONG; '1' runs tests/long. */
const partOptions = {
  usual: { banyanLong: '', vitest: ['--tags-filter=!long'], playwright: ['--grep-invert', '@long'] },
  tagged: { banyanLong: '', vitest: ['--tags-filter=long'], playwright: ['--grep', '@long'] },
  longFolder: { banyanLong: '1', vitest: [], playwright: [] },
}
const hasOption = (option) => process.argv.includes(option)
const selectedParts = hasOption('--tagged')
  ? [partOptions.tagged]
  : hasOption('--long')
    ? [partOptions.tagged, partOptions.longFolder]
    : [partOptions.usual]
// With BANYAN_BUILT, tests start the server from dist/server, which is built below, instead of from its source files.
const env = { ...process.env, CHROMIUM: chromium, BANYAN_BUILT: '1' }
mkdirSync('.cache', { recursive: true })
// `.ci/run` prints this file when it ends.
const summaryFile = '.cache/test-summary.txt'
rmSync(summaryFile, { force: true })

run('node', ['scripts/build.mjs', '--if-stale'])

// vitest and Playwright do not run in parallel: on two cores that takes as long, and tests that wait for the CPU reach their timeouts.
const outcomes = selectedParts.flatMap((part) => [runVitest(part), runPlaywright(part)])

const passedCount = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
const failedCount = outcomes.reduce((sum, outcome) => sum + outcome.failed.length, 0)
const summaryLines = [...failureSummary(outcomes), `${passedCount} passed, ${failedCount} failed`]
writeFileSync(summaryFile, `${summaryLines.join('\n')}\n`)
console.log(summaryLines.join('\n'))
process.exit(failedCount === 0 && passedCount > 0 ? 0 : 1)

function runVitest(part) {
  const reportFile = '.cache/vitest.json'
  const errorsFile = '.cache/vitest-errors.json'
  for (const file of [reportFile, errorsFile]) rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=./scripts/unhandled-errors.ts', '--reporter=json']
  const options = [...part.vitest, ...reporters, `--outputFile.json=${reportFile}`]
  const status = run('npx', ['vitest', 'run', ...options], { BANYAN_LONG: part.banyanLong })
  const errors = existsSync(errorsFile) ? JSON.parse(readFileSync(errorsFile, 'utf8')) : []
  return outcomeOf('vitest', reportFile, status, (report, root) => vitestOutcome(report, root, errors))
}

function runPlaywright(part) {
  const reportFile = '.cache/playwright.json'
  rmSync(reportFile, { force: true })
  const status = run('npx', ['playwright', 'test', ...part.playwright, '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile,
    BANYAN_LONG: part.banyanLong,
  })
  return outcomeOf('playwright', reportFile, status, playwrightOutcome)
}

/** Reads a report. A missing report, and a failed run without a reported failure, count as one failure each. */
function outcomeOf(name, reportFile, status, readOutcome) {
  if (!existsSync(reportFile))
    return { passed: 0, failed: [{ name, message: 'ended without a report' }], secondTry: [] }
  const outcome = readOutcome(JSON.parse(readFileSync(reportFile, 'utf8')), process.cwd())
  if (status !== 0 && outcome.failed.length === 0) outcome.failed.push({ name, message: `ended with ${status}` })
  return outcome
}

function run(command, args, extraEnv = {}) {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...env, ...extraEnv } }).status ?? 1
}
