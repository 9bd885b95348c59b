import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'

/** An account of this machine that PostgreSQL runs as. */
export interface SystemUser {
  name: string
  uid: number
  gid: number
}

/**
 * The name of the account that only the embedded database uses. macOS has this account already; on other systems it is
 * created.
 */
const ownUserName = process.platform === 'darwin' ? '_postgres' : 'banyan'

/**
 * The names of accounts that earlier releases used. Other programs of the machine may run as these accounts; they could
 * read the database's files and stop the database.
 */
const sharedUserNames = ['postgres', 'nobody']

const createUserOptions = [
  '--system',
  '--user-group',
  '--no-create-home',
  '--home-dir',
  '/nonexistent',
  '--shell',
  '/usr/sbin/nologin',
]

/** The exit codes of useradd when another process is changing the accounts, or has just created this account. */
const retryExitCodes = [1, 9, 10]

/**
 * Returns the account that the embedded PostgreSQL runs as. Returns null for the current user. PostgreSQL refuses to run as
 * root, so a server that runs as root uses a separate account, which is created if it is missing. A cluster that belongs to
 * an ordinary user keeps this owner. If the account cannot be created, a cluster of an earlier release keeps its owner too;
 * if there is no such cluster, throws an error that says what to do.
 */
export function postgresAccount(dataDirectory: string): SystemUser | null {
  if (process.getuid?.() !== 0) {
    assertUserHasName()
    return null
  }
  const owner = ownerOf(dataDirectory)
  if (owner && !mayBeSharedAccount(owner)) return owner
  const ownUser = lookUp(ownUserName)
  if (ownUser) return ownUser
  const { user, reason } = createAccount()
  const found = user ?? owner
  if (found) return found
  throw new Error(
    `PostgreSQL does not run as root, and the account ${ownUserName} for it could not be created (${reason}). ` +
      `Create it (useradd ${createUserOptions.join(' ')} ${ownUserName}), start as an ordinary user, or set DATABASE_URL to an existing PostgreSQL.`,
  )
}

/** Whether other programs of this machine may run as this account. */
export function mayBeSharedAccount({ name }: SystemUser): boolean {
  return sharedUserNames.includes(name)
}

/** Returns the owner of the directory. Returns null for root, for an unknown uid, and if the directory is missing. */
function ownerOf(directory: string): SystemUser | null {
  const uid = existsSync(directory) ? statSync(directory).uid : 0
  return uid === 0 ? null : lookUp(runIdCommand('-un', String(uid)) ?? '')
}

function createAccount(): { user: SystemUser | null; reason: string } {
  // A root shell that is no login shell often has no sbin folders in its PATH.
  const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }
  let reason = ''
  for (let attempt = 0; attempt < 10; attempt++) {
    const { status, stderr, error } = spawnSync('useradd', [...createUserOptions, ownUserName], {
      env,
      encoding: 'utf8',
    })
    const user = lookUp(ownUserName)
    if (user) return { user, reason: '' }
    reason = error ? error.message : stderr.trim() || `useradd ended with ${status}`
    if (!retryExitCodes.includes(status ?? 0)) break
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
  return { user: null, reason }
}

/**
 * Throws if the current user id has no name, as in some containers. initdb would fail later, with an unclear message.
 */
function assertUserHasName(): void {
  try {
    userInfo()
  } catch {
    throw new Error(
      `The user id ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs. Add one, or set DATABASE_URL to an existing PostgreSQL.`,
    )
  }
}

/** Returns the account with this name. Returns null if there is none, and for uid 0, whatever its name: PostgreSQL does not run as root. */
function lookUp(name: string): SystemUser | null {
  if (name === '') return null
  const uid = runIdCommand('-u', name)
  const gid = runIdCommand('-g', name)
  return uid === null || gid === null || uid === '0' ? null : { name, uid: Number(uid), gid: Number(gid) }
}

function runIdCommand(flag: string, nameOrUid: string): string | null {
  const { status, stdout } = spawnSync('id', [flag, '--', nameOrUid], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
