import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  blockAccount,
  dropFactors,
  endSessions,
  listAccounts,
  listSessions,
  type Operator,
  readAudit,
  resetPassword,
} from '#server/auth/admin/operator.ts'
import { loadKeys, rotateKeys } from '#server/auth/keys.ts'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

let server: TestServer
let operator: Operator

beforeAll(async () => {
  server = await startTestServer()
  const { refreshSecret } = await loadKeys(server.dataDir)
  operator = { db: server.database!.owner, secret: refreshSecret, siteUrl: server.url }
})
afterAll(() => server.stop())

describe('the operator', () => {
  it('helps somebody who lost password and phone, and signs out whoever is in', async () => {
    const { client } = await signUpPerson(server, 'ana@example.com')
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code: totpCode(data?.totp.secret ?? '') })
    expect(await listAccounts(operator, 'ANA@')).toMatchObject([{ email: 'ana@example.com', factors: 1, sessions: 1 }])
    expect(await listSessions(operator, 'ana@example.com')).toMatchObject([{ level: 'aal2' }])

    expect(await dropFactors(operator, 'ana@example.com', undefined)).toBe(1)
    expect(await endSessions(operator, 'ana@example.com')).toBe(1)
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    const link = new URL(await resetPassword(operator, 'ana@example.com'))
    expect(link.origin).toBe(server.url)
    const back = testClient(server)
    const token_hash = link.searchParams.get('token_hash') ?? ''
    expect((await back.auth.verifyOtp({ token_hash, type: 'recovery' })).error).toBeNull()
    expect((await back.auth.updateUser({ password: 'the new horse' })).error).toBeNull()
    expect((await readAudit(operator, 'ana@example.com', 100)).map(({ action }) => action)).toEqual(
      'user_updated_password login user_recovery_requested logout factor_deleted factor_verified'.split(' '),
    )
  })

  it('blocks and unblocks an account', async () => {
    const { client } = await signUpPerson(server, 'bo@example.com')
    const signIn = () =>
      testClient(server).auth.signInWithPassword({ email: 'bo@example.com', password: 'correct horse' })
    await blockAccount(operator, 'bo@example.com', true)
    expect((await signIn()).error?.code).toBe('user_banned')
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    await blockAccount(operator, 'bo@example.com', false)
    expect((await signIn()).error).toBeNull()
    await expect(blockAccount(operator, 'nobody@example.com', true)).rejects.toThrow('Nobody has an account')
  })
})

it('with a new key, old tokens live on until they expire; with --now they are renewed; nobody is signed out', async () => {
  const { session } = await signUpPerson(server, 'cy@example.com')
  // Another process on the same data; the address in its tokens stays.
  const restart = async () => {
    const other = await startTestServer({
      dataDir: server.dataDir,
      databaseUrl: server.databaseUrl ?? '',
      env: { SITE_URL: server.url },
    })
    return { ...other, url: `http://localhost:${other.port}` }
  }
  const ask = (to: TestServer, token: string) => authRequest(to, '/user', { token })
  const renew = (to: TestServer, token: string) =>
    authRequest(to, '/token?grant_type=refresh_token', { body: { refresh_token: token } })

  await rotateKeys(server.dataDir, { now: false })
  const second = await restart()
  expect((await ask(second, session.access_token)).status).toBe(200)
  const renewed = await renew(second, session.refresh_token)
  const kids = [session.access_token, renewed.body.access_token].map((token) => decodeProtectedHeader(token).kid)
  expect(kids[0]).not.toBe(kids[1])
  const keySet = await fetch(`${second.url}/.well-known/jwks.json`)
  expect(((await keySet.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)).toEqual([kids[1], kids[0]])
  await second.kill()

  await rotateKeys(server.dataDir, { now: true })
  const third = await restart()
  for (const token of [session.access_token, renewed.body.access_token])
    expect(refusalOf(await ask(third, token))).toEqual([403, 'bad_jwt'])
  expect((await renew(third, renewed.body.refresh_token)).status).toBe(200)
  await third.kill()
})
