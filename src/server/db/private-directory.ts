import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { parse } from 'node:path'
import type { Logger } from 'pino'
import type { SystemUser } from './system-user.ts'

const groupAndOthersMode = 0o077
const stickyMode = 0o1000

/**
 * Makes `DATA_DIR` where it is missing, and closes it to everybody but its owner (0700), also where it was open. What
 * cannot be closed (another owner, a file system without rights, a directory that is not ours alone) is reported.
 */
export function openPrivateDirectory(dataDir: string, log: Logger): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!isOpen(dataDir)) return
  if (isOursAlone(dataDir)) {
    try {
      chmodSync(dataDir, 0o700)
    } catch {
      // Reported below, as where the file system takes no rights.
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
 * Lets the database's account into `DATA_DIR` where it has to walk there. Not on Linux, where PostgreSQL is handed the
 * open directory (decision 019); root passes anyway.
 */
export function letIn(dataDir: string, user: SystemUser | null): void {
  if (user !== null && process.platform !== 'linux') chownSync(dataDir, user.uid, user.gid)
}

function isOpen(directory: string): boolean {
  return (statSync(directory).mode & groupAndOthersMode) !== 0
}

/** Others of this machine work in a root directory, in /tmp (sticky), in a home, and where there are folders of theirs (/srv). */
function isOursAlone(directory: string): boolean {
  if (directory === parse(directory).root || directory === homedir() || statSync(directory).mode & stickyMode)
    return false
  return readdirSync(directory, { withFileTypes: true }).every(
    (entry) => !entry.isDirectory() || ownEntryName.test(entry.name),
  )
}

/** Folders of ours, a cluster of an earlier PostgreSQL that was moved aside among them; and that of a disk of its own. */
const ownEntryName = /^(postgres.*|outbox|backups?|demo|lost\+found)$/
