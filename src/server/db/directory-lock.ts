import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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

/**
 * Takes `dataDir` for this process. Throws one clear line when another server that still lives has it; the lock of a
 * killed one is taken over without help.
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  const path = join(dataDir, 'server.lock')
  const draft = `${path}.${process.pid}`
  const record: LockRecord = { pid: process.pid, identity: processIdentity(process.pid) ?? '', socketDirectory: null }
  let left: LockRecord | null = null
  for (;;) {
    writeFileSync(draft, JSON.stringify(record), { mode: 0o600 })
    const taken = link(draft, path)
    rmSync(draft)
    if (taken) break
    const found = read(path)
    if (found && processIdentity(found.pid) === found.identity) {
      throw new Error(
        `Another server (process ${found.pid}) already runs on ${dataDir}. Stop it, or choose another DATA_DIR.`,
      )
    }
    left = found
    removeDead(path, `${draft}.dead`)
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

/** Moved, not removed: of two that find the same dead lock only one succeeds; the next round shows whose it is. */
function removeDead(path: string, grave: string): void {
  try {
    renameSync(path, grave)
    rmSync(grave)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function read(path: string): LockRecord | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockRecord
  } catch {
    return null
  }
}
