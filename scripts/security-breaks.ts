/**
 * `npm run security:breaks`: applies each break of scripts/security/, one at a time, to a scratch copy of the working tree, and
 * runs the test that the break names. The test must pass without the break, and fail with it by an assertion (or with the
 * break's `failureText`). Numbers or words (`-- 3 17`, `-- realtime`) select breaks by their number, or by attack, file or
 * test. A text that is not found exactly once in its file is an error. Ends with the number of noticed breaks.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beginTestRun, endTestRun, ownerPool, testCluster } from '#tests/harness/test-cluster.ts'
import { scratchCopy } from './mutants/scratch-copy.ts'
import { type SecurityBreak, securityBreaks } from './security/breaks.ts'
import { type Outcome, runTests } from './security/run-test.ts'

const requestedWords = process.argv.slice(2)
const selected = securityBreaks
  .map((securityBreak, index) => ({ securityBreak, number: index + 1 }))
  .filter(
    ({ securityBreak, number }) =>
      requestedWords.length === 0 || requestedWords.some((word) => isRequested(word, securityBreak, number)),
  )
if (selected.length === 0) throw new Error(`No break has this number or word: ${requestedWords.join(', ')}.`)
const copy = scratchCopy(process.cwd())
const outcomesWithoutBreak = new Map<SecurityBreak, Outcome>()
let noticedCount = 0
let errorCount = 0
const testRun = await beginTestRun()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
try {
  const socketDirectory = await testCluster()
  // `dist` of the copy is a link to the original folder. It is removed, so that the build of the copy does not write into the original folder.
  rmSync(join(copy.folder, 'dist'), { force: true, recursive: true })
  if (!build()) throw new Error('The working tree does not build.')
  for (const file of new Set(selected.map(({ securityBreak }) => securityBreak.test))) runWithoutBreaks(file)
  for (const { securityBreak, number } of selected) {
    const verdict = await verdictOf(securityBreak, socketDirectory)
    if (verdict.kind === 'noticed') noticedCount++
    if (verdict.kind === 'ERROR') errorCount++
    console.log(`${verdict.kind} ${number}: ${securityBreak.attack} (${securityBreak.file})\n    ${verdict.message}`)
  }
} finally {
  await cleanUp()
}
if (errorCount > 0) console.log(`${errorCount} of ${selected.length} could not be tried.`)
console.log(`${noticedCount} of ${selected.length} noticed.`)
process.exit(noticedCount === selected.length ? 0 : 1)

/** Runs the tests of a file without a break, because a test that always fails proves nothing. */
function runWithoutBreaks(file: string): void {
  const breaks = selected
    .map(({ securityBreak }) => securityBreak)
    .filter((securityBreak) => securityBreak.test === file)
  const outcomes = runTests(copy.folder, file, breaks)
  for (const [index, securityBreak] of breaks.entries())
    outcomesWithoutBreak.set(securityBreak, outcomes[index] ?? { kind: 'broken', message: 'it did not run' })
}

async function cleanUp(): Promise<void> {
  copy.remove()
  await endTestRun(testRun)
}

/** Drops the template databases, so that the next test migrates again. */
async function dropTemplates(socketDirectory: string): Promise<void> {
  const admin = ownerPool(socketDirectory, 'postgres', 1)
  for (const name of ['banyan_product', 'banyan_platform'])
    await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
}

interface Verdict {
  kind: 'noticed' | 'MISSED' | 'ERROR'
  message: string
}

function isRequested(word: string, { attack, file, test }: SecurityBreak, number: number): boolean {
  return /^\d+$/.test(word) ? Number(word) === number : `${attack} ${file} ${test}`.includes(word)
}

async function verdictOf(securityBreak: SecurityBreak, socketDirectory: string): Promise<Verdict> {
  const text = copy.files.includes(securityBreak.file) ? copy.read(securityBreak.file) : ''
  const occurrences = text.split(securityBreak.from).length - 1
  if (occurrences !== 1)
    return { kind: 'ERROR', message: `the text to break is ${occurrences} times in ${securityBreak.file}` }
  const testName = `${securityBreak.test}, ${securityBreak.title}`
  const outcomeWithoutBreak = outcomesWithoutBreak.get(securityBreak) ?? { kind: 'broken', message: 'it did not run' }
  if (outcomeWithoutBreak.kind !== 'green')
    return { kind: 'ERROR', message: `${testName}: not green without the break: ${outcomeWithoutBreak.message}` }
  const needsBuild = /^(src\/web|src\/shared)\//.test(securityBreak.file) && securityBreak.test.endsWith('.spec.ts')
  const brokenText = text.replace(securityBreak.from, () => securityBreak.to)
  const isSql = securityBreak.file.endsWith('.sql')
  if (isSql) await dropTemplates(socketDirectory)
  const outcome = await copy.with({ [securityBreak.file]: brokenText }, async () => {
    return needsBuild && !build() ? undefined : runTests(copy.folder, securityBreak.test, [securityBreak])[0]
  })
  if (needsBuild) build()
  if (isSql) await dropTemplates(socketDirectory)
  if (outcome === undefined) return { kind: 'ERROR', message: 'it does not build' }
  if (outcome.kind === 'red') return { kind: 'noticed', message: outcome.message }
  if (outcome.kind === 'green') return { kind: 'MISSED', message: `${testName}: stays green` }
  return { kind: 'ERROR', message: `${testName}: ${outcome.message}` }
}

function build(): boolean {
  const args = ['scripts/build.mjs', '--if-stale']
  return spawnSync(process.execPath, args, { cwd: copy.folder, stdio: 'ignore' }).status === 0
}
