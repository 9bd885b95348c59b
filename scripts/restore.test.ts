import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type BackupEntry, writeBackup } from '#server/db/backup-format.ts'

let folder: string
let dataDir: string

/** The entries of a backup that has keys, but no table. */
async function* entriesWithKeys(): AsyncGenerator<BackupEntry> {
  yield { kind: 'H', value: { createdAt: '2026-11-28T10:00:00Z', postgres: 18, migrations: [] } }
  yield { kind: 'F', value: { name: 'keys.json', content: Buffer.from('keys of the backup').toString('base64') } }
  yield { kind: 'Z', value: { tables: 0, rows: 0 } }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'banyan-restore-'))
  dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'keys.json'), 'keys of before')
  await writeBackup(join(folder, 'all.backup'), entriesWithKeys())
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function runRestore(variables: Record<string, string> = {}) {
  const env = { ...process.env, INIT_CWD: folder, DATA_DIR: dataDir, DATABASE_URL: undefined, ...variables }
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/tsx', ['scripts/restore.ts', 'all.backup'], {
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const readKeys = () => readFileSync(join(dataDir, 'keys.json'), 'utf8')

it('a restore into a new embedded database does not replace keys that may belong to a server of an external database, not even at the second attempt', () => {
  for (const attempt of ['first', 'second']) {
    const { status, stderr } = runRestore()
    expect(stderr, attempt).toMatch(/^\S+keys\.json has other keys than the backup\. .* nothing was restored\. /)
    expect(status).toBe(1)
    expect(readdirSync(dataDir), attempt).toEqual(['keys.json'])
  }
  expect(readKeys()).toBe('keys of before')
})

it('a restore into an external database does not replace keys, also if DATA_DIR has an embedded database', () => {
  mkdirSync(join(dataDir, 'postgres'))
  // The port is closed: the refusal comes before the database is opened.
  const { status, stderr } = runRestore({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  expect(stderr).toMatch(/keys\.json has other keys than the backup/)
  expect(status).toBe(1)
  expect(readKeys()).toBe('keys of before')
})

it('a restore into an existing embedded database replaces its keys, and says where it keeps them', () => {
  // PostgreSQL's folder is empty, as at a first start that was interrupted early.
  mkdirSync(join(dataDir, 'postgres'))
  const { status, stdout, stderr } = runRestore()
  expect(stderr).toBe('')
  const copy = join(dataDir, 'keys.json.before-restore')
  expect(stdout).toContain(`0 rows of 0 tables restored.\n${dataDir} had other keys. They are kept in ${copy}.`)
  expect(status).toBe(0)
  expect(readKeys()).toBe('keys of the backup')
  expect(readFileSync(copy, 'utf8')).toBe('keys of before')
})

it('a restore names the external database that it cannot reach', () => {
  rmSync(join(dataDir, 'keys.json'))
  const { status, stderr } = runRestore({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' })
  expect(stderr).toMatch(/^The database at 127\.0\.0\.1:1 cannot be reached, .*ECONNREFUSED.*\n$/)
  expect(status).toBe(1)
  expect(readdirSync(dataDir)).toEqual([])
})
