import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import { backUp } from './backup.ts'
import { externalConnection } from './external-database.ts'
import { migrate } from './migrate.ts'
import { restore } from './restore.ts'

let folder: string
let dataDir: string
let target: TestDatabase
const sources = () => [{ name: 'product', folder: join(folder, 'migrations') }]
const restoreIntoTarget = ({ mayReplaceKeys = true } = {}) =>
  restore({
    connect: async () => externalConnection(target.url),
    dataDir,
    file: join(folder, 'all.backup'),
    sources: sources(),
    mayReplaceKeys,
  })

/** Writes a backup whose restore runs this PL/pgSQL statement during its commit. */
async function backUpWith(duringCommit: string): Promise<void> {
  writeFileSync(
    join(folder, 'migrations/001_late.sql'),
    `create schema private;
     create table private.restores (n int not null);
     create function private.late() returns trigger language plpgsql as $$ begin ${duringCommit}; return null; end $$;
     create constraint trigger late after insert on private.restores deferrable initially deferred for each row execute function private.late();
     create function private.on_restore() returns void language sql as 'insert into private.restores values (1)';`,
  )
  const source = await testDatabase({ empty: true })
  await migrate(source.owner, sources())
  mkdirSync(join(folder, 'source'))
  writeFileSync(join(folder, 'source/keys.json'), 'restored keys')
  await backUp({
    connection: externalConnection(source.url),
    dataDir: join(folder, 'source'),
    file: join(folder, 'all.backup'),
  })
  await source.drop()
}

const filesOfDataDir = () => readdirSync(dataDir).sort()
const readKeys = () => readFileSync(join(dataDir, 'keys.json'), 'utf8')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'banyan-keys-'))
  dataDir = join(folder, 'data')
  mkdirSync(join(folder, 'migrations'))
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'keys.json'), 'keys of before')
  target = await testDatabase({ empty: true })
})

afterEach(async () => {
  await target.drop()
  rmSync(folder, { recursive: true })
})

test('a restore whose commit fails keeps the former keys, and leaves no draft of the new keys and no table', async () => {
  await backUpWith(`raise exception 'refused late'`)
  await expect(restoreIntoTarget()).rejects.toThrow('refused late')
  expect(filesOfDataDir()).toEqual(['keys.json'])
  expect(readKeys()).toBe('keys of before')
  const { rows } = await target.owner.query(`select to_regclass('server.migrations') as found`)
  expect(rows).toEqual([{ found: null }])
})

test('a restore that loses its connection during the commit keeps the draft of the keys, and says what to do', async () => {
  await backUpWith(`perform pg_terminate_backend(pg_backend_pid())`)
  await expect(restoreIntoTarget()).rejects.toThrow(/^The connection was lost during the commit\. Restore again\./)
  expect(filesOfDataDir()).toEqual(['keys.json', 'keys.json.before-restore', 'keys.json.restored'])
  expect(readKeys()).toBe('keys of before')
})

test('a restore that cannot put the keys in place says so, and keeps their draft', async () => {
  await backUpWith('null')
  rmSync(join(dataDir, 'keys.json'))
  // A folder of this name, created after the check of DATA_DIR, makes the renaming fail.
  const connect = async () => {
    mkdirSync(join(dataDir, 'keys.json'))
    return externalConnection(target.url)
  }
  await expect(restore({ connect, dataDir, file: join(folder, 'all.backup'), sources: sources() })).rejects.toThrow(
    /^The data is restored, but not its keys: Error: EISDIR/,
  )
  expect(readFileSync(join(dataDir, 'keys.json.restored'), 'utf8')).toBe('restored keys')
  rmSync(join(dataDir, 'keys.json'), { recursive: true })
  await expect(restoreIntoTarget()).rejects.toThrow('The database is not empty')
  expect(filesOfDataDir()).toEqual(['keys.json.restored'])
})

test.each(['keys.json', 'keys.json.restored'])(
  'a restore is refused, and changes nothing, if %s in DATA_DIR is a directory',
  async (name) => {
    await backUpWith('null')
    const path = join(dataDir, name)
    rmSync(path, { force: true })
    mkdirSync(path)
    writeFileSync(join(path, 'letter.txt'), 'dear')
    const before = filesOfDataDir()
    await expect(restoreIntoTarget()).rejects.toThrow(
      new Error(
        `${path} is a directory, so the keys cannot be stored there. Nothing was restored. Move it away, then restore again.`,
      ),
    )
    expect(filesOfDataDir()).toEqual(before)
    expect(readFileSync(join(path, 'letter.txt'), 'utf8')).toBe('dear')
    expect((await target.owner.query(`select to_regclass('server.migrations') as found`)).rows).toEqual([
      { found: null },
    ])
  },
)

