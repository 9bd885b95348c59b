import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const order = (process.env.MUTANT_TESTS ?? '').split(',')

/** The tests that most likely notice come first: the run ends at the first failure. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => order.findIndex((file) => moduleId.endsWith(`/${file}`))
    return files.toSorted((a, b) => place(a) - place(b))
  }
}

/** As vitest.config.ts, over a PostgreSQL that stays from one run to the next (`BANYAN_TEST_RUN`), one file at a time. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'supabase/tests/**/*.test.ts', 'tests/api/**/*.test.ts'],
    environment: 'node',
    setupFiles: process.env.MUTANT_REACH ? ['scripts/mutants/reach-setup.ts'] : [],
    sequence: { sequencer: InOrder },
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Files that are the same from one mutant to the next are transformed once.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    bail: process.env.MUTANT_REACH ? 0 : 1,
  },
})
