/**
 * `npm run spec:breaks`: plants each break of scripts/spec/breaks.ts in a scratch copy of what is committed, one by one, and runs the
 * tests that docs/spec-coverage.md names for its sentence. They must be green without it and go red with it; what the red one says is
 * printed. A number or more (`-- 3 17`) runs those alone. Ends with how many of how many were noticed; half an hour of work.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Break, breaks } from './spec/breaks.ts'
import { type ProofRun, runProof } from './spec/run-proof.ts'
import { sentences } from './spec/sentences.ts'
import { names, type Proof, readProofs } from './spec/titles.ts'

const root = process.cwd()
const copy = mkdtempSync(join(tmpdir(), 'banyan-breaks-'))
execFileSync('git', ['clone', '--quiet', root, copy])
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
process.chdir(copy)

const asked = process.argv.slice(2).map(Number)
const wanted = breaks
  .map((one, index) => ({ one, number: index + 1, proofs: proofsOf(one) }))
  .filter(({ number }) => asked.length === 0 || asked.includes(number))
let noticed = 0
try {
  build()
  // Before anything is broken: a test that is red anyway notices nothing.
  const unbroken = wanted.map(({ proofs }) =>
    proofs.map((proof) => run(proof)).find(({ result }) => result !== 'green'),
  )
  for (const [index, { one, number, proofs }] of wanted.entries()) {
    const fault = unbroken[index]
    const verdict = fault ? { missed: `without the break: ${said(fault)}` } : plant(one, proofs)
    if ('red' in verdict) noticed++
    const words = 'red' in verdict ? `${verdict.proof}: ${verdict.red}` : verdict.missed
    console.log(`${'red' in verdict ? 'ok' : 'MISSED'} ${number}: (${one.section}) ${one.sentence}\n    ${words}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${noticed} of ${wanted.length} breaks were noticed.`)
process.exit(noticed === wanted.length ? 0 : 1)

/** The tests that the table names for the sentence that this breaks. */
function proofsOf({ section, sentence }: Break): Proof[] {
  const whole = (sentences[section] ?? []).find((candidate) => candidate.startsWith(sentence))
  if (!whole) return []
  return readProofs().filter((proof) => proof.section === section && names(proof.title, whole))
}

function plant({ file, from, to }: Break, proofs: Proof[]): { red: string; proof: string } | { missed: string } {
  if (proofs.length === 0) return { missed: 'no such sentence, or no test names it' }
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  const times = text.split(from).length - 1
  if (times !== 1) return { missed: `the text to break stands ${times} times in ${file}` }
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  try {
    if (file.startsWith('src/web') && !build()) return { missed: 'it does not build' }
    for (const proof of proofs) {
      const outcome = run(proof)
      if (outcome.result === 'red') return { red: outcome.message, proof: proof.file }
    }
    return { missed: 'its tests stay green' }
  } finally {
    writeFileSync(path, text)
  }
}

function run({ file, section, title }: Proof): ProofRun {
  return runProof(copy, file, `spec ${section}: ${title}`)
}

function said(outcome: ProofRun): string {
  return outcome.result === 'red' ? outcome.message : 'no test has this title'
}

function build(): boolean {
  return spawnSync('npx', ['vite', 'build', '--logLevel', 'error'], { cwd: copy, stdio: 'ignore' }).status === 0
}
