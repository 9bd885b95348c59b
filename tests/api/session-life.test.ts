import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

let server: TestServer
let personCount = 0

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const newPerson = () => signUpPerson(server, `person${++personCount}@example.com`)
const refresh = (refresh_token: string, target: TestServer = server) =>
  authRequest(target, '/token?grant_type=refresh_token', { body: { refresh_token } })
/** Returns the status of a request for the list of the user's sessions. */
const statusOfSessions = async (token: string, target: TestServer = server) => {
  const headers = {
    apikey: target.publishableKey,
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
  }
  return (await fetch(`${target.url}/rest/v1/rpc/my_sessions`, { method: 'POST', headers, body: '{}' })).status
}
/** Returns the number of brands that this token can read. */
const brandsSeen = async (token: string) => {
  const headers = { apikey: server.publishableKey, Authorization: `Bearer ${token}` }
  const response = await fetch(`${server.url}/rest/v1/brands?select=id`, { headers })
  return ((await response.json()) as unknown[]).length
}

/** Moves the start, the last use and the end of the user's sessions into the past by this number of days. */
const ageSessions = (userId: string, days: number) =>
  query(
    server,
    `update auth.sessions set created_at = created_at - make_interval(days => $2),
       refreshed_at = refreshed_at - make_interval(days => $2), not_after = not_after - make_interval(days => $2)
     where user_id = $1`,
    userId,
    days,
  )

/** Returns the number of days until the session ends. Null if no end is stored. */
async function daysLeft(userId: string): Promise<number | null> {
  const [row] = await query<{ days: number | null }>(
    server,
    `select (extract(epoch from not_after - now()) / 86400)::float as days from auth.sessions where user_id = $1`,
    userId,
  )
  return row?.days == null ? null : Math.round(row.days * 100) / 100
}

describe('a session', () => {
  it('a session ends after 30 days without use, for refresh and access tokens alike', async () => {
    const { client, user, session } = await newPerson()
    await client.from('brands').insert({ id: crypto.randomUUID(), name: 'Acme' })
    expect(await daysLeft(user.id)).toBe(30)
    await ageSessions(user.id, 29)
    expect(await brandsSeen(session.access_token)).toBe(1)
    expect(await statusOfSessions(session.access_token)).toBe(200)
    const refreshResponse = await refresh(session.refresh_token)
    expect(refreshResponse.status).toBe(200)
    expect(await daysLeft(user.id)).toBe(30)
    await ageSessions(user.id, 31)
    expect(refusalOf(await refresh(refreshResponse.body.refresh_token))).toEqual([400, 'refresh_token_not_found'])
    expect(refusalOf(await authRequest(server, '/user', { token: refreshResponse.body.access_token }))).toEqual([
      403,
      'session_not_found',
    ])
    expect(await statusOfSessions(refreshResponse.body.access_token)).toBe(400)
    expect(await brandsSeen(refreshResponse.body.access_token)).toBe(0)
  })

  it('a session ends after 180 days, even if it is used', async () => {
    const { user, session } = await newPerson()
    let token = session.refresh_token
    for (let month = 0; month < 6; month++) {
      await ageSessions(user.id, 29)
      const { status, body } = await refresh(token)
      expect(status).toBe(200)
      token = body.refresh_token
    }
    expect(await daysLeft(user.id)).toBe(6)
    await ageSessions(user.id, 7)
    expect(refusalOf(await refresh(token))).toEqual([400, 'refresh_token_not_found'])
  })

  it('a session without a stored end ends at the time that follows from its start and its last use', async () => {
    const { user, session } = await newPerson()
    await ageSessions(user.id, 31)
    await query(server, 'update auth.sessions set not_after = null where user_id = $1', user.id)
    expect(refusalOf(await refresh(session.refresh_token))).toEqual([400, 'refresh_token_not_found'])
  })

  it('a session is also extended by a verified second factor', async () => {
    const { client, user } = await newPerson()
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    await ageSessions(user.id, 20)
    await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code: totpCode(data?.totp.secret ?? '') })
    expect(await daysLeft(user.id)).toBe(30)
  })
})

describe('the sessions of a user', () => {
  it('a user has at most 50 sessions, and the least recently used ones are deleted', async () => {
    const { user, session } = await newPerson()
    await query(
      server,
      `insert into auth.sessions (id, user_id, created_at, aal) select gen_random_uuid(), $1, now() - n * interval '1 hour', 'aal1'
       from generate_series(1, 60) as n`,
      user.id,
    )
    const signIn = () =>
      authRequest(server, '/token?grant_type=password', { body: { email: user.email, password: 'correct horse' } })
    expect((await signIn()).status).toBe(200)
    const storedSessions = () =>
      query<{ id: string }>(server, 'select id from auth.sessions where user_id = $1', user.id)
    expect(await storedSessions()).toHaveLength(50)
    expect((await refresh(session.refresh_token)).status).toBe(200)
    const [oldest] = await query<{ id: string }>(
      server,
      'select id from auth.sessions where user_id = $1 order by created_at limit 1',
      user.id,
    )
    await signIn()
    expect(await storedSessions()).toHaveLength(50)
    expect((await storedSessions()).map(({ id }) => id)).not.toContain(oldest?.id)
  })

  it('an old session that is still used is not deleted when a user has too many', async () => {
    const { user, session } = await newPerson()
    await query(server, `update auth.sessions set created_at = now() - interval '20 days' where user_id = $1`, user.id)
    const refreshResponse = await refresh(session.refresh_token)
    await query(
      server,
      `insert into auth.sessions (id, user_id, created_at, aal) select gen_random_uuid(), $1, now() - n * interval '1 hour', 'aal1'
       from generate_series(1, 60) as n`,
      user.id,
    )
    await authRequest(server, '/token?grant_type=password', { body: { email: user.email, password: 'correct horse' } })
    expect(await query(server, 'select from auth.sessions where user_id = $1', user.id)).toHaveLength(50)
    expect((await refresh(refreshResponse.body.refresh_token)).status).toBe(200)
  })

  it('the ended sessions of a user are deleted at the next sign-in', async () => {
    const { user } = await newPerson()
    await ageSessions(user.id, 31)
    await authRequest(server, '/token?grant_type=password', { body: { email: user.email, password: 'correct horse' } })
    expect(await query(server, 'select from auth.sessions where user_id = $1', user.id)).toHaveLength(1)
  })
})

it('sessions of an older release end as the operator configured, and ended ones are deleted', async () => {
  const [unusedPerson, activePerson] = [await newPerson(), await newPerson()]
  await ageSessions(unusedPerson.user.id, 8)
  await query(server, 'update auth.sessions set not_after = null')
  const { dataDir, databaseUrl = '' } = server
  const strictServer = await startTestServer({
    dataDir,
    databaseUrl,
    env: { SESSION_IDLE_DAYS: '7', SESSION_MAX_DAYS: '20', SITE_URL: server.url },
  })
  expect(await query(server, 'select from auth.sessions where user_id = $1', unusedPerson.user.id)).toEqual([])
  expect(await daysLeft(activePerson.user.id)).toBe(7)
  await strictServer.kill()

  const endlessServer = await startTestServer({
    dataDir,
    databaseUrl,
    env: { SESSION_IDLE_DAYS: '0', SESSION_MAX_DAYS: '0', SITE_URL: server.url },
  })
  const reachableServer = { ...endlessServer, url: `http://localhost:${endlessServer.port}` }
  expect((await refresh(activePerson.session.refresh_token, reachableServer)).status).toBe(200)
  expect(await daysLeft(activePerson.user.id)).toBeNull()
  await endlessServer.kill()
})
