import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardPostmaster } from './postmaster-guard.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { SystemUser } from './system-user.ts'

export interface PostmasterOptions {
  binaries: PostgresBinaries
  dataDirectory: string
  /** Null: the current user. */
  user: SystemUser | null
  /** Settings of postgresql.conf, given on the command line so that they are this release's and never stale. */
  settings: Readonly<Record<string, string>>
  /** One line of PostgreSQL's own log. */
  onLine: (line: string) => void
  /** Stop it also when this process dies without a goodbye; default: it lives on. */
  isGuarded?: boolean
}

/** One running PostgreSQL. */
export interface Postmaster {
  pid: number
  /** Resolves when the process is gone, whoever ended it. */
  exited: Promise<void>
  /** Fast shutdown: running statements are cancelled, the next start needs no recovery. Milliseconds: at most 15,000. */
  stop(): Promise<void>
}

const startTimeoutMs = 60_000

/**
 * Free memory that a connection's process keeps instead of giving it back to the system: an answer of some hundred kilobytes
 * needs three megabytes for a moment, and to ask the system for them anew at each request, page by page, was a fifth of the
 * work. Bytes; glibc reads it, another C library takes no notice.
 */
const mallocEnvironment = { MALLOC_TRIM_THRESHOLD_: '4194304', MALLOC_MMAP_THRESHOLD_: '4194304' }

/** Starts PostgreSQL and resolves when it takes connections. Rejects with its own last lines when it ends before. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const lines: string[] = []
  const child = spawnInDirectory(options, options.binaries.postgres, (directory) => [
    '-D',
    directory,
    ...Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (options.isGuarded && child.pid !== undefined) guardPostmaster(child.pid, options.user, exited)
  const failed = new Promise<Error>((resolve) => child.once('error', resolve))
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (lines.push(line) > 50) lines.shift()
      options.onLine(line)
    })
  }
  let gone: Error | null = null
  void failed.then((error) => {
    gone = error
  })
  void exited.then(() => {
    gone ??= startFailure(`PostgreSQL ended while starting: ${reasonIn(lines)}`)
  })
  const deadline = Date.now() + startTimeoutMs
  while (readPidFile(options.dataDirectory)?.pid !== child.pid || !readPidFile(options.dataDirectory)?.ready) {
    if (gone) throw gone
    if (Date.now() > deadline) {
      child.kill('SIGQUIT')
      throw startFailure(`PostgreSQL did not start within ${startTimeoutMs / 1000} s: ${reasonIn(lines)}`)
    }
    await sleep(10)
  }
  const pid = child.pid as number
  return { pid, exited, stop: () => stopProcess(pid, exited) }
}

/** With a code, as the system's own errors have one: a full disk, or memory that is still held, may pass. */
function startFailure(message: string): Error {
  return Object.assign(new Error(message), { code: 'POSTGRES_DOWN' })
}

/** Its own reason in its own words: the last thing that it called fatal. */
function reasonIn(lines: readonly string[]): string {
  return lines.findLast((line) => /\b(FATAL|PANIC):/.test(line)) ?? lines.at(-1) ?? 'it said nothing'
}

/**
 * Runs one of PostgreSQL's programs on a data directory. As root the directory is handed over as an open file, because
 * its user may not be able to walk the path to it (a clone under /root): `/proc/self/fd/3` needs no walk.
 */
export function spawnInDirectory(
  { dataDirectory, user }: Pick<PostmasterOptions, 'dataDirectory' | 'user'>,
  program: string,
  argumentsFor: (directory: string) => string[],
): ChildProcess {
  const byHandle = user !== null && process.platform === 'linux'
  const handle = byHandle ? openSync(dataDirectory, 'r') : null
  try {
    return spawn(program, argumentsFor(byHandle ? '/proc/self/fd/3' : dataDirectory), {
      // A session of its own: Ctrl-C in a terminal must reach our server alone, which then stops the database in order.
      detached: true,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe', ...(handle === null ? [] : [handle])],
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC', ...mallocEnvironment },
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    })
  } finally {
    if (handle !== null) closeSync(handle)
  }
}

/** What PostgreSQL writes into its postmaster.pid; null where there is none (any more). */
export function readPidFile(dataDirectory: string): { pid: number; socketDirectory: string; ready: boolean } | null {
  try {
    const lines = readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), socketDirectory: lines[4] ?? '', ready: (lines[7] ?? '').trim() === 'ready' }
  } catch {
    return null
  }
}

/** Ends a postmaster: fast, and at once (with recovery at the next start) when that takes longer than 10 s. */
export async function stopProcess(pid: number, exited: Promise<void>): Promise<void> {
  if (!signal(pid, 'SIGINT')) return
  const done = exited.then(() => true)
  if (await Promise.race([done, sleep(10_000, false, { ref: false })])) return
  signal(pid, 'SIGQUIT')
  await Promise.race([done, sleep(5_000, false, { ref: false })])
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