test('a restore keeps replaced keys in another file if keys.json.before-restore is a directory', async () => {
  await backUpWith('null')
  const path = join(dataDir, 'keys.json.before-restore')
  mkdirSync(path)
  writeFileSync(join(path, 'letter.txt'), 'dear')
  expect(await restoreIntoTarget()).toMatchObject({ copiesOfKeys: [`${path}-2`] })
  expect(readFileSync(`${path}-2`, 'utf8')).toBe('keys of before')
  expect(readFileSync(join(path, 'letter.txt'), 'utf8')).toBe('dear')
  expect(readKeys()).toBe('restored keys')
})

test('if two restores into one database run at the same time, the second is refused, because the database is not empty', async () => {
  await backUpWith('perform pg_sleep(0.3)')
  const outcomes = await Promise.allSettled([restoreIntoTarget(), restoreIntoTarget()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
  expect(reasons).toEqual([expect.stringContaining('The database is not empty')])
  expect(filesOfDataDir()).toEqual(['keys.json', 'keys.json.before-restore'])
  expect(readKeys()).toBe('restored keys')
})

test('a restore into an external database is refused if DATA_DIR has other keys, and changes nothing', async () => {
  await backUpWith('null')
  const path = join(dataDir, 'keys.json')
  await expect(restoreIntoTarget({ mayReplaceKeys: false })).rejects.toThrow(
    new Error(
      `${path} has other keys than the backup. A server of another database may use them, so nothing was restored. Set DATA_DIR to a new directory; or, if no server needs these keys, move ${path} away. If they are the keys of this installation, which were rotated after the backup, move the file back after the restore.`,
    ),
  )
  expect(filesOfDataDir()).toEqual(['keys.json'])
  expect(readKeys()).toBe('keys of before')
  const { rows } = await target.owner.query(`select to_regclass('server.migrations') as found`)
  expect(rows).toEqual([{ found: null }])
})

test('a restore that may not replace the keys of DATA_DIR is refused before it opens the database', async () => {
  await backUpWith('null')
  let isOpened = false
  const connect = async () => {
    isOpened = true
    return externalConnection(target.url)
  }
  await expect(
    restore({ connect, dataDir, file: join(folder, 'all.backup'), sources: sources(), mayReplaceKeys: false }),
  ).rejects.toThrow('has other keys than the backup')
  expect(isOpened).toBe(false)
})

test('keys that appear in DATA_DIR during a restore are not replaced', async () => {
  await backUpWith('null')
  rmSync(join(dataDir, 'keys.json'))
  const connect = async () => {
    writeFileSync(join(dataDir, 'keys.json'), 'keys of another server')
    return externalConnection(target.url)
  }
  await expect(
    restore({ connect, dataDir, file: join(folder, 'all.backup'), sources: sources(), mayReplaceKeys: false }),
  ).rejects.toThrow('has other keys than the backup')
  expect(readKeys()).toBe('keys of another server')
})

test('a restore into an external database needs no other DATA_DIR if its keys are those of the backup, or if it has none', async () => {
  await backUpWith('null')
  writeFileSync(join(dataDir, 'keys.json'), 'restored keys')
  expect(await restoreIntoTarget({ mayReplaceKeys: false })).toMatchObject({ hasKeys: true, copiesOfKeys: [] })
  expect(filesOfDataDir()).toEqual(['keys.json'])
  await target.drop()
  target = await testDatabase({ empty: true })
  rmSync(join(dataDir, 'keys.json'))
  expect(await restoreIntoTarget({ mayReplaceKeys: false })).toMatchObject({ hasKeys: true, copiesOfKeys: [] })
  expect(filesOfDataDir()).toEqual(['keys.json'])
  expect(readKeys()).toBe('restored keys')
})

test('a restore that replaces other keys keeps them in a file that only its owner may read, beside the copies of earlier restores', async () => {
  await backUpWith('null')
  const copy = join(dataDir, 'keys.json.before-restore')
  writeFileSync(copy, 'keys of an earlier restore')
  expect(await restoreIntoTarget()).toMatchObject({ copiesOfKeys: [`${copy}-2`] })
  expect(readFileSync(copy, 'utf8')).toBe('keys of an earlier restore')
  expect(readFileSync(`${copy}-2`, 'utf8')).toBe('keys of before')
  expect(statSync(`${copy}-2`).mode & 0o777).toBe(0o600)
  expect(readKeys()).toBe('restored keys')
})

test('a restore whose keys cannot be stored because DATA_DIR is a file changes nothing, and names the path', async () => {
  await backUpWith('null')
  rmSync(dataDir, { recursive: true })
  writeFileSync(dataDir, '')
  await expect(restoreIntoTarget()).rejects.toMatchObject({ code: 'ENOTDIR', path: join(dataDir, 'keys.json') })
  const { rows } = await target.owner.query(`select to_regclass('server.migrations') as found`)
  expect(rows).toEqual([{ found: null }])
})
