import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('sign-up', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ product: false })
  })
  afterAll(() => server.stop())

  const signUp = (body: unknown) => authRequest(server, '/signup', { body })

  it('a sign-up signs the new person in with the official client', async () => {
    const client = testClient(server)
    const { data, error } = await client.auth.signUp({
      email: '  Ana@Example.com ',
      password: 's@cret1',
      options: { data: { name: 'Ana', nothing: null } },
    })
    expect(error).toBeNull()
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect(data.user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email: 'ana@example.com',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { name: 'Ana' },
      is_anonymous: false,
      identities: [{ provider: 'email', email: 'ana@example.com', identity_data: { email_verified: true } }],
    })
    expect(data.user).not.toHaveProperty('factors')
    expect(JSON.stringify(data.user)).not.toMatch(/password|argon2/)
    const { data: currentUser } = await client.auth.getUser()
    expect(currentUser.user?.id).toBe(data.user?.id)
  })

  it('a sign-up returns an access token with exactly the claims of Supabase', async () => {
    const { session, user } = await signUpPerson(server, 'claims@example.com')
    const claims = decodeJwt(session.access_token)
    expect(Object.keys(claims).sort()).toEqual(
      'aal amr app_metadata aud email exp iat is_anonymous iss phone role session_id sub user_metadata'.split(' '),
    )
    expect(claims).toMatchObject({
      iss: `${server.url}/auth/v1`,
      sub: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email: 'claims@example.com',
      aal: 'aal1',
      amr: [{ method: 'password' }],
      session_id: expect.stringMatching(uuidPattern),
    })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600)
    expect(decodeProtectedHeader(session.access_token)).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'JWT' })
  })

  it('a sign-up refuses an e-mail address that has an account, ignoring case', async () => {
    await signUpPerson(server, 'taken@example.com')
    const response = await signUp({ email: 'TAKEN@example.com', password: 's@cret1' })
    expect(refusalOf(response)).toEqual([422, 'user_already_exists'])
    expect(response.body.message).toBe('User already registered')
  })

  it('one of twenty parallel sign-ups with the same e-mail address is accepted', async () => {
    const body = { email: 'race@example.com', password: 's@cret1' }
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await signUp(body)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 422)).toHaveLength(19)
  })

  it.each([
    ['no e-mail address', { password: 's@cret1' }, [400, 'validation_failed']],
    ['an e-mail address without @', { email: 'ana', password: 's@cret1' }, [400, 'validation_failed']],
    ['an e-mail address with two @', { email: 'a@b@c', password: 's@cret1' }, [400, 'validation_failed']],
    ['an e-mail address with a blank inside', { email: 'a b@c.de', password: 's@cret1' }, [400, 'validation_failed']],
    ['an e-mail address with a NUL', { email: 'a\0@c.de', password: 's@cret1' }, [400, 'validation_failed']],
    [
      'an e-mail address of 321 characters',
      { email: `${'a'.repeat(315)}@b.com`, password: 's@cret1' },
      [400, 'validation_failed'],
    ],
    ['no password', { email: 'n@example.com' }, [400, 'validation_failed']],
    ['a number as e-mail address', { email: 7, password: 's@cret1' }, [400, 'validation_failed']],
    ['no field', {}, [422, 'anonymous_provider_disabled']],
    ['a list instead of an object', [], [400, 'bad_json']],
    ['malformed JSON', '{"email":', [400, 'bad_json']],
    [
      'metadata that is no object',
      { email: 'm@example.com', password: 's@cret1', data: 'x' },
      [400, 'validation_failed'],
    ],
    [
      'metadata with a NUL',
      { email: 'm@example.com', password: 's@cret1', data: { a: '\0' } },
      [400, 'validation_failed'],
    ],
    [
      'metadata over 4 kB',
      { email: 'm@example.com', password: 's@cret1', data: { a: 'x'.repeat(5000) } },
      [400, 'validation_failed'],
    ],
  ])('a sign-up is refused if its body contains %s', async (_, body, expected) => {
    expect(refusalOf(await signUp(body))).toEqual(expected)
  })

  it('a sign-up refuses metadata that is nested 10,000 deep', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    const response = await signUp(`{"email":"deep@example.com","password":"s@cret1","data":{"a":${deep}}}`)
    expect(refusalOf(response)).toEqual([400, 'validation_failed'])
  })

  it('a sign-up with the key `__proto__` in metadata is accepted, and changes no prototype', async () => {
    const response = await signUp(
      '{"email":"proto@example.com","password":"s@cret1","data":{"__proto__":{"admin":true}}}',
    )
    expect(response.status).toBe(200)
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
  })

  it('a sign-up responds to an older client in the older format', async () => {
    const body = { email: 'n@example.com', password: 'short' }
    const response = await authRequest(server, '/signup', { body, headers: { 'X-Supabase-Api-Version': '' } })
    expect(response.body).toEqual({
      code: 422,
      error_code: 'weak_password',
      msg: 'Password should be at least 6 characters.',
      weak_password: { reasons: ['length'] },
    })
    expect(response.headers.get('x-sb-error-code')).toBe('weak_password')
  })
})

