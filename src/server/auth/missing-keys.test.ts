import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { startServer } from '#server/start-server.ts'
import { testDatabase } from '#tests/harness/database.ts'

it('a server that finds accounts but no keys.json logs what this means, and only once', async () => {
  const database = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'banyan-keys-'))
  /** Starts and stops a server. Returns its warnings about the keys. */
  const warningsOfStart = async (folder: string) => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    const config = readConfig({ DATA_DIR: folder, PORT: '0', DATABASE_URL: database.url })
    await (await startServer({ config, webRoot: dataDir, log })).stop()
    return lines.filter((line) => line.includes('keys.json'))
  }
  try {
    expect(await warningsOfStart(join(dataDir, 'first'))).toEqual([])
    await database.owner.query(`insert into auth.users (id, email) values (gen_random_uuid(), 'ana@example.com')`)
    expect(await warningsOfStart(join(dataDir, 'first'))).toEqual([])
    expect(await warningsOfStart(join(dataDir, 'second'))).toEqual([expect.stringContaining('put the old file back')])
    expect(await warningsOfStart(join(dataDir, 'second'))).toEqual([])
  } finally {
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
