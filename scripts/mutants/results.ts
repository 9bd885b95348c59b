import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Area } from './areas.ts'

/**
 * `killed`: a test failed. `timeout`: the tests reached the time limit. `survived`: all tests passed. `unreached`: no test runs this code.
 * `invalid`: the mutant does not parse, or PostgreSQL refuses it.
 */
export type MutantOutcome = 'killed' | 'timeout' | 'survived' | 'unreached' | 'invalid'

export interface Result {
  key: string
  area: Area
  file: string
  line: number
  lineText: string
  from: string
  to: string
  fate: MutantOutcome
  /** The test that noticed the mutant, as in `Verdict`. Null if no test noticed the mutant. */
  by: string | null
  /** Number of selected test files. */
  tests: number
  seconds: number
  /** Digest of the changed file and of all tests that run this code. If it changes, an unnoticed mutant is tried again. */
  state: string
}

export interface Results {
  get(key: string): Result | undefined
  put(result: Result): void
  all(): Result[]
}

/** Reads and writes the results of mutants in a file. The file is written after each result, so that an interrupted run can continue. */
export function openResults(path: string): Results {
  const resultByKey = new Map<string, Result>(
    (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Result[]) : []).map((one) => [one.key, one]),
  )
  mkdirSync(dirname(path), { recursive: true })
  return {
    get: (key) => resultByKey.get(key),
    put(result) {
      resultByKey.set(result.key, result)
      writeFileSync(path, JSON.stringify([...resultByKey.values()]))
    },
    all: () => [...resultByKey.values()],
  }
}

export function isNoticed({ fate }: Result): boolean {
  return fate === 'killed' || fate === 'timeout'
}
