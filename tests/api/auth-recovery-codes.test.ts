import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { signUpWithApp } from '../harness/person-with-app.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

describe('recovery codes', () => {
  const personWithCodes = async (email: string) => {
    const person = await signUpWithApp(server, email)
    const token = person.session.access_token
    const creation = await authRequest(server, '/factors/recovery-codes', { token, body: { friendly_name: 'Paper' } })
    return { ...person, token, codes: creation.body.codes as string[], made: creation }
  }
  const tokenAtAal1 = async (email: string | undefined) =>
    (await testClient(server).auth.signInWithPassword({ email: email ?? '', password: 'correct horse' })).data.session
      ?.access_token ?? ''
  const enterCode = (token: string, code: string) =>
    authRequest(server, '/factors/recovery-codes/verify', { token, body: { code } })

  it('recovery codes are ten in number, and stored as hashes; each works once, in upper or lower case, with spaces and hyphens', async () => {
    const { user, token, codes, made } = await personWithCodes('ana@example.com')
    expect(made.body).toMatchObject({ type: 'recovery_code', friendly_name: 'Paper', total: 10 })
    expect(new Set(codes).size).toBe(10)
    expect(codes.every((code) => /^[a-z2-9]{16}$/.test(code))).toBe(true)
    const typed = codes[0]!.toUpperCase().replaceAll(/(.{4})/g, '$1- ')
    const verification = await enterCode(await tokenAtAal1(user.email), typed)
    expect(verification.status).toBe(200)
    expect(JSON.parse(atob(verification.body.access_token.split('.')[1]!))).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
    })
    expect(refusalOf(await enterCode(await tokenAtAal1(user.email), codes[0]!))).toEqual([
      422,
      'mfa_verification_failed',
    ])
    const status = await authRequest(server, '/factors/recovery-codes', { token })
    expect(status.body).toMatchObject({ total: 10, remaining: 9 })
    const weakToken = await tokenAtAal1(user.email)
    const responses = await Promise.all(Array.from({ length: 20 }, () => enterCode(weakToken, codes[1]!)))
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
    const { rows } = await server.database!.owner.query('select code_hash from auth.mfa_recovery_codes')
    expect(codes.some((code) => JSON.stringify(rows).includes(code))).toBe(false)
  })

  it('recovery codes need another factor and aal2, exist as one set only, and are deleted with the last factor', async () => {
    const nobody = await signUpPerson(server, 'nobody@example.com')
    const sole = await authRequest(server, '/factors/recovery-codes', {
      method: 'POST',
      token: nobody.session.access_token,
    })
    expect(refusalOf(sole)).toEqual([422, 'mfa_recovery_codes_sole_factor'])
    const { user, token, codes, client, factorId } = await personWithCodes('bo@example.com')
    expect(refusalOf(await authRequest(server, '/factors/recovery-codes', { token, body: {} }))).toEqual([
      422,
      'mfa_verified_factor_exists',
    ])
    const weakToken = await tokenAtAal1(user.email)
    for (const [method, path] of [
      ['POST', '/regenerate'],
      ['DELETE', ''],
    ] as const) {
      expect(
        (await authRequest(server, `/factors/recovery-codes${path}`, { method, token: weakToken })).body.code,
      ).toBe('insufficient_aal')
    }
    const newCodes = await authRequest(server, '/factors/recovery-codes/regenerate', { method: 'POST', token })
    expect(refusalOf(await enterCode(weakToken, codes[2]!))).toEqual([422, 'mfa_verification_failed'])
    expect(newCodes.body).toMatchObject({ friendly_name: 'Paper', total: 10 })
    await client.auth.mfa.unenroll({ factorId })
    expect((await client.auth.getUser()).data.user?.factors).toBeUndefined()
    expect((await authRequest(server, '/factors/recovery-codes', { token: weakToken })).status).toBe(404)
  })
})
