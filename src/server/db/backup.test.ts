import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import { poolOf } from '#tests/harness/pool-of.ts'
import { backUp } from './backup.ts'
import { readBackup, verifyBackup, writeBackup } from './backup-format.ts'
import { migrate } from './migrate.ts'
import { externalConnection } from './external-database.ts'
import { restore } from './restore.ts'

let folder: string
let file: string
let source: TestDatabase
let target: TestDatabase
const sources = () => [{ name: 'product', folder: join(folder, 'migrations') }]
const backUpSource = () => backUp({ connection: externalConnection(source.url), dataDir: join(folder, 'data'), file })
const restoreInto = (database: TestDatabase) =>
  restore({
    connect: async () => externalConnection(database.url),
    dataDir: join(folder, 'restored'),
    file,
    sources: sources(),
  })

const shelvesAndBooks = `
  create schema private;
  create table public.shelves (id int primary key, name text not null, upper_name text generated always as (upper(name)) stored);
  create table public.books (
    id bigint generated always as identity primary key, shelf_id int not null references shelves, title text,
    pages numeric, at timestamptz, tags text[], raw bytea, more jsonb, stamp bigint);
  create table private.restores (n int not null);
  insert into private.restores values (0);
  create function public.stamp() returns trigger language plpgsql as $$ begin new.stamp := txid_current(); return new; end $$;
  create trigger stamps_books before insert or update on books for each row execute function stamp();
  create function private.on_restore() returns void language sql as 'update private.restores set n = n + 1';`

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'banyan-backup-'))
  file = join(folder, 'all.backup')
  mkdirSync(join(folder, 'migrations'))
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data/keys.json'), '{"secret":"k"}')
  writeFileSync(join(folder, 'migrations/001_books.sql'), shelvesAndBooks)
  source = await testDatabase({ empty: true })
  target = await testDatabase({ empty: true })
  await migrate(source.owner, sources())
  await source.owner.query(`
    insert into shelves select n, 'shelf ' || n from generate_series(1, 50) n;
    insert into books (shelf_id, title, pages, at, tags, raw, more)
      select 1 + n % 50, case n % 7 when 0 then null when 1 then E'tab\\tnewline\\nslash\\\\ \\\\N' else 'Ünïcode 𝄞 ' || n end,
        n * 1.10, timestamptz '2026-01-01 00:00+02' + n * interval '1 hour', array['a', null, '"'], decode(lpad(to_hex(n), 8, '0'), 'hex'), jsonb_build_object('n', n)
      from generate_series(1, 5000) n`)
})

afterEach(async () => {
  await source.drop()
  await target.drop()
  rmSync(folder, { recursive: true })
})

async function contents(database: TestDatabase): Promise<unknown> {
  const { rows } = await database.owner.query(`
    select (select md5(string_agg(s::text, '|' order by id)) from shelves s) as shelves,
           (select md5(string_agg(b::text, '|' order by id)) from books b) as books,
           (select count(*)::int from books) as count`)
  return rows[0]
}

test("a restored database has every row byte by byte, the sequences and the keys, and the restore calls the product's hook", async () => {
  expect(await backUpSource()).toMatchObject({ rows: 5_051 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const before = await contents(source)
  expect(await restoreInto(target)).toMatchObject({ rows: 5_051 })
  expect(await contents(target)).toEqual(before)
  expect(readFileSync(join(folder, 'restored/keys.json'), 'utf8')).toBe('{"secret":"k"}')
  expect(statSync(join(folder, 'restored/keys.json')).mode & 0o777).toBe(0o600)
  expect((await target.owner.query('select n from private.restores')).rows).toEqual([{ n: 1 }])
  const { rows } = await target.owner.query(
    `insert into books (shelf_id, title) values (1, 'next') returning id::int, stamp is not null as stamped`,
  )
  expect(rows).toEqual([{ id: 5_001, stamped: true }])
  expect(await migrate(target.owner, sources())).toBe(0)
})

test('a backup without the keys is refused with a message that says what to do, and writes no file', async () => {
  rmSync(join(folder, 'data/keys.json'))
  await expect(backUpSource()).rejects.toThrow(/data\/keys\.json cannot be read .*\. Set DATA_DIR as for the server\.$/)
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'migrations'])
})

