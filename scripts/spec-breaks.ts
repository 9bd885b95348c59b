/**
 * `npm run spec:breaks`: applies each break of scripts/spec/breaks.ts to a scratch copy of the last commit, one by one,
 * and runs the tests that docs/spec-coverage.md names for its sentence. The tests must pass without the break and fail with it.
 * Prints the outcome of each break, and at the end the number of noticed breaks. Numbers (`-- 3 17`) select breaks; `--at-once=5` applies
 * five at a time, which takes less than half an hour.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Break, breaks } from './spec/breaks.ts'
import { type FailureMessage, runProofs, titleOf } from './spec/run-proofs.ts'
import { sentences } from './spec/sentences.ts'
import { namesSentence, type Proof, readProofs } from './spec/titles.ts'

interface NumberedBreak {
  definition: Break
  number: number
  proofs: Proof[]
}

const root = process.cwd()
const copyFolder = mkdtempSync(join(tmpdir(), 'banyan-breaks-'))
execFileSync('git', ['clone', '--quiet', root, copyFolder])
symlinkSync(join(root, 'node_modules'), join(copyFolder, 'node_modules'))
process.chdir(copyFolder)

const requestedNumbers = process.argv.slice(2).map(Number).filter(Boolean)
const atOnce = Number(/--at-once=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 1)
const selected = breaks
  .map((definition, index) => ({ definition, number: index + 1, proofs: proofsOf(definition) }))
  .filter(({ number }) => requestedNumbers.length === 0 || requestedNumbers.includes(number))
let noticed = 0
try {
  if (!build()) throw new Error('The last commit does not build.')
  // First runs the tests without a break, because a test that always fails proves nothing.
  const resultsWithoutBreak = runProofs(
    copyFolder,
    selected.flatMap(({ proofs }) => proofs),
  )
  for (const group of breakGroups(selected, atOnce)) {
    const appliedBreaks = group.filter(plant)
    const doesBuild = !appliedBreaks.some(({ definition }) => definition.file.startsWith('src/web')) || build()
    const resultsWithBreak = doesBuild
      ? runProofs(
          copyFolder,
          appliedBreaks.flatMap(({ proofs }) => proofs),
        )
      : new Map<string, FailureMessage>()
    for (const numberedBreak of appliedBreaks)
      printVerdict(
        numberedBreak,
        doesBuild ? verdictOf(numberedBreak.proofs, resultsWithoutBreak, resultsWithBreak) : 'it does not build',
      )
    execFileSync('git', ['checkout', '--quiet', '.'])
  }
} finally {
  rmSync(copyFolder, { recursive: true, force: true })
}
console.log(`${noticed} of ${selected.length} breaks were noticed.`)
process.exit(noticed === selected.length ? 0 : 1)

/** Returns the tests that docs/spec-coverage.md names for the sentence of this break. */
function proofsOf({ section, sentence }: Break): Proof[] {
  const wholeSentence = (sentences[section] ?? []).find((candidate) => candidate.startsWith(sentence))
  if (!wholeSentence) return []
  return readProofs().filter((proof) => proof.section === section && namesSentence(proof.title, wholeSentence))
}

/** Groups breaks that are far apart in the list, so that those applied together affect different pages. */
function breakGroups(all: readonly NumberedBreak[], size: number): NumberedBreak[][] {
  const count = Math.ceil(all.length / size)
  return Array.from({ length: count }, (_, groupIndex) => all.filter((_planted, index) => index % count === groupIndex))
}

/** Applies a break to the copy. If the file does not contain its `from` exactly once, prints that and returns false. */
function plant(applied: NumberedBreak): boolean {
  const { file, from, to } = applied.definition
  const text = readFileSync(file, 'utf8')
  const occurrences = text.split(from).length - 1
  if (occurrences === 1)
    writeFileSync(
      file,
      text.replace(from, () => to),
    )
  else printVerdict(applied, `the text to break is ${occurrences} times in ${file}`)
  return occurrences === 1
}

function verdictOf(
  proofs: readonly Proof[],
  resultsWithoutBreak: ReadonlyMap<string, FailureMessage>,
  resultsWithBreak: ReadonlyMap<string, FailureMessage>,
): { red: string } | string {
  if (proofs.length === 0) return 'the sentence does not exist, or no test names it'
  for (const title of proofs.map(titleOf)) {
    const messageWithoutBreak = resultsWithoutBreak.get(title)
    if (messageWithoutBreak === undefined) return 'its test does not run'
    if (messageWithoutBreak !== null) return `red without the break: ${messageWithoutBreak}`
  }
  const failureMessage = proofs.map((proof) => resultsWithBreak.get(titleOf(proof))).find(Boolean)
  return failureMessage ? { red: failureMessage } : 'its tests stay green'
}

function printVerdict({ definition, number }: NumberedBreak, verdict: { red: string } | string): void {
  const isNoticed = typeof verdict === 'object'
  if (isNoticed) noticed++
  const heading = `${isNoticed ? 'ok' : 'MISSED'} ${number}: (${definition.section}) ${definition.sentence}`
  console.log(`${heading}\n    ${isNoticed ? verdict.red : verdict}`)
}

function build(): boolean {
  return spawnSync('npx', ['vite', 'build', '--logLevel', 'error'], { cwd: copyFolder, stdio: 'ignore' }).status === 0
}
