import { afterAll, beforeAll, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const statusOf = async (secret: unknown) =>
  (await fetch(`http://localhost:${server.port}/calendar/${String(secret)}.ics`)).status

/** Starts a second session of this person, which creates a calendar feed. Returns the session, and the secret of the feed. */
async function startSecondSession(email: string) {
  const client = testClient(server)
  const { data } = await client.auth.signInWithPassword({ email, password: 'correct horse' })
  const { data: secret } = await client.rpc('make_calendar_feed')
  expect(await statusOf(secret)).toBe(200)
  return { session: data.session, secret }
}

it('the first verified factor of an account ends the calendar feeds of other sessions, but not that of the session that verifies it', async () => {
  const email = 'ana@sessions.example'
  const { client } = await signUpPerson(server, email)
  const enroll = async () => {
    const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: crypto.randomUUID() })
    if (error) throw error
    return () => client.auth.mfa.challengeAndVerify({ factorId: data.id, code: totpCode(data.totp.secret) })
  }
  const { secret } = await startSecondSession(email)
  const verifyFirst = await enroll()
  expect((await verifyFirst()).error).toBeNull()
  expect(await statusOf(secret)).toBe(404)
  expect((await client.rpc('calendar_feed')).data).toMatchObject({ ended: 'sessions' })

  const ownSecret = (await client.rpc('make_calendar_feed')).data
  const verifySecond = await enroll()
  expect((await verifySecond()).error).toBeNull()
  expect(await statusOf(ownSecret)).toBe(200)
})

it('a calendar feed ends with its session when a used refresh token comes again', async () => {
  const email = 'bo@sessions.example'
  await signUpPerson(server, email)
  const { session, secret } = await startSecondSession(email)
  const refresh = (refresh_token: unknown) =>
    authRequest(server, '/token?grant_type=refresh_token', { body: { refresh_token } })
  const first = session?.refresh_token
  const second = (await refresh(first)).body.refresh_token
  expect((await refresh(second)).status).toBe(200)
  await query(server, `update auth.refresh_tokens set updated_at = updated_at - interval '1 minute'`)
  expect(refusalOf(await refresh(first))).toEqual([400, 'refresh_token_already_used'])
  expect(await statusOf(secret)).toBe(404)
})

it('wrong secrets of calendar feeds that come at the same time are all counted, and a busy database causes no status 500', async () => {
  const { database } = server
  if (!database) throw new Error('no database')
  const lockHolder = await database.owner.connect()
  await lockHolder.query('begin')
  await lockHolder.query('lock table private.calendar_feeds in access exclusive mode')
  const statuses: number[] = []
  const requestFeed = async (n: number) => statuses.push(await statusOf(String(100 + n).padEnd(64, '1')))
  const attempts = Promise.allSettled(Array.from({ length: 40 }, (_, n) => requestFeed(n)))
  try {
    // The requests beyond the limit are refused without a query of the database.
    await expect.poll(() => statuses.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(9)
    expect(new Set(statuses)).toEqual(new Set([429]))
    // Requests that wait too long for a connection get 503: the client may repeat them, and the server logs no error.
    await expect.poll(() => statuses.includes(503), { timeout: 20_000 }).toBe(true)
    expect(statuses).not.toContain(500)
  } finally {
    await lockHolder.query('rollback')
    lockHolder.release()
    await attempts
  }
  expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(30)
})
