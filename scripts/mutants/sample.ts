import { createHash } from 'node:crypto'
import type { Mutant } from './mutant.ts'

/**
 * Returns a random sample that the seed determines. A mutant's rank depends only on its own key, so changes of other code do not
 * affect it.
 */
export function randomSample(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, rank: createHash('sha256').update(`${seed} ${mutant.key}`).digest('hex') }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant)
}
