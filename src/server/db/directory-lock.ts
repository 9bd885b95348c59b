import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isListening, type LifeSocket, openLifeSocket, removeLifeSocket } from './life-socket.ts'
import { pidNamespace, processIdentity } from './process-identity.ts'

export interface DirectoryLock {
  /** The socket directory of the previous server, if that server was killed. Null if it stopped normally, or if its lock names none. */
  previousSocketDirectory: string | null
  /**
   * The socket by which servers in other containers notice that this server runs. PostgreSQL inherits the socket, so that those
   * servers also notice a database that outlives its server. Null if no socket could be created.
   */
  lifeSocket: LifeSocket | null
  /** Writes the path of this server's socket directory to the lock file, so that the next server can remove the directory. */
  recordSocketDirectory(path: string): void
  release(): void
}

interface LockContent {
  /** A random text. Locks of earlier releases have no `id`, no `namespace` and no `lifeSocket`. */
  id?: string
  pid: number
  identity: string
  /** The namespace in which `pid` is valid. Null if it is unknown. */
  namespace?: string | null
  /** The name of the socket that is open while the server or its database runs. Null if there is none. */
  lifeSocket?: string | null
  socketDirectory: string | null
}

/** Delay before the next attempt while another server removes the stale lock (ms). */
const retryMs = 5

/**
 * Locks `dataDir` for this process. Throws an error that says what to do if a running server holds the lock, also one in
 * another container. The lock of a killed server is replaced.
 */
export async function lockDirectory(dataDir: string, log: Logger): Promise<DirectoryLock> {
  // The socket is opened before the lock exists, so that the lock of a running server is never without its socket.
  const lifeSocket = await openLifeSocket(dataDir, log)
  try {
    return await acquireLock(dataDir, lifeSocket)
  } catch (error) {
    lifeSocket?.close()
    throw error
  }
}

/**
 * Throws an error that says what to do if a running server holds the lock of `dataDir`. Takes no lock: the directory of an external
 * database may be in a file system without hard links, where `lockDirectory` fails.
 */
export async function assertNoServer(dataDir: string): Promise<void> {
  const currentLock = readLock(join(dataDir, 'server.lock'))
  if (currentLock && (await isAlive(currentLock, dataDir))) throw runningServerError(currentLock, dataDir)
}

function runningServerError(lock: LockContent, dataDir: string): Error {
  const place = isOfThisNamespace(lock) ? '' : ', in another container'
  return new Error(
    `Another server (process ${lock.pid}${place}) already runs on ${dataDir}. Stop it, or choose another DATA_DIR.`,
  )
}

async function acquireLock(dataDir: string, lifeSocket: LifeSocket | null): Promise<DirectoryLock> {
  const path = join(dataDir, 'server.lock')
  // The process id is not enough to recognise this server's own lock: servers in two containers may both have the process id 1.
  const id = randomUUID()
  const draft = `${path}.${id}`
  const content: LockContent = {
    id,
    pid: process.pid,
    identity: processIdentity(process.pid) ?? '',
    namespace: pidNamespace(),
    lifeSocket: lifeSocket?.name ?? null,
    socketDirectory: null,
  }
  const acquire = (target: string) => {
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600 })
    const hasAcquired = link(draft, target)
    rmSync(draft)
    return hasAcquired
  }
  let previous: LockContent | null = null
  while (!acquire(path)) {
    const currentLock = readLock(path)
    if (currentLock && (await isAlive(currentLock, dataDir))) throw runningServerError(currentLock, dataDir)
    previous = (await removeStaleLock(dataDir, path, acquire)) ?? previous
  }
  return {
    previousSocketDirectory: previous?.socketDirectory ?? null,
    lifeSocket,
    recordSocketDirectory(socketDirectory) {
      writeFileSync(draft, JSON.stringify({ ...content, socketDirectory }), { mode: 0o600 })
      renameSync(draft, path)
    },
    release() {
      if (readLock(path)?.id === id) rmSync(path, { force: true })
      lifeSocket?.close()
    },
  }
}

/**
 * Creates a hard link to the file `draft`. Returns false if `path` exists. Unlike a file that is being written, a link is
 * complete as soon as it exists.
 */
function link(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes the lock at `path` if its server has ended, and returns the lock's content. Returns null if no lock was removed, or
 * its content could not be read. Holds a second lock meanwhile: without it, two servers could find the same stale lock, and
 * the second would remove the new lock of the first.
 */
async function removeStaleLock(
  dataDir: string,
  path: string,
  acquire: (target: string) => boolean,
): Promise<LockContent | null> {
  const removal = `${path}.removal`
  if (!acquire(removal)) {
    const otherRemoval = readLock(removal)
    if (otherRemoval && (await isAlive(otherRemoval, dataDir))) await sleep(retryMs)
    else removeIfUnchanged(removal, otherRemoval)
    return null
  }
  try {
    if (!existsSync(path)) return null
    const currentLock = readLock(path)
    if (currentLock && (await isAlive(currentLock, dataDir))) return null
    if (!removeIfUnchanged(path, currentLock)) return null
    if (currentLock?.lifeSocket) removeLifeSocket(dataDir, currentLock.lifeSocket)
    return currentLock
  } finally {
    rmSync(removal, { force: true })
  }
}

/**
 * Removes the lock at `path`, whose server has ended. `expectedContent` is the content that the lock had when the calling code found that
 * the server has ended. Returns false, and removes nothing, if the content has changed since then: another server has replaced the lock.
 */
function removeIfUnchanged(path: string, expectedContent: LockContent | null): boolean {
  if (JSON.stringify(readLock(path)) !== JSON.stringify(expectedContent)) return false
  rmSync(path, { force: true })
  return true
}

/**
 * Whether the server of this lock runs. For a lock of this container, or one without a socket, the process id decides. For a
 * lock of another container, the socket decides, because here the process id belongs to another process, or to none. The
 * socket also stays open while a database outlives its server. In this container such a database does not count, because the
 * next server stops it.
 */
async function isAlive(lock: LockContent, dataDir: string): Promise<boolean> {
  if (!lock.lifeSocket || isOfThisNamespace(lock)) return processIdentity(lock.pid) === lock.identity
  return isListening(dataDir, lock.lifeSocket)
}

/** Whether the lock's process id is valid here. True for a lock of an earlier release, which does not name its namespace. */
function isOfThisNamespace({ namespace }: LockContent): boolean {
  return namespace === undefined || namespace === pidNamespace()
}

function readLock(path: string): LockContent | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockContent
  } catch {
    return null
  }
}
