import { parseSync } from 'rolldown/utils'
import { type Mutant, replaced } from './mutant.ts'
import { withFunction } from './plant-sql.ts'
import type { Result } from './results.ts'
import { runTests, type Verdict } from './run-tests.ts'
import type { ScratchCopy } from './scratch-copy.ts'

export interface Bench {
  copy: ScratchCopy
  socket: string
  /** Definitions of SQL functions by signature. */
  functions: ReadonlyMap<string, string>
  /** Seconds that these tests take without a mutant. */
  usual: (tests: readonly string[]) => number
}

/** Applies a mutant, runs the tests until one fails, and restores the original. */
export async function tryMutant(
  mutant: Mutant,
  tests: readonly string[],
  bench: Bench,
): Promise<Pick<Result, 'fate' | 'by' | 'seconds'>> {
  const before = bench.functions.get(mutant.file) ?? bench.copy.read(mutant.file)
  const after = replaced(before, mutant)
  const run = () => runTwiceOnTimeouts(tests, bench)
  if (mutant.area !== 'sql') {
    if (parseSync(mutant.file, after).errors.length > 0) return { fate: 'invalid', by: null, seconds: 0 }
    if (tests.length === 0) return { fate: 'unreached', by: null, seconds: 0 }
    return resultOf(await bench.copy.with({ [mutant.file]: after }, run))
  }
  if (tests.length === 0) return { fate: 'unreached', by: null, seconds: 0 }
  const verdict = await withFunction(bench.socket, mutant.file, { from: before, to: after }, run)
  return verdict ? resultOf(verdict) : { fate: 'invalid', by: null, seconds: 0 }
}

/** On a busy machine a test may only be slow: a timeout counts if it happens twice. */
async function runTwiceOnTimeouts(tests: readonly string[], { copy, usual }: Bench): Promise<Verdict> {
  const limit = 60 + 5 * usual(tests)
  const verdict = await runTests(copy.folder, tests, limit)
  const isDoubtful = verdict.by !== null && (verdict.isTimeout || /tim(ed?|e)[ -]?out|timed out/i.test(verdict.message))
  if (!isDoubtful || verdict.isTimeout) return verdict
  const [file = ''] = verdict.by?.split(': ') ?? []
  return runTests(copy.folder, [file, ...tests.filter((one) => one !== file)], limit)
}

function resultOf({ by, isTimeout, seconds }: Verdict): Pick<Result, 'fate' | 'by' | 'seconds'> {
  return { fate: by === null ? 'survived' : isTimeout ? 'timeout' : 'killed', by, seconds }
}
