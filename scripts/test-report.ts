import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** A test to report, with its first failure. */
interface ReportedTest {
  name: string
  message: string
}

/** The result of a run of vitest or Playwright. */
export interface Outcome {
  passed: number
  failed: ReportedTest[]
  /** Tests that passed, but only in a retry. */
  secondTry: ReportedTest[]
}

/** Matches the message of a test that reached its time limit, in vitest's JSON report. */
const timeLimitMessage = /^Error: STACK_TRACE_ERROR/

/** The parts of vitest's JSON report that are used. */
export interface VitestReport {
  success: boolean
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages?: string[] }[]
  }[]
}

/** An error outside of all tests, as `unhandled-errors.ts` writes it. */
export interface UnhandledError {
  message: string
  stack?: string
  /** The path of the test file that was running. The error may be of an earlier file. */
  path?: string
}

interface PlaywrightSuite {
  title: string
  specs?: {
    title: string
    file: string
    line: number
    tests: { status: string; results: { error?: { message?: string } }[] }[]
  }[]
  suites?: PlaywrightSuite[]
}

/** The parts of Playwright's JSON report that are used. */
export interface PlaywrightReport {
  config: { rootDir: string }
  suites: PlaywrightSuite[]
  errors: { message?: string }[]
  stats: { expected: number; flaky: number }
}

/**
 * Reads vitest's report, and the errors outside of all tests, which that report lacks. Paths are relative to `root`. A file that cannot be loaded,
 * and an error outside of all tests, count as one failure each.
 */
export function vitestOutcome(
  { testResults, success }: VitestReport,
  root: string,
  unhandled: readonly UnhandledError[] = [],
): Outcome {
  const tests = testResults.flatMap((file) =>
    file.assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
      status,
      name: [relative(root, file.name), ...ancestorTitles, title].join(' > '),
      message: firstLines(failureMessages?.[0]?.replace(timeLimitMessage, 'Error: The test reached its time limit.')),
    })),
  )
  const failed: ReportedTest[] = tests.filter(({ status }) => status === 'failed')
  for (const file of testResults) {
    const hasFailedTest = file.assertionResults.some(({ status }) => status === 'failed')
    if (file.status === 'failed' && !hasFailedTest)
      failed.push({ name: relative(root, file.name), message: firstLines(file.message) })
  }
  for (const { message, stack, path } of unhandled) {
    const file = path ? relative(root, path) : 'vitest'
    failed.push({ name: `${file} > outside of all tests`, message: firstLines(stack ?? message) })
  }
  if (!success && failed.length === 0)
    failed.push({ name: 'vitest', message: 'an error outside of all tests; see above' })
  const passed = tests.filter(({ status }) => status === 'passed')
  // A test that passed although it has a failure message was retried.
  return { passed: passed.length, failed, secondTry: passed.filter(({ message }) => message !== '') }
}

/** Reads Playwright's report. Paths are relative to `root`. */
export function playwrightOutcome({ config, suites, errors, stats }: PlaywrightReport, root: string): Outcome {
  const folder = relative(root, config.rootDir)
  const tests = suites.flatMap((suite) => testsOf(suite, folder, []))
  const failed: ReportedTest[] = tests.filter(({ status }) => status === 'unexpected')
  for (const { message } of errors) failed.push({ name: 'playwright', message: firstLines(message) })
  return { passed: stats.expected + stats.flaky, failed, secondTry: tests.filter(({ status }) => status === 'flaky') }
}

/** Returns the summary for the end of the output. Empty if no test failed or was retried. */
export function failureSummary(outcomes: readonly Outcome[]): string[] {
  const failed = outcomes.flatMap((outcome) => outcome.failed)
  const secondTry = outcomes.flatMap((outcome) => outcome.secondTry)
  return [...titledLines('Failed', failed), ...titledLines('Passed only at their second try', secondTry)]
}

function titledLines(title: string, tests: readonly ReportedTest[]): string[] {
  if (tests.length === 0) return []
  const lines = tests.flatMap(({ name, message }) => [name, message.replaceAll(/^/gm, '    ')])
  return [`\n== ${title} (${tests.length})`, ...lines]
}

function testsOf(
  suite: PlaywrightSuite,
  folder: string,
  titles: readonly string[],
): (ReportedTest & { status: string })[] {
  const ownTests = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map(({ status, results }) => ({
      status,
      name: [`${join(folder, spec.file)}:${spec.line}`, ...titles, spec.title].join(' > '),
      message: firstLines(results.find(({ error }) => error)?.error?.message),
    })),
  )
  return [
    ...ownTests,
    ...(suite.suites ?? []).flatMap((innerSuite) => testsOf(innerSuite, folder, [...titles, innerSuite.title])),
  ]
}

/**
 * Returns the first 12 lines of a message, each up to 240 characters: the expectation, the result, and the line of code. Leaves out empty lines
 * and lines about packages in node_modules.
 */
function firstLines(message = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('/node_modules/'))
  return lines
    .slice(0, 12)
    .map((line) => line.slice(0, 240))
    .join('\n')
}
