import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withCoverageMarks } from './instrument.ts'
import { runTests } from './run-tests.ts'
import type { ScratchCopy } from './scratch-copy.ts'

/** The blocks and SQL functions that a test file runs without a mutant. */
export interface TestCoverage {
  /** Digest of the test file and of all files on which its result depends. If it changes, the test file is measured again. */
  key: string
  isGreen: boolean
  seconds: number
  /** The blocks that the test file runs, as `<file>:<offset of the block>`. */
  blocks: string[]
  /** The SQL functions that the test file runs, as `<schema>.<name>`. */
  functions: string[]
  /** Files of src/web that the test file imports, directly or through other files. */
  imports: string[]
}

export interface CoverageInput {
  /** Files that every test with a server depends on. */
  sources: readonly string[]
  /** Files whose blocks are recorded. */
  mutated: readonly string[]
  tests: readonly string[]
  /** Returns the files that a file imports, directly or through other files. */
  importsOf: (file: string) => ReadonlySet<string>
}

/**
 * Runs every test file alone and records its coverage: the blocks and SQL functions that it runs. Keeps the result in the folder `cache`
 * until the test, the server, or a file of src/web that the test imports changes.
 */
export async function measureCoverage(
  copy: ScratchCopy,
  cache: string,
  { sources, mutated, tests, importsOf }: CoverageInput,
): Promise<Map<string, TestCoverage>> {
  mkdirSync(cache, { recursive: true })
  const cacheFile = join(cache, 'reach.json')
  const coverageByTest = new Map<string, TestCoverage>(
    existsSync(cacheFile) ? JSON.parse(readFileSync(cacheFile, 'utf8')) : [],
  )
  const digestOf = (files: readonly string[]) => digest(files.map((file) => `${file} ${digest([copy.read(file)])}`))
  const serverDigest = digestOf(sources)
  const webImports = new Map(tests.map((file) => [file, [...importsOf(file)].filter(isOfWeb).toSorted()]))
  const keys = new Map(tests.map((file) => [file, keyOf(file)]))
  const staleTests = tests.filter((file) => coverageByTest.get(file)?.key !== keys.get(file))
  const markedTexts = Object.fromEntries(mutated.map((file) => [file, withCoverageMarks(file, copy.read(file))]))
  if (staleTests.length > 0)
    await copy.with(markedTexts, async () => {
      for (const [index, file] of staleTests.entries()) {
        const coverage = await measure(copy.folder, file)
        coverageByTest.set(file, { ...coverage, key: keys.get(file) ?? '', imports: webImports.get(file) ?? [] })
        writeFileSync(cacheFile, JSON.stringify([...coverageByTest]))
        console.log(
          `coverage ${index + 1} of ${staleTests.length}: ${file} ${coverage.seconds.toFixed(1)} s${coverage.isGreen ? '' : ' FAILS WITHOUT A MUTANT: not used'}`,
        )
      }
    })
  return new Map(tests.map((file) => [file, { ...coverageByTest.get(file)!, imports: webImports.get(file) ?? [] }]))

  function keyOf(file: string): string {
    // A test of src/web starts no server, so it does not depend on the server's files.
    const server = isOfWeb(file) ? '' : serverDigest
    const web = webImports.get(file) ?? []
    return digest([server, copy.read(file), ...(web.length > 0 ? [digestOf(web)] : [])])
  }
}

function isOfWeb(file: string): boolean {
  return file.startsWith('src/web/')
}

async function measure(folder: string, file: string): Promise<Omit<TestCoverage, 'key' | 'imports'>> {
  const [blocks, functions] = [join(folder, 'mutant-blocks'), join(folder, 'mutant-functions')]
  writeFileSync(blocks, '[]')
  writeFileSync(functions, '')
  const env = { MUTANT_COVERAGE: blocks, BANYAN_CALLED_FUNCTIONS: functions }
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
