import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A test, named by a part of its full name. `failureText`: see `SecurityBreak`. */
export interface NamedTest {
  title: string
  failureText?: string
}

export type Outcome = { kind: 'green' } | { kind: 'red'; message: string } | { kind: 'broken'; message: string }

interface VitestReport {
  testResults: { name: string; message?: string; assertionResults: VitestResult[] }[]
}

interface VitestResult {
  fullName: string
  status: string
  failureMessages?: string[]
}

interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: { results: PlaywrightResult[] }[] }[]
}

interface PlaywrightResult {
  status: string
  errors?: { message?: string }[]
}

interface Result {
  name: string
  isGreen: boolean
  message: string
}

/**
 * Runs named tests of one file in the project at `folder`. An outcome is red if an assertion failed. It is broken if the test did
 * not run or failed with another error, because that proves nothing about the attack.
 */
export function runTests(folder: string, file: string, tests: readonly NamedTest[]): Outcome[] {
  const pattern = [...new Set(tests.map(({ title }) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))].join('|')
  const results = (file.endsWith('.spec.ts') ? runPlaywright : runVitest)(folder, file, pattern)
  return tests.map((one) =>
    typeof results === 'string' ? { kind: 'broken', message: results } : outcomeOf(one, results),
  )
}

/** Matches the message of a failed expectation in vitest, in Playwright, and in the tests' function `refusal`. */
const assertionFailure = /AssertionError|expect\(|^Error: (expected |promise (resolved|rejected) |It was allowed)/m

function outcomeOf({ title, failureText }: NamedTest, results: readonly Result[]): Outcome {
  const ran = results.filter(({ name }) => name.includes(title))
  if (ran.length === 0) return { kind: 'broken', message: `no test is called '${title}'` }
  const failed = ran.filter(({ isGreen }) => !isGreen)
  const asserted = failed.find(({ message }) =>
    failureText === undefined ? assertionFailure.test(message) : message.includes(failureText),
  )
  if (asserted) return { kind: 'red', message: firstLines(asserted.message) }
  const [other] = failed
  return other ? { kind: 'broken', message: firstLines(other.message) } : { kind: 'green' }
}

/** The arguments for tests that use PostgreSQL. With this configuration, all runs share one PostgreSQL. */
const vitestArguments = ['--config', 'scripts/mutants/vitest.config.ts', '--bail=0']

function runVitest(folder: string, test: string, pattern: string): Result[] | string {
  const report = run(
    folder,
    test,
    [
      'vitest',
      'run',
      ...(/^(scripts|tests\/long)\//.test(test) ? [] : vitestArguments),
      test,
      '-t',
      pattern,
      '--reporter=json',
    ],
    (output) => ({
      args: [`--outputFile.json=${output}`],
    }),
  ) as VitestReport | null
  if (report === null) return 'the run ended without a report'
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const ran = results.filter(({ status }) => status === 'passed' || status === 'failed')
  if (ran.length === 0)
    return firstLines(report.testResults.map(({ message = '' }) => message).join('\n')) || 'nothing ran'
  return ran.map(({ fullName, status, failureMessages = [] }) => ({
    name: fullName,
    isGreen: status === 'passed',
    message: failureMessages.join('\n'),
  }))
}

function runPlaywright(folder: string, test: string, pattern: string): Result[] | string {
  const args = ['playwright', 'test', test, '-g', pattern, '--retries=0', '--reporter=json']
  const report = run(folder, test, args, (output) => ({ env: { PLAYWRIGHT_JSON_OUTPUT_NAME: output } }))
  return report === null ? 'the run ended without a report' : browserResults(report as PlaywrightSuite)
}

function browserResults({ title, specs = [], suites = [] }: PlaywrightSuite): Result[] {
  const own = specs.flatMap((spec) =>
    spec.tests
      .flatMap(({ results }) => results)
      .map(({ status, errors = [] }) => ({
        name: `${title} ${spec.title}`,
        isGreen: status === 'passed',
        message: errors.map(({ message = '' }) => message).join('\n'),
      })),
  )
  return [...own, ...suites.flatMap(browserResults)]
}

/** Runs a command that writes a JSON report, and returns the report. Null if it wrote none. */
function run(
  folder: string,
  test: string,
  args: string[],
  more: (output: string) => { args?: string[]; env?: Record<string, string> },
): unknown {
  const output = join(folder, '.security-report.json')
  rmSync(output, { force: true })
  const { args: outputArgs = [], env = {} } = more(output)
  const long = test.startsWith('tests/long/') ? { BANYAN_LONG: '1' } : {}
  spawnSync('npx', [...args, ...outputArgs], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, CI: '', ...long, ...env },
  })
  return existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : null
}

/** Returns the first four lines of a message without colours, stack frames and empty lines: at most 240 characters. */
function firstLines(message: string): string {
  const escape = String.fromCharCode(27)
  const lines = message
    .split(`${escape}[`)
    .map((part, index) => (index === 0 ? part : part.replace(/^\d+m/, '')))
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '))
  return lines.slice(0, 4).join(' | ').slice(0, 240)
}
