import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDirectory } from './directory-lock.ts'
import { clusterDirectory, embeddedConnection, openEmbedded } from './embedded.ts'
import { isListening } from './life-socket.ts'
import { readPidFile } from './postmaster.ts'
import { isPostgresOf, processIdentity } from './process-identity.ts'

const log = pino({ level: 'silent' })

/**
 * Arguments of the command `unshare` that start a program as in a container: as process 1 of a new PID namespace, with its
 * own /proc. When process 1 ends, all processes of the namespace end.
 */
const unshareArguments = ['--pid', '--fork', '--kill-child', '--mount-proc']
if (process.getuid?.() !== 0) unshareArguments.push('--map-root-user')
const hasNamespaces = spawnSync('unshare', [...unshareArguments, 'true']).status === 0

/**
 * Code for a machine that allows no namespaces. The code writes a process id and a namespace that do not exist on this machine
 * to the lock file.
 */
const pretendContainer = hasNamespaces
  ? ''
  : `writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), pid: 4000000, namespace: 'pid:[1]' }))`

let folder: string
let dataDir: string
let started: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banyan-container-'))
  dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  started = []
})
afterEach(async () => {
  for (const child of started) await kill(child)
  const orphan = readPidFile(clusterDirectory(dataDir))?.pid ?? 0
  if (isPostgresOf(orphan, clusterDirectory(dataDir))) process.kill(orphan, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Runs `script` in a container. Resolves with the container and the script's first line of output. With `isChild`, the script
 * is not process 1 but a child of it, so that other processes of the container outlive the script.
 */
async function inContainer(
  script: string,
  { isChild = false } = {},
): Promise<{ container: ChildProcess; line: string }> {
  const text = `
    import { readFileSync, writeFileSync } from 'node:fs'
    import { execFileSync } from 'node:child_process'
    import { pino } from 'pino'
    import { lockDirectory } from '#server/db/directory-lock.ts'
    import { openEmbedded } from '#server/db/embedded.ts'
    const dataDir = ${JSON.stringify(dataDir)}
    const path = dataDir + '/server.lock'
    const log = pino({ level: 'silent' })
    setInterval(() => {}, 1000)
    ${script}`
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', text]
  const parent = isChild ? ['sh', '-c', 'exec 3>&2 2>/dev/null; "$@" 2>&3; sleep 60', 'sh'] : []
  const [program = '', ...programArguments] = hasNamespaces
    ? ['unshare', ...unshareArguments, ...parent, ...node]
    : node
  const container = spawn(program, programArguments, { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(container)
  const line = await new Promise<string>((resolve, reject) => {
    container.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    container.once('close', () => reject(new Error('the container has ended')))
  })
  return { container, line }
}

/** Ends all processes of the container, without a chance to clean up. */
async function kill(container: ChildProcess): Promise<void> {
  if (container.exitCode !== null || container.signalCode !== null) return
  const closed = new Promise((resolve) => container.once('close', resolve))
  container.kill('SIGKILL')
  await closed
}

/** Repeats `attempt` until it succeeds, for at most 5 s: the kernel ends the processes of a container one after another. */
async function retryUntilSuccess<T>(attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + 5_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(20)
    }
  }
}

const lockAndWait = `await lockDirectory(dataDir, log); ${pretendContainer}; console.log(process.pid)`
const readLock = () =>
  JSON.parse(readFileSync(join(dataDir, 'server.lock'), 'utf8')) as { pid: number; lifeSocket: string }

describe.runIf(process.platform === 'linux')('a server in another container', () => {
  it('a server in another container keeps the directory as long as it runs; the refused server leaves no file', async () => {
    const { container } = await inContainer(lockAndWait)
    const before = readLock()
    const namesBefore = readdirSync(dataDir)
    if (hasNamespaces) expect(before.pid).toBe(1)
    expect(statSync(join(dataDir, before.lifeSocket)).mode & 0o777).toBe(0o600)
    await expect(lockDirectory(dataDir, log)).rejects.toThrow(refusal(before.pid))
    expect(readLock()).toEqual(before)
    expect(readdirSync(dataDir)).toEqual(namesBefore)

    await kill(container)
    const lock = await retryUntilSuccess(() => lockDirectory(dataDir, log))
    expect(readLock().pid).toBe(process.pid)
    expect(readdirSync(dataDir).toSorted()).toEqual(['server.lock', readLock().lifeSocket].toSorted())
    lock.release()
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('a server in another container keeps the directory while it is too busy to accept connections', async () => {
    await inContainer(`${lockAndWait}; for (;;) {}`)
    // Opens more connections than the kernel queues for a listener of Node.js (511).
    const attempts = Array.from({ length: 600 }, () => isListening(dataDir, readLock().lifeSocket))
    expect(new Set(await Promise.all(attempts))).toEqual(new Set([true]))
    await expect(lockDirectory(dataDir, log)).rejects.toThrow(refusal(readLock().pid))
  })

  it('a server in another container is not mistaken for this server if both have the same process id and start time', async () => {
    const { container } = await inContainer(lockAndWait)
    const twinLock = { ...readLock(), pid: process.pid, identity: processIdentity(process.pid) }
    writeFileSync(join(dataDir, 'server.lock'), JSON.stringify(twinLock))
    await expect(lockDirectory(dataDir, log)).rejects.toThrow(refusal(process.pid))

    await kill(container)
    const lock = await retryUntilSuccess(() => lockDirectory(dataDir, log))
    writeFileSync(join(dataDir, 'server.lock'), JSON.stringify(twinLock))
    lock.release()
    expect(readLock()).toEqual(twinLock)
  })

  it('a server in another container keeps a directory whose path is longer than the path of a socket may be', async () => {
    dataDir = join(folder, 'a'.repeat(120), 'data')
    mkdirSync(dataDir, { recursive: true })
    await inContainer(lockAndWait)
    expect(readLock().lifeSocket).not.toBeNull()
    await expect(lockDirectory(dataDir, log)).rejects.toThrow(refusal(readLock().pid))
  })

  it('only one of several servers in other containers that start at the same time gets the directory', async () => {
    for (let round = 0; round < 3; round++) {
      writeFileSync(
        join(dataDir, 'server.lock'),
        JSON.stringify({ pid: 4_000_000, identity: 'an earlier boot', socketDirectory: null }),
      )
      const at = Date.now() + 2_500
      const attempt = `
        while (Date.now() < ${at}) {}
        try { await lockDirectory(dataDir, log); ${pretendContainer}; console.log('taken') }
        catch (error) { console.log(error.message.includes('already runs') ? 'refused' : error.message) }`
      const containers = await Promise.all(Array.from({ length: 4 }, () => inContainer(attempt)))
      expect(containers.map(({ line }) => line).toSorted()).toEqual(['refused', 'refused', 'refused', 'taken'])
      for (const { container } of containers) await kill(container)
      rmSync(dataDir, { recursive: true })
      mkdirSync(dataDir, { mode: 0o700 })
    }
  }, 60_000)

  it('a server in another container keeps its database: a second database does not start in the directory', async () => {
    const { container } = await inContainer(
      `await openEmbedded({ dataDir, log }); ${pretendContainer}; console.log(process.pid)`,
    )
    await expectDatabaseIsKept()
    await kill(container)
    const ownDatabase = await retryUntilSuccess(() => openEmbedded({ dataDir, log }))
    await ownDatabase.close()
    expect(readdirSync(dataDir)).toEqual(['postgres'])
  }, 60_000)

  it('a killed server in another container keeps the directory until its database has ended', async () => {
    const { container } = await inContainer(
      `const { pid } = await openEmbedded({ dataDir, log }); ${pretendContainer}
       process.kill(Number(execFileSync('pgrep', ['-f', 'banyan-guard ' + pid + '$'], { encoding: 'utf8' })), 'SIGKILL')
       console.log(pid)
       process.kill(process.pid, 'SIGKILL')`,
      { isChild: true },
    )
    await sleep(200)
    await expectDatabaseIsKept()
    if (!hasNamespaces) process.kill(readPidFile(clusterDirectory(dataDir))?.pid ?? 0, 'SIGKILL')
    await kill(container)
    const ownDatabase = await retryUntilSuccess(() => openEmbedded({ dataDir, log }))
    await ownDatabase.close()
  }, 60_000)
})

const refusal = (pid: number) =>
  `Another server (process ${pid}, in another container) already runs on ${dataDir}. Stop it, or choose another DATA_DIR.`

/** Checks that a start is refused, and that the running database still has its file postmaster.pid and answers. */
async function expectDatabaseIsKept(): Promise<void> {
  const before = readPidFile(clusterDirectory(dataDir))
  await expect(openEmbedded({ dataDir, log })).rejects.toThrow(refusal(readLock().pid))
  expect(readPidFile(clusterDirectory(dataDir))).toEqual(before)
  const client = new Client(embeddedConnection(before?.socketDirectory ?? ''))
  await client.connect()
  expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  await client.end()
}
