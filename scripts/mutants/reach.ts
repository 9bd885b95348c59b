import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { instrumented } from './instrument.ts'
import { runTests } from './run-tests.ts'
import type { ScratchCopy } from './scratch-copy.ts'

/** What a test file runs when nothing is changed. */
export interface Reach {
  /** Of these texts; another key is measured again. */
  key: string
  isGreen: boolean
  seconds: number
  /** `<file>:<offset of a block>` */
  blocks: string[]
  /** `<schema>.<name>` of SQL functions */
  functions: string[]
}

/** Measures every test file once, each alone, and remembers it in `cache` while neither it nor the server changes. */
export async function measureReach(
  copy: ScratchCopy,
  cache: string,
  sources: readonly string[],
  mutated: readonly string[],
  tests: readonly string[],
): Promise<Map<string, Reach>> {
  mkdirSync(cache, { recursive: true })
  const path = join(cache, 'reach.json')
  const known = new Map<string, Reach>(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [])
  const base = digest(sources.map((file) => `${file} ${digest([copy.read(file)])}`))
  const keyOf = (file: string) => digest([base, copy.read(file)])
  const stale = tests.filter((file) => known.get(file)?.key !== keyOf(file))
  const texts = Object.fromEntries(mutated.map((file) => [file, instrumented(file, copy.read(file))]))
  if (stale.length > 0)
    await copy.with(texts, async () => {
      for (const [index, file] of stale.entries()) {
        const reach = await measure(copy.folder, file)
        known.set(file, { ...reach, key: keyOf(file) })
        writeFileSync(path, JSON.stringify([...known]))
        console.log(
          `reach ${index + 1} of ${stale.length}: ${file} ${reach.seconds.toFixed(1)} s${reach.isGreen ? '' : ' RED WITHOUT A MUTANT: left out'}`,
        )
      }
    })
  return new Map(tests.map((file) => [file, known.get(file)!]))
}

async function measure(folder: string, file: string): Promise<Omit<Reach, 'key'>> {
  const [blocks, functions] = [join(folder, 'mutant-blocks'), join(folder, 'mutant-functions')]
  writeFileSync(blocks, '[]')
  writeFileSync(functions, '')
  const env = { MUTANT_REACH: blocks, BANYAN_CALLED_FUNCTIONS: functions }
  let verdict = await runTests(folder, [file], 300, env)
  if (verdict.by !== null) verdict = await runTests(folder, [file], 300, env)
  return {
    isGreen: verdict.by === null,
    seconds: verdict.seconds,
    blocks: JSON.parse(readFileSync(blocks, 'utf8')),
    functions: [...new Set(readFileSync(functions, 'utf8').split('\n').filter(Boolean))],
  }
}

export function digest(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22)
}
