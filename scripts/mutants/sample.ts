import { createHash } from 'node:crypto'
import type { Mutant } from './mutant.ts'

/**
 * A sample that a seed decides. A mutant's rank hangs on its own name alone: when code elsewhere changes, the others stay in.
 * The areas share the sample by how many mutants they have.
 */
export function sampled(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, rank: createHash('sha256').update(`${seed} ${mutant.key}`).digest('hex') }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant)
}
