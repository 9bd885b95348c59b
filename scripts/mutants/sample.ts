import { createHash } from 'node:crypto'
import type { Mutant } from './mutant.ts'

/**
 * A sample determined by the seed. A mutant's rank depends only on its own key: changes elsewhere do not affect it.
 * Each area gets a share by its number of mutants.
 */
export function sampled(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, rank: createHash('sha256').update(`${seed} ${mutant.key}`).digest('hex') }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant)
}
