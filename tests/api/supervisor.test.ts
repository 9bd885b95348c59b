import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { processIdentity } from '#server/db/process-identity.ts'
import { untilEnded, postmasterOf, type SupervisedServer, startSupervised } from '../harness/supervised-server.ts'

let dataDir: string
let supervised: SupervisedServer | undefined

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'banyan-supervised-'))
})
afterEach(async () => {
  supervised?.supervisor.kill('SIGTERM')
  await supervised?.exited
  supervised = undefined
  rmSync(dataDir, { recursive: true, force: true })
})

it('npm start restarts a killed server and exits with code 0 on SIGTERM; no process is left after the supervisor alone, or the supervisor and the server, were killed', async () => {
  supervised = await startSupervised(dataDir)
  await supervised.ready()
  expect(supervised.output().match(/Banyan CRM is ready at/g)).toHaveLength(1)

  const firstPid = supervised.serverPid()
  const database = postmasterOf(dataDir)
  process.kill(firstPid, 'SIGKILL')
  await untilEnded(firstPid, 5_000)
  // tests/long measures the time of the restart, on an otherwise idle machine.
  expect(await supervised.ready()).toBeLessThan(10_000)
  expect(supervised.serverPid()).not.toBe(firstPid)
  await untilEnded(database, 2_000)
  expect(supervised.output().match(/the server crashed/g)).toHaveLength(1)
  expect(supervised.output().match(/Banyan CRM is ready at/g)).toHaveLength(1)

  const [secondPid, secondDatabase] = [supervised.serverPid(), postmasterOf(dataDir)]
  supervised.supervisor.kill('SIGKILL')
  await untilEnded(secondPid, 20_000)
  await untilEnded(secondDatabase, 2_000)

  supervised = await startSupervised(dataDir, { PORT: new URL(supervised.url).port })
  await supervised.ready()
  const lastPids = [supervised.serverPid(), postmasterOf(dataDir)] as const
  supervised.supervisor.kill('SIGTERM')
  expect(await supervised.exited).toBe(0)
  await untilEnded(lastPids[0], 2_000)
  await untilEnded(lastPids[1], 2_000)

  supervised = await startSupervised(dataDir, { PORT: new URL(supervised.url).port })
  await supervised.ready()
  const orphan = postmasterOf(dataDir)
  const serverPid = supervised.serverPid()
  supervised.supervisor.kill('SIGKILL')
  process.kill(serverPid, 'SIGKILL')
  await untilEnded(orphan, 20_000)
}, 120_000)

it('a start that fails until an operator acts is not repeated', async () => {
  const portHolder = createServer().listen(0, '127.0.0.1')
  await once(portHolder, 'listening')
  const { port } = portHolder.address() as { port: number }
  supervised = await startSupervised(dataDir, { PORT: String(port) })
  expect(await supervised.exited).toBe(1)
  expect(supervised.output()).toMatch(/^Banyan CRM cannot start: port \d+ is in use[^\n]*\n$/)
  portHolder.close()

  supervised = await startSupervised(dataDir, { SITE_URL: 'crm.example.com' })
  expect(await supervised.exited).toBe(1)
  expect(supervised.output()).toMatch(/^Banyan CRM cannot start: SITE_URL must be [^\n]*\n$/)

  writeFileSync(join(dataDir, 'keys.json'), '{"publishableKey": "sb_publi')
  supervised = await startSupervised(dataDir)
  expect(await supervised.exited).toBe(1)
  expect(supervised.output()).toMatch(/^Banyan CRM cannot start: \S+keys\.json is damaged\. Restore it [^\n]*\n$/)
})

it('a first start whose database is unreachable fails at once, and prints one line', async () => {
  supervised = await startSupervised(dataDir, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  expect(await supervised.exited).toBeGreaterThan(0)
  expect(supervised.output()).toMatch(/^Banyan CRM cannot start: [^\n]*\n$/)
})

it('a log that nobody reads stops neither the server nor the supervisor', {
  tags: ['long'],
  timeout: 60_000,
}, async () => {
  supervised = await startSupervised(dataDir, { LOG_LEVEL: 'info' })
  supervised.supervisor.stdout?.destroy()
  while (supervised.serverPid() === 0) await sleep(10)
  const firstPid = supervised.serverPid()
  await supervised.ready()
  expect(supervised.serverPid()).toBe(firstPid)
  process.kill(firstPid, 'SIGKILL')
  await untilEnded(firstPid, 5_000)
  await supervised.ready()
  supervised.supervisor.kill('SIGTERM')
  expect(await supervised.exited).toBe(0)
})

it('a stop signal before the server handles signals is a normal stop', async () => {
  supervised = await startSupervised(dataDir)
  const { pid } = supervised.supervisor
  const serverIsSpawned = () =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .some((child) => child !== '' && commandOf(child).includes('dist/server/main.js'))
  while (!serverIsSpawned()) await sleep(2)
  supervised.supervisor.kill('SIGTERM')
  expect(await supervised.exited).toBe(0)
  expect(supervised.serverPid()).toBe(0)
})

it.each([
  { signal: 'SIGTERM', toGroup: false },
  { signal: 'SIGINT', toGroup: true },
] as const)(
  'npm start stops the server and its database on $signal (to the process group: $toGroup)',
  async ({ signal, toGroup }) => {
    supervised = await startSupervised(dataDir, { LOG_LEVEL: 'info' }, ['npm', 'start'])
    const npm = supervised.supervisor
    await supervised.ready()
    const pids = [supervised.serverPid(), postmasterOf(dataDir)] as const
    const npmPid = npm.pid ?? 0
    process.kill(toGroup ? -npmPid : npmPid, signal)
    try {
      await supervised.exited
      await untilEnded(pids[0], 15_000)
      await untilEnded(pids[1], 2_000)
      // The server removes its lock file only when it has stopped by itself.
      expect(supervised.serverPid()).toBe(0)
    } finally {
      if (processIdentity(pids[0]) !== null) process.kill(pids[0], 'SIGKILL')
    }
  },
)

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
