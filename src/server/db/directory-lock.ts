import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processIdentity } from './process-identity.ts'

export interface DirectoryLock {
  /** Where the server before us, killed without a goodbye, had its socket; null when it stopped in order. */
  leftSocketDirectory: string | null
  /** Notes where ours is, for the one after us. */
  noteSocketDirectory(path: string): void
  release(): void
}

interface LockRecord {
  pid: number
  identity: string
  socketDirectory: string | null
}

/** Milliseconds. */
const retryMs = 5

/**
 * Takes `dataDir` for this process. Throws one clear line when another server that still lives has it; the lock of a
 * killed one is taken over without help.
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  const path = join(dataDir, 'server.lock')
  const draft = `${path}.${process.pid}`
  const record: LockRecord = { pid: process.pid, identity: processIdentity(process.pid) ?? '', socketDirectory: null }
  const take = (target: string) => {
    writeFileSync(draft, JSON.stringify(record), { mode: 0o600 })
    const isTaken = link(draft, target)
    rmSync(draft)
    return isTaken
  }
  let left: LockRecord | null = null
  while (!take(path)) {
    const found = read(path)
    if (found && isAlive(found)) {
      throw new Error(
        `Another server (process ${found.pid}) already runs on ${dataDir}. Stop it, or choose another DATA_DIR.`,
      )
    }
    left = removeDead(path, take) ?? left
  }
  return {
    leftSocketDirectory: left?.socketDirectory ?? null,
    noteSocketDirectory(socketDirectory) {
      writeFileSync(draft, JSON.stringify({ ...record, socketDirectory }), { mode: 0o600 })
      renameSync(draft, path)
    },
    release() {
      if (read(path)?.pid === process.pid) rmSync(path, { force: true })
    },
  }
}

/** A link either appears whole or not at all, and never over another's. */
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
 * Removes the lock at `path` if its process is dead, and answers what it said. Under a lock of its own, held for that moment:
 * else the second of two that have found it dead would remove what the first has put there since.
 */
function removeDead(path: string, take: (target: string) => boolean): LockRecord | null {
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
