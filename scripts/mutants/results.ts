import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Area } from './areas.ts'

/** `invalid`: it does not parse, or PostgreSQL refuses it. `unreached`: no test runs this code. */
export type Fate = 'killed' | 'timeout' | 'survived' | 'unreached' | 'invalid'

export interface Result {
  key: string
  area: Area
  file: string
  line: number
  lineText: string
  from: string
  to: string
  fate: Fate
  /** The test that noticed. */
  by: string | null
  /** Test files that stood ready. */
  tests: number
  seconds: number
  /** Of the mutated text's file and of the tests that stood ready: another one is tried anew. */
  state: string
}

export interface Results {
  get(key: string): Result | undefined
  put(result: Result): void
  all(): Result[]
}

/** What is known of mutants, in a file that is written after each: a run that was stopped goes on where it was. */
export function openResults(path: string): Results {
  const known = new Map<string, Result>(
    (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Result[]) : []).map((one) => [one.key, one]),
  )
  mkdirSync(dirname(path), { recursive: true })
  return {
    get: (key) => known.get(key),
    put(result) {
      known.set(result.key, result)
      writeFileSync(path, JSON.stringify([...known.values()]))
    },
    all: () => [...known.values()],
  }
}

export function isNoticed({ fate }: Result): boolean {
  return fate === 'killed' || fate === 'timeout'
}
