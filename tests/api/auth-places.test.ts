import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { untilLockWait } from '../harness/lock-wait.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { AUTH_RATE_LIMIT: '30', TRUST_PROXY: '1' } })
})
afterAll(() => server.stop())

const refresh = (address: string) =>
  authRequest(server, '/token?grant_type=refresh_token', {
    body: { refresh_token: crypto.randomUUID() },
    headers: { 'X-Forwarded-For': address },
  })

it('of 150 simultaneous token refreshes from one network, 100 wait for the database and 50 get 503; refreshes from other networks are served', async () => {
  const { owner } = server.database!
  const lockHolder = new Client(server.databaseUrl)
  await lockHolder.connect()
  await lockHolder.query('begin; lock table auth.refresh_tokens in access exclusive mode')
  const otherNetworks = [refresh('192.0.2.1'), refresh('192.0.2.2')]
  await untilLockWait(owner)
  const retryAfters: unknown[] = []
  const flood = Array.from({ length: 150 }, async (_, n) => {
    const response = await refresh(`2001:db8:1:1::${n}`)
    if (response.status === 503) retryAfters.push(response.headers.get('retry-after'))
    return response
  })
  await vi.waitFor(() => expect(retryAfters.length).toBeGreaterThanOrEqual(50), { timeout: 20_000 })
  await sleep(300)
  await lockHolder.query('rollback')
  await lockHolder.end()

  expect(retryAfters).toEqual(Array.from({ length: 50 }, () => '1'))
  expect((await Promise.all(flood)).filter(({ status }) => status === 400)).toHaveLength(100)
  expect((await Promise.all(otherNetworks)).map(({ status }) => status)).toEqual([400, 400])
  expect((await refresh('2001:db8:1:1::1')).status).toBe(400)
})
