import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadKeys } from '#server/auth/keys.ts'
import { type TestDatabase, testDatabase } from '../harness/database.ts'
import { startTestServer } from '../harness/server.ts'

let folder: string
let database: TestDatabase
const draft = () => join(folder, 'data/keys.json.restored')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'banyan-restored-'))
  database = await testDatabase({ product: false })
})
afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Leaves the keys of a backup as a draft in DATA_DIR, as an interrupted restore does. Returns both publishable keys. */
async function interruptRestore() {
  const before = await loadKeys(join(folder, 'data'))
  const backup = await loadKeys(join(folder, 'backup'))
  await copyFile(join(folder, 'backup/keys.json'), draft())
  return { before: before.publishableKey, backup: backup.publishableKey }
}

/** Starts the server and stops it. Returns the publishable key that it used. */
async function startAndStop(): Promise<string> {
  const server = await startTestServer({ product: false, dataDir: join(folder, 'data'), databaseUrl: database.url })
  await server.stop()
  return server.publishableKey
}

it('a start completes a restore that was interrupted after its commit: the server uses the keys of the backup', async () => {
  const keys = await interruptRestore()
  const digest = createHash('sha256').update(readFileSync(draft())).digest('hex')
  await database.owner.query(`comment on table server.migrations is 'restored with the keys ${digest}'`)
  expect(await startAndStop()).toBe(keys.backup)
  expect(existsSync(draft())).toBe(false)
  expect(await startAndStop()).toBe(keys.backup)
})

it('a start removes the keys of a restore that was interrupted before its commit, and uses the keys of before', async () => {
  const keys = await interruptRestore()
  expect(await startAndStop()).toBe(keys.before)
  expect(existsSync(draft())).toBe(false)
})
