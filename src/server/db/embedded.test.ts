import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clusterDirectory, type EmbeddedPostgres, openEmbedded } from './embedded.ts'
import { readPidFile } from './postmaster.ts'
import { processIdentity } from './process-identity.ts'

const log = pino({ level: 'silent' })
let dataDir: string
let openServers: EmbeddedPostgres[]

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'banyan-data-')), 'data')
  openServers = []
})

afterEach(async () => {
  for (const embedded of openServers) await embedded.close()
  rmSync(join(dataDir, '..'), { recursive: true })
})

async function start(): Promise<EmbeddedPostgres> {
  const embedded = await openEmbedded({ dataDir, log })
  openServers.push(embedded)
  return embedded
}

async function stop(embedded: EmbeddedPostgres): Promise<void> {
  openServers.splice(openServers.indexOf(embedded), 1)
  await embedded.close()
}

async function query(embedded: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ ...embedded.connection, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('the first start creates the cluster, the next start finds its rows; the socket is the only way to connect', async () => {
  const first = await start()
  await query(first, 'create table notes (n int); insert into notes values (7)')
  expect(
    await query(first, `select current_setting('listen_addresses') as tcp, current_setting('fsync') as fsync`),
  ).toEqual([{ tcp: '', fsync: 'on' }])
  const socket = String(first.connection.host)
  expect(statSync(socket).mode & 0o777).toBe(0o700)
  expect(join(socket, '.s.PGSQL.5432').length).toBeLessThan(107)
  await stop(first)
  expect(existsSync(socket)).toBe(false)
  expect(readdirSync(dataDir)).toEqual(['postgres'])

  const restarted = await start()
  expect(await query(restarted, 'select n from notes')).toEqual([{ n: 7 }])
})

test('a second server on the same directory is refused with one line that says what to do', async () => {
  await start()
  await expect(openEmbedded({ dataDir, log })).rejects.toThrow(
    `Another server (process ${process.pid}) already runs on ${dataDir}. Stop it, or choose another DATA_DIR.`,
  )
})

test('a database that dies is restarted, and keeps committed rows', async () => {
  const embedded = await start()
  await query(embedded, 'create table notes (n int); insert into notes values (7)')
  process.kill(embedded.pid, 'SIGKILL')
  const began = performance.now()
  for (;;) {
    const rows = await query(embedded, 'select n from notes').catch(() => null)
    if (rows) {
      expect(rows).toEqual([{ n: 7 }])
      break
    }
    await sleep(20)
  }
  // This limit is generous, because the machine may be busy: tests/long measures the time on an idle machine.
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('if a server is killed, its database is stopped', async () => {
  const orphanPid = await startAndKill()
  const began = performance.now()
  while (processIdentity(orphanPid) !== null && performance.now() - began < 10_000) await sleep(10)
  expect(processIdentity(orphanPid)).toBeNull()
  expect(readPidFile(clusterDirectory(dataDir))).toBeNull()
})

test('a database that a killed server left running is stopped by the next server, which then starts its own database', async () => {
  const orphanPid = await startAndKill((pid) => process.kill(guardOf(pid), 'SIGKILL'))
  await sleep(200)
  expect(processIdentity(orphanPid)).not.toBeNull()

  const embedded = await start()
  expect(processIdentity(orphanPid)).toBeNull()
  expect(embedded.pid).not.toBe(orphanPid)
  expect(await query(embedded, 'select 1 as n')).toEqual([{ n: 1 }])
})

/** Starts a server in its own process and kills it with SIGKILL. Returns the process id of its database. */
async function startAndKill(beforeKill: (pid: number) => void = () => {}): Promise<number> {
  const script = `
    import { pino } from 'pino'
    import { openEmbedded } from '#server/db/embedded.ts'
    const { pid } = await openEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: pino({ level: 'silent' }) })
    console.log(pid)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = await new Promise<number>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk))),
  )
  beforeKill(pid)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  return pid
}

/** Returns the process id of the shell that guards the postmaster `pid`. */
function guardOf(pid: number): number {
  return Number(execFileSync('pgrep', ['-f', `banyan-guard ${pid}$`], { encoding: 'utf8' }).trim())
}

test('a pid file with the reused id of another process does not block the start', async () => {
  await stop(await start())
  writeFileSync(
    join(clusterDirectory(dataDir), 'postmaster.pid'),
    `${process.pid}\n${clusterDirectory(dataDir)}\n0\n5432\n/tmp\n\n\n`,
  )
  writeFileSync(
    join(dataDir, 'server.lock'),
    JSON.stringify({ pid: process.ppid, identity: 'an earlier boot', socketDirectory: null }),
  )
  const embedded = await start()
  expect(readPidFile(clusterDirectory(dataDir))?.pid).toBe(embedded.pid)
})

test('a cluster that an interrupted initdb left incomplete is created again', async () => {
  await stop(await start())
  writeFileSync(`${clusterDirectory(dataDir)}.unfinished`, '')
  rmSync(join(clusterDirectory(dataDir), 'global'), { recursive: true })
  expect(await query(await start(), 'select 1 as n')).toEqual([{ n: 1 }])
})

test('a cluster of another major version is refused with the commands to run, and is not changed', async () => {
  await stop(await start())
  const file = join(clusterDirectory(dataDir), 'PG_VERSION')
  writeFileSync(file, '15\n')
  await expect(openEmbedded({ dataDir, log })).rejects.toThrow(
    /created by PostgreSQL 15; this release contains PostgreSQL 18.*npm run backup -- banyan\.backup.*mv .*postgres-15.*npm run restore -- banyan\.backup/,
  )
  expect(readFileSync(file, 'utf8')).toBe('15\n')
  writeFileSync(file, '18\n')
  await start()
})

test('the server does not start if other files are in the folder of the cluster, and does not change them', async () => {
  execFileSync('mkdir', ['-p', clusterDirectory(dataDir)])
  writeFileSync(join(clusterDirectory(dataDir), 'letter.txt'), 'dear')
  await expect(openEmbedded({ dataDir, log })).rejects.toThrow(/contains files but no database/)
  expect(readFileSync(join(clusterDirectory(dataDir), 'letter.txt'), 'utf8')).toBe('dear')
})

test('a symbolic link in place of the file of access rules is replaced, and not followed', async () => {
  await stop(await start())
  const outside = join(dataDir, 'outside')
  writeFileSync(outside, 'dear')
  chmodSync(outside, 0o640)
  const before = statSync(outside)
  for (const name of ['pg_hba.conf', 'pg_ident.conf']) {
    rmSync(join(clusterDirectory(dataDir), name))
    symlinkSync(outside, join(clusterDirectory(dataDir), name))
  }
  expect(await query(await start(), 'select 1 as n')).toEqual([{ n: 1 }])
  expect(readFileSync(outside, 'utf8')).toBe('dear')
  expect(statSync(outside)).toMatchObject({ uid: before.uid, mode: before.mode })
})

test('other users cannot enter DATA_DIR, even if they could before', async () => {
  mkdirSync(dataDir, { mode: 0o755 })
  chmodSync(dataDir, 0o755)
  await start()
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
})

test('a DATA_DIR with folders of other programs keeps its mode, and a warning is logged', async () => {
  mkdirSync(join(dataDir, 'nginx'), { recursive: true })
  chmodSync(dataDir, 0o755)
  const lines: string[] = []
  const embedded = await openEmbedded({ dataDir, log: pino({ level: 'warn' }, { write: (line) => lines.push(line) }) })
  openServers.push(embedded)
  expect(statSync(dataDir).mode & 0o777).toBe(0o755)
  expect(lines.join('')).toContain('DATA_DIR is open to other users of this machine')
  await stop(embedded)

  renameSync(join(dataDir, 'nginx'), join(dataDir, 'postgres-15'))
  await start()
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
})

const isRootOnLinux = process.getuid?.() === 0 && process.platform === 'linux'

test.runIf(isRootOnLinux)('the database of a server that runs as root runs as a separate account', async () => {
  const embedded = await start()
  expect(ownerName(clusterDirectory(dataDir))).toBe('banyan')
  expect(ownerName(`/proc/${embedded.pid}`)).toBe('banyan')
  expect(statSync(dataDir).uid).toBe(0)
})

test.runIf(isRootOnLinux)('a cluster that a shared account owns gets the separate account as its owner', async () => {
  const first = await start()
  await query(first, 'create table notes (n int); insert into notes values (7)')
  await stop(first)
  execFileSync('chown', ['-R', 'nobody', clusterDirectory(dataDir)])

  const restarted = await start()
  expect(await query(restarted, 'select n from notes')).toEqual([{ n: 7 }])
  const filesOfOthers = execFileSync('find', [clusterDirectory(dataDir), '!', '-user', 'banyan'], { encoding: 'utf8' })
  expect(filesOfOthers).toBe('')
})

function ownerName(path: string): string {
  return execFileSync('stat', ['-c', '%U', path], { encoding: 'utf8' }).trim()
}

test.runIf(process.platform === 'linux')(
  'a connection keeps the memory of its results for later results: a repeated query causes few page faults',
  async () => {
    const embedded = await start()
    const client = new Client(embedded.connection)
    await client.connect()
    const runLargeQuery = () =>
      client.query(
        `select json_agg(json_build_object('id', i, 'name', md5(i::text)))::text from generate_series(1, 6000) i`,
      )
    const pageFaults = async () =>
      Number((await client.query(`select split_part(pg_read_file('/proc/self/stat'), ' ', 10) as n`)).rows[0].n)
    try {
      for (let i = 0; i < 5; i++) await runLargeQuery()
      const before = await pageFaults()
      for (let i = 0; i < 20; i++) await runLargeQuery()
      expect(((await pageFaults()) - before) / 20).toBeLessThan(50)
    } finally {
      await client.end()
    }
  },
)
