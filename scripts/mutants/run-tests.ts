import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The outcome of a test run. */
export interface Verdict {
  /**
   * `file: title` of the first test that failed, the file alone if it failed as a whole, 'the time limit', or 'the test run' for another
   * failure. Null if all passed.
   */
  by: string | null
  message: string
  isTimeout: boolean
  seconds: number
}

interface JsonReport {
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; title: string; failureMessages?: string[] }[]
  }[]
}

const vitestConfig = 'scripts/mutants/vitest.config.ts'

let runningPid: number | undefined

/** Kills the running tests. Called when the run is stopped. */
export function endRunningTests(): void {
  endGroup(runningPid)
}

/** Runs test files in this order until one fails, or until the time (seconds) is over. */
export async function runTests(
  folder: string,
  files: readonly string[],
  limitSeconds: number,
  env: Record<string, string> = {},
): Promise<Verdict> {
  const reportFile = join(folder, 'mutant-report.json')
  rmSync(reportFile, { force: true })
  const startedAt = Date.now()
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      vitestConfig,
      '--tags-filter=!long',
      '--reporter=json',
      `--outputFile=${reportFile}`,
      ...files,
    ],
    { cwd: folder, env: { ...process.env, MUTANT_TESTS: files.join(','), ...env }, stdio: 'ignore', detached: true },
  )
  runningPid = child.pid
  let isTimeout = false
  const timer = setTimeout(() => {
    isTimeout = true
    endGroup(child.pid)
  }, limitSeconds * 1000)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  // Servers that a failed test left running belong to the same process group.
  endGroup(child.pid)
  runningPid = undefined
  const seconds = (Date.now() - startedAt) / 1000
  if (isTimeout)
    return { by: 'the time limit', message: `not done after ${limitSeconds.toFixed(0)} s`, isTimeout, seconds }
  if (code === 0) return { by: null, message: '', isTimeout, seconds }
  return { ...failureIn(reportFile, folder), isTimeout, seconds }
}

function failureIn(reportFile: string, folder: string): { by: string; message: string } {
  if (!existsSync(reportFile)) return { by: 'the test run', message: 'it ended without a report' }
  const { testResults } = JSON.parse(readFileSync(reportFile, 'utf8')) as JsonReport
  for (const { name, message, assertionResults } of testResults) {
    const file = name.replace(`${folder}/`, '')
    const failed = assertionResults.find(({ status }) => status === 'failed')
    if (failed) return { by: `${file}: ${failed.title}`, message: failed.failureMessages?.[0] ?? '' }
    if (message) return { by: file, message }
  }
  return { by: 'the test run', message: 'an error outside of a test' }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes of the group have ended.
  }
}
