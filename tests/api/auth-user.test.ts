import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

describe('the signed-in user', () => {
  let server: TestServer
  let personCount = 0

  beforeAll(async () => {
    server = await startTestServer({ product: false })
  })
  afterAll(() => server.stop())

  const newPerson = () => signUpPerson(server, `person${++personCount}@example.com`)
  const updateUser = (token: string, body: unknown) => authRequest(server, '/user', { method: 'PUT', token, body })

  it('the signed-in user reads their own data, not wrapped in another object', async () => {
    const { session, user } = await newPerson()
    const response = await authRequest(server, '/user', { token: session.access_token })
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({ id: user.id, email: user.email })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('the signed-in user changes metadata key by key at the top level; null removes a key', async () => {
    const { client } = await newPerson()
    await client.auth.updateUser({ data: { name: 'Ana', colour: 'green' } })
    const { data, error } = await client.auth.updateUser({ data: { colour: null, size: { a: null } } })
    expect(error).toBeNull()
    expect(data.user?.user_metadata).toEqual({ name: 'Ana', size: { a: null } })
  })

  it('the signed-in user cannot store metadata that is too large for a token, not even in small steps', async () => {
    const { session } = await newPerson()
    expect((await updateUser(session.access_token, { data: { a: 'x'.repeat(3000) } })).status).toBe(200)
    const response = await updateUser(session.access_token, { data: { b: 'x'.repeat(3000) } })
    expect(refusalOf(response)).toEqual([400, 'validation_failed'])
  })

  it('the signed-in user can change the password, which ends the other sessions', async () => {
    const { client, user, session } = await newPerson()
    const otherClient = testClient(server)
    const secondSignIn = await otherClient.auth.signInWithPassword({
      email: user.email ?? '',
      password: 'correct horse',
    })
    const { error } = await client.auth.updateUser({ password: 'battery staple' })
    expect(error).toBeNull()
    expect((await authRequest(server, '/user', { token: session.access_token })).status).toBe(200)
    const token = secondSignIn.data.session?.access_token ?? ''
    expect(refusalOf(await authRequest(server, '/user', { token }))).toEqual([403, 'session_not_found'])
    const withOldPassword = await testClient(server).auth.signInWithPassword({
      email: user.email ?? '',
      password: 'correct horse',
    })
    expect(withOldPassword.error?.code).toBe('invalid_credentials')
    const withNewPassword = await testClient(server).auth.signInWithPassword({
      email: user.email ?? '',
      password: 'battery staple',
    })
    expect(withNewPassword.error).toBeNull()
  })

  it('the signed-in user can change the e-mail address; an address of another account is refused, also in parallel requests', async () => {
    const { client, session } = await newPerson()
    const { data } = await client.auth.updateUser({ email: 'Moved@example.com' })
    expect(data.user).toMatchObject({ email: 'moved@example.com', identities: [{ email: 'moved@example.com' }] })
    const otherPeople = await Promise.all([newPerson(), newPerson(), newPerson()])
    for (const other of otherPeople) {
      const response = await updateUser(other.session.access_token, { email: 'moved@EXAMPLE.com' })
      expect(refusalOf(response)).toEqual([422, 'email_exists'])
    }
    const responses = await Promise.all(
      otherPeople.map((other) => updateUser(other.session.access_token, { email: 'wanted@example.com' })),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422])
    expect((await authRequest(server, '/user', { token: session.access_token })).status).toBe(200)
  })

  it('the signed-in user cannot make forbidden changes or send invalid values', async () => {
    const { session } = await newPerson()
    const token = session.access_token
    expect(refusalOf(await updateUser(token, { app_metadata: { role: 'admin' } }))).toEqual([403, 'not_admin'])
    expect(refusalOf(await updateUser(token, { password: 'correct horse' }))).toEqual([422, 'same_password'])
    expect(refusalOf(await updateUser(token, { password: 'short' }))).toEqual([422, 'weak_password'])
    expect(refusalOf(await updateUser(token, { password: 'x'.repeat(73) }))).toEqual([400, 'validation_failed'])
    expect(refusalOf(await updateUser(token, { email: 'nonsense' }))).toEqual([400, 'validation_failed'])
    expect(refusalOf(await updateUser(token, 'nonsense'))).toEqual([400, 'bad_json'])
  })

  it('a user is refused without a token, with the publishable key as the token, and after the account was deleted', async () => {
    expect(refusalOf(await authRequest(server, '/user'))).toEqual([401, 'no_authorization'])
    expect(refusalOf(await authRequest(server, '/user', { token: server.publishableKey }))).toEqual([
      401,
      'no_authorization',
    ])
    const { session, user } = await newPerson()
    await server.database?.owner.query('delete from auth.users where id = $1', [user.id])
    expect(refusalOf(await authRequest(server, '/user', { token: session.access_token }))).toEqual([
      403,
      'user_not_found',
    ])
  })
})

describe('sign-out', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ product: false })
  })
  afterAll(() => server.stop())

  /** Starts three sessions of a person and one of another person. Returns which of the four are active after the first signs out with this scope. */
  async function activeAfter(scope: 'global' | 'local' | 'others'): Promise<boolean[]> {
    const email = `${scope}@example.com`
    const first = await signUpPerson(server, email)
    const sessions = [first.session]
    for (let more = 0; more < 2; more++) {
      const { data } = await testClient(server).auth.signInWithPassword({ email, password: 'correct horse' })
      if (data.session) sessions.push(data.session)
    }
    const stranger = await signUpPerson(server, `stranger-of-${scope}@example.com`)
    const { error } = await first.client.auth.signOut({ scope })
    expect(error).toBeNull()
    const responses = await Promise.all(
      [...sessions, stranger.session].map(({ access_token }) => authRequest(server, '/user', { token: access_token })),
    )
    return responses.map(({ status }) => status === 200)
  }

  it('a sign-out with the scope global ends all sessions of this person, and no others', async () => {
    expect(await activeAfter('global')).toEqual([false, false, false, true])
  })
  it('a sign-out with the scope local ends this session', async () => {
    expect(await activeAfter('local')).toEqual([false, true, true, true])
  })
  it('a sign-out with the scope others ends the other sessions', async () => {
    expect(await activeAfter('others')).toEqual([true, false, false, true])
  })

  it('a sign-out responds with 204 without a body, and refuses a scope that does not exist', async () => {
    const { session } = await signUpPerson(server, 'status@example.com')
    const token = session.access_token
    const wrongScopeResponse = await authRequest(server, '/logout?scope=constructor', { token, body: {} })
    expect(refusalOf(wrongScopeResponse)).toEqual([400, 'validation_failed'])
    const signOutResponse = await authRequest(server, '/logout', { token, method: 'POST' })
    expect([signOutResponse.status, signOutResponse.body]).toEqual([204, {}])
    expect(refusalOf(await authRequest(server, '/logout', { token, method: 'POST' }))).toEqual([
      403,
      'session_not_found',
    ])
  })
})
