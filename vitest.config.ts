import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { FileOrder } from './tests/harness/file-order.ts'

const isLong = process.env.BANYAN_LONG === '1'

export default defineConfig({
  test: {
    include: isLong
      ? ['tests/long/**/*.test.ts']
      : ['src/**/*.test.{ts,tsx}', 'supabase/tests/**/*.test.ts', 'tests/api/**/*.test.ts', 'scripts/**/*.test.ts'],
    environment: 'node',
    tags: [{ name: 'long', description: 'Takes many seconds: runs in `npm run test:long`, not in `npm test`.' }],
    globalSetup: ['tests/harness/global-setup.ts'].filter((file) => existsSync(file)),
    testTimeout: isLong ? 1_200_000 : 60_000,
    hookTimeout: 120_000,
    // Half of a run is waiting (timeouts, locks, mail), so five workers share two cores well.
    maxWorkers: isLong ? 2 : 5,
    fileParallelism: !isLong,
    sequence: { sequencer: FileOrder },
    // Files share a process: a new process per file, with all its modules, would take a sixth of the processor time. Sharing works because each file
    // stops what it starts.
    isolate: isLong,
    // Output of tests goes directly to the terminal. Otherwise vitest sends each line to its main process, and reports an unhandled error if a file
    // ends before that process has confirmed the line (https://github.com/vitest-dev/vitest/issues/11153).
    disableConsoleIntercept: true,
    // In CI, a failed test runs once more, as in playwright.config.ts. `npm test` lists tests that needed a retry.
    retry: process.env.CI ? 1 : 0,
  },
})
