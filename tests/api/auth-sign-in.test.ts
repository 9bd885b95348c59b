import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

describe('sign-in', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ product: false, hashes: 'usual' })
    await signUpPerson(server, 'ana@example.com', 'correct horse')
  })
  afterAll(() => server.stop())

  const signIn = (body: unknown) => authRequest(server, '/token?grant_type=password', { body })

  it('a sign-in with the official client starts a new session', async () => {
    const client = testClient(server)
    const { data, error } = await client.auth.signInWithPassword({
      email: 'ANA@example.com',
      password: 'correct horse',
    })
    expect(error).toBeNull()
    expect(data.user?.email).toBe('ana@example.com')
    const { data: claims } = await client.auth.getClaims()
    expect(claims?.claims.sub).toBe(data.user?.id)
  })

  it('a sign-in responds to a wrong password and to an unknown e-mail address in the same way', async () => {
    const wrongPasswordResponse = await signIn({ email: 'ana@example.com', password: 'wrong horse' })
    const unknownAddressResponse = await signIn({ email: 'nobody@example.com', password: 'wrong horse' })
    expect(refusalOf(wrongPasswordResponse)).toEqual([400, 'invalid_credentials'])
    expect(wrongPasswordResponse.body.message).toBe('Invalid login credentials')
    expect([unknownAddressResponse.status, unknownAddressResponse.body]).toEqual([
      wrongPasswordResponse.status,
      wrongPasswordResponse.body,
    ])
  })

  it('a sign-in refuses a malformed request', async () => {
    expect(refusalOf(await signIn({ email: 'ana@example.com' }))).toEqual([400, 'validation_failed'])
    expect(refusalOf(await signIn({ password: 'x' }))).toEqual([400, 'validation_failed'])
    expect(refusalOf(await signIn('nonsense'))).toEqual([400, 'bad_json'])
    const grant = await authRequest(server, '/token?grant_type=__proto__', { body: {} })
    expect([...refusalOf(grant), grant.body.message]).toEqual([400, 'invalid_credentials', 'unsupported_grant_type'])
  })

  it('a sign-in refuses a banned person who knows the password', async () => {
    const { user } = await signUpPerson(server, 'banned@example.com')
    await server.database?.owner.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
      user.id,
    ])
    const response = await signIn({ email: 'banned@example.com', password: 'correct horse' })
    expect(refusalOf(response)).toEqual([400, 'user_banned'])
  })

  it('a sign-in succeeds for forty requests at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => signIn({ email: 'ana@example.com', password: 'correct horse' })),
    )
    expect(responses.filter(({ status }) => status !== 200)).toEqual([])
  }, 60_000)
})

describe('passwords', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ product: false, hashes: 'usual' })
  })
  afterAll(() => server.stop())

  const text73Bytes = 'x'.repeat(73)

  it.each([
    ['5 characters', '12345', [422, 'weak_password']],
    ['6 characters', 'b7-x9q', [200, undefined]],
    ['the text 123456', '123456', [422, 'weak_password']],
    ['a frequent word and a digit', 'PassWord1', [422, 'weak_password']],
    ['64 characters', 'a'.repeat(64), [200, undefined]],
    ['72 bytes', 'y'.repeat(72), [200, undefined]],
    ['73 bytes', text73Bytes, [400, 'validation_failed']],
    ['1,000 characters', 'a'.repeat(1000), [400, 'validation_failed']],
    ['a NUL', 'secret\0one', [400, 'validation_failed']],
    ['half a surrogate pair', 'secret\ud800', [400, 'validation_failed']],
    ['five emoji', '🌳🌳🌳🌳🌳', [422, 'weak_password']],
    ['six emoji', '🌳🌳🌳🌳🌳🌳', [200, undefined]],
    ['a combining accent', 'cafe\u0301 au lait', [200, undefined]],
    ['a leading space', ' leading', [200, undefined]],
  ])('passwords with %s are kept exactly or refused', async (name, password, expected) => {
    const email = `${name.replace(/\W/g, '-')}@example.com`
    expect(refusalOf(await authRequest(server, '/signup', { body: { email, password } }))).toEqual(expected)
    if (expected[0] !== 200) return
    const signIn = (given: string) =>
      authRequest(server, '/token?grant_type=password', { body: { email, password: given } })
    expect((await signIn(password)).status).toBe(200)
    for (const twin of [`${password}x`, password.normalize('NFC'), password.trim(), password.slice(0, -1)]) {
      if (twin !== password) expect((await signIn(twin)).status).toBe(400)
    }
  })

  it('passwords are stored as Argon2id with at least 19 MiB, two passes and one lane', async () => {
    const { user } = await signUpPerson(server, 'hash@example.com')
    const { rows } = await server.database!.owner.query('select encrypted_password from auth.users where id = $1', [
      user.id,
    ])
    const [, kind, , parameters = ''] = String(rows[0].encrypted_password).split('$')
    const { m, t, p } = Object.fromEntries(parameters.split(',').map((parameter) => parameter.split('=')))
    expect([kind, t, p]).toEqual(['argon2id', '2', '1'])
    expect(Number(m)).toBeGreaterThanOrEqual(19 * 1024)
  })
})
