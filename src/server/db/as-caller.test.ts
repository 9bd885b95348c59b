import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import { type CallerContext, UnavailableError } from './as-caller.ts'
import { type Database, openDatabase } from './database.ts'
import type { RequestPool } from './request-pool.ts'

const log = pino({ level: 'silent' })
let rawDatabase: TestDatabase
let database: Database
let dataDir: string

beforeAll(async () => {
  rawDatabase = await testDatabase({ product: false })
  dataDir = mkdtempSync(join(tmpdir(), 'banyan-data-'))
  await rawDatabase.owner.query(`
    do $$ declare role text; begin
      foreach role in array array['anon', 'authenticated', 'service_role'] loop
        if not exists (select from pg_roles where rolname = role) then execute format('create role %I nologin', role); end if;
      end loop;
    end $$;
    grant usage on schema public to anon, authenticated, service_role;
    create table notes (id int primary key, keeper text not null, body text, unique (body) deferrable initially deferred);
    alter table notes enable row level security;
    create policy "keepers see and write their notes" on notes to authenticated
      using (keeper = current_setting('request.jwt.claims', true)::jsonb ->> 'sub');
    grant select, insert, update, delete on notes to authenticated;
    insert into notes select n, case when n % 2 = 0 then 'ana' else 'bo' end, 'note ' || n from generate_series(1, 100) n`)
  database = await openDatabase({ databaseUrl: rawDatabase.url, dataDir, log, product: false })
})

afterAll(async () => {
  await database.close()
  await rawDatabase.drop()
  rmSync(dataDir, { recursive: true })
})

const contextOf = (sub: string | null, more: Partial<CallerContext> = {}): CallerContext => ({
  role: sub === null ? 'anon' : 'authenticated',
  claims: JSON.stringify(sub === null ? {} : { sub }),
  headers: '{}',
  method: 'GET',
  path: '/rest/v1/notes',
  user: sub ?? 'somebody',
  timeoutMs: 5_000,
  ...more,
})
const countNotes = { text: 'select count(*) as n from notes', values: [] }
const sql = (text: string, ...values: unknown[]) => ({ text, values })

describe('a result that is too large', () => {
  const resultOf = (bytes: number) => sql(`select repeat('x', ${bytes}) as t`)

  test('a result above 32 MiB, or above the bytes that may be held in memory, is refused, and the next request succeeds', async () => {
    const { generation } = database
    await expect(database.requests.run(contextOf('ana'), [resultOf(34_000_000)])).rejects.toMatchObject({
      reason: 'too large',
    })
    const twoResults = [resultOf(17_000_000), resultOf(17_000_000)]
    await expect(database.requests.run(contextOf('ana'), twoResults)).rejects.toMatchObject({ reason: 'too large' })
    await expect(
      database.requests.run(contextOf('ana', { takeBytes: (bytes) => bytes < 1000 }), [resultOf(70_000)]),
    ).rejects.toMatchObject({ name: 'ResultRefusedError', reason: 'busy' })
    expect((await database.requests.run(contextOf('ana'), [countNotes]))[0]?.rows[0]?.n).toBe('50')
    // A reconnect would increase the generation. So the server never counted the database as unreachable.
    expect(database.generation).toBe(generation)
  })

  test('a write with a result that is too large is rolled back', async () => {
    const write = sql("update notes set body = body || '!' where keeper = 'ana' returning repeat(body, 200000) as t")
    await expect(database.requests.run(contextOf('ana'), [write])).rejects.toMatchObject({ reason: 'too large' })
    await sleep(1500)
    const { rows } = await rawDatabase.owner.query("select from notes where body like '%!'")
    expect(rows).toEqual([])
  })

  test('the temporary files of a statement, such as those of a sort, may have at most 1 GB', async () => {
    const answer = await database.requests.run(contextOf('ana'), [
      sql("select current_setting('temp_file_limit') as t"),
    ])
    expect(answer[0]?.rows).toEqual([{ t: '1GB' }])
  })
})

