import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LifeSocket } from './life-socket.ts'
import { guardPostmaster } from './postmaster-guard.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { SystemUser } from './system-user.ts'

export interface PostmasterOptions {
  binaries: PostgresBinaries
  dataDirectory: string
  /** The account that PostgreSQL runs as. Null: the current user. */
  user: SystemUser | null
  /**
   * Settings as in postgresql.conf. They are passed on the command line, so that they are always the settings of this
   * release.
   */
  settings: Readonly<Record<string, string>>
  /** Called with each line of PostgreSQL's log. */
  onLine: (line: string) => void
  /** Whether the postmaster is stopped when this process dies for any reason. Default: the postmaster keeps running. */
  isGuarded?: boolean
  /**
   * PostgreSQL and its workers keep this socket open, so that servers in other containers notice them even if this process
   * is killed.
   */
  lifeSocket?: LifeSocket | null
}

/** A running PostgreSQL. */
export interface Postmaster {
  pid: number
  /** Resolves when the process has ended for any reason. */
  exited: Promise<void>
  /**
   * Stops PostgreSQL with a fast shutdown: running statements are cancelled, and the next start needs no recovery. If this
   * takes longer than 10 s, stops it with an immediate shutdown. Takes at most 15 s.
   */
  stop(): Promise<void>
}

const startTimeoutMs = 60_000

/**
 * How much free memory a PostgreSQL process keeps instead of returning it to the system (bytes). A result of some
 * hundred kilobytes needs 3 MB for a moment. Without this setting, a fifth of the processor time of a request was spent
 * on requesting this memory from the system again. glibc reads these variables; other C libraries ignore them.
 */
const mallocEnvironment = { MALLOC_TRIM_THRESHOLD_: '4194304', MALLOC_MMAP_THRESHOLD_: '4194304' }

/**
 * Starts PostgreSQL and resolves when it accepts connections. Rejects if the program cannot be run, ends before that, or is not
 * ready within 60 s. In the last two cases, the error contains the last line of PostgreSQL's log that names a reason.
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
  const spawnError = new Promise<Error>((resolve) => child.once('error', resolve))
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (lines.push(line) > 50) lines.shift()
      options.onLine(line)
    })
  }
  let failure: Error | null = null
  void spawnError.then((error) => {
    failure = error
  })
  void exited.then(() => {
    failure ??= startFailure(`PostgreSQL ended while starting: ${reasonIn(lines)}`)
  })
  const deadline = Date.now() + startTimeoutMs
  while (readPidFile(options.dataDirectory)?.pid !== child.pid || !readPidFile(options.dataDirectory)?.isReady) {
    if (failure) throw failure
    if (Date.now() > deadline) {
      child.kill('SIGQUIT')
      throw startFailure(`PostgreSQL did not start within ${startTimeoutMs / 1000} s: ${reasonIn(lines)}`)
    }
    await sleep(10)
  }
  const pid = child.pid as number
  return { pid, exited, stop: () => stopPostmaster(pid, exited) }
}

/**
 * Creates an error with the code POSTGRES_DOWN, which `start-failure.ts` treats as temporary, because some causes end without
 * an operator's help: a full disk, or shared memory that is still in use.
 */
function startFailure(message: string): Error {
  return Object.assign(new Error(message), { code: 'POSTGRES_DOWN' })
}

/** The words of a full disk in the output of PostgreSQL's programs, which run with the locale C. */
export const diskFullMessage = 'No space left on device'

/**
 * Returns the reason why PostgreSQL ended: the last line of its log about a full disk, because the FATAL line after it names
 * only a consequence. If there is none, the last line that is marked FATAL or PANIC, or else the last line.
 */
function reasonIn(lines: readonly string[]): string {
  return (
    lines.findLast((line) => line.includes(diskFullMessage)) ??
    lines.findLast((line) => /\b(FATAL|PANIC):/.test(line)) ??
    lines.at(-1) ??
    'it logged nothing'
  )
}

/**
 * Starts one of PostgreSQL's programs on a data directory. As root on Linux, passes the directory as an open file
 * (`/proc/self/fd/3`), because the account `user` may not be allowed to enter the parent directories, such as /root.
 */
export function spawnInDirectory(
  { dataDirectory, user, lifeSocket }: Pick<PostmasterOptions, 'dataDirectory' | 'user' | 'lifeSocket'>,
  program: string,
  argumentsFor: (directory: string) => string[],
): ChildProcess {
  const passesHandle = user !== null && process.platform === 'linux'
  const handle = passesHandle ? openSync(dataDirectory, 'r') : null
  const inherited = [handle, lifeSocket?.descriptor].filter((descriptor) => typeof descriptor === 'number')
  try {
    return spawn(program, argumentsFor(passesHandle ? '/proc/self/fd/3' : dataDirectory), {
      // The program runs in a separate session, so that Ctrl-C in a terminal reaches only the server, which then stops the
      // database cleanly.
      detached: true,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe', ...inherited],
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC', ...mallocEnvironment },
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    })
  } finally {
    if (handle !== null) closeSync(handle)
  }
}

/** Returns the content of PostgreSQL's postmaster.pid. Returns null if the file cannot be read. */
export function readPidFile(dataDirectory: string): { pid: number; socketDirectory: string; isReady: boolean } | null {
  try {
    const lines = readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), socketDirectory: lines[4] ?? '', isReady: (lines[7] ?? '').trim() === 'ready' }
  } catch {
    return null
  }
}

/**
 * Stops a postmaster with a fast shutdown. If this takes longer than 10 s, stops it with an immediate shutdown; the next
 * start then needs a recovery.
 */
export async function stopPostmaster(pid: number, exited: Promise<void>): Promise<void> {
  if (!sendSignal(pid, 'SIGINT')) return
  const ended = exited.then(() => true)
  if (await Promise.race([ended, sleep(10_000, false, { ref: false })])) return
  sendSignal(pid, 'SIGQUIT')
  await Promise.race([ended, sleep(5_000, false, { ref: false })])
}

function sendSignal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
