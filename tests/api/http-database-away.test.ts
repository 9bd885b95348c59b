import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { testDatabase, type TestDatabase } from '../harness/database.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** A proxy between the server and its database, so that the database can become unreachable and return. */
class DatabaseProxy {
  readonly #sockets = new Set<Socket>()
  #listener: Server | undefined

  constructor(
    readonly folder: string,
    readonly target: string,
  ) {}

  async join(): Promise<void> {
    this.#listener = createServer((near) => {
      const far = connect(join(this.target, '.s.PGSQL.5432'))
      for (const socket of [near, far]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
      }
      near.pipe(far).pipe(near)
    }).listen(join(this.folder, '.s.PGSQL.5432'))
    await once(this.#listener, 'listening')
  }

  async cut(): Promise<void> {
    this.#listener?.close()
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
  }
}

let database: TestDatabase
let proxy: DatabaseProxy
let server: TestServer

beforeAll(async () => {
  database = await testDatabase({ product: false })
  const folder = await mkdtemp(join(tmpdir(), 'wire-'))
  proxy = new DatabaseProxy(folder, new URL(database.url).searchParams.get('host') ?? '')
  await proxy.join()
  server = await startTestServer({ product: false, databaseUrl: urlThroughProxy() })
})
afterAll(async () => {
  await server.stop()
  await proxy.cut()
  await database.drop()
  await rm(proxy.folder, { recursive: true, force: true })
})

it('while the database is unreachable each request that needs it gets 503 at once, and works when the database is back', async () => {
  const { session } = await signUpPerson(server, 'ana@example.com')
  const requests = {
    user: () => authRequest(server, '/user', { token: session.access_token }),
    'sign-in': () =>
      authRequest(server, '/token?grant_type=password', {
        body: { email: 'ana@example.com', password: 'correct horse' },
      }),
    refresh: () =>
      authRequest(server, '/token?grant_type=refresh_token', { body: { refresh_token: session.refresh_token } }),
  }
  await proxy.cut()
  const startedAt = performance.now()
  for (const [name, send] of Object.entries(requests)) {
    const response = await send()
    expect([name, ...refusalOf(response), response.headers.get('retry-after')]).toEqual([name, 503, 'unavailable', '1'])
  }
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect(performance.now() - startedAt).toBeLessThan(1500)

  await proxy.join()
  for (const send of Object.values(requests)) expect((await send()).status).toBe(200)
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 2000 }).toBe(200)
})

it('a connection that is lost inside a transaction fails its request, and does not stop the server', async () => {
  const child = await startTestServer({
    product: false,
    run: 'process',
    databaseUrl: urlThroughProxy(),
  })
  const lockHolder = new Client({ connectionString: database.url })
  // If the test fails, the database is dropped while this connection is open: ignores its error.
  lockHolder.on('error', () => {})
  await lockHolder.connect()
  await lockHolder.query('begin; lock table auth.users in share mode')
  const response = authRequest(child, '/signup', { body: { email: 'cut@example.com', password: 'correct horse' } })
  // Uses another connection than the one with the lock, because inside a transaction pg_stat_activity does not change
  // after the first read.
  const findWaiting = `select from pg_stat_activity
    where datname = current_database() and application_name = 'banyan owner' and wait_event_type = 'Lock'`
  while ((await database.owner.query(findWaiting)).rowCount === 0) await sleep(20)
  await proxy.cut()
  await lockHolder.query('rollback')
  await lockHolder.end()
  expect((await response).status).toBe(503)
  expect(child.child?.exitCode).toBeNull()

  await proxy.join()
  await expect.poll(async () => (await fetch(`${child.url}/readyz`)).status, { timeout: 5000 }).toBe(200)
  await child.stop()
}, 60_000)

function urlThroughProxy(): string {
  const url = new URL(database.url)
  url.searchParams.set('host', proxy.folder)
  return url.toString()
}
