import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { parse } from 'node:path'
import type { Logger } from 'pino'
import type { SystemUser } from './system-user.ts'

const groupAndOthersMode = 0o077
const stickyMode = 0o1000

/**
 * Creates `DATA_DIR` if it is missing, and sets its mode to 0700, also where it was open before. Logs a warning where
 * that is not possible (another owner, a file system without permissions, a directory that is shared).
 */
export function openPrivateDirectory(dataDir: string, log: Logger): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!isOpen(dataDir)) return
  if (isPrivate(dataDir)) {
    try {
      chmodSync(dataDir, 0o700)
    } catch {
      // Reported below, like a file system without permissions.
    }
  }
  if (isOpen(dataDir)) {
    log.warn(
      { dataDir },
      'DATA_DIR is open to other users of this machine: give it a directory of its own, with mode 0700',
    )
  }
}

/**
 * Lets the database's account enter `DATA_DIR`. Not needed on Linux, where PostgreSQL gets an open file of the
 * directory (decision 019); root may enter anyway.
 */
export function allowEntry(dataDir: string, user: SystemUser | null): void {
  if (user !== null && process.platform !== 'linux') chownSync(dataDir, user.uid, user.gid)
}

function isOpen(directory: string): boolean {
  return (statSync(directory).mode & groupAndOthersMode) !== 0
}

/**
 * False for directories in which others work too: a root directory, /tmp (sticky), a home, and directories with folders
 * of others (/srv).
 */
function isPrivate(directory: string): boolean {
  if (directory === parse(directory).root || directory === homedir() || statSync(directory).mode & stickyMode)
    return false
  return readdirSync(directory, { withFileTypes: true }).every(
    (entry) => !entry.isDirectory() || ownEntryName.test(entry.name),
  )
}

/**
 * Folders that the server makes, also a cluster of an earlier PostgreSQL that was renamed; and `lost+found` of a
 * separate disk.
 */
const ownEntryName = /^(postgres.*|outbox|backups?|demo|lost\+found)$/
