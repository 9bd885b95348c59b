import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** What running one test said. `none` when no test has the title: that is a fault of the table, not a red test. */
export type ProofRun = { result: 'green' } | { result: 'none' } | { result: 'red'; message: string }

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs?: { tests: { results: { status: string; error?: { message?: string } }[] }[] }[]
}

interface VitestReport {
  testResults: { message?: string; assertionResults: { status: string; failureMessages?: string[] }[] }[]
}

/** Runs the one test of this title in the project at `folder`, with the app that is built there. */
export function runProof(folder: string, file: string, title: string): ProofRun {
  const pattern = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const report = join(folder, '.proof.json')
  rmSync(report, { force: true })
  const isBrowser = file.endsWith('.spec.ts')
  const command = isBrowser
    ? ['playwright', 'test', file, '-g', pattern, '--retries=0', '--workers=1', '--reporter=json']
    : ['vitest', 'run', file, '-t', pattern, '--reporter=json', `--outputFile.json=${report}`]
  const env = { ...process.env, CI: '', PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  spawnSync('npx', command, { cwd: folder, stdio: 'ignore', env })
  const text = readFileSync(report, 'utf8')
  const messages = isBrowser ? browserMessages(JSON.parse(text)) : vitestMessages(JSON.parse(text))
  if (messages.length === 0) return { result: 'none' }
  const red = messages.find((message) => message !== null)
  return red === undefined || red === null ? { result: 'green' } : { result: 'red', message: shortened(red) }
}

/** For each test that ran: null when it passed, otherwise what it said. */
function browserMessages(suite: PlaywrightSuite): (string | null)[] {
  const own = (suite.specs ?? [])
    .flatMap((spec) => spec.tests)
    .flatMap((test) => test.results)
    .map(({ status, error }) => (status === 'passed' ? null : (error?.message ?? status)))
  return [...own, ...(suite.suites ?? []).flatMap(browserMessages)]
}

function vitestMessages(report: VitestReport): (string | null)[] {
  return report.testResults.flatMap(({ message, assertionResults }) => {
    const ran = assertionResults.filter(({ status }) => status === 'passed' || status === 'failed')
    // A file that breaks while it loads has a message and no test.
    if (ran.length === 0 && message) return [message]
    return ran.map(({ status, failureMessages }) => (status === 'passed' ? null : (failureMessages ?? []).join(' ')))
  })
}

/** The lines that say what was looked for and what was found instead, without colours. */
function shortened(message: string): string {
  const escape = String.fromCharCode(27)
  const lines = message
    .split(`${escape}[`)
    .map((part, index) => (index === 0 ? part : part.replace(/^\d+m/, '')))
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '))
  return lines.slice(0, 5).join(' | ').slice(0, 400)
}
