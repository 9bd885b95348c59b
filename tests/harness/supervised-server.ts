import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterDirectory } from '#server/db/embedded.ts'
import { readPidFile } from '#server/db/postmaster.ts'
import { isPostgresOf, processIdentity } from '#server/db/process-identity.ts'
import { projectRoot } from '#server/db/project-root.ts'
import { freePort } from './free-port.ts'

/** A running `npm start`, with its own port and an embedded database. */
export interface SupervisedServer {
  url: string
  supervisor: ChildProcess
  /** Everything written to stdout and stderr so far. */
  output(): string
  /** Returns the process id in the server's lock file. 0 if there is no file. */
  serverPid(): number
  /** Waits until the server is ready. Returns how long that took (ms). Throws if the supervisor has ended, or after a minute. */
  ready(): Promise<number>
  /** Resolves with the exit code of the supervisor. Null if a signal has killed it. */
  exited: Promise<number | null>
}

/**
 * Starts the program of `npm start` without waiting until it is ready. `command`: another command that starts it. The command
 * runs in a process group of its own.
 */
export async function startSupervised(
  dataDir: string,
  env: Record<string, string> = {},
  [program, ...args]: readonly [string, ...string[]] = [process.execPath, 'scripts/start.mjs'],
): Promise<SupervisedServer> {
  const port = env.PORT ?? String(await freePort())
  const supervisor = spawn(program, args, {
    cwd: projectRoot(),
    detached: true,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      DATA_DIR: dataDir,
      AUTH_RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
      ...env,
      PORT: port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [supervisor.stdout, supervisor.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const url = `http://localhost:${port}`
  return {
    url,
    supervisor,
    output: () => output,
    serverPid: () => lockOwner(dataDir),
    async ready() {
      const startedAt = performance.now()
      while (!(await isReady(`${url}/readyz`))) {
        if (performance.now() - startedAt > 60_000) throw new Error(`not ready: ${output}`)
        if (supervisor.exitCode !== null) throw new Error(`the supervisor ended with ${supervisor.exitCode}: ${output}`)
        await sleep(10)
      }
      return Math.round(performance.now() - startedAt)
    },
    exited: once(supervisor, 'exit').then(([code]) => code as number | null),
  }
}

/** Returns the process id of the current postmaster of a data directory. 0 if there is none. */
export function postmasterOf(dataDir: string): number {
  const cluster = clusterDirectory(dataDir)
  const pid = readPidFile(cluster)?.pid ?? 0
  return pid !== 0 && isPostgresOf(pid, cluster) ? pid : 0
}

/** Waits until the process has ended. Throws after `limitMs`. */
export async function untilEnded(pid: number, limitMs: number): Promise<void> {
  const identity = processIdentity(pid)
  if (identity === null) return
  const deadline = performance.now() + limitMs
  while (processIdentity(pid) === identity) {
    if (performance.now() > deadline) throw new Error(`process ${pid} still runs after ${limitMs} ms`)
    await sleep(10)
  }
}

function lockOwner(dataDir: string): number {
  try {
    return (JSON.parse(readFileSync(join(dataDir, 'server.lock'), 'utf8')) as { pid: number }).pid
  } catch {
    return 0
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
