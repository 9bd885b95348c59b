/** `npm ci` must work on every machine: the lock file needs versions and checksums, and no URL of a registry. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Entry = { version?: string; integrity?: string; resolved?: string; inBundle?: boolean; dev?: boolean }

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Entry>
}
const entries = Object.entries(packages).filter(([name]) => name !== '')

test('every package of the lock file has a version and a checksum, also packages of other platforms', () => {
  const incompleteEntries = entries.filter(([, entry]) => !entry.version || !(entry.integrity || entry.inBundle))
  expect(incompleteEntries.map(([name]) => name)).toEqual([])
  expect(entries.some(([name]) => name.includes('darwin-arm64'))).toBe(true)
})

test('the lock file names no registry', () => {
  expect(entries.filter(([, entry]) => entry.resolved).map(([name]) => name)).toEqual([])
})

/** The files that `npm start` builds or runs. */
const startedFiles = [
  'vite.config.ts',
  ...['start.mjs', 'supervise.mjs', 'build.mjs', 'page-files.ts', 'minified-first-paint.ts', 'board-modules.ts'].map(
    (name) => `scripts/${name}`,
  ),
  'src',
  ':!*.test.ts',
  ':!*.test.tsx',
]

test('npm start needs no package that npm ci leaves out if NODE_ENV is production', () => {
  const packageName = /(?:from |import |import\()'(@[\w.-]+\/[\w.-]+|[a-z][\w.-]*)(?=['/])/g
  const files = execFileSync('git', ['ls-files', ...startedFiles], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const names = files
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(packageName)])
    .map(([, name = '']) => name)
  expect(names).toContain('vite-plugin-pwa')
  expect([...new Set(names)].filter((name) => packages[`node_modules/${name}`]?.dev !== undefined)).toEqual([])
})