test('a restore says whether the file contains the keys; without them the keys of DATA_DIR stay', async () => {
  await backUpSource()
  const entriesWithoutKeys = (async function* () {
    for await (const entry of readBackup(file)) if (entry.kind !== 'F') yield entry
  })()
  await writeBackup(join(folder, 'older.backup'), entriesWithoutKeys)
  expect(await restoreInto(target)).toMatchObject({ hasKeys: true })
  file = join(folder, 'older.backup')
  writeFileSync(join(folder, 'restored/keys.json'), 'keys of before')
  const another = await testDatabase({ empty: true })
  expect(await restoreInto(another)).toMatchObject({ rows: 5_051, hasKeys: false })
  expect(readFileSync(join(folder, 'restored/keys.json'), 'utf8')).toBe('keys of before')
  await another.drop()
})

test('a backup is one snapshot, although others write meanwhile: no row refers to a missing row', async () => {
  const writing = new AbortController()
  const pool = poolOf(source.url)
  const writer = (async () => {
    for (let i = 0; !writing.signal.aborted; i++) {
      await pool.query(
        'with s as (insert into shelves values ($1, $2) returning id) insert into books (shelf_id) select id from s where false',
        [1_000 + i, 'x'],
      )
      await pool.query('insert into books (shelf_id, title) values ($1, $2)', [1_000 + i, 'pair'])
    }
  })()
  await backUpSource()
  writing.abort()
  await writer
  await pool.end()
  await restoreInto(target)
  const { rows } = await target.owner.query(
    `select count(*)::int as strays from books b where not exists (select from shelves s where s.id = b.shelf_id)`,
  )
  expect(rows).toEqual([{ strays: 0 }])
})

test('a restore refuses a file with a changed byte, or a truncated or longer file, and changes nothing', async () => {
  await backUpSource()
  const intact = readFileSync(file)
  const positions = [
    0,
    8,
    14,
    15,
    18,
    19,
    23,
    24,
    25,
    30,
    ...Array.from({ length: 40 }, (_, i) => Math.floor((intact.length * i) / 40)),
    intact.length - 66,
    intact.length - 65,
    intact.length - 2,
    intact.length - 1,
  ]
  for (const position of positions) {
    const changed = Buffer.from(intact)
    changed[position] = (changed[position] as number) ^ 1
    writeFileSync(file, changed)
    await expect(restoreInto(target), `byte ${position}`).rejects.toMatchObject({ name: 'UnusableBackupError' })
  }
  for (const length of [0, 5, 15, 60, 90, intact.length >> 1, intact.length - 65, intact.length - 1]) {
    writeFileSync(file, intact.subarray(0, length))
    await expect(restoreInto(target), `cut at ${length}`).rejects.toMatchObject({ name: 'UnusableBackupError' })
  }
  writeFileSync(file, Buffer.concat([intact, Buffer.from('x')]))
  await expect(restoreInto(target)).rejects.toThrow(/damaged/)
  const { rows } = await target.owner.query(
    `select count(*)::int as n from pg_tables where schemaname in ('public', 'private', 'server')`,
  )
  expect(rows).toEqual([{ n: 0 }])
})

test('a restore refuses a file of a newer format, or with an unknown or edited migration', async () => {
  await backUpSource()
  const intact = readFileSync(file)
  writeFileSync(file, Buffer.concat([Buffer.from('banyan backup 2\n'), intact.subarray(16)]))
  await expect(restoreInto(target)).rejects.toThrow(/newer release/)
  writeFileSync(file, intact)
  rmSync(join(folder, 'migrations/001_books.sql'))
  await expect(restoreInto(target)).rejects.toThrow(
    /newer release \(it contains the migration product\/001_books\.sql\)/,
  )
  writeFileSync(join(folder, 'migrations/001_books.sql'), `${shelvesAndBooks} -- edited`)
  await expect(restoreInto(target)).rejects.toThrow(/another version of the migration product\/001_books\.sql/)
})

