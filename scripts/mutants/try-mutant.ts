import { parseSync } from 'rolldown/utils'
import { type Mutant, applyChange } from './mutant.ts'
import { withChangedFunction } from './plant-sql.ts'
import type { Result } from './results.ts'
import { runTests, type Verdict } from './run-tests.ts'
import type { ScratchCopy } from './scratch-copy.ts'

export interface TestSetup {
  copy: ScratchCopy
  socket: string
  /** Definitions of SQL functions by signature. */
  functions: ReadonlyMap<string, string>
  /** Seconds that these tests take without a mutant. */
  usualSeconds: (tests: readonly string[]) => number
}

/** Applies a mutant, runs the tests until one fails, and restores the original. */
export async function tryMutant(
  mutant: Mutant,
  tests: readonly string[],
  setup: TestSetup,
): Promise<Pick<Result, 'fate' | 'by' | 'seconds'>> {
  const originalText = setup.functions.get(mutant.file) ?? setup.copy.read(mutant.file)
  const changedText = applyChange(originalText, mutant)
  const runOnMutant = () => runAgainAfterTestTimeout(tests, setup)
  if (mutant.area !== 'sql') {
    if (parseSync(mutant.file, changedText).errors.length > 0) return { fate: 'invalid', by: null, seconds: 0 }
    if (tests.length === 0) return { fate: 'unreached', by: null, seconds: 0 }
    return resultOf(await setup.copy.with({ [mutant.file]: changedText }, runOnMutant))
  }
  if (tests.length === 0) return { fate: 'unreached', by: null, seconds: 0 }
  const verdict = await withChangedFunction(
    setup.socket,
    mutant.file,
    { from: originalText, to: changedText },
    runOnMutant,
  )
  return verdict ? resultOf(verdict) : { fate: 'invalid', by: null, seconds: 0 }
}

/**
 * Runs the tests. If the message of the failure is about a timeout, runs them again, the failed file first, because on a busy machine a test may
 * only be slow.
 */
async function runAgainAfterTestTimeout(tests: readonly string[], { copy, usualSeconds }: TestSetup): Promise<Verdict> {
  const limitSeconds = 60 + 5 * usualSeconds(tests)
  const verdict = await runTests(copy.folder, tests, limitSeconds)
  const isTestTimeout =
    verdict.by !== null && !verdict.isTimeout && /tim(ed?|e)[ -]?out|timed out/i.test(verdict.message)
  if (!isTestTimeout) return verdict
  const [file = ''] = verdict.by?.split(': ') ?? []
  return runTests(copy.folder, [file, ...tests.filter((test) => test !== file)], limitSeconds)
}

function resultOf({ by, isTimeout, seconds }: Verdict): Pick<Result, 'fate' | 'by' | 'seconds'> {
  return { fate: by === null ? 'survived' : isTimeout ? 'timeout' : 'killed', by, seconds }
}
