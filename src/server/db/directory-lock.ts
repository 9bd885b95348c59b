import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processIdentity } from './process-identity.ts'

export interface DirectoryLock {
  /** The socket directory of the previous server, which was killed. Null if the previous server stopped normally. */
  previousSocketDirectory: string | null
  /** Writes this server's socket directory to the lock file, so that the next server can remove it. */
  recordSocketDirectory(path: string): void
  release(): void
}

interface LockContent {
  pid: number
  identity: string
  socketDirectory: string | null
}

const retryMs = 5

/**
 * Locks `dataDir` for this process. Throws an error that says what to do if a running server holds the lock. The lock of a
 * killed server is replaced.
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  const path = join(dataDir, 'server.lock')
  // A process id would not do: servers in two containers may both have the id 1.
  const draft = `${path}.${randomUUID()}`
  const content: LockContent = { pid: process.pid, identity: processIdentity(process.pid) ?? '', socketDirectory: null }
  const acquire = (target: string) => {
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600 })
    const hasAcquired = link(draft, target)
    rmSync(draft)
    return hasAcquired
  }
  let previous: LockContent | null = null
  while (!acquire(path)) {
    const found = readLock(path)
    if (found && isAlive(found)) {
      throw new Error(
        `Another server (process ${found.pid}) already runs on ${dataDir}. Stop it, or choose another DATA_DIR.`,
      )
    }
    previous = removeStaleLock(path, acquire) ?? previous
  }
  return {
    previousSocketDirectory: previous?.socketDirectory ?? null,
    recordSocketDirectory(socketDirectory) {
      writeFileSync(draft, JSON.stringify({ ...content, socketDirectory }), { mode: 0o600 })
      renameSync(draft, path)
    },
    release() {
      const found = readLock(path)
      if (found?.pid === content.pid && found.identity === content.identity) rmSync(path, { force: true })
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
 * Removes the lock at `path` if its process has ended, and returns the lock's content. Returns null if no lock was removed, or
 * its content could not be read. Holds a second lock meanwhile: without it, two servers could find the same stale lock, and
 * the second would remove the new lock of the first.
 */
function removeStaleLock(path: string, take: (target: string) => boolean): LockContent | null {
  const removal = `${path}.removal`
  if (!take(removal)) {
    const other = readLock(removal)
    if (other && isAlive(other)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
    else rmSync(removal, { force: true })
    return null
  }
  try {
    if (!existsSync(path)) return null
    const found = readLock(path)
    if (found && isAlive(found)) return null
    rmSync(path, { force: true })
    return found
  } finally {
    rmSync(removal, { force: true })
  }
}

function isAlive({ pid, identity }: LockContent): boolean {
  return processIdentity(pid) === identity
}

function readLock(path: string): LockContent | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockContent
  } catch {
    return null
  }
}
