import { parseArgs } from 'node:util'

export interface Options {
  /** Size of the sample. Null for all mutants. */
  sample: number | null
  seed: number
  /** Maximum duration of the tests of one mutant, in seconds, as measured without a mutant. */
  time: number
  /** Skips mutants that a test noticed before or that are invalid, and tries all others again. */
  survivors: boolean
  /** Tries mutants with known results again. */
  again: boolean
  /** Prints the mutants without running tests. */
  list: boolean
  /** Writes docs/mutants.md. */
  write: boolean
  /** Beginnings of the names of source files and SQL functions to change. Empty for all. */
  only: string[]
}

/**
 * Parses the arguments of `npm run mutants`. Throws if one is unknown, or if a number is negative or not whole.
 * `[--sample 200] [--seed 1] [--time 100] [--survivors] [--again] [--list] [--write] [--only src/web/data/sync] [src/server/auth/factors private.]`
 */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      time: { type: 'string', default: '100' },
      survivors: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
    },
  })
  const sample = values.sample === undefined ? null : Number(values.sample)
  const [seed, time] = [Number(values.seed), Number(values.time)]
  if ([sample ?? 1, seed, time].some((value) => !Number.isInteger(value) || value < 0))
    throw new Error('--sample, --seed and --time take a whole number')
  return { ...values, sample, seed, time, only: [...values.only, ...positionals] }
}
