import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import { backUp } from './backup.ts'
import { migrate } from './migrate.ts'
import { externalConnection } from './external-database.ts'
import { restore } from './restore.ts'

const notesMigration = 'create table public.notes (n int);'
const countMigration = `create function public.counted() returns bigint language sql
as $$
  select count(*) from notes
$$;`
const firstChapter = `create table public.notes (n int);
-- How many notes there are, and one more.
create function public.note_count() returns bigint
language sql stable
as $$
  select 1 + count(*) from notes
$$;
`

let database: TestDatabase
let folder: string
const pathOf = (...path: string[]) => join(folder, ...path)
const replacedSources = () => [{ name: 'product', folder: pathOf('replaced') }]
const chapterSources = () => [{ name: 'product', folder: pathOf('chapters'), squashed: pathOf('squashed') }]
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const queryValue = async (text: string) => Object.values((await database.owner.query(text)).rows[0] ?? {})[0]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'squashed-'))
  for (const name of ['replaced', 'chapters', 'squashed', 'data']) mkdirSync(pathOf(name))
  writeFileSync(pathOf('replaced', '001_notes.sql'), notesMigration)
  writeFileSync(pathOf('replaced', '002_count.sql'), countMigration)
  writeFileSync(pathOf('chapters', '100_notes.sql'), firstChapter)
  writeFileSync(pathOf('squashed', 'renames.sql'), 'alter function public.counted() rename to note_count;')
  writeFileSync(
    pathOf('squashed', 'checksums.json'),
    JSON.stringify({
      replaced: { '001_notes.sql': sha256(notesMigration), '002_count.sql': sha256(countMigration) },
      by: ['100_notes.sql'],
    }),
  )
  database = await testDatabase({ empty: true })
})

afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

test('a database with exactly the replaced migrations keeps its rows, gets the new schema, and accepts later migrations', async () => {
  await migrate(database.owner, replacedSources())
  await database.owner.query('insert into notes values (1), (2)')
  writeFileSync(pathOf('chapters', '101_more.sql'), 'insert into notes values (3);')
  expect(await migrate(database.owner, chapterSources())).toBe(1)
  expect(await migrate(database.owner, chapterSources())).toBe(0)
  expect(await queryValue('select note_count()')).toBe('4')
  expect(await queryValue(`select string_agg(name, ' ' order by name) from server.migrations`)).toBe(
    '100_notes.sql 101_more.sql',
  )
})

test('in an empty database, only the replacing migrations are applied', async () => {
  expect(await migrate(database.owner, chapterSources())).toBe(1)
  expect(await queryValue('select note_count()')).toBe('1')
})

test.each([
  [
    'one of the replaced migrations is missing',
    `delete from server.migrations where name = '002_count.sql'`,
    /002_count\.sql is missing/,
  ],
  [
    'one of the replaced migrations was edited',
    `update server.migrations set checksum = 'x' where name = '001_notes.sql'`,
    /001_notes\.sql was edited/,
  ],
  [
    'another migration was applied too',
    `insert into server.migrations values ('product', '003_mine.sql', 'x')`,
    /003_mine\.sql is not one of them/,
  ],
])(
  'a database is refused with a message that says what to do, and not changed, if %s',
  async (_title, change, problem) => {
    await migrate(database.owner, replacedSources())
    await database.owner.query(change)
    const before = await queryValue('select json_agg(m order by name) from server.migrations m')
    const refused = migrate(database.owner, chapterSources())
    await expect(refused).rejects.toThrow(problem)
    await expect(refused).rejects.toThrow(
      /^The database .* Start the last version before 0\.1\.0 on it once, and then this/,
    )
    expect(await queryValue('select json_agg(m order by name) from server.migrations m')).toEqual(before)
    expect(await queryValue(`select to_regprocedure('public.counted()')::text`)).toBe('counted()')
  },
)

test('if the replacement of migrations fails, the database stays as it was', async () => {
  await migrate(database.owner, replacedSources())
  writeFileSync(pathOf('chapters', '100_notes.sql'), firstChapter.replace('from notes', 'from nothing'))
  await expect(migrate(database.owner, chapterSources())).rejects.toThrow(/could not be replaced: .*nothing/)
  expect(await queryValue(`select to_regprocedure('public.counted()')::text`)).toBe('counted()')
  expect(await queryValue(`select string_agg(name, ' ' order by name) from server.migrations`)).toBe(
    '001_notes.sql 002_count.sql',
  )
})

test('if the connection is lost while migrations are replaced, the error has the SQLSTATE by which the start is repeated', async () => {
  // Without a listener, the lost connection would end the process.
  database.owner.on('connect', (client) => client.on('error', () => {}))
  await migrate(database.owner, replacedSources())
  writeFileSync(pathOf('squashed', 'renames.sql'), 'select pg_terminate_backend(pg_backend_pid());')
  await expect(migrate(database.owner, chapterSources())).rejects.toMatchObject({ code: '57P01' })
})

test('a backup in which one of the replaced migrations was edited is refused with a message that says what to do', async () => {
  const file = pathOf('all.backup')
  await migrate(database.owner, replacedSources())
  await database.owner.query(`update server.migrations set checksum = 'x' where name = '001_notes.sql'`)
  writeFileSync(pathOf('data', 'keys.json'), 'keys')
  await backUp({ connection: externalConnection(database.url), dataDir: pathOf('data'), file })
  const target = await testDatabase({ empty: true })
  try {
    const connect = async () => externalConnection(target.url)
    const restored = restore({ connect, dataDir: pathOf('data'), file, sources: chapterSources() })
    await expect(restored).rejects.toThrow(
      /all\.backup .* 0\.1\.0.*product\/001_notes\.sql was edited\. Restore it with the version/,
    )
  } finally {
    await target.drop()
  }
})
