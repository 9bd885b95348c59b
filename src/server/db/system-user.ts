import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'

/** An account of this machine that PostgreSQL runs as. */
export interface SystemUser {
  name: string
  uid: number
  gid: number
}

const CANDIDATES = ['postgres', '_postgres', 'nobody']

/**
 * Whom the embedded PostgreSQL runs as: null = the current user. PostgreSQL refuses to run as root, so root hands it to
 * the owner of the existing data directory, else to an account that is there already. No account is created.
 */
export function databaseUser(dataDirectory: string): SystemUser | null {
  if (process.getuid?.() !== 0) {
    assertHasName()
    return null
  }
  const owner = existsSync(dataDirectory) ? statSync(dataDirectory).uid : 0
  const names = owner === 0 ? CANDIDATES : [nameOf(owner) ?? '', ...CANDIDATES]
  for (const name of names) {
    const user = lookUp(name)
    if (user && user.uid !== 0) return user
  }
  throw new Error(
    `PostgreSQL does not run as root, and this machine has none of the users ${CANDIDATES.join(', ')}. Create one (useradd --system postgres) or start as an ordinary user.`,
  )
}

/** initdb looks its own user up and fails with a riddle where a container runs under a bare number. */
function assertHasName(): void {
  try {
    userInfo()
  } catch {
    throw new Error(
      `The user id ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs. Add one, or set DATABASE_URL to an existing PostgreSQL.`,
    )
  }
}

function lookUp(name: string): SystemUser | null {
  if (name === '') return null
  const uid = id('-u', name)
  const gid = id('-g', name)
  return uid === null || gid === null ? null : { name, uid: Number(uid), gid: Number(gid) }
}

function nameOf(uid: number): string | null {
  return id('-un', String(uid))
}

function id(flag: string, who: string): string | null {
  const { status, stdout } = spawnSync('id', [flag, '--', who], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
