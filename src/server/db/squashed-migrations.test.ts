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

const notes = 'create table public.notes (n int);'
const chapterCount = `create function public.counted() returns bigint language sql
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
const at = (...path: string[]) => join(folder, ...path)
const replaced = () => [{ name: 'product', folder: at('replaced') }]
const chapters = () => [{ name: 'product', folder: at('chapters'), squashed: at('squashed') }]
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const one = async (text: string) => Object.values((await database.owner.query(text)).rows[0] ?? {})[0]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'squashed-'))
  for (const name of ['replaced', 'chapters', 'squashed', 'data']) mkdirSync(at(name))
  writeFileSync(at('replaced', '001_notes.sql'), notes)
  writeFileSync(at('replaced', '002_count.sql'), chapterCount)
  writeFileSync(at('chapters', '100_notes.sql'), firstChapter)
  writeFileSync(at('squashed', 'renames.sql'), 'alter function public.counted() rename to note_count;')
  writeFileSync(
    at('squashed', 'checksums.json'),
    JSON.stringify({
      replaced: { '001_notes.sql': sha256(notes), '002_count.sql': sha256(chapterCount) },
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
  await migrate(database.owner, replaced())
  await database.owner.query('insert into notes values (1), (2)')
  writeFileSync(at('chapters', '101_more.sql'), 'insert into notes values (3);')
  expect(await migrate(database.owner, chapters())).toBe(1)
  expect(await migrate(database.owner, chapters())).toBe(0)
  expect(await one('select note_count()')).toBe('4')
  expect(await one(`select string_agg(name, ' ' order by name) from server.migrations`)).toBe(
    '100_notes.sql 101_more.sql',
  )
})

test('in an empty database, only the replacing migrations are applied', async () => {
  expect(await migrate(database.owner, chapters())).toBe(1)
  expect(await one('select note_count()')).toBe('1')
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
    await migrate(database.owner, replaced())
    await database.owner.query(change)
    const before = await one('select json_agg(m order by name) from server.migrations m')
    const refused = migrate(database.owner, chapters())
    await expect(refused).rejects.toThrow(problem)
    await expect(refused).rejects.toThrow(
      /^The database .* Start the last version before 0\.1\.0 on it once, and then this/,
    )
    expect(await one('select json_agg(m order by name) from server.migrations m')).toEqual(before)
    expect(await one(`select to_regprocedure('public.counted()')::text`)).toBe('counted()')
  },
)

test('if the replacement of migrations fails, the database stays as it was', async () => {
  await migrate(database.owner, replaced())
  writeFileSync(at('chapters', '100_notes.sql'), firstChapter.replace('from notes', 'from nothing'))
  await expect(migrate(database.owner, chapters())).rejects.toThrow(/could not be replaced: .*nothing/)
  expect(await one(`select to_regprocedure('public.counted()')::text`)).toBe('counted()')
  expect(await one(`select string_agg(name, ' ' order by name) from server.migrations`)).toBe(
    '001_notes.sql 002_count.sql',
  )
})

test('a backup in which one of the replaced migrations was edited is refused with a message that says what to do', async () => {
  const file = at('all.backup')
  await migrate(database.owner, replaced())
  await database.owner.query(`update server.migrations set checksum = 'x' where name = '001_notes.sql'`)
  await backUp({ connection: externalConnection(database.url), dataDir: at('data'), file })
  const target = await testDatabase({ empty: true })
  try {
    const connect = async () => externalConnection(target.url)
    const restored = restore({ connect, dataDir: at('data'), file, sources: chapters() })
    await expect(restored).rejects.toThrow(
      /all\.backup .* 0\.1\.0.*product\/001_notes\.sql was edited\. Restore it with the version/,
    )
  } finally {
    await target.drop()
  }
})
