import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/** A reporter of vitest that writes the errors outside of all tests to `.cache/vitest-errors.json`. The JSON report of vitest lacks them. */
export default class UnhandledErrorsReporter implements Reporter {
  onTestRunEnd(_files: unknown, errors: readonly Record<string, unknown>[]): void {
    // A rejection may have any value, for example an object whose message is a number.
    const writtenErrors = errors.map(({ message, stack, VITEST_TEST_PATH: path }) => ({
      message: String(message),
      ...(typeof stack === 'string' && { stack }),
      ...(typeof path === 'string' && { path }),
    }))
    writeFileSync('.cache/vitest-errors.json', JSON.stringify(writtenErrors))
  }
}
