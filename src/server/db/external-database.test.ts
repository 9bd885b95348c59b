import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/harness/database.ts'
import { openDatabase } from './database.ts'
import { externalConnection, externalLogin } from './external-database.ts'
import { ensureRequestLogin } from './request-login.ts'

test('a database URL is read as pg reads it', () => {
  expect(externalConnection('postgres://ana:s%40cret@db.example.com:6432/crm')).toMatchObject({
    host: 'db.example.com',
    port: 6432,
    user: 'ana',
    password: 's@cret',
    database: 'crm',
  })
  expect(externalConnection('postgres://ana@localhost/crm?host=/var/run/postgresql')).toMatchObject({
    host: '/var/run/postgresql',
    database: 'crm',
  })
})

test('the name and password of the login role are generated once, in a file that only its owner may read', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'banyan-login-'))
  const login = externalLogin(dataDir)
  expect(login.role).toMatch(/^banyan_requests_[0-9a-f]{8}$/)
  expect(login.password.length).toBeGreaterThanOrEqual(32)
  expect(externalLogin(dataDir)).toEqual(login)
  expect(externalLogin(mkdtempSync(join(dataDir, 'other-')))).not.toEqual(login)
  expect(statSync(join(dataDir, 'request-login.json')).mode & 0o777).toBe(0o600)
  rmSync(dataDir, { recursive: true })
})

test('servers that start at the same time get the same login role, also if all have the process id 1', async () => {
  const script = `
    Object.defineProperty(process, 'pid', { value: 1 })
    import { externalLogin } from '#server/db/external-database.ts'
    process.stdout.write('ready\\n')
    process.stdin.on('data', (chunk) => {
      const [folder, at] = chunk.toString().trim().split(' ')
      while (performance.timeOrigin + performance.now() < Number(at)) {}
      let outcome
      try { outcome = externalLogin(folder).role } catch (error) { outcome = error.message }
      process.stdout.write(outcome + '\\n')
    })`
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const nextLine = ({ stdout }: ChildProcess) =>
    new Promise<string>((resolve) => stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())))
  await Promise.all(children.map(nextLine))
  const dataDir = mkdtempSync(join(tmpdir(), 'banyan-login-'))
  for (let round = 0; round < 40; round++) {
    const roundFolder = join(dataDir, String(round))
    const outcomes = children.map(nextLine)
    const at = Date.now() + 15
    for (const { stdin } of children) stdin.write(`${roundFolder} ${at}\n`)
    const roles = await Promise.all(outcomes)
    expect(roles).toEqual(children.map(() => externalLogin(roundFolder).role))
    expect(readdirSync(roundFolder)).toEqual(['request-login.json'])
  }
  for (const child of children) child.kill()
  rmSync(dataDir, { recursive: true })
})

test('servers of one installation that start together change the login role one after the other', async () => {
  const database = await testDatabase({ product: false })
  const dataDir = mkdtempSync(join(tmpdir(), 'banyan-login-'))
  const open = () =>
    openDatabase({ databaseUrl: database.url, dataDir, log: pino({ level: 'silent' }), product: false })
  const { role } = externalLogin(dataDir)
  for (let round = 0; round < 3; round++) {
    const opened = await Promise.allSettled([open(), open(), open(), open()])
    for (const start of opened) if (start.status === 'fulfilled') await start.value.close()
    expect(opened.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []))).toEqual([])
  }
  await database.owner.query(`drop role ${role}`)
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

test('the login role has no rights and inherits none, on the first start and on the next', async () => {
  const database = await testDatabase({ product: false })
  const { role } = externalLogin(mkdtempSync(join(tmpdir(), 'banyan-login-')))
  for (let start = 0; start < 2; start++) await ensureRequestLogin(database.owner, role, 'pass')
  const { rows } = await database.owner.query(
    `select rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolbypassrls, rolcanlogin, rolreplication,
            array(select roleid::regrole::text from pg_auth_members where member = r.oid order by 1) as member_of,
            (select count(*)::int from pg_class where relowner = r.oid) as owned
     from pg_roles r where rolname = $1`,
    [role],
  )
  expect(rows).toEqual([
    {
      rolsuper: false,
      rolinherit: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
      rolcanlogin: true,
      rolreplication: false,
      member_of: ['anon', 'authenticated', 'service_role'],
      owned: 0,
    },
  ])
  await database.owner.query(`drop role ${role}`)
  await database.drop()
})

test('an owner role that may not grant the roles of requests gets the statement that allows it', async () => {
  const database = await testDatabase({ product: false })
  const login = `requests_${randomUUID().slice(0, 8)}`
  const name = `Second ${login}`
  await database.owner.query(`create role "${name}" login createrole`)
  const url = new URL(database.url)
  url.username = encodeURIComponent(name)
  const second = new Pool({ connectionString: url.href })
  try {
    const refused: Error = await ensureRequestLogin(second, login, 'password').then(
      () => new Error('not refused'),
      (error: Error) => error,
    )
    const statement = /As a superuser, run: (.*)$/.exec(refused.message)?.[1]
    expect(statement).toContain(`to "${name}" with admin option`)
    await database.owner.query(statement ?? '')
    await ensureRequestLogin(second, login, 'password')
  } finally {
    await second.end()
    await database.owner.query(`drop role if exists ${login}`)
    await database.owner.query(`drop owned by "${name}" cascade`)
    await database.owner.query(`drop role "${name}"`)
    await database.drop()
  }
})

test('a start whose owner role lacks rights is refused before it changes the database, with the statement that gives the rights', async () => {
  // The platform's migrations create the roles of requests in this PostgreSQL, with another owner role.
  const otherInstallation = await testDatabase({ product: false })
  const database = await testDatabase({ empty: true })
  const { rows } = await database.owner.query<{ name: string }>('select current_database() as name')
  const owner = `Plain ${rows[0]?.name}`
  await database.owner.query(`create role "${owner}" login; alter database ${rows[0]?.name} owner to "${owner}"`)
  const url = new URL(database.url)
  url.username = encodeURIComponent(owner)
  const dataDir = mkdtempSync(join(tmpdir(), 'banyan-login-'))
  const open = () => openDatabase({ databaseUrl: url.href, dataDir, log: pino({ level: 'silent' }), product: false })
  try {
    for (const expected of [`alter role "${owner}" createrole`, `to "${owner}" with admin option`]) {
      const refused: Error = await open().then(
        () => new Error('not refused'),
        (error: Error) => error,
      )
      const statement = /As a superuser, run: (.*)$/.exec(refused.message)?.[1]
      expect(statement).toContain(expected)
      const { rows: schemas } = await database.owner.query(`select to_regnamespace('server') as server`)
      expect(schemas).toEqual([{ server: null }])
      await database.owner.query(statement ?? '')
    }
    await (await open()).close()
  } finally {
    await database.owner.query(`drop role if exists ${externalLogin(dataDir).role}`)
    await database.owner.query(`alter database ${rows[0]?.name} owner to postgres; drop owned by "${owner}" cascade`)
    await database.owner.query(`drop role "${owner}"`)
    await database.drop()
    await otherInstallation.drop()
    rmSync(dataDir, { recursive: true })
  }
})
