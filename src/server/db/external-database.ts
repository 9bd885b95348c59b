import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'

/** Returns the settings with which the owner role connects to an external database (`DATABASE_URL`). */
export function externalConnection(databaseUrl: string): ClientConfig {
  // pg parses the URL, with query parameters such as host, sslmode and port.
  const { host, port, database, user, password, ssl } = new Client({ connectionString: databaseUrl })
  return { host, port, database: database ?? user, user, password: password ?? undefined, ssl }
}

/** The name and password of the login role with which the requests of this installation use an external database. */
export interface RequestLogin {
  role: string
  password: string
}

/**
 * Reads the name and password of the login role from `dataDir`. If they do not exist, generates them and stores them there
 * (file mode 0600). If another server has stored a name and password meanwhile, returns these instead.
 */
export function externalLogin(dataDir: string): RequestLogin {
  const path = join(dataDir, 'request-login.json')
  const readStored = () => JSON.parse(readFileSync(path, 'utf8')) as RequestLogin
  if (existsSync(path)) return readStored()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const login = {
    role: `banyan_requests_${randomBytes(4).toString('hex')}`,
    password: randomBytes(24).toString('base64url'),
  }
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, JSON.stringify(login), { mode: 0o600, flush: true })
    return linkIfAbsent(draft, path) ? login : readStored()
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * Links `draft` to `path`, or renames it to `path` in a file system without hard links. Returns false if `path` exists: another
 * server has created it meanwhile.
 */
function linkIfAbsent(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // The file system does not support hard links.
    renameSync(draft, path)
  }
  return true
}
