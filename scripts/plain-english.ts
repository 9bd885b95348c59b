/**
 * `tsx scripts/plain-english.ts`, a step of `npm run check`: refuses retired words in comments, identifiers and file names, and
 * module constants that are not camelCase. CONTRIBUTING.md, 'Plain English', explains both rules. Prints one line per finding.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { splitSource } from './plain-english/split-source.ts'

/** Folders and files that are checked. */
export const checkedPaths = [
  'src/server',
  'src/shared',
  'src/web',
  'supabase',
  'scripts',
  'docs',
  'tests/api',
  'tests/bench',
  'tests/e2e',
  'tests/harness',
  'tests/long',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
]

/** Each retired word, in lower case, with the words to use instead. */
export const retiredWords: Readonly<Record<string, string>> = {
  befall: 'happen to, apply to',
  befalls: 'happens to, applies to',
  brought: 'fetched, returned, restored',
  buried: 'marked as deleted',
  bury: 'write a tombstone, delete',
  glass: 'screen',
  goodbye: 'close, stop',
  greet: 'announce, join',
  greets: 'announces, joins',
  heard: 'received',
  hears: 'receives, gets',
  patience: 'timeoutMs',
  patient: 'slow, with a longer timeout',
  said: 'output, message, answer',
  sister: 'sibling',
  sisters: 'siblings, the others',
  stir: 'invalidate',
  stirs: 'invalidates',
  tenant: 'brand',
  tenants: 'brands',
  told: 'answered, notified, called with',
  unbury: 'clear a tombstone',
  unearth: 'restore',
  whoever: 'the caller, the user, anybody who',
  whomever: 'the caller, the user',
  workspace: 'brand',
}

/** Files that may use a retired word, because they quote it or cannot be edited (released migrations). */
const permittedWords: Readonly<Record<string, readonly string[]>> = {
  'CONTRIBUTING.md': Object.keys(retiredWords),
  // A term that people search for.
  'README.md': ['tenant'],
  'src/server/auth/common-passwords.ts': ['goodbye', 'sister'],
  'src/server/db/platform/0010_realtime.sql': ['said'],
  'tests/long/two-brands-differential.test.ts': ['tenant'],
  'scripts/plain-english.ts': Object.keys(retiredWords),
  // The name of a policy.
  'supabase/migrations/20261122000003_brands.sql': ['whoever'],
  'supabase/migrations/20261122000010_restore.sql': ['told'],
  'supabase/migrations/20261122000020_live.sql': ['hears'],
  'supabase/migrations/20261125000000_queries.sql': ['said'],
  'supabase/schema.sql': ['hears', 'told', 'whoever'],
  'supabase/squashed/renames.sql': ['bury', 'unbury'],
  'scripts/plain-english.test.ts': Object.keys(retiredWords),
}

const releasedMigrations: Readonly<Record<string, string>> = JSON.parse(readFileSync('supabase/released.json', 'utf8'))

/** Files that may have constants in UPPER_CASE, until these constants are renamed. */
const filesWithUpperCase: readonly string[] = ['src/server/db/migrate.ts']

/** Returns the findings in one file, as `file:line: what to change`. */
export function findingsIn(file: string, text: string): string[] {
  const findings: string[] = []
  const permittedHere = new Set(permittedWords[file] ?? [])
  for (const word of wordsOf(file)) addFinding(word, 1, 'file name')
  for (const [index, line] of splitSource(file, text).entries()) {
    for (const word of wordsOf(line.comment)) addFinding(word, index + 1, 'comment')
    for (const word of wordsOf(line.code)) addFinding(word, index + 1, 'identifier')
    const constant = /^(?:export )?(?:const|let) ([A-Z][A-Z0-9_]*)\b/.exec(line.code)?.[1]
    if (constant && !filesWithUpperCase.includes(file))
      findings.push(`${file}:${index + 1}: constant ${constant}: module constants are camelCase`)
  }
  return findings

  function addFinding(word: string, line: number, place: string): void {
    if (Object.hasOwn(retiredWords, word) && !permittedHere.has(word))
      findings.push(`${file}:${line}: ${place} '${word}': use ${retiredWords[word]}`)
  }
}

/** Splits a text into lower-case words; camelCase, snake_case and kebab-case names are split too. */
function wordsOf(text: string): string[] {
  return (
    text
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  )
}

function checkedFiles(): string[] {
  const listedPaths = execFileSync('git', [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    ...checkedPaths,
  ])
  return listedPaths
    .toString()
    .split('\0')
    .filter((file) => /\.(ts|tsx|mjs|sql|md)$/.test(file) && !isGenerated(file) && !isReleased(file))
}

/** True for a released migration. It must never change, not even its comments, because databases store its checksum. */
function isReleased(file: string): boolean {
  return file in releasedMigrations
}

/** True for the generated table of the sentences of the specification, which quotes them word for word. */
function isGenerated(file: string): boolean {
  return file === 'docs/spec-coverage.md'
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = checkedFiles()
  const findings = files.flatMap((file) => findingsIn(file, readFileSync(file, 'utf8')))
  for (const finding of findings) console.error(finding)
  console.log(`${files.length} files checked, ${findings.length} findings.`)
  process.exit(findings.length === 0 ? 0 : 1)
}
