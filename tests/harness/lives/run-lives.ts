import fc from 'fast-check'
import { runLife } from './run-life.ts'
import type { Mode, Site } from './site.ts'
import { anyLife, stepKinds } from './steps.ts'

/** The options of `runLives`. */
export interface LivesOptions {
  /** Number of lives, unless LIVES is set. */
  count: number
  /** Maximum time for all lives, including the shortening of a failing one (ms). */
  maxMs: number
  /** Seed, unless LIVES_SEED is set. Without both, each run has another seed. */
  seed?: number
  /** Number of sequences of lives that run in parallel, each with its own seed. */
  parallelSequences: number
}

/** The number of lives, the seed of the first sequence, and the kinds of steps that had an effect. */
export interface LivesOutcome {
  lives: number
  seed: number
  /** The number of lives that had an effective step of each kind. */
  done: Map<string, number>
}

/**
 * Runs random lives and fails with the shortest one that leaks, its seed and its path. Environment: LIVES (number),
 * LIVES_SEED, LIVES_PATH (together with a seed: starts at that life), LIVES_THEME (only lives of one theme).
 */
export async function runLives(
  sites: Record<Mode, Site>,
  { count, maxMs, parallelSequences, ...given }: LivesOptions,
): Promise<LivesOutcome> {
  const { LIVES, LIVES_SEED, LIVES_PATH, LIVES_THEME } = process.env
  const lives = Number(LIVES ?? count)
  const seed = Number(LIVES_SEED ?? given.seed ?? Date.now() % 2 ** 31)
  const sequences = LIVES_PATH === undefined ? Math.min(parallelSequences, lives) : 1
  const livesByKind = new Map<string, number>()
  let leakingSequence: number | null = null

  async function runLifeIn(sequence: number, life: Parameters<typeof runLife>[1]): Promise<void> {
    // After a leak in one sequence, the others stop, so that the failing life can be shortened without other load.
    if (leakingSequence !== null && leakingSequence !== sequence) return
    try {
      for (const kind of await runLife(sites, life)) livesByKind.set(kind, (livesByKind.get(kind) ?? 0) + 1)
    } catch (error) {
      leakingSequence ??= sequence
      throw error
    }
  }

  const outcomes = await Promise.allSettled(
    Array.from({ length: sequences }, (_, sequence) =>
      fc.assert(
        fc.asyncProperty(anyLife(LIVES_THEME), (life) => runLifeIn(sequence, life)),
        {
          numRuns: Math.ceil(lives / sequences),
          seed: seed + sequence,
          ...(LIVES_PATH === undefined ? {} : { path: LIVES_PATH }),
          interruptAfterTimeLimit: maxMs,
          markInterruptAsFailure: true,
        },
      ),
    ),
  )
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure?.status === 'rejected') throw failure.reason
  return { lives, seed, done: livesByKind }
}

/** Returns the kinds of steps, except 'wait', that had no effect in any life: the generator does not test them. */
export function kindsNeverDone(livesByKind: ReadonlyMap<string, number>): string[] {
  return stepKinds.filter((kind) => kind !== 'wait' && !livesByKind.has(kind))
}
