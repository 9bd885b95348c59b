import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuthAnswer, authRequest } from '../harness/auth-request.ts'
import { lockWait } from '../harness/lock-wait.ts'
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

it('of hundreds of refresh tokens at once a network’s share waits for the database; others are answered', async () => {
  const { owner } = server.database!
  const other = new Client(server.databaseUrl)
  await other.connect()
  await other.query('begin; lock table auth.refresh_tokens in access exclusive mode')
  const others = [refresh('192.0.2.1'), refresh('192.0.2.2')]
  await lockWait(owner)
  const flood = Array.from({ length: 150 }, (_, n) => refresh(`2001:db8:1:1::${n}`))
  const early = await Promise.all(flood.map((answer) => Promise.race([refusedAfter(answer), sleep(2_000, 'waits')])))
  await other.query('rollback')
  await other.end()

  const refused = early.filter((answer) => answer !== 'waits')
  expect(refused).toEqual(Array.from({ length: 50 }, () => [503, '1']))
  expect((await Promise.all(flood)).filter(({ status }) => status === 400)).toHaveLength(100)
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([400, 400])
  expect((await refresh('2001:db8:1:1::1')).status).toBe(400)
})

const refusedAfter = async (answer: Promise<AuthAnswer>) => {
  const { status, headers } = await answer
  return [status, headers.get('retry-after')]
}
