import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
let folder: string
const sources = () => [{ name: 'product', folder }]
const writeMigration = (name: string, text: string) => writeFileSync(join(folder, name), text)

beforeEach(async () => {
  database = await testDatabase({ empty: true })
  folder = mkdtempSync(join(tmpdir(), 'migrations-'))
})

afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

test('each migration file is applied once, in the order of the names', async () => {
  writeMigration('002_more.sql', 'insert into notes values (2);')
  writeMigration('001_notes.sql', 'create table public.notes (n int); insert into notes values (1);')
  expect(await migrate(database.owner, sources())).toBe(2)
  expect(await migrate(database.owner, sources())).toBe(0)
  writeMigration('003_last.sql', 'insert into notes values (3);')
  expect(await migrate(database.owner, sources())).toBe(1)
  const { rows } = await database.owner.query('select n from notes order by n')
  expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
})

test('if a migration file fails, the database stays as it was, and the error names the file and the line', async () => {
  writeMigration('001_notes.sql', 'create table public.notes (n int);\nselect nothing();')
  await expect(migrate(database.owner, sources())).rejects.toThrow(
    /product\/001_notes\.sql failed: .*nothing.*\(line 2\)/,
  )
  const { rows } = await database.owner.query("select to_regclass('public.notes') as found")
  expect(rows).toEqual([{ found: null }])
})

test('if a later migration of an update fails, no earlier one of the update remains, and the earlier release starts again', async () => {
  writeMigration('001_notes.sql', 'create table public.notes (n int);')
  await migrate(database.owner, sources())
  writeMigration('002_more.sql', 'alter table public.notes add more int;')
  writeMigration('003_last.sql', 'select nothing();')
  await expect(migrate(database.owner, sources())).rejects.toThrow(/product\/003_last\.sql failed/)
  const { rows } = await database.owner.query("select from pg_attribute where attname = 'more'")
  expect(rows).toEqual([])
  for (const name of ['002_more.sql', '003_last.sql']) rmSync(join(folder, name))
  expect(await migrate(database.owner, sources())).toBe(0)
})

test.each([
  ['a full disk', `do $$ begin raise sqlstate '53100' using message = 'disk full'; end $$`, '53100', 'disk full'],
  ['a connection that is lost', 'select pg_terminate_backend(pg_backend_pid())', '57P01', 'terminating connection'],
])(
  'the error of %s during a migration names the file, and has the SQLSTATE by which the start is repeated',
  async (_, sql, code, text) => {
    // Without a listener, the lost connection would end the process.
    database.owner.on('connect', (client) => client.on('error', () => {}))
    writeMigration('001_notes.sql', `create table public.notes (n int); ${sql};`)
    await expect(migrate(database.owner, sources())).rejects.toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`^The migration product/001_notes.sql failed: ${text}`)),
    })
    expect((await database.owner.query("select to_regclass('public.notes') as found")).rows).toEqual([{ found: null }])
  },
)

test('a migration file that was edited after it was applied is refused with a message that says what to do', async () => {
  writeMigration('001_notes.sql', 'create table public.notes (n int);')
  await migrate(database.owner, sources())
  writeMigration('001_notes.sql', 'create table public.notes (n bigint);')
  await expect(migrate(database.owner, sources())).rejects.toThrow(/001_notes\.sql was edited .* new migration/)
})

test('a database of a newer release is refused with a message that says what to do', async () => {
  writeMigration('001_notes.sql', 'create table public.notes (n int);')
  writeMigration('002_later.sql', 'create table public.later (n int);')
  await migrate(database.owner, sources())
  rmSync(join(folder, '002_later.sql'))
  await expect(migrate(database.owner, sources())).rejects.toThrow(/newer release .*002_later\.sql/)
})

test('two servers that migrate at the same time take turns', async () => {
  writeMigration('001_notes.sql', 'create table public.notes (n int); select pg_sleep(0.1);')
  const counts = await Promise.all([migrate(database.owner, sources()), migrate(database.owner, sources())])
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1])
})
