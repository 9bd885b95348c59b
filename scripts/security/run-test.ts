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
 * Runs named tests of one file in the project at `folder`. An outcome is red if an assertion failed or, for a test with
 * `failureText`, if the message of the failure contains this text. It is broken if the test did not run or failed with another error, because that
 * proves nothing about the attack.
 */
export function runTests(folder: string, file: string, tests: readonly NamedTest[]): Outcome[] {
  const pattern = [...new Set(tests.map(({ title }) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))].join('|')
  const results = (file.endsWith('.spec.ts') ? runPlaywright : runVitest)(folder, file, pattern)
  return tests.map((namedTest) =>
    typeof results === 'string' ? { kind: 'broken', message: results } : outcomeOf(namedTest, results),
  )
}

/** Matches the message of a failed expectation in vitest, in Playwright, and in the tests' function `refusal`. */
const assertionFailure = /AssertionError|expect\(|^Error: (expected |promise (resolved|rejected) |It was allowed)/m

function outcomeOf({ title, failureText }: NamedTest, results: readonly Result[]): Outcome {
  const ranResults = results.filter(({ name }) => name.includes(title))
  if (ranResults.length === 0) return { kind: 'broken', message: `no test is called '${title}'` }
  const failed = ranResults.filter(({ isGreen }) => !isGreen)
  const expectedFailure = failed.find(({ message }) =>
    failureText === undefined ? assertionFailure.test(message) : message.includes(failureText),
  )
  if (expectedFailure) return { kind: 'red', message: firstLines(expectedFailure.message) }
  const [otherFailure] = failed
  return otherFailure ? { kind: 'broken', message: firstLines(otherFailure.message) } : { kind: 'green' }
}

/** The arguments for tests that use PostgreSQL. With this configuration, all runs share one PostgreSQL. */
const vitestArguments = ['--config', 'scripts/mutants/vitest.config.ts', '--bail=0']

function runVitest(folder: string, test: string, pattern: string): Result[] | string {
  const report = runForReport(
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
  const ranResults = results.filter(({ status }) => status === 'passed' || status === 'failed')
  if (ranResults.length === 0)
    return firstLines(report.testResults.map(({ message = '' }) => message).join('\n')) || 'nothing ran'
  return ranResults.map(({ fullName, status, failureMessages = [] }) => ({
    name: fullName,
    isGreen: status === 'passed',
    message: failureMessages.join('\n'),
  }))
}

function runPlaywright(folder: string, test: string, pattern: string): Result[] | string {
  const args = ['playwright', 'test', test, '-g', pattern, '--retries=0', '--reporter=json']
  const report = runForReport(folder, test, args, (output) => ({ env: { PLAYWRIGHT_JSON_OUTPUT_NAME: output } }))
  return report === null ? 'the run ended without a report' : browserResults(report as PlaywrightSuite)
}

function browserResults({ title, specs = [], suites = [] }: PlaywrightSuite): Result[] {
  const ownResults = specs.flatMap((spec) =>
    spec.tests
      .flatMap(({ results }) => results)
      .map(({ status, errors = [] }) => ({
        name: `${title} ${spec.title}`,
        isGreen: status === 'passed',
        message: errors.map(({ message = '' }) => message).join('\n'),
      })),
  )
  return [...ownResults, ...suites.flatMap(browserResults)]
}

/** Runs a command that writes a JSON report, and returns the report. Null if it wrote none. */
function runForReport(
  folder: string,
  test: string,
  args: string[],
  outputOptions: (reportFile: string) => { args?: string[]; env?: Record<string, string> },
): unknown {
  const reportFile = join(folder, '.security-report.json')
  rmSync(reportFile, { force: true })
  const { args: outputArgs = [], env = {} } = outputOptions(reportFile)
  const longEnv = test.startsWith('tests/long/') ? { BANYAN_LONG: '1' } : {}
  spawnSync('npx', [...args, ...outputArgs], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, CI: '', ...longEnv, ...env },
  })
  return existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : null
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