describe('one batch as a caller', () => {
  test('row-level security decides by the claims of the current batch only', async () => {
    const subs = Array.from({ length: 300 }, (_, i) => ['ana', 'bo', 'eve'][i % 3] as string)
    // 30 requests at a time: on a slow machine, all requests at once would be an overload, and some would be refused.
    for (let start = 0; start < subs.length; start += 30) {
      const subsOfRound = subs.slice(start, start + 30)
      const answers = await Promise.all(subsOfRound.map((sub) => database.requests.run(contextOf(sub), [countNotes])))
      expect(answers.map((answer) => answer[0]?.rows[0]?.n)).toEqual(
        subsOfRound.map((sub) => (sub === 'eve' ? '0' : '50')),
      )
    }
  })

  test('a role without rights is refused, and the connection stays usable', async () => {
    await expect(database.requests.run(contextOf(null), [countNotes])).rejects.toMatchObject({ code: '42501' })
    expect((await database.requests.run(contextOf('ana'), [countNotes]))[0]?.rows).toEqual([{ n: '50' }])
  })

  test('a batch runs with the role and the claims of its caller; a new session of the login role has neither', async () => {
    const callerQuery = sql(`select current_user as who, current_setting('request.jwt.claims', true) as claims`)
    expect((await database.requests.run(contextOf('ana'), [callerQuery]))[0]?.rows).toEqual([
      { who: 'authenticated', claims: '{"sub":"ana"}' },
    ])
    const { rows } = await loginClient((client) =>
      client.query(
        `select current_user <> session_user as switched, current_setting('request.jwt.claims', true) as claims`,
      ),
    )
    expect(rows).toEqual([{ switched: false, claims: null }])
  })

  test('a request without a caller context fails, because the login role itself can read nothing', async () => {
    await expect(loginClient((client) => client.query('select * from notes'))).rejects.toMatchObject({ code: '42501' })
  })

  test('the headers, the method, the path and the timeout of the context reach the statements', async () => {
    const callerQuery =
      sql(`select current_setting('request.headers') as headers, current_setting('request.method') as method,
      current_setting('request.path') as path, current_setting('statement_timeout') as timeout`)
    const context = contextOf('ana', { headers: '{"idempotency-key":"k"}', method: 'PATCH', timeoutMs: 1_234 })
    const [answer] = await database.requests.run(context, [callerQuery])
    expect(answer?.rows).toEqual([
      { headers: '{"idempotency-key":"k"}', method: 'PATCH', path: '/rest/v1/notes', timeout: '1234ms' },
    ])
  })

  test('each statement returns one result, with text values, row count and command', async () => {
    const answers = await database.requests.run(contextOf('ana'), [
      sql('select 1.50::numeric as price, true as yes, null as nothing, $1::jsonb as json', '{"a": [1]}'),
      sql('update notes set body = body || $1 where id <= $2', '!', 10),
      sql('delete from notes where id < 0'),
    ])
    expect(answers).toEqual([
      { rows: [{ price: '1.50', yes: 't', nothing: null, json: '{"a": [1]}' }], rowCount: 1, command: 'SELECT' },
      { rows: [], rowCount: 5, command: 'UPDATE' },
      { rows: [], rowCount: 0, command: 'DELETE' },
    ])
  })

  test('parameters reach PostgreSQL unchanged', async () => {
    const text = `quote ' " \\ $1 € 𝄞 ${'x'.repeat(100_000)}`
    const values = [
      text,
      7,
      true,
      null,
      new Date(0),
      ['a', 'b"c', null],
      { a: 1 },
      12345678901234567890n,
      Buffer.from([0, 255]),
    ]
    const [answer] = await database.requests.run(contextOf('ana'), [
      sql(
        'select $1::text as a, $2::int as b, $3::bool as c, $4::text as d, $5::timestamptz = to_timestamp(0) as e, ($6::text[])[2] as f, $7::jsonb as g, $8::numeric as h, $9::bytea as i',
        ...values,
      ),
    ])
    expect(answer?.rows[0]).toEqual({
      a: text,
      b: '7',
      c: 't',
      d: null,
      e: 't',
      f: 'b"c',
      g: '{"a": 1}',
      h: '12345678901234567890',
      i: '\\x00ff',
    })
    await expect(database.requests.run(contextOf('ana'), [sql('select $1::text', 'a\u0000b')])).rejects.toMatchObject({
      code: '22021',
    })
  })

  test('an error in a later statement rolls back the earlier ones', async () => {
    await expect(
      database.requests.run(contextOf('ana'), [sql(`insert into notes values (1000, 'ana', 'x')`), sql('select 1/0')]),
    ).rejects.toMatchObject({ code: '22012' })
    expect(
      (await database.requests.run(contextOf('ana'), [sql('select count(*) as n from notes where id = 1000')]))[0]
        ?.rows,
    ).toEqual([{ n: '0' }])
  })

  test('an error at the commit is reported as an error', async () => {
    const duplicates = [
      sql(`insert into notes values (2001, 'ana', 'same')`),
      sql(`insert into notes values (2002, 'ana', 'same')`),
    ]
    await expect(database.requests.run(contextOf('ana'), duplicates)).rejects.toMatchObject({
      code: '23505',
      constraint: 'notes_body_key',
    })
  })

  test('a statement that takes too long is ended by its own timeout', async () => {
    await expect(
      database.requests.run(contextOf('ana', { timeoutMs: 100 }), [sql('select pg_sleep(5)')]),
    ).rejects.toMatchObject({ code: '57014' })
  })

  test('a batch whose values cannot be sent affects no other batch', async () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    await expect(database.requests.run(contextOf('ana'), [sql('select $1::jsonb', circle)])).rejects.toThrow(
      /circular/i,
    )
    await Promise.all(Array.from({ length: 20 }, () => database.requests.run(contextOf('ana'), [countNotes])))
  })

  test('a COPY statement fails, and its connection stays usable', async () => {
    await expect(database.requests.run(contextOf('ana'), [sql('copy notes from stdin')])).rejects.toThrow()
    expect((await database.requests.run(contextOf('ana'), [countNotes]))[0]?.rowCount).toBe(1)
  })
})

