import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openForRestore } from './open-for-tool.ts'
import { processIdentity } from './process-identity.ts'

const log = pino({ level: 'silent' })
const databaseUrl = 'postgres://ana@localhost/crm'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'banyan-tool-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

function writeLock(pid: number, identity: string | null): void {
  writeFileSync(join(dataDir, 'server.lock'), JSON.stringify({ pid, identity, socketDirectory: null }))
}

test('a restore into an external database is refused while a server runs on DATA_DIR', async () => {
  writeLock(process.ppid, processIdentity(process.ppid))
  await expect(openForRestore({ databaseUrl, dataDir, log })).rejects.toThrow(
    `Another server (process ${process.ppid}) already runs on ${dataDir}. Stop it, or choose another DATA_DIR.`,
  )
})

test('a restore into an external database needs no DATA_DIR, and ignores the lock of a server that has ended', async () => {
  const missing = join(dataDir, 'missing')
  expect(await openForRestore({ databaseUrl, dataDir: missing, log })).toMatchObject({
    connection: { database: 'crm' },
  })
  expect(readdirSync(dataDir)).toEqual([])
  writeLock(4_000_000, 'an earlier boot')
  expect(await openForRestore({ databaseUrl, dataDir, log })).toMatchObject({ connection: { database: 'crm' } })
})