describe('with the setting SIGN_UP', () => {
  it('nobody can sign up with the setting SIGN_UP closed', async () => {
    const server = await startTestServer({ product: false, env: { SIGN_UP: 'closed' } })
    try {
      const response = await authRequest(server, '/signup', { body: { email: 'a@example.com', password: 's@cret1' } })
      expect(refusalOf(response)).toEqual([422, 'signup_disabled'])
      const settings = await authRequest(server, '/settings')
      expect(settings.body).toMatchObject({ disable_signup: true, mailer_autoconfirm: true, external: { email: true } })
    } finally {
      await server.stop()
    }
  })

  it('only an invited e-mail address can sign up with the setting SIGN_UP invited, once', async () => {
    const server = await startTestServer({ product: false, env: { SIGN_UP: 'invited' } })
    try {
      await server.database?.owner.query(
        `insert into auth.users (id, email, aud, role, invited_at, created_at, updated_at)
         values (gen_random_uuid(), 'guest@example.com', 'authenticated', 'authenticated', now(), now(), now())`,
      )
      const stranger = await authRequest(server, '/signup', { body: { email: 'a@example.com', password: 's@cret1' } })
      expect(refusalOf(stranger)).toEqual([422, 'signup_disabled'])
      await signUpPerson(server, 'guest@example.com')
      const secondSignUp = await authRequest(server, '/signup', {
        body: { email: 'guest@example.com', password: 'secret2' },
      })
      expect(refusalOf(secondSignUp)).toEqual([422, 'signup_disabled'])
    } finally {
      await server.stop()
    }
  })

  it('a known e-mail address gets the same response as a new one if sign-ups are confirmed by mail, and nobody signs in unconfirmed', async () => {
    const server = await startTestServer({ product: false, env: { EMAIL_CONFIRMATION: 'on' } })
    try {
      const body = { email: 'new@example.com', password: 's@cret1', data: { a: 1 } }
      const first = await authRequest(server, '/signup', { body })
      const second = await authRequest(server, '/signup', { body: { ...body, password: 'another one' } })
      expect([first.status, second.status]).toEqual([200, 200])
      expect(first.body).not.toHaveProperty('access_token')
      expect(shapeOf(second.body)).toEqual(shapeOf(first.body))
      const signIn = await authRequest(server, '/token?grant_type=password', { body })
      expect(refusalOf(signIn)).toEqual([400, 'email_not_confirmed'])
    } finally {
      await server.stop()
    }
  })
})

/** Returns the names of all keys of a response body, in order, with the types of their values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.entries(value).map(([name, member]) => [name, shapeOf(member)])
}
