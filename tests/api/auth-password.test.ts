import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { sentCode } from '../harness/outbox.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

describe('a change of the password', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ env: { AUTH_RATE_LIMIT: '100' } })
  })
  afterAll(() => server.stop())

  let personCount = 0

  /** Signs up a person whose sign-in was the given number of minutes ago. */
  async function personSignedInFor(minutes: number) {
    const { client, user } = await signUpPerson(server, `person${++personCount}@example.com`)
    await server.database!.owner.query(
      `update auth.mfa_amr_claims c set updated_at = now() - make_interval(mins => $2) from auth.sessions s
       where s.id = c.session_id and s.user_id = $1`,
      [user.id, minutes],
    )
    await client.auth.refreshSession()
    return { client, email: user.email ?? '' }
  }

  it('a change of the password needs the old password, and ends the other sessions', async () => {
    const { client, email } = await personSignedInFor(6)
    const otherClient = testClient(server)
    await otherClient.auth.signInWithPassword({ email, password: 'correct horse' })
    const { error: missingPasswordError } = await client.auth.updateUser({ password: 'a better staple' })
    expect([missingPasswordError?.status, missingPasswordError?.code]).toEqual([422, 'current_password_required'])
    const { error: wrong } = await client.auth.updateUser({
      password: 'a better staple',
      current_password: 'wrong horse',
    })
    expect([wrong?.status, wrong?.code]).toEqual([422, 'current_password_invalid'])
    const { error } = await client.auth.updateUser({ password: 'a better staple', current_password: 'correct horse' })
    expect(error).toBeNull()
    expect((await otherClient.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await client.auth.getUser()).error).toBeNull()
    expect((await testClient(server).auth.signInWithPassword({ email, password: 'a better staple' })).error).toBeNull()
  })

  it('a change of the password right after a sign-in checks the old password if it is sent, and needs no proof otherwise', async () => {
    const { client } = await personSignedInFor(0)
    const { error: wrong } = await client.auth.updateUser({
      password: 'a better staple',
      current_password: 'wrong horse',
    })
    expect(wrong?.code).toBe('current_password_invalid')
    expect((await client.auth.updateUser({ password: 'a better staple' })).error).toBeNull()
  })

  it('a change of the password accepts a mailed code instead of the old password, once', async () => {
    const { client, email } = await personSignedInFor(6)
    const { error: forged } = await client.auth.updateUser({ password: 'a better staple', nonce: '000000' })
    expect([forged?.status, forged?.code]).toEqual([422, 'reauthentication_not_valid'])
    await client.auth.reauthenticate()
    const nonce = await sentCode(server.dataDir, email, 1)
    expect((await client.auth.updateUser({ password: 'a better staple', nonce })).error).toBeNull()
    const { error: secondUseError } = await client.auth.updateUser({ password: 'one more staple', nonce })
    expect(secondUseError?.code).toBe('reauthentication_not_valid')
  })

  it('one of two changes of the password at the same time is refused, because the check holds a lock', async () => {
    const { client, email } = await personSignedInFor(6)
    const token = (await client.auth.getSession()).data.session?.access_token ?? ''
    const changePassword = (password: string) =>
      authRequest(server, '/user', { method: 'PUT', token, body: { password, current_password: 'correct horse' } })
    const responses = await Promise.all([changePassword('a better staple'), changePassword('another staple')])
    expect(responses.map(refusalOf)).toContainEqual([200, undefined])
    const refusedResponse = responses.find(({ status }) => status !== 200)
    // The refused change either waited for the other one, or came after it with a password that was no longer valid.
    expect(refusedResponse?.status).toBe(422)
    expect(refusedResponse && refusalOf(refusedResponse)[1]).toMatch(/^current_password_(required|invalid)$/)
    const refusedPassword = responses[0]?.status === 200 ? 'another staple' : 'a better staple'
    expect((await testClient(server).auth.signInWithPassword({ email, password: refusedPassword })).error?.status).toBe(
      400,
    )
  })

  it('a change of the password counts wrong old passwords as failed sign-ins', async () => {
    const { client, email } = await personSignedInFor(6)
    const token = (await client.auth.getSession()).data.session?.access_token ?? ''
    const responses = []
    for (let round = 0; round < 12; round++) {
      responses.push(
        await authRequest(server, '/user', {
          method: 'PUT',
          token,
          body: { password: 'a better staple', current_password: `guess ${round}` },
        }),
      )
    }
    expect(responses.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(10)
    expect(refusalOf(responses.at(-1)!)).toEqual([429, 'over_request_rate_limit'])
    expect((await testClient(server).auth.signInWithPassword({ email, password: 'wrong' })).error?.status).toBe(429)
  })
})
