/**
 * `npm run security:breaks`: removes each defence of scripts/security/, one at a time, in a scratch copy of the working
 * tree, and runs the test that docs/security.md names for it. The test must pass with the defence, and fail by an assertion
 * without it. Numbers or words (`-- 3 17`, `-- realtime`) select breaks by their number, or by attack, file or
 * test. A text that is not found exactly once in its file is an error. Ends with the number of noticed breaks.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beginTestRun, endTestRun, ownerPool, testCluster } from '#tests/harness/test-cluster.ts'
import { scratchCopy } from './mutants/scratch-copy.ts'
import { type SecurityBreak, securityBreaks } from './security/breaks.ts'
import { type Outcome, runTests } from './security/run-test.ts'

const requested = process.argv.slice(2)
const selected = securityBreaks
  .map((one, index) => ({ one, number: index + 1 }))
  .filter(({ one, number }) => requested.length === 0 || requested.some((word) => isRequested(word, one, number)))
if (selected.length === 0) throw new Error(`No break has this number or word: ${requested.join(', ')}.`)
const copy = scratchCopy(process.cwd())
const unbroken = new Map<SecurityBreak, Outcome>()
let noticed = 0
let mistakes = 0
const testRun = await beginTestRun()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(130)))
try {
  const socketDirectory = await testCluster()
  // `dist` of the copy is a link to the original folder. It is removed, so that the build of the copy does not write into the original folder.
  rmSync(join(copy.folder, 'dist'), { force: true, recursive: true })
  if (!build()) throw new Error('The working tree does not build.')
  for (const file of new Set(selected.map(({ one }) => one.test))) runUnbroken(file)
  for (const { one, number } of selected) {
    const verdict = await verdictOf(one, socketDirectory)
    if (verdict.kind === 'noticed') noticed++
    if (verdict.kind === 'ERROR') mistakes++
    console.log(`${verdict.kind} ${number}: ${one.attack} (${one.file})\n    ${verdict.message}`)
  }
} finally {
  await end()
}
if (mistakes > 0) console.log(`${mistakes} of them could not be tried.`)
console.log(`${noticed} of ${selected.length} noticed.`)
process.exit(noticed === selected.length ? 0 : 1)

/** Runs the tests of a file without a break, because a test that always fails proves nothing. */
function runUnbroken(file: string): void {
  const breaks = selected.map(({ one }) => one).filter((one) => one.test === file)
  const outcomes = runTests(copy.folder, file, breaks)
  for (const [index, one] of breaks.entries())
    unbroken.set(one, outcomes[index] ?? { kind: 'broken', message: 'it did not run' })
}

async function end(): Promise<void> {
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

async function verdictOf(one: SecurityBreak, socketDirectory: string): Promise<Verdict> {
  const text = copy.files.includes(one.file) ? copy.read(one.file) : ''
  const times = text.split(one.from).length - 1
  if (times !== 1) return { kind: 'ERROR', message: `the text to break is ${times} times in ${one.file}` }
  const key = `${one.test}, ${one.title}`
  const before = unbroken.get(one) ?? { kind: 'broken', message: 'it did not run' }
  if (before.kind !== 'green')
    return { kind: 'ERROR', message: `${key}: not green without the break: ${before.message}` }
  const isBuilt = /^(src\/web|src\/shared)\//.test(one.file) && one.test.endsWith('.spec.ts')
  const broken = text.replace(one.from, () => one.to)
  const isSql = one.file.endsWith('.sql')
  if (isSql) await dropTemplates(socketDirectory)
  const outcome = await copy.with({ [one.file]: broken }, async () => {
    return isBuilt && !build() ? undefined : runTests(copy.folder, one.test, [one])[0]
  })
  if (isBuilt) build()
  if (isSql) await dropTemplates(socketDirectory)
  if (outcome === undefined) return { kind: 'ERROR', message: 'it does not build' }
  if (outcome.kind === 'red') return { kind: 'noticed', message: outcome.message }
  if (outcome.kind === 'green') return { kind: 'MISSED', message: `${key}: stays green` }
  return { kind: 'ERROR', message: `${key}: ${outcome.message}` }
}

function build(): boolean {
  const args = ['scripts/build.mjs', '--if-stale']
  return spawnSync(process.execPath, args, { cwd: copy.folder, stdio: 'ignore' }).status === 0
}
