import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const testOrder = (process.env.MUTANT_TESTS ?? '').split(',')

/**
 * Runs the test files in the order of `MUTANT_TESTS`: the files that most likely notice the mutant come first, because the run ends at the first
 * failure.
 */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const position = ({ moduleId }: TestSpecification) => testOrder.findIndex((file) => moduleId.endsWith(`/${file}`))
    return files.toSorted((a, b) => position(a) - position(b))
  }
}

/** Like vitest.config.ts, but with one file at a time and a PostgreSQL that is kept between runs (`BANYAN_TEST_RUN`). */
export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'supabase/tests/**/*.test.ts', 'tests/api/**/*.test.ts'],
    environment: 'node',
    tags: [{ name: 'long', description: 'Left out here, as in `npm test`.' }],
    setupFiles: process.env.MUTANT_COVERAGE ? ['scripts/mutants/coverage-setup.ts'] : [],
    sequence: { sequencer: InOrder },
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Transformed files are cached for the next run.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    bail: process.env.MUTANT_COVERAGE ? 0 : 1,
  },
})
