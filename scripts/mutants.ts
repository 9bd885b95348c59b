/**
 * `npm run mutants`: applies small changes (mutants) to a scratch copy, one at a time, and reports the mutants that no test notices. The mutants
 * change conditions, bounds, operators and texts in parts of the server, in every SQL function and in the browser's data. docs/mutants.md has the
 * rules, the duration and the results.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testDatabase } from '#tests/harness/database.ts'
import { beginTestRun, endTestRun, ownerPool, testCluster } from '#tests/harness/test-cluster.ts'
import { areaOf, isTestOf } from './mutants/areas.ts'
import { changesOfTypescript } from './mutants/change-typescript.ts'
import { chooseTests, type NoticedCounts, noticedKey, countsByName } from './mutants/choose-tests.ts'
import { importGraph } from './mutants/import-graph.ts'
import { sqlFunctions, sqlMutants } from './mutants/list-sql.ts'
import { type Mutant, toMutants, shortLine } from './mutants/mutant.ts'
import { readOptions } from './mutants/options.ts'
import { digest, measureCoverage, type TestCoverage } from './mutants/coverage.ts'
import { figureLines, lastRunHeading, report } from './mutants/report.ts'
import { isNoticed, openResults, type Result } from './mutants/results.ts'
import { randomSample } from './mutants/sample.ts'
import { type ScratchCopy, scratchCopy } from './mutants/scratch-copy.ts'
import { endRunningTests, runTests } from './mutants/run-tests.ts'
import { tryMutant } from './mutants/try-mutant.ts'

const cacheFolder = '.cache/mutants'
const documentFile = 'docs/mutants.md'

const root = process.cwd()
const options = readOptions(process.argv.slice(2))
const results = openResults(join(root, cacheFolder, 'results.json'))
const copy = scratchCopy(root)
let isEnding = false
const testRun = await beginTestRun()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
try {
  const socket = await testCluster()
  await openTemplates(socket)
  const owner = ownerPool(socket, 'banyan_product', 1)
  const functions = await sqlFunctions(owner)
  await owner.end()

  const mutableFiles = copy.files.filter((file) => areaOf(file) !== null)
  const allMutants = [
    ...mutableFiles.flatMap((file) => typescriptMutants(copy, file)),
    ...functions.flatMap(sqlMutants),
  ]
  const requestedMutants = allMutants.filter(
    ({ file }) => options.only.length === 0 || options.only.some((prefix) => file.startsWith(prefix)),
  )
  const chosenMutants = randomSample(requestedMutants, options.sample ?? requestedMutants.length, options.seed)
  console.log(`${chosenMutants.length} of ${allMutants.length} mutants.`)

  if (options.list) for (const { key } of chosenMutants) console.log(key)
  else {
    const importsOf = importGraph(copy.files, (file) => copy.read(file))
    const tests = testFiles(copy, chosenMutants, importsOf)
    const coverage = await measureCoverage(copy, join(root, cacheFolder), {
      sources: serverSources(copy),
      mutated: mutableFiles,
      tests,
      importsOf,
    })
    await tryAll(chosenMutants, coverage, {
      copy,
      socket,
      definitions: new Map(functions.map((sqlFunction) => [sqlFunction.signature, sqlFunction.definition])),
    })
    const triedResults = chosenMutants.map(({ key }) => results.get(key)).filter((result) => result !== undefined)
    console.log(figureLines(triedResults).join('\n'))
    if (options.write) writeReport(triedResults)
  }
} finally {
  await cleanUp()
}

/** Removes the scratch copy and the database, and keeps the results. */
async function cleanUp(): Promise<void> {
  isEnding = true
  endRunningTests()
  copy.remove()
  await endTestRun(testRun)
}

function typescriptMutants(scratch: ScratchCopy, file: string): Mutant[] {
  const text = scratch.read(file)
  const area = areaOf(file)
  return area ? toMutants(area, file, text, changesOfTypescript(file, text)) : []
}

