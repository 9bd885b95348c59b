import { createHash } from 'node:crypto'
import type { Mutant } from './mutant.ts'

/**
 * Returns a random sample that the seed determines. The order of two mutants depends only on their keys. So a change of other code does not affect
 * their order.
 */
export function randomSample(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, rank: createHash('sha256').update(`${seed} ${mutant.key}`).digest('hex') }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant)
}
