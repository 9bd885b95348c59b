import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

describe('refresh', () => {
  let server: TestServer
  let personCount = 0

  beforeAll(async () => {
    server = await startTestServer({ product: false })
  })
  afterAll(() => server.stop())

  const newSession = async () => (await signUpPerson(server, `person${++personCount}@example.com`)).session
  const refresh = (token: string) =>
    authRequest(server, '/token?grant_type=refresh_token', { body: { refresh_token: token } })

  /** Moves the last use of all tokens of the session into the past by this interval. */
  async function ageTokens(accessToken: string, seconds: number): Promise<void> {
    await server.database?.owner.query(
      `update auth.refresh_tokens set updated_at = updated_at - make_interval(secs => $2) where session_id = $1`,
      [decodeJwt(accessToken).session_id, seconds],
    )
  }

  it('a refresh gives the official client new tokens of the same session', async () => {
    const { client, session } = await signUpPerson(server, 'client@example.com')
    const { data, error } = await client.auth.refreshSession()
    expect(error).toBeNull()
    expect(data.session?.refresh_token).not.toBe(session.refresh_token)
    expect(decodeJwt(data.session?.access_token ?? '').session_id).toBe(decodeJwt(session.access_token).session_id)
  })

  it('a refresh with the token before the active one returns the active token, at any time', async () => {
    const { refresh_token: first, access_token } = await newSession()
    const second = (await refresh(first)).body.refresh_token
    await ageTokens(access_token, 3600)
    expect((await refresh(first)).body.refresh_token).toBe(second)
    expect((await refresh(second)).status).toBe(200)
  })

  it('a refresh accepts any used token for ten seconds, and returns the active one', async () => {
    const { refresh_token: first } = await newSession()
    const second = (await refresh(first)).body.refresh_token
    const third = (await refresh(second)).body.refresh_token
    expect((await refresh(first)).body.refresh_token).toBe(third)
  })

  it('a refresh ends the session when a token that is two generations old comes after ten seconds', async () => {
    const { refresh_token: first, access_token } = await newSession()
    const second = (await refresh(first)).body.refresh_token
    const third = (await refresh(second)).body.refresh_token
    await ageTokens(access_token, 11)
    const reused = await refresh(first)
    expect(refusalOf(reused)).toEqual([400, 'refresh_token_already_used'])
    expect(reused.body.message).toBe('Invalid Refresh Token: Already Used')
    expect((await refresh(third)).status).toBe(400)
    expect(refusalOf(await authRequest(server, '/user', { token: access_token }))).toEqual([403, 'session_not_found'])
  })

  it('a refresh refuses unknown tokens, and tokens of an ended session', async () => {
    const { refresh_token, access_token } = await newSession()
    expect(refusalOf(await refresh('unknown'))).toEqual([400, 'refresh_token_not_found'])
    await authRequest(server, '/logout?scope=local', { token: access_token, body: {} })
    const endedSessionResponse = await refresh(refresh_token)
    expect(refusalOf(endedSessionResponse)).toEqual([400, 'refresh_token_not_found'])
    expect(endedSessionResponse.body.message).toBe('Invalid Refresh Token: Refresh Token Not Found')
    expect(refusalOf(await authRequest(server, '/token?grant_type=refresh_token', { body: {} }))).toEqual([
      400,
      'validation_failed',
    ])
  })

  it('64 parallel refreshes make one chain of tokens', async () => {
    const { refresh_token, access_token } = await newSession()
    const responses = await Promise.all(Array.from({ length: 64 }, () => refresh(refresh_token)))
    expect(responses.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1)
    const { rows } = await server.database!.owner.query(
      'select count(*)::int as all, count(*) filter (where not revoked)::int as active from auth.refresh_tokens where session_id = $1',
      [decodeJwt(access_token).session_id],
    )
    expect(rows).toEqual([{ all: 2, active: 1 }])
  })

  it('a refresh stores only hashes of tokens in the database', async () => {
    const { refresh_token } = await newSession()
    const { rows } = await server.database!.owner.query('select token, parent from auth.refresh_tokens')
    expect(JSON.stringify(rows)).not.toContain(refresh_token)
  })

  it('a refresh returns the user’s current data', async () => {
    const { refresh_token, access_token } = await newSession()
    await authRequest(server, '/user', { method: 'PUT', token: access_token, body: { data: { name: 'Bo' } } })
    const { body } = await refresh(refresh_token)
    expect(body.user.user_metadata).toEqual({ name: 'Bo' })
    expect(decodeJwt(body.access_token).user_metadata).toEqual({ name: 'Bo' })
  })
})