describe('prepared statements', () => {
  test('prepared statements of an altered table are planned again without an error', async () => {
    const selectNote = sql('select * from notes where id = $1', 2)
    for (let i = 0; i < 30; i++) await database.requests.run(contextOf('ana'), [selectNote])
    await rawDatabase.owner.query(`alter table notes add column extra text default 'new'`)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => database.requests.run(contextOf('ana'), [selectNote])),
    )
    for (const [answer] of answers) expect(answer?.rows[0]?.extra).toBe('new')
    await rawDatabase.owner.query('alter table notes drop column extra')
    const [answer] = await database.requests.run(contextOf('ana'), [selectNote])
    expect(Object.keys(answer?.rows[0] ?? {})).toEqual(['id', 'keeper', 'body'])
  })

  test('after 600 different statements, at most 128 are prepared on a connection', async () => {
    const countPrepared = sql('select count(*) as n from pg_prepared_statements')
    for (let i = 0; i < 600; i++) await database.requests.run(contextOf('ana'), [sql(`select ${i} as n`)])
    const [answer] = await database.requests.run(contextOf('ana'), [countPrepared])
    expect(Number(answer?.rows[0]?.n)).toBeLessThanOrEqual(128)
    expect(Number(answer?.rows[0]?.n)).toBeGreaterThan(100)
  })

  test('a statement can run twice in one batch, even after a batch in which an earlier statement failed before it was parsed', async () => {
    await expect(
      database.requests.run(contextOf('ana'), [sql('select nothing from notes'), sql('select 41 as n')]),
    ).rejects.toMatchObject({ code: '42703' })
    const answers = await database.requests.run(contextOf('ana'), [sql('select 41 as n'), sql('select 41 as n')])
    expect(answers.map((answer) => answer.rows)).toEqual([[{ n: '41' }], [{ n: '41' }]])
  })
})

