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
  /** Settings of postgresql.conf, passed on the command line, so that they are always those of this release. */
  settings: Readonly<Record<string, string>>
  /** Called with each line of PostgreSQL's log. */
  onLine: (line: string) => void
  /** Stop the postmaster also when this process is killed. Default: it keeps running. */
  isGuarded?: boolean
}

/** A running PostgreSQL. */
export interface Postmaster {
  pid: number
  /** Resolves when the process has ended, for whatever reason. */
  exited: Promise<void>
  /** Fast shutdown: running statements are cancelled, and the next start needs no recovery. Takes at most 15 s. */
  stop(): Promise<void>
}

const startTimeoutMs = 60_000

/**
 * Free memory (bytes) that a connection's process keeps instead of returning it to the system. An answer of some
 * hundred kilobytes needs 3 MB for a moment; requesting them page by page again for each request was a fifth of the
 * work. Read by glibc; other C libraries ignore it.
 */
const mallocEnvironment = { MALLOC_TRIM_THRESHOLD_: '4194304', MALLOC_MMAP_THRESHOLD_: '4194304' }

/**
 * Starts PostgreSQL and resolves when it accepts connections. Rejects with the last lines of its log when it ends
 * before that.
 */
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

/**
 * An error with the system's error code, because some causes pass: a full disk, or shared memory that is still held.
 */
function startFailure(message: string): Error {
  return Object.assign(new Error(message), { code: 'POSTGRES_DOWN' })
}

/** The reason in PostgreSQL's words: its last line marked FATAL. */
function reasonIn(lines: readonly string[]): string {
  return lines.findLast((line) => /\b(FATAL|PANIC):/.test(line)) ?? lines.at(-1) ?? 'it said nothing'
}

/**
 * Runs one of PostgreSQL's programs on a data directory. As root it passes the directory as an open file
 * (`/proc/self/fd/3`), because the database's user may not be allowed to enter the path to it (a clone under /root).
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
      // Its own session: Ctrl-C in a terminal must reach the server only, which then stops the database in order.
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

/** The content of PostgreSQL's postmaster.pid, or null without that file. */
export function readPidFile(dataDirectory: string): { pid: number; socketDirectory: string; ready: boolean } | null {
  try {
    const lines = readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), socketDirectory: lines[4] ?? '', ready: (lines[7] ?? '').trim() === 'ready' }
  } catch {
    return null
  }
}

/**
 * Stops a postmaster: fast shutdown, and immediate shutdown (with recovery at the next start) if that takes longer than
 * 10 s.
 */
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
