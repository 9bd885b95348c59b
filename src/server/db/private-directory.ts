import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { parse } from 'node:path'
import type { Logger } from 'pino'
import type { SystemUser } from './system-user.ts'

const groupAndOthersMode = 0o077
const stickyMode = 0o1000

/**
 * Creates `DATA_DIR` if it is missing. Sets its mode to 0700, also if other users could read it before. Logs a warning if
 * that is not possible (another owner, a file system without permissions, a directory that other programs use).
 */
export function ensurePrivateDirectory(dataDir: string, log: Logger): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!isOpenToOthers(dataDir)) return
  if (isUsedByServerOnly(dataDir)) {
    try {
      chmodSync(dataDir, 0o700)
    } catch {
      // The warning below reports this failure too.
    }
  }
  if (isOpenToOthers(dataDir)) {
    log.warn(
      { dataDir },
      'DATA_DIR is open to other users of this machine: set DATA_DIR to a separate directory with mode 0700',
    )
  }
}

/**
 * Makes `user` the owner of `DATA_DIR`, so that PostgreSQL can enter it. Does nothing on Linux, where PostgreSQL gets an
 * open file handle of the directory instead (decision 019). Root can enter the directory in any case.
 */
export function allowEntryFor(dataDir: string, user: SystemUser | null): void {
  if (user !== null && process.platform !== 'linux') chownSync(dataDir, user.uid, user.gid)
}

function isOpenToOthers(directory: string): boolean {
  return (statSync(directory).mode & groupAndOthersMode) !== 0
}

/**
 * Whether only this server uses the directory. False for directories that other programs or users may use: a root
 * directory, /tmp (sticky), a home, and directories with other folders in them (such as /srv).
 */
function isUsedByServerOnly(directory: string): boolean {
  if (directory === parse(directory).root || directory === homedir() || statSync(directory).mode & stickyMode)
    return false
  return readdirSync(directory, { withFileTypes: true }).every(
    (entry) => !entry.isDirectory() || ownEntryName.test(entry.name),
  )
}

/**
 * Matches the names of entries that may be in `DATA_DIR`: folders that the server creates, a renamed cluster of an earlier
 * PostgreSQL, and `lost+found`, which exists if `DATA_DIR` is the root of a separate disk.
 */
const ownEntryName = /^(postgres.*|outbox|backups?|demo|lost\+found)$/