async function tryAll(
  chosenMutants: readonly Mutant[],
  coverage: ReadonlyMap<string, TestCoverage>,
  { copy, socket, definitions }: { copy: ScratchCopy; socket: string; definitions: ReadonlyMap<string, string> },
): Promise<void> {
  const countsFromNames = countsByName(
    definitions.keys(),
    new Map([...coverage.keys()].map((test) => [test, copy.read(test)])),
  )
  const noticed: NoticedCounts = new Map(countsFromNames)
  for (const earlierResult of results.all()) countNoticed(noticed, earlierResult)
  const usualSeconds = (tests: readonly string[]) =>
    tests.reduce((sum, test) => sum + (coverage.get(test)?.seconds ?? 0), 0)
  for (const [index, mutant] of chosenMutants.entries()) {
    const tests = chooseTests(mutant, coverage, noticed, options.time)
    const text = definitions.get(mutant.file) ?? copy.read(mutant.file)
    const allTests = chooseTests(mutant, coverage, countsFromNames, Number.POSITIVE_INFINITY).toSorted()
    const digestOfFiles = digest([text, ...allTests.map((test) => coverage.get(test)?.key ?? '')])
    const earlierResult = results.get(mutant.key)
    if (earlierResult && isKnown(earlierResult, digestOfFiles)) continue
    const { block: _block, start: _start, end: _end, ...mutantParts } = mutant
    const outcome = await tryMutant(mutant, tests, { copy, socket, functions: definitions, usualSeconds })
    // If the run is being stopped, the outcome says nothing about this mutant.
    if (isEnding) return
    const result = { ...mutantParts, ...outcome, tests: tests.length, state: digestOfFiles }
    if (result.fate === 'killed') await assertGreenWithout(result, copy, socket)
    results.put(result)
    countNoticed(noticed, result)
    printResult(index + 1, chosenMutants.length, result)
  }
}

/**
 * Throws if the tests failed for another reason than the mutant: PostgreSQL has stopped, or the failed test file also fails without the mutant.
 * The file is run without the mutant only if it failed as a whole, not in one of its tests.
 */
async function assertGreenWithout({ by }: Result, { folder }: ScratchCopy, socket: string): Promise<void> {
  const owner = ownerPool(socket, 'postgres', 1)
  try {
    await owner.query('select 1')
  } finally {
    await owner.end()
  }
  const [file = '', title] = by?.split(': ') ?? []
  if (title !== undefined || !/\.test\.tsx?$/.test(file)) return
  const runWithoutMutant = await runTests(folder, [file], 300)
  if (runWithoutMutant.by !== null) throw new Error(`${file} fails without a mutant, too: ${runWithoutMutant.message}`)
}

function countNoticed(noticed: NoticedCounts, result: Result): void {
  const key = noticedKey(result, result.by?.split(': ')[0] ?? '')
  noticed.set(key, (noticed.get(key) ?? 0) + 1)
}

/**
 * True if the mutant need not be tried again: a test noticed it before, or neither its file nor one of its tests has changed. With
 * `--survivors`, mutants that no test noticed are tried again even if nothing has changed; with `--again`, all mutants are.
 */
function isKnown(earlierResult: Result, digestOfFiles: string): boolean {
  if (options.again) return false
  if (options.survivors) return isNoticed(earlierResult) || earlierResult.fate === 'invalid'
  return earlierResult.state === digestOfFiles || isNoticed(earlierResult)
}

function printResult(number: number, count: number, result: Result): void {
  const place = `${result.file}:${result.line}  ${shortLine(result.from)} → ${shortLine(result.to) || '(nothing)'}`
  const by = result.by === null ? '' : `  by ${result.by}`
  console.log(`${number}/${count} ${result.fate} ${result.seconds.toFixed(1)} s  ${place}${by}`)
}

/** Creates both template databases from the unchanged code, and lets PostgreSQL count calls of functions. */
async function openTemplates(socket: string): Promise<void> {
  const admin = ownerPool(socket, 'postgres', 1)
  await admin.query(`alter system set track_functions = 'all'`)
  await admin.query('select pg_reload_conf()')
  await admin.end()
  for (const product of [true, false]) await (await testDatabase({ product })).drop()
}

/** Returns the files that every test of the server depends on. */
function serverSources({ files }: ScratchCopy): string[] {
  const folders = /^(src\/server|src\/shared|supabase\/migrations|tests\/harness|supabase\/tests\/people)/
  return files.filter((file) => folders.test(file) && /(?<!\.test)\.(ts|sql)$/.test(file))
}

/**
 * Returns the test files for these mutants. For the server and SQL, these are all tests of the mutants' areas. For the browser's data, they are
 * the tests of this area that import a mutated file, directly or through other files.
 */
function testFiles(
  { files }: ScratchCopy,
  chosenMutants: readonly Mutant[],
  importsOf: (file: string) => ReadonlySet<string>,
): string[] {
  const areas = [...new Set(chosenMutants.map(({ area }) => area))]
  const dataFiles = new Set(chosenMutants.filter(({ area }) => area === 'data').map(({ file }) => file))
  return files.filter((test) =>
    areas.some(
      (area) => isTestOf(area, test) && (area !== 'data' || [...importsOf(test)].some((file) => dataFiles.has(file))),
    ),
  )
}

function writeReport(tried: readonly Result[]): void {
  const path = join(root, documentFile)
  const head = existsSync(path) ? (readFileSync(path, 'utf8').split(lastRunHeading)[0] ?? '') : '# Mutants\n'
  const command = ['npm run mutants --', ...process.argv.slice(2)].join(' ')
  writeFileSync(path, report(head, command, tried))
}
