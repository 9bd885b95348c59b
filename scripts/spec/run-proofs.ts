import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Proof } from './titles.ts'

/** The failure message of a test. Null if it passed. */
export type FailureMessage = string | null

interface PlaywrightSuite {
  file?: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: { results: PlaywrightResult[] }[] }[]
}

interface PlaywrightResult {
  status: string
  errors?: { message?: string }[]
}

interface VitestReport {
  testResults: { message?: string; assertionResults: VitestResult[] }[]
}

interface VitestResult {
  title: string
  status: string
  failureMessages?: string[]
}

/**
 * Runs these tests in the project at `folder`, with its built app. Returns the failure message of each test, by its full
 * title. A title is missing if no test with this title ran.
 */
export function runProofs(folder: string, proofs: readonly Proof[]): Map<string, FailureMessage> {
  const messages = new Map<string, FailureMessage>()
  for (const kind of ['.spec.ts', '.test.ts']) {
    const selected = proofs.filter(({ file }) => file.endsWith(kind))
    if (selected.length === 0) continue
    const report = kind === '.spec.ts' ? runPlaywright(folder, selected) : runVitest(folder, selected)
    for (const [title, message] of report) messages.set(title, messages.get(title) ?? message)
  }
  return messages
}

/** Returns the title of a test as its file has it: `spec <section>: <title>`. The reports have it in the field `title`. */
export function titleOf({ section, title }: Proof): string {
  return `spec ${section}: ${title}`
}

function runPlaywright(folder: string, proofs: readonly Proof[]): [string, FailureMessage][] {
  const args = ['playwright', 'test', ...filesOf(proofs), '-g', patternOf(proofs), '--retries=0', '--reporter=json']
  const report = runForReport(folder, args, 'PLAYWRIGHT_JSON_OUTPUT_NAME') as PlaywrightSuite | null
  return report ? browserResults(report) : []
}

function browserResults({ specs = [], suites = [] }: PlaywrightSuite): [string, FailureMessage][] {
  const ownMessages = specs.flatMap(({ title, tests }) =>
    tests
      .flatMap(({ results }) => results)
      .map((result): [string, FailureMessage] => [title, result.status === 'passed' ? null : browserMessage(result)]),
  )
  return [...ownMessages, ...suites.flatMap(browserResults)]
}

/**
 * Returns the error that names an expectation, because a timeout alone explains nothing. If there is no such error, returns the first error, or
 * the status.
 */
function browserMessage({ status, errors = [] }: PlaywrightResult): string {
  const messages = errors.map(({ message = '' }) => message)
  return firstLines(messages.find((message) => /locator|expect/i.test(message)) ?? messages[0] ?? status)
}

function runVitest(folder: string, proofs: readonly Proof[]): [string, FailureMessage][] {
  const reportPath = join(folder, '.proofs.json')
  const args = ['vitest', 'run', ...filesOf(proofs), '-t', patternOf(proofs), '--reporter=json']
  const report = runForReport(folder, [...args, `--outputFile.json=${reportPath}`]) as VitestReport | null
  return (report?.testResults ?? []).flatMap(({ message, assertionResults }) => {
    const ran = assertionResults.filter(({ status }) => status === 'passed' || status === 'failed')
    // A file that fails to load has a message and no test.
    if (ran.length === 0 && message) return proofs.map((proof): [string, FailureMessage] => [titleOf(proof), message])
    return ran.map(({ title, status, failureMessages = [] }): [string, FailureMessage] => {
      return [title, status === 'passed' ? null : firstLines(failureMessages.join('\n'))]
    })
  })
}

/** Runs a command that writes a JSON report, and returns the report. Null if it wrote none. */
function runForReport(folder: string, args: string[], pathVariable?: string): unknown {
  const reportFile = join(folder, '.proofs.json')
  rmSync(reportFile, { force: true })
  const env = { ...process.env, CI: '', ...(pathVariable && { [pathVariable]: reportFile }) }
  spawnSync('npx', args, { cwd: folder, stdio: 'ignore', env })
  return existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : null
}

function filesOf(proofs: readonly Proof[]): string[] {
  return [...new Set(proofs.map(({ file }) => file))]
}

function patternOf(proofs: readonly Proof[]): string {
  return proofs.map((proof) => titleOf(proof).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
}

/** Returns the first six lines of a message without colours, stack frames and empty lines: at most 400 characters. */
function firstLines(message: string): string {
  const escape = String.fromCharCode(27)
  const lines = message
    .split(`${escape}[`)
    .map((part, index) => (index === 0 ? part : part.replace(/^\d+m/, '')))
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '))
  return lines.slice(0, 6).join(' | ').slice(0, 400)
}
