import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { ownerRole, prepareDataDirectory, writeAccessRules } from '#server/db/data-directory.ts'
import { findPostgresBinaries } from '#server/db/postgres-binaries.ts'
import { readPidFile, startPostmaster } from '#server/db/postmaster.ts'
import { isPostgresOf, processIdentity } from '#server/db/process-identity.ts'
import { postgresAccount } from '#server/db/system-user.ts'
import { folderInMemory, memoryFolder } from './folder-in-memory.ts'

const testRunVariable = 'BANYAN_TEST_RUN'
const folderPrefix = 'banyan-test-'

/**
 * Creates the folder of this run's cluster, in memory if there is space, and passes it to the workers by an environment variable. Does not
 * start the cluster.
 */
export async function beginTestRun(parentFolder = folderInMemory() ?? tmpdir()): Promise<string> {
  await endDeadRuns()
  const folder = mkdtempSync(join(parentFolder, folderPrefix))
  // PostgreSQL runs as another account, which needs access to the folder.
  chmodSync(folder, 0o711)
  writeFileSync(join(folder, 'run'), JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) }))
  process.env[testRunVariable] = folder
  return folder
}

/** Stops the cluster of a run, if a test has started it, and removes its folder. */
export async function endTestRun(folder: string): Promise<void> {
  const dataDirectory = join(folder, 'pg')
  const pid = readPidFile(dataDirectory)?.pid
  if (pid && isPostgresOf(pid, dataDirectory)) {
    process.kill(pid, 'SIGQUIT')
    for (let i = 0; i < 500 && processIdentity(pid) !== null; i++) await sleep(10)
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Stops the clusters of killed runs, and removes their folders. */
async function endDeadRuns(): Promise<void> {
  const parentFolders = [...new Set([tmpdir(), memoryFolder])].filter((parentFolder) => existsSync(parentFolder))
  const folders = parentFolders.flatMap((parentFolder) =>
    readdirSync(parentFolder).map((name) => join(parentFolder, name)),
  )
  for (const folder of folders.filter((found) => basename(found).startsWith(folderPrefix))) {
    const path = join(folder, 'run')
    if (!existsSync(path)) continue
    const { pid, identity } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; identity: string }
    if (processIdentity(pid) !== identity) await endTestRun(folder)
  }
}

/**
 * Starts the PostgreSQL of this test run in the first worker that calls it. Other workers wait. Returns the socket's directory. Outside of a run
 * (a script, a debugger), the process starts its own cluster, which ends with the process.
 */
export async function testCluster(): Promise<string> {
  const folder = process.env[testRunVariable] ?? (await beginOwnRun())
  const dataDirectory = join(folder, 'pg')
  if (isFirst(folder)) await startCluster(folder, dataDirectory)
  else await untilStarted(folder)
  return join(folder, 's')
}

/** True in one worker only, because only one can create the directory. */
function isFirst(folder: string): boolean {
  return !existsSync(join(folder, 'starting')) && mkdirSync(join(folder, 'starting'), { recursive: true }) !== undefined
}

async function untilStarted(folder: string): Promise<void> {
  for (let i = 0; !existsSync(join(folder, 'started')); i++) {
    if (existsSync(join(folder, 'failed'))) throw new Error(readFileSync(join(folder, 'failed'), 'utf8'))
    if (i > 2_000) throw new Error('The test database did not start within 40 s')
    await sleep(20)
  }
}

async function startCluster(folder: string, dataDirectory: string): Promise<void> {
  try {
    const user = postgresAccount(dataDirectory)
    const socketDirectory = join(folder, 's')
    mkdirSync(socketDirectory, { mode: 0o700 })
    if (user) {
      chownSync(folder, user.uid, user.gid)
      chownSync(socketDirectory, user.uid, user.gid)
    }
    const binaries = findPostgresBinaries(user)
    await prepareDataDirectory(dataDirectory, binaries, user)
    writeAccessRules(dataDirectory, user)
    await startPostmaster({
      binaries,
      dataDirectory: dataDirectory,
      user,
      // Durability is off, to save time. The tests of durability have their own clusters.
      settings: {
        listen_addresses: '',
        unix_socket_directories: socketDirectory,
        unix_socket_permissions: '0700',
        max_connections: '300',
        shared_buffers: '64MB',
        io_method: 'sync',
        jit: 'off',
        fsync: 'off',
        full_page_writes: 'off',
        max_wal_size: '512MB',
        log_min_messages: 'panic',
      },
      onLine: () => {},
    })
    writeFileSync(join(folder, 'started'), '')
  } catch (error) {
    writeFileSync(join(folder, 'failed'), String(error))
    throw error
  }
}

async function beginOwnRun(): Promise<string> {
  // The folder is on the disk, as in production, because a script may measure times.
  const folder = await beginTestRun(tmpdir())
  process.once('exit', () => {
    const pid = readPidFile(join(folder, 'pg'))?.pid
    if (pid) process.kill(pid, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Creates a connection pool of the owner role (superuser) for one database of the cluster. */
export function ownerPool(socketDirectory: string, database: string, max = 4): Pool {
  const pool = new Pool({
    host: socketDirectory,
    user: ownerRole,
    database,
    max,
    idleTimeoutMillis: 1_000,
    allowExitOnIdle: true,
  })
  pool.on('error', () => {})
  return pool
}