describe('when the database is in trouble', () => {
  test('after all connections were cut, requests succeed again within a second, and the generation increases', async () => {
    const before = database.generation
    // Cuts only connections to this database, because other tests have their databases in the same PostgreSQL.
    await rawDatabase.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'banyan requests' and datname = current_database()`,
    )
    const began = performance.now()
    for (;;) {
      const answer = await database.requests.run(contextOf('ana'), [countNotes]).catch((error: unknown) => error)
      if (Array.isArray(answer)) break
      expect(answer).toBeInstanceOf(UnavailableError)
      expect((answer as UnavailableError).retryAfter).toBeGreaterThan(0)
    }
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(database.generation).toBeGreaterThan(before)
  })

  test('a locked table does not block the other tables', async () => {
    await rawDatabase.owner.query('create table others (n int); grant select on others to authenticated')
    const locker = await rawDatabase.owner.connect()
    await locker.query('begin; lock table notes in access exclusive mode')
    const blockedRequests = Array.from({ length: 40 }, () =>
      database.requests.run(contextOf('ana', { timeoutMs: 3_000 }), [countNotes]).catch((error: Error) => error),
    )
    const readOthers = async () => {
      for (let i = 0; i < 20; i++)
        await database.requests.run(contextOf('ana', { path: '/rest/v1/others' }), [sql('select * from others')])
      return 'the others'
    }
    expect(await Promise.race([readOthers(), ...blockedRequests])).toBe('the others')
    const firstResult = await Promise.race(blockedRequests)
    expect(firstResult).toMatchObject({ code: '57014' })
    await locker.query('rollback')
    locker.release()
    await Promise.all(blockedRequests)
    expect((await database.requests.run(contextOf('ana'), [countNotes]))[0]?.rows).toEqual([{ n: '50' }])
  })

  test('while the disk is full, writes are refused and reads work; with free space, writes work again', async () => {
    const pool = database.requests as RequestPool
    const write = sql(`insert into notes values (3001, 'ana', 'written')`)
    pool.isReadOnly = true
    await expect(pool.run(contextOf('ana'), [write])).rejects.toThrow(/disk of the database is full/)
    expect((await pool.run(contextOf('ana'), [countNotes]))[0]?.rows).toEqual([{ n: '50' }])
    pool.isReadOnly = false
    expect((await pool.run(contextOf('ana'), [write]))[0]?.rowCount).toBe(1)
    await pool.run(contextOf('ana'), [sql('delete from notes where id = 3001')])
  })

  test('a long statement is cancelled when its client disconnects', async () => {
    const abort = new AbortController()
    const slow = database.requests.run(
      contextOf('ana', { timeoutMs: 30_000 }),
      [sql(`select pg_sleep(20) as "the slow one"`)],
      abort.signal,
    )
    setTimeout(() => abort.abort(), 50)
    const began = performance.now()
    await expect(slow).rejects.toBeInstanceOf(UnavailableError)
    const runningQuery = `select count(*)::int as n from pg_stat_activity where query like '%the slow one%' and state = 'active' and pid <> pg_backend_pid()`
    for (;;) {
      const { rows } = await rawDatabase.owner.query(runningQuery)
      if (rows[0].n === 0) break
      expect(performance.now() - began).toBeLessThan(5_000)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
})

async function loginClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const { rows } = await rawDatabase.owner.query(
    `select usename from pg_stat_activity where application_name = 'banyan requests' and datname = current_database() limit 1`,
  )
  const url = new URL(rawDatabase.url)
  url.username = rows[0].usename
  const client = new Client({ connectionString: url.toString() })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
