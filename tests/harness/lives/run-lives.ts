import fc from 'fast-check'
import { live } from './live.ts'
import type { Mode, Site } from './site.ts'
import { anyLife, stepKinds } from './steps.ts'

export interface Lives {
  /** How many, unless LIVES says otherwise. */
  count: number
  /** Time for all of them, shrinking included. */
  milliseconds: number
  /** The same lives in every run, unless LIVES_SEED says otherwise; without it each run has its own. */
  seed?: number
  /** At the same time; each of these rows of lives has a seed of its own. */
  atOnce: number
}

export interface Outcome {
  lives: number
  seed: number
  /** How many lives had a step of each kind that had an effect. */
  done: Map<string, number>
}

/**
 * Lives random lives and fails with the shortest one that leaks, its seed and its path. Environment: LIVES (how many),
 * LIVES_SEED, LIVES_PATH (with the seed that a failure names: begins at that life), LIVES_THEME (only lives of one theme).
 */
export async function runLives(
  sites: Record<Mode, Site>,
  { count, milliseconds, atOnce, ...given }: Lives,
): Promise<Outcome> {
  const { LIVES, LIVES_SEED, LIVES_PATH, LIVES_THEME } = process.env
  const lives = Number(LIVES ?? count)
  const seed = Number(LIVES_SEED ?? given.seed ?? Date.now() % 2 ** 31)
  const rows = LIVES_PATH === undefined ? Math.min(atOnce, lives) : 1
  const done = new Map<string, number>()
  let leaking: number | null = null

  async function liveIn(row: number, life: Parameters<typeof live>[1]): Promise<void> {
    // One leak is enough: the other rows stop, so that it shrinks alone.
    if (leaking !== null && leaking !== row) return
    try {
      for (const kind of await live(sites, life)) done.set(kind, (done.get(kind) ?? 0) + 1)
    } catch (error) {
      leaking ??= row
      throw error
    }
  }

  const outcomes = await Promise.allSettled(
    Array.from({ length: rows }, (_, row) =>
      fc.assert(
        fc.asyncProperty(anyLife(LIVES_THEME), (life) => liveIn(row, life)),
        {
          numRuns: Math.ceil(lives / rows),
          seed: seed + row,
          ...(LIVES_PATH === undefined ? {} : { path: LIVES_PATH }),
          interruptAfterTimeLimit: milliseconds,
          markInterruptAsFailure: true,
        },
      ),
    ),
  )
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure?.status === 'rejected') throw failure.reason
  return { lives, seed, done }
}

/** The kinds of steps that had no effect in any life: a generator that cannot do something does not test it. */
export function kindsNeverDone(done: ReadonlyMap<string, number>): string[] {
  return stepKinds.filter((kind) => kind !== 'wait' && !done.has(kind))
}
