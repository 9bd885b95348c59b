import { expect, test } from 'vitest'
import { failureSummary, playwrightOutcome, type VitestReport, vitestOutcome } from './test-report.ts'

const root = '/home/ana/crm'

type ReportedFile = VitestReport['testResults'][number]

function vitestFile(
  assertionResults: ReportedFile['assertionResults'],
  overrides: Partial<ReportedFile> = {},
): ReportedFile {
  return { name: `${root}/src/a.test.ts`, status: 'passed', message: '', assertionResults, ...overrides }
}

/** Returns a test, as the report of a file lists it. */
function assertion(title: string, status: string, failureMessages: string[] = []) {
  return { ancestorTitles: ['sums'], title, status, failureMessages }
}

test('the report of vitest has failed tests with their names and reasons, tests that passed in a retry, and files that cannot be loaded', () => {
  const trace = 'AssertionError: expected 1 to be 2\n    at src/a.test.ts:3:1\n    at file:///crm/node_modules/x.js:1:1'
  const outcome = vitestOutcome(
    {
      success: false,
      testResults: [
        vitestFile(
          [assertion('adds', 'passed'), assertion('waits', 'passed', [trace]), assertion('rounds', 'failed', [trace])],
          {
            status: 'failed',
          },
        ),
        vitestFile([], { name: `${root}/src/b.test.ts`, status: 'failed', message: 'no such module' }),
      ],
    },
    root,
  )
  expect(outcome.passed).toBe(2)
  expect(failureSummary([outcome])).toEqual([
    '\n== Failed (2)',
    'src/a.test.ts > sums > rounds',
    '    AssertionError: expected 1 to be 2\n        at src/a.test.ts:3:1',
    'src/b.test.ts',
    '    no such module',
    '\n== Passed only at their second try (1)',
    'src/a.test.ts > sums > waits',
    '    AssertionError: expected 1 to be 2\n        at src/a.test.ts:3:1',
  ])
})

test('the report of vitest says that a test reached its time limit', () => {
  const trace = 'Error: STACK_TRACE_ERROR\n    at src/a.test.ts:3:1'
  const testResults = [vitestFile([assertion('waits', 'failed', [trace])], { status: 'failed' })]
  const { failed } = vitestOutcome({ success: false, testResults }, root)
  expect(failed[0]?.message).toBe('Error: The test reached its time limit.\n    at src/a.test.ts:3:1')
})

test('the report of vitest counts an error outside of all tests as a failure', () => {
  const { failed } = vitestOutcome({ success: false, testResults: [vitestFile([assertion('adds', 'passed')])] }, root)
  expect(failed.map(({ name }) => name)).toEqual(['vitest'])
})

test('the report of vitest has each error outside of all tests, with the file that was running', () => {
  const stack = 'Error: Closing rpc\n    at src/a.ts:3:1'
  const { failed, passed } = vitestOutcome(
    { success: true, testResults: [vitestFile([assertion('adds', 'passed')])] },
    root,
    [{ message: 'Closing rpc', stack, path: `${root}/src/a.test.ts` }, { message: 'no stack' }],
  )
  expect(passed).toBe(1)
  expect(failed).toEqual([
    { name: 'src/a.test.ts > outside of all tests', message: stack },
    { name: 'vitest > outside of all tests', message: 'no stack' },
  ])
})

test('the report of Playwright has tests in nested groups, and errors that happened before any test', () => {
  const error = { message: '\u001B[31mError: the card is not there\u001B[39m' }
  const spec = (title: string, status: string, results: object[]) => ({
    title,
    file: 'deals.spec.ts',
    line: 7,
    tests: [{ status, results }],
  })
  const report = {
    config: { rootDir: `${root}/tests/e2e` },
    stats: { expected: 1, flaky: 1 },
    errors: [{ message: 'Error: no server' }],
    suites: [
      {
        title: 'deals.spec.ts',
        specs: [spec('moves', 'expected', [{}])],
        suites: [
          {
            title: 'by touch',
            specs: [spec('lifts', 'flaky', [{ error }, {}]), spec('drops', 'unexpected', [{ error }, { error }])],
          },
        ],
      },
    ],
  }
  const outcome = playwrightOutcome(report, root)
  expect(outcome.passed).toBe(2)
  expect(failureSummary([outcome])).toEqual([
    '\n== Failed (2)',
    'tests/e2e/deals.spec.ts:7 > by touch > drops',
    '    Error: the card is not there',
    'playwright',
    '    Error: no server',
    '\n== Passed only at their second try (1)',
    'tests/e2e/deals.spec.ts:7 > by touch > lifts',
    '    Error: the card is not there',
  ])
})

test('the summary of failures is empty if all tests passed without a retry', () => {
  expect(
    failureSummary([vitestOutcome({ success: true, testResults: [vitestFile([assertion('adds', 'passed')])] }, root)]),
  ).toEqual([])
})