test('a restore applies the migrations of a later release to the restored rows', async () => {
  await backUpSource()
  writeFileSync(
    join(folder, 'migrations/002_loud.sql'),
    `alter table books add column loud text; update books set loud = upper(title);`,
  )
  await restoreInto(target)
  expect(
    (await target.owner.query('select count(*)::int as n from books where loud = upper(title)')).rows[0].n,
  ).toBeGreaterThan(4_000)
})

test('a restore refuses a database that has tables already; if the restore fails later, the database has no tables', async () => {
  await backUpSource()
  await expect(restoreInto(source)).rejects.toThrow(/not empty/)
  await target.owner.query(`create function public.stamp() returns trigger language plpgsql as 'begin return new; end'`)
  await expect(restoreInto(target)).rejects.toThrow(/001_books\.sql failed/)
  const { rows } = await target.owner.query(
    `select count(*)::int as n from pg_tables where schemaname in ('public', 'private', 'server')`,
  )
  expect(rows).toEqual([{ n: 0 }])
})

test('a restore into a database on which a server was started is refused with the statement that creates another one', async () => {
  await backUpSource()
  const started = await testDatabase()
  const refused: Error = await restoreInto(started).then(
    () => new Error('not refused'),
    (error: Error) => error,
  )
  expect(refused.message).toMatch(
    /^The database is not empty \(it has the table auth\.\w+\)\. .*`create database test_\w+_new owner \w+;`/,
  )
  const [, statement = '', name = ''] = /`(create database (\w+) .*?)`/.exec(refused.message) ?? []
  await started.owner.query(statement)
  const url = new URL(started.url)
  url.pathname = `/${name}`
  const owner = poolOf(url.href)
  expect(await restoreInto({ ...started, url: url.href, owner })).toMatchObject({ rows: 5_051 })
  await owner.end()
  await started.owner.query(`drop database ${name}`)
  await started.drop()
})

test('an owner role without superuser rights can restore a backup, although it cannot switch off the checks of foreign keys', async () => {
  await backUpSource()
  const before = await contents(source)
  const { rows } = await target.owner.query('select current_database() as name')
  const role = `plain_${rows[0].name}`
  await target.owner.query(`create role ${role} login; alter database ${rows[0].name} owner to ${role}`)
  const url = new URL(target.url)
  url.username = role
  await restoreInto({ ...target, url: url.toString() })
  expect(await contents(target)).toEqual(before)
  const { rows: inserted } = await target.owner.query(
    `insert into books (shelf_id) values (1) returning stamp is not null as stamped`,
  )
  expect(inserted).toEqual([{ stamped: true }])
})

test('a backup does not overwrite an existing file', async () => {
  writeFileSync(file, 'dear')
  await expect(backUpSource()).rejects.toThrow(/exists already/)
  expect(readFileSync(file, 'utf8')).toBe('dear')
})

test('a backup of a database without the tables of the server says so, and writes no file', async () => {
  file = join(folder, 'none.backup')
  const { rows } = await target.owner.query<{ name: string }>('select current_database() as name')
  await expect(
    backUp({ connection: externalConnection(target.url), dataDir: join(folder, 'data'), file }),
  ).rejects.toThrow(
    new Error(
      `The database ${rows[0]?.name} has no tables of Banyan CRM. Set DATABASE_URL and DATA_DIR as for the server, which creates the tables at its first start.`,
    ),
  )
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'migrations'])
})

test('a backup file has the documented format', async () => {
  await backUpSource()
  const { header, files } = await verifyBackup(file)
  expect(header.migrations).toMatchObject([{ source: 'product', name: '001_books.sql' }])
  expect([...files]).toEqual([['keys.json', Buffer.from('{"secret":"k"}').toString('base64')]])
  const kinds = new Map<string, number>()
  const tables: string[] = []
  for await (const { kind, value } of readBackup(file)) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    if (kind === 'T') tables.push(`${value.schema}.${value.name}`)
  }
  expect(tables).toEqual(['private.restores', 'public.shelves', 'public.books'])
  expect([...kinds.keys()].sort().join('')).toBe('DEFHSTZ')
})
