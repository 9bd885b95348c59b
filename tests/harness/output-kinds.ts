import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '#server/db/project-root.ts'
import { freePort } from './free-port.ts'

/** The kind of a process's stdout. */
export type OutputKind = 'terminal' | 'pipe' | 'file'

export interface ServerWithOutput {
  url: string
  publishableKey: string
  /** Everything written to stdout so far. */
  output: () => string
  stop: () => Promise<void>
}

interface Settings {
  dataDir: string
  databaseUrl: string
  env?: Record<string, string>
}

const timeoutMs = 30_000

/** Starts a server whose stdout is a real pseudo-terminal (by Debian's `script`), a pipe, or a file in `dataDir`. */
export async function startServerWithOutput(
  kind: OutputKind,
  { dataDir, databaseUrl, env = {} }: Settings,
): Promise<ServerWithOutput> {
  const port = await freePort()
  const root = projectRoot()
  const commandLine = [process.execPath, '--import', 'tsx', join(root, 'src/server/main.ts'), '--web-root', dataDir]
  const file = join(dataDir, 'stdout.txt')
  const stdout = kind === 'file' ? openSync(file, 'w') : 'pipe'
  const [program, args] =
    kind === 'terminal'
      ? ['script', ['-qefc', `exec ${commandLine.map((word) => `'${word}'`).join(' ')}`, '/dev/null']]
      : [commandLine[0] as string, commandLine.slice(1)]
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      SHELL: '/bin/sh',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      AUTH_RATE_LIMIT: '0',
      ...env,
    },
    stdio: ['pipe', stdout, 'inherit'],
  })
  if (typeof stdout === 'number') closeSync(stdout)
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const output = () => (kind === 'file' ? readFileSync(file, 'utf8') : text)
  const exited = once(child, 'exit')
  await untilTrue(() => output().includes('is ready at'), child)
  const { publishableKey } = JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8')) as {
    publishableKey: string
  }
  const stop = async () => {
    // Ctrl-C sends this byte in a terminal.
    if (kind === 'terminal') child.stdin?.write('\x03')
    else child.kill('SIGTERM')
    await exited
  }
  return { url: `http://127.0.0.1:${port}`, publishableKey, output, stop }
}

/** Waits until the condition is true. Throws after half a minute, or when the process has ended. */
async function untilTrue(condition: () => boolean, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!condition()) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (Date.now() > deadline || hasEnded)
      throw new Error(`the server is not ready (${child.exitCode ?? child.signalCode})`)
    await sleep(50)
  }
}
