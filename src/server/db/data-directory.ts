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
import { diskFullMessage, spawnInDirectory } from './postmaster.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { SystemUser } from './system-user.ts'

/** The name of the owner role of an embedded cluster, a superuser. Supabase uses the same name. */
export const ownerRole = 'postgres'

/**
 * If there is no cluster in `directory` yet, makes `user` its owner and runs initdb there. A cluster that an
 * interrupted initdb left incomplete is created anew. Throws an error that says what to do if another major version of
 * PostgreSQL created the cluster, or if the directory contains other files.
 */
export async function prepareDataDirectory(
  directory: string,
  binaries: PostgresBinaries,
  user: SystemUser | null,
): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const unfinishedMarker = `${directory}.unfinished`
  if (existsSync(join(directory, 'PG_VERSION')) && !existsSync(unfinishedMarker)) {
    assertSameMajorVersion(directory, binaries)
    return
  }
  const names = readdirSync(directory)
  if (names.length > 0 && !existsSync(unfinishedMarker)) {
    throw new Error(`${directory} contains files but no database. Move the files away, or choose another DATA_DIR.`)
  }
  for (const name of names) rmSync(join(directory, name), { recursive: true })
  chmodSync(directory, 0o700)
  if (user) chownSync(directory, user.uid, user.gid)
  await initdb(directory, binaries, user, unfinishedMarker)
}

/** Makes `user` the owner of an existing cluster and of all its files, unless `user` owns the cluster already. PostgreSQL must not be running. */
export function changeOwner(directory: string, user: SystemUser, log: Logger): void {
  if (!existsSync(join(directory, 'PG_VERSION')) || statSync(directory).uid === user.uid) return
  // With `-h`, chown never follows a symbolic link, not even one that replaces a file during the run. chown changes the
  // directory itself last, so the next start of the server repeats an interrupted change.
  const { status, stderr } = spawnSync('chown', ['-R', '-h', `${user.uid}:${user.gid}`, directory], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${directory} could not be given to ${user.name}: ${stderr.trim()}`)
  log.info({ user: user.name }, 'the files of the database now belong to a separate account of this machine')
}

function assertSameMajorVersion(directory: string, binaries: PostgresBinaries): void {
  const clusterVersion = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim()
  if (Number(clusterVersion) === binaries.majorVersion) return
  throw new Error(
    `${directory} was created by PostgreSQL ${clusterVersion}; this release contains PostgreSQL ${binaries.majorVersion}. ` +
      'To move the data: with the release that you used before, run `npm run backup -- banyan.backup`; ' +
      `then, with this release, \`mv ${directory} ${directory}-${clusterVersion}\` and \`npm run restore -- banyan.backup\`.`,
  )
}

/**
 * Runs initdb. While initdb runs, a file with the path `unfinishedMarker` marks the cluster as incomplete. The file is beside the
 * directory, because initdb requires an empty directory.
 */
async function initdb(
  directory: string,
  binaries: PostgresBinaries,
  user: SystemUser | null,
  unfinishedMarker: string,
): Promise<void> {
  writeFileSync(unfinishedMarker, '')
  const child = spawnInDirectory({ dataDirectory: directory, user }, binaries.initdb, (path) => [
    '-D',
    path,
    '-U',
    ownerRole,
    '--encoding=UTF8',
    // The built-in locale, because an upgrade of the machine's C library would silently break indexes on text.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--auth=peer',
    '--no-instructions',
  ])
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (status !== 0) throw initdbError(directory, output.trim() || `status ${status}`)
  rmSync(unfinishedMarker)
}

/** Returns the error of a failed initdb. The code ENOSPC marks a full disk: a later start may succeed (`start-failure.ts`). */
function initdbError(directory: string, output: string): Error {
  if (!output.includes(diskFullMessage)) return new Error(`initdb failed in ${directory}: ${output}`)
  const message = `the disk of ${directory} is full. Free some space, or choose another DATA_DIR.`
  return Object.assign(new Error(message), { code: 'ENOSPC' })
}

/**
 * Writes PostgreSQL's access rules: only the operating-system user of this server (and root) may log in over the socket,
 * as any database role. The kernel identifies the user (`peer`), so no password is needed.
 */
export function writeAccessRules(directory: string, user: SystemUser | null): void {
  const names = new Set(['root', userInfo().username])
  const identities = [...names].map((name) => `server "${name}" all`).join('\n')
  replaceFile(join(directory, 'pg_hba.conf'), 'local all all peer map=server\n')
  replaceFile(join(directory, 'pg_ident.conf'), `${identities}\n`)

  /**
   * Creates the file anew and changes its owner through the open file handle. A symbolic link that the owner of the
   * directory may have put there is not followed, because this process may be root.
   */
  function replaceFile(file: string, text: string): void {
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
