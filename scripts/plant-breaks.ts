/**
 * `npm run spec:breaks`: applies each break of scripts/spec/breaks.ts to a scratch copy of the last commit, one by one,
 * and runs the tests that docs/spec-coverage.md names for its sentence. They must pass without it and fail with it; the
 * failure is printed. Numbers (`-- 3 17`) select breaks; `--at-once=5` applies five at a time, which takes less than
 * half an hour. Ends with the number of noticed breaks.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Break, breaks } from './spec/breaks.ts'
import { type Message, runProofs, titleOf } from './spec/run-proofs.ts'
import { sentences } from './spec/sentences.ts'
import { names, type Proof, readProofs } from './spec/titles.ts'

interface Planted {
  one: Break
  number: number
  proofs: Proof[]
}

const root = process.cwd()
const copy = mkdtempSync(join(tmpdir(), 'banyan-breaks-'))
execFileSync('git', ['clone', '--quiet', root, copy])
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
process.chdir(copy)

const asked = process.argv.slice(2).map(Number).filter(Boolean)
const atOnce = Number(/--at-once=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 1)
const wanted = breaks
  .map((one, index) => ({ one, number: index + 1, proofs: proofsOf(one) }))
  .filter(({ number }) => asked.length === 0 || asked.includes(number))
let noticed = 0
try {
  if (!build()) throw new Error('What is committed does not build.')
  // Without a break first: a test that fails anyway notices nothing.
  const unbroken = runProofs(
    copy,
    wanted.flatMap(({ proofs }) => proofs),
  )
  for (const group of grouped(wanted, atOnce)) {
    const planted = group.filter(plant)
    const builds = !planted.some(({ one }) => one.file.startsWith('src/web')) || build()
    const broken = builds
      ? runProofs(
          copy,
          planted.flatMap(({ proofs }) => proofs),
        )
      : new Map<string, Message>()
    for (const each of planted) tell(each, builds ? verdictOf(each.proofs, unbroken, broken) : 'it does not build')
    execFileSync('git', ['checkout', '--quiet', '.'])
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${noticed} of ${wanted.length} breaks were noticed.`)
process.exit(noticed === wanted.length ? 0 : 1)

/** The tests that the table names for the sentence of this break. */
function proofsOf({ section, sentence }: Break): Proof[] {
  const whole = (sentences[section] ?? []).find((candidate) => candidate.startsWith(sentence))
  if (!whole) return []
  return readProofs().filter((proof) => proof.section === section && names(proof.title, whole))
}

/** Breaks that are applied together are far apart in the list, so on different pages. */
function grouped(all: readonly Planted[], size: number): Planted[][] {
  const count = Math.ceil(all.length / size)
  return Array.from({ length: count }, (_, first) => all.filter((_planted, index) => index % count === first))
}

/** Applies a break to the copy. Returns false, and reports it, if its text is not found exactly once. */
function plant(planted: Planted): boolean {
  const { file, from, to } = planted.one
  const text = readFileSync(file, 'utf8')
  const times = text.split(from).length - 1
  if (times === 1)
    writeFileSync(
      file,
      text.replace(from, () => to),
    )
  else tell(planted, `the text to break stands ${times} times in ${file}`)
  return times === 1
}

function verdictOf(
  proofs: readonly Proof[],
  unbroken: ReadonlyMap<string, Message>,
  broken: ReadonlyMap<string, Message>,
): { red: string } | string {
  if (proofs.length === 0) return 'no such sentence, or no test names it'
  for (const title of proofs.map(titleOf)) {
    const before = unbroken.get(title)
    if (before === undefined) return 'its test does not run'
    if (before !== null) return `red without the break: ${before}`
  }
  const red = proofs.map((proof) => broken.get(titleOf(proof))).find(Boolean)
  return red ? { red } : 'its tests stay green'
}

function tell({ one, number }: Planted, verdict: { red: string } | string): void {
  const isNoticed = typeof verdict === 'object'
  if (isNoticed) noticed++
  const heading = `${isNoticed ? 'ok' : 'MISSED'} ${number}: (${one.section}) ${one.sentence}`
  console.log(`${heading}\n    ${isNoticed ? verdict.red : verdict}`)
}

function build(): boolean {
  return spawnSync('npx', ['vite', 'build', '--logLevel', 'error'], { cwd: copy, stdio: 'ignore' }).status === 0
}
