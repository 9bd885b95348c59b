/**
 * `npm run spec:breaks`: plants each break of scripts/spec/breaks.ts in a scratch copy of what is committed, one by one, and runs the
 * tests that docs/spec-coverage.md names for its sentence: they must go red. A number or more (`-- 3 17`) runs those alone. Ends
 * with how many of how many were noticed; minutes of work.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Break, breaks } from './spec/breaks.ts'
import { sentences } from './spec/sentences.ts'
import { names, readProofs } from './spec/titles.ts'

const root = process.cwd()
const copy = mkdtempSync(join(tmpdir(), 'banyan-breaks-'))
execFileSync('git', ['clone', '--quiet', root, copy])
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
process.chdir(copy)

const asked = process.argv.slice(2).map(Number)
const wanted = breaks
  .map((one, index) => ({ one, number: index + 1 }))
  .filter(({ number }) => asked.length === 0 || asked.includes(number))
let noticed = 0
try {
  for (const { one, number } of wanted) {
    const verdict = plant(one)
    if (verdict === 'noticed') noticed++
    console.log(
      `${verdict === 'noticed' ? 'ok' : 'MISSED'} ${number}: (${one.section}) ${one.sentence}${verdict === 'noticed' ? '' : ` – ${verdict}`}`,
    )
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${noticed} of ${wanted.length} breaks were noticed.`)
process.exit(noticed === wanted.length ? 0 : 1)

function plant({ section, sentence, file, from, to }: Break): string {
  const whole = (sentences[section] ?? []).find((candidate) => candidate.startsWith(sentence))
  if (!whole) return 'no such sentence'
  const proofs = readProofs().filter((proof) => proof.section === section && names(proof.title, whole))
  if (proofs.length === 0) return 'no test names it'
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) return `the text to break stands ${text.split(from).length - 1} times in ${file}`
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  try {
    if (file.startsWith('src/web') && !run('npx', ['vite', 'build', '--logLevel', 'error'])) return 'it does not build'
    return proofs.some(({ file: test, title }) => !passes(test, `spec ${section}: ${title}`))
      ? 'noticed'
      : 'its tests stay green'
  } finally {
    writeFileSync(path, text)
  }
}

function passes(test: string, title: string): boolean {
  const pattern = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return test.endsWith('.spec.ts')
    ? run('npx', ['playwright', 'test', test, '-g', pattern, '--retries=0', '--reporter=dot'])
    : run('npx', ['vitest', 'run', test, '-t', pattern])
}

function run(command: string, args: string[]): boolean {
  return spawnSync(command, args, { cwd: copy, stdio: 'ignore', env: { ...process.env, CI: '' } }).status === 0
}
