import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processIdentity } from './process-identity.ts'

export interface DirectoryLock {
  /** The socket directory of the previous server if it was killed; null if it stopped normally. */
  previousSocketDirectory: string | null
  /** Records this server's socket directory for the next server. */
  recordSocketDirectory(path: string): void
  release(): void
}

interface LockRecord {
  pid: number
  identity: string
  socketDirectory: string | null
}

const retryMs = 5

/**
 * Locks `dataDir` for this process. Throws with one clear line when a running server holds the lock. The lock of a
 * killed server is replaced.
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  const path = join(dataDir, 'server.lock')
  const draft = `${path}.${process.pid}`
  const record: LockRecord = { pid: process.pid, identity: processIdentity(process.pid) ?? '', socketDirectory: null }
  const acquire = (target: string) => {
    writeFileSync(draft, JSON.stringify(record), { mode: 0o600 })
    const isTaken = link(draft, target)
    rmSync(draft)
    return isTaken
  }
  let previous: LockRecord | null = null
  while (!acquire(path)) {
    const found = read(path)
    if (found && isAlive(found)) {
      throw new Error(
        `Another server (process ${found.pid}) already runs on ${dataDir}. Stop it, or choose another DATA_DIR.`,
      )
    }
    previous = removeDeadLock(path, acquire) ?? previous
  }
  return {
    previousSocketDirectory: previous?.socketDirectory ?? null,
    recordSocketDirectory(socketDirectory) {
      writeFileSync(draft, JSON.stringify({ ...record, socketDirectory }), { mode: 0o600 })
      renameSync(draft, path)
    },
    release() {
      if (read(path)?.pid === process.pid) rmSync(path, { force: true })
    },
  }
}

/** Creates a hard link: it appears complete or not at all, and never replaces another file. */
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
 * Removes the lock at `path` if its process is dead, and returns the lock's content. A second lock is held meanwhile:
 * without it, the second of two servers that found the same dead lock would remove the new lock of the first.
 */
function removeDeadLock(path: string, take: (target: string) => boolean): LockRecord | null {
  const removal = `${path}.removal`
  if (!take(removal)) {
    const other = read(removal)
    if (other && isAlive(other)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
    else rmSync(removal, { force: true })
    return null
  }
  try {
    if (!existsSync(path)) return null
    const found = read(path)
    if (found && isAlive(found)) return null
    rmSync(path, { force: true })
    return found
  } finally {
    rmSync(removal, { force: true })
  }
}

function isAlive({ pid, identity }: LockRecord): boolean {
  return processIdentity(pid) === identity
}

function read(path: string): LockRecord | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockRecord
  } catch {
    return null
  }
}
