/** `npm run check`: format, import law, lint with types, plain English, types, fresh generated files, limits of the code base. Prints titled steps. */
import { spawnSync } from 'node:child_process'

/** @type {[title: string, command: string, args: string[]][]} */
const steps = [
  ['Format', 'biome', ['format', '.']],
  ['The import law is fresh', 'tsx', ['scripts/import-law.ts', '--check']],
  ['Import law and file names', 'biome', ['lint', '--error-on-warnings', '.']],
  ['The design system knows no product noun', 'tsx', ['scripts/product-nouns.ts']],
  ['Lint with types', 'oxlint', ['--type-aware', '--deny-warnings', '.']],
  ['Plain English', 'tsx', ['scripts/plain-english.ts']],
  ['Types', 'tsc', ['-p', '.']],
  ['Generated row types, limits and schema.sql are fresh', 'tsx', ['scripts/generate-row-types.ts', '--check']],
  ['No figure of the code base is over its limit', 'tsx', ['scripts/house.ts', '--check']],
  ['Every sentence of the specification has its test', 'tsx', ['scripts/spec-coverage.ts', '--check']],
]

const failed = []
for (const [title, command, args] of steps) {
  console.log(`\n== ${title}`)
  const { status } = spawnSync('npx', ['--no-install', command, ...args], { stdio: 'inherit' })
  if (status !== 0) failed.push(title)
}

console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join('; ')}.`)
process.exit(failed.length === 0 ? 0 : 1)
