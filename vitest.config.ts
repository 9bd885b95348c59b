import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { FileOrder } from './tests/harness/file-order.ts'

const long = process.env.BANYAN_LONG === '1'

export default defineConfig({
  test: {
    include: long
      ? ['tests/long/**/*.test.ts']
      : ['src/**/*.test.{ts,tsx}', 'supabase/tests/**/*.test.ts', 'tests/api/**/*.test.ts', 'scripts/**/*.test.ts'],
    environment: 'node',
    tags: [{ name: 'long', description: 'Takes many seconds: of `npm run test:long`, not of `npm test`.' }],
    globalSetup: ['tests/harness/global-setup.ts'].filter((file) => existsSync(file)),
    testTimeout: long ? 1_200_000 : 60_000,
    hookTimeout: 120_000,
    // Half of a run is waiting (limits that run out, locks, mail): five share two cores well.
    maxWorkers: long ? 2 : 5,
    fileParallelism: !long,
    sequence: { sequencer: FileOrder },
    // A file ends what it starts; a process and all modules for each anew are a sixth of the processor time.
    isolate: long,
    // As for browser tests; `npm test` names those that needed it.
    retry: process.env.CI ? 1 : 0,
  },
})
