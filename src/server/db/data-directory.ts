import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { spawnInDirectory } from './postmaster.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { SystemUser } from './system-user.ts'

/** The superuser of a bundled cluster: owner of everything in it, with Supabase's name for it. */
export const ownerRole = 'postgres'

/**
 * Makes `directory` a data directory of this PostgreSQL if it is none yet, and hands it to `user`. Throws with the
 * commands to use when it belongs to another major version. A directory that a killed initdb left half made is made anew.
 */
export async function prepareDataDirectory(
  directory: string,
  binaries: PostgresBinaries,
  user: SystemUser | null,
): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const unfinished = `${directory}.unfinished`
  if (existsSync(join(directory, 'PG_VERSION')) && !existsSync(unfinished)) {
    assertSameMajorVersion(directory, binaries)
    return
  }
  const names = readdirSync(directory)
  if (names.length > 0 && !existsSync(unfinished)) {
    throw new Error(`${directory} holds files but no database. Move them away, or choose another DATA_DIR.`)
  }
  for (const name of names) rmSync(join(directory, name), { recursive: true })
  chmodSync(directory, 0o700)
  if (user) chownSync(directory, user.uid, user.gid)
  await initdb(directory, binaries, user, unfinished)
}

/** Gives an existing cluster that belongs to another account to `user`, with all that is in it; PostgreSQL must not run. */
export function handOver(directory: string, user: SystemUser, log: Logger): void {
  if (!existsSync(join(directory, 'PG_VERSION')) || statSync(directory).uid === user.uid) return
  // The program itself, because it never follows a link that is swapped in meanwhile. The directory comes last: a hand-over
  // that was cut short begins anew.
  const { status, stderr } = spawnSync('chown', ['-R', '-h', `${user.uid}:${user.gid}`, directory], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${directory} could not be given to ${user.name}: ${stderr.trim()}`)
  log.info({ user: user.name }, 'the database belongs to an account of its own now')
}

function assertSameMajorVersion(directory: string, binaries: PostgresBinaries): void {
  const found = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim()
  if (Number(found) === binaries.majorVersion) return
  throw new Error(
    `${directory} was made by PostgreSQL ${found}; this release brings PostgreSQL ${binaries.majorVersion}. ` +
      'Carry it over: with the release that you used before, run `npm run backup -- banyan.backup`; ' +
      `then, with this release, \`mv ${directory} ${directory}-${found}\` and \`npm run restore -- banyan.backup\`.`,
  )
}

/** The mark beside the directory says "not finished" for as long as initdb works (it wants the directory itself empty). */
async function initdb(
  directory: string,
  binaries: PostgresBinaries,
  user: SystemUser | null,
  unfinished: string,
): Promise<void> {
  writeFileSync(unfinished, '')
  const child = spawnInDirectory({ dataDirectory: directory, user }, binaries.initdb, (path) => [
    '-D',
    path,
    '-U',
    ownerRole,
    '--encoding=UTF8',
    // Independent of the machine's C library, whose upgrades silently break indexes on text.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--auth=peer',
    '--no-instructions',
  ])
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (status !== 0) throw new Error(`initdb failed in ${directory}: ${said.trim() || `status ${status}`}`)
  rmSync(unfinished)
}

/**
 * Who may log in over the socket: the operating-system user of this server (and root) as any role of the database, by
 * the kernel's word (`peer`), so there is no password to keep and no other account of the machine gets in.
 */
export function writeAccessRules(directory: string, user: SystemUser | null): void {
  const names = new Set(['root', userInfo().username])
  const identities = [...names].map((name) => `server "${name}" all`).join('\n')
  own(join(directory, 'pg_hba.conf'), 'local all all peer map=server\n')
  own(join(directory, 'pg_ident.conf'), `${identities}\n`)

  /** Made anew and owned by its handle: the directory's account may have put a link there, which root must not follow. */
  function own(file: string, text: string): void {
    rmSync(file, { force: true })
    const handle = openSync(file, 'wx', 0o600)
    try {
      writeSync(handle, text)
      if (user) fchownSync(handle, user.uid, user.gid)
    } finally {
      closeSync(handle)
    }
  }
}
