import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { untilEnded, postmasterOf, type SupervisedServer, startSupervised } from '../harness/supervised-server.ts'

let dataDir: string
let running: SupervisedServer | undefined

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'banyan-supervised-'))
})
afterEach(async () => {
  running?.supervisor.kill('SIGTERM')
  await running?.exited
  running = undefined
  rmSync(dataDir, { recursive: true, force: true })
})

it('npm start restarts a killed server and exits with code 0 on SIGTERM; no process is left after the supervisor alone, or the supervisor and the server, were killed', async () => {
  running = await startSupervised(dataDir)
  await running.ready()
  expect(running.output().match(/Banyan CRM is ready at/g)).toHaveLength(1)

  const first = running.serverPid()
  const database = postmasterOf(dataDir)
  process.kill(first, 'SIGKILL')
  await untilEnded(first, 5_000)
  // tests/long measures the time of the restart, on an otherwise idle machine.
  expect(await running.ready()).toBeLessThan(10_000)
  expect(running.serverPid()).not.toBe(first)
  await untilEnded(database, 2_000)
  expect(running.output().match(/the server crashed/g)).toHaveLength(1)
  expect(running.output().match(/Banyan CRM is ready at/g)).toHaveLength(1)

  const [second, itsDatabase] = [running.serverPid(), postmasterOf(dataDir)]
  running.supervisor.kill('SIGKILL')
  await untilEnded(second, 20_000)
  await untilEnded(itsDatabase, 2_000)

  running = await startSupervised(dataDir, { PORT: new URL(running.url).port })
  await running.ready()
  const last = [running.serverPid(), postmasterOf(dataDir)] as const
  running.supervisor.kill('SIGTERM')
  expect(await running.exited).toBe(0)
  await untilEnded(last[0], 2_000)
  await untilEnded(last[1], 2_000)

  running = await startSupervised(dataDir, { PORT: new URL(running.url).port })
  await running.ready()
  const orphan = postmasterOf(dataDir)
  const both = running.serverPid()
  running.supervisor.kill('SIGKILL')
  process.kill(both, 'SIGKILL')
  await untilEnded(orphan, 20_000)
}, 120_000)

it('a start that fails until an operator acts is not repeated', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  running = await startSupervised(dataDir, { PORT: String(port) })
  expect(await running.exited).toBe(1)
  expect(running.output()).toMatch(/^Banyan CRM cannot start: port \d+ is in use[^\n]*\n$/)
  other.close()

  running = await startSupervised(dataDir, { SITE_URL: 'crm.example.com' })
  expect(await running.exited).toBe(1)
  expect(running.output()).toMatch(/^Banyan CRM cannot start: SITE_URL must be [^\n]*\n$/)

  writeFileSync(join(dataDir, 'keys.json'), '{"publishableKey": "sb_publi')
  running = await startSupervised(dataDir)
  expect(await running.exited).toBe(1)
  expect(running.output()).toMatch(/^Banyan CRM cannot start: \S+keys\.json is damaged\. Restore it [^\n]*\n$/)
})

it('a first start whose database is unreachable fails at once, and prints one line', async () => {
  running = await startSupervised(dataDir, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  expect(await running.exited).toBeGreaterThan(0)
  expect(running.output()).toMatch(/^Banyan CRM cannot start: [^\n]*\n$/)
})

it('a log that nobody reads stops neither the server nor the supervisor', {
  tags: ['long'],
  timeout: 60_000,
}, async () => {
  running = await startSupervised(dataDir, { LOG_LEVEL: 'info' })
  running.supervisor.stdout?.destroy()
  while (running.serverPid() === 0) await sleep(10)
  const first = running.serverPid()
  await running.ready()
  expect(running.serverPid()).toBe(first)
  process.kill(first, 'SIGKILL')
  await untilEnded(first, 5_000)
  await running.ready()
  running.supervisor.kill('SIGTERM')
  expect(await running.exited).toBe(0)
})

it('a stop signal before the server handles signals is a normal stop', async () => {
  running = await startSupervised(dataDir)
  const { pid } = running.supervisor
  const serverIsSpawned = () =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .some((child) => child !== '' && commandOf(child).includes('dist/server/main.js'))
  while (!serverIsSpawned()) await sleep(2)
  running.supervisor.kill('SIGTERM')
  expect(await running.exited).toBe(0)
  expect(running.serverPid()).toBe(0)
})

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
