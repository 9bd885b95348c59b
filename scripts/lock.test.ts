/** `npm ci` must work on every machine: the lock file needs versions and checksums, and no URL of a registry. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Entry = { version?: string; integrity?: string; resolved?: string; inBundle?: boolean }

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
