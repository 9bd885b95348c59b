import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import type { PushTransport } from '#server/push/transport.ts'
import { projectRoot } from '#server/db/project-root.ts'
import { startServer } from '#server/start-server.ts'
import { testDatabase } from './database.ts'
import { freePort } from './free-port.ts'

export interface TestServerOptions {
  /** True (default) for all migrations, false for only those of the platform (src/server/db/platform). */
  product?: boolean
  /** Additional or changed environment variables. */
  env?: Record<string, string>
  /** A built client to serve; default: none. */
  webRoot?: string
  /** An existing database instead of a new one. */
  databaseUrl?: string
  /** An existing data directory instead of a new one. */
  dataDir?: string
  /** 'memory' (default): in this process. 'process': a child process, which `kill()` ends with SIGKILL. */
  run?: 'memory' | 'process'
  /**
   * With `run: 'process'`: the folder of another checkout with installed dependencies, whose server is started instead.
   */
  checkout?: string
  /** With `run: 'memory'`: receives the pushes. */
  pushTransport?: PushTransport
  /**
   * With `run: 'memory'`: cost of password hashes. 'cheap' (default): a millisecond instead of 25, because a run computes thousands. 'usual': the
   * cost in production, for tests of passwords, of their timing, and of the hash queue. Long tests have 'usual' by default, child processes always.
   */
  hashes?: 'cheap' | 'usual'
  /** 'test' (default): a new database of the shared cluster. 'embedded': the server starts its own in `dataDir`. */
  databaseKind?: 'test' | 'embedded'
}

export interface TestServer {
  /** The value of `SITE_URL`. Default: the local URL. */
  url: string
  port: number
  publishableKey: string
  secretKey: string
  /** Null if the server runs in another process. */
  database: Database | null
  databaseUrl: string | undefined
  dataDir: string
  /** The server's process. Null if the server runs in this process. */
  child: ChildProcess | null
  /** Stops the server as SIGTERM does, and removes the database and folder that were created for the test. */
  stop(): Promise<void>
  /** Kills the process (SIGKILL). In memory, cuts all connections without a response. Removes nothing. */
  kill(): Promise<void>
}

interface PreparedServer {
  options: TestServerOptions
  environment: Record<string, string>
  databaseUrl: string | undefined
  dataDir: string
  drop: () => Promise<void>
}

/** Starts a server on its own port with its own database, without rate limits unless `env` sets them. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const prepared = await prepare(options)
  try {
    return await (options.run === 'process' ? startChild(prepared) : startInMemory(prepared))
  } catch (error) {
    await prepared.drop()
    throw error
  }
}

async function prepare(options: TestServerOptions): Promise<PreparedServer> {
  const isNewDir = options.dataDir === undefined
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'banyan-')))
  const isEmbedded = options.databaseKind === 'embedded'
  const newDatabase =
    isEmbedded || options.databaseUrl !== undefined ? null : await testDatabase({ product: options.product ?? true })
  const databaseUrl = isEmbedded ? undefined : (options.databaseUrl ?? newDatabase?.url)
  const environment = {
    PORT: '0',
    AUTH_RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...options.env,
  }
  const drop = async () => {
    await newDatabase?.drop()
    if (isNewDir) await rm(dataDir, { recursive: true, force: true })
  }
  return { options, environment, databaseUrl, dataDir, drop }
}

/** The minimum that Argon2 accepts. */
const cheapestHash = { memoryCost: 8, timeCost: 1 }

async function startInMemory({
  options,
  environment,
  databaseUrl,
  dataDir,
  drop,
}: PreparedServer): Promise<TestServer> {
  const hashes = options.hashes ?? (process.env.BANYAN_LONG === '1' ? 'usual' : 'cheap')
  const server = await startServer({
    config: readConfig(environment),
    webRoot: options.webRoot ?? join(dataDir, 'no-web'),
    log: pino({ level: 'silent' }),
    product: options.product ?? true,
    ...(hashes === 'cheap' ? { hashCost: cheapestHash } : {}),
    ...(options.pushTransport ? { pushTransport: options.pushTransport } : {}),
  })
  const stop = async () => {
    await server.stop()
    await drop()
  }
  const { url, port, keys, database } = server
  const { publishableKey, secretKey } = keys
  return {
    url,
    port,
    publishableKey,
    secretKey,
    database,
    databaseUrl,
    dataDir,
    child: null,
    stop,
    kill: () => server.cut(),
  }
}

async function startChild({ options, environment, databaseUrl, dataDir, drop }: PreparedServer): Promise<TestServer> {
  const env = { ...environment, PORT: environment.PORT === '0' ? String(await freePort()) : environment.PORT }
  const root = options.checkout ?? projectRoot()
  const webRoot = options.webRoot ?? join(dataDir, 'no-web')
  const child = spawn(process.execPath, [...entryOf(root, options.checkout), '--web-root', webRoot], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const url = await readyUrl(child)
  const port = Number(env.PORT)
  const { publishableKey, secretKey } = JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8'))
  const endProcess = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  const stop = async () => {
    await endProcess('SIGTERM')
    await drop()
  }
  const kill = () => endProcess('SIGKILL')
  return { url, port, publishableKey, secretKey, database: null, databaseUrl, dataDir, child, stop, kill }
}

/** Returns the arguments that start the server: the build of `npm test`, which needs no compiler, or else the sources. */
function entryOf(root: string, checkout: string | undefined): string[] {
  if (process.env.BANYAN_BUILT === '1' && checkout === undefined) return [join(root, 'dist/server/main.js')]
  return ['--import', 'tsx', join(root, 'src/server/main.ts')]
}

/** Returns the URL in the line 'Banyan CRM is ready at …'. Rejects with the process's output if it ends before that. */
function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const onData = (chunk: Buffer) => {
      if (output.length < 100_000) output += chunk.toString()
      const match = /is ready at (\S+)/.exec(output)
      if (match?.[1]) resolve(match[1])
    }
    child.stdout?.on('data', onData)
    child.stderr?.on('data', onData)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)))
  })
}
