import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import {
  setAccountBlocked,
  confirmAddress,
  deleteFactors,
  endSessions,
  listAccounts,
  listSessions,
  type Operator,
  readAudit,
  resetPassword,
} from '#server/auth/admin/operator.ts'
import { keyFileName, loadKeys, rotateKeys } from '#server/auth/keys.ts'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { linkParameters } from '../harness/mailed-link.ts'
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
  it('the operator can reset a password, remove a second factor and end all sessions', async () => {
    const { client } = await signUpPerson(server, 'ana@example.com')
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code: totpCode(data?.totp.secret ?? '') })
    expect(await listAccounts(operator, 'ANA@')).toMatchObject([{ email: 'ana@example.com', factors: 1, sessions: 1 }])
    expect(await listSessions(operator, 'ana@example.com')).toMatchObject([{ level: 'aal2' }])

    expect(await deleteFactors(operator, 'ana@example.com', undefined)).toBe(1)
    expect(await endSessions(operator, 'ana@example.com')).toBe(1)
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    const link = new URL(await resetPassword(operator, 'ana@example.com'))
    expect(link.origin).toBe(server.url)
    const recoveringClient = testClient(server)
    const token_hash = linkParameters(link.href).get('token_hash') ?? ''
    expect((await recoveringClient.auth.verifyOtp({ token_hash, type: 'recovery' })).error).toBeNull()
    expect((await recoveringClient.auth.updateUser({ password: 'the new horse' })).error).toBeNull()
    expect((await readAudit(operator, 'ana@example.com', 100)).map(({ action }) => action)).toEqual(
      'user_updated_password login user_recovery_requested logout factor_deleted factor_verified user_signedup'.split(
        ' ',
      ),
    )
  })

  it('the operator can block and unblock an account', async () => {
    const { client } = await signUpPerson(server, 'bo@example.com')
    const signIn = () =>
      testClient(server).auth.signInWithPassword({ email: 'bo@example.com', password: 'correct horse' })
    await setAccountBlocked(operator, 'bo@example.com', true)
    expect((await signIn()).error?.code).toBe('user_banned')
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    await setAccountBlocked(operator, 'bo@example.com', false)
    expect((await signIn()).error).toBeNull()
    await expect(setAccountBlocked(operator, 'nobody@example.com', true)).rejects.toThrow('Nobody has an account')
    await expect(setAccountBlocked(operator, 'b\u200bo@example.com', true)).rejects.toThrow('cannot be seen')
    const lines = await readAudit(operator, 'bo@example.com', 100)
    expect(lines.map(({ action, more }) => [action, more])).toEqual([
      ['login', ''],
      ['user_unbanned', '{"by":"operator"}'],
      ['user_banned', '{"by":"operator"}'],
      ['user_signedup', ''],
    ])
  })

  it('the operator can confirm an e-mail address, with an entry in the audit log', async () => {
    await signUpPerson(server, 'fay@example.com')
    await server.database!.owner.query(
      `update auth.users set email_confirmed_at = null where email = 'fay@example.com'`,
    )
    await confirmAddress(operator, 'fay@example.com')
    const [line] = await readAudit(operator, 'fay@example.com', 1)
    expect(line).toMatchObject({ action: 'user_confirmed', more: '{"by":"operator"}' })
    expect(await listAccounts(operator, 'fay@')).toMatchObject([{ isConfirmed: true }])
  })
})

describe('new keys while servers run', () => {
  const getUser = (target: TestServer, token: string) => authRequest(target, '/user', { token })
  const renew = (target: TestServer, token: string) =>
    authRequest(target, '/token?grant_type=refresh_token', { body: { refresh_token: token } })
  const statusOfRead = async (token: string) => {
    const headers = { apikey: server.publishableKey, Authorization: `Bearer ${token}` }
    return (await fetch(`${server.url}/rest/v1/brands?select=id`, { headers })).status
  }
  const keyOf = (token: string) => decodeProtectedHeader(token).kid

  it('new keys while servers run keep old tokens valid until they expire; with --now they are refused, and refresh tokens give new ones', async () => {
    const { session } = await signUpPerson(server, 'cy@example.com')
    const { access_token: oldToken } = session
    // A second process uses the same data; its tokens have the same issuer.
    const startedServer = await startTestServer({
      dataDir: server.dataDir,
      databaseUrl: server.databaseUrl ?? '',
      env: { SITE_URL: server.url },
    })
    const secondServer = { ...startedServer, url: `http://localhost:${startedServer.port}` }

    const kid = await rotateKeys(server.dataDir, { now: false })
    let renewed: Pick<typeof session, 'access_token' | 'refresh_token'> = session
    const renewHere = async () => {
      renewed = (await renew(server, renewed.refresh_token)).body
      return keyOf(renewed.access_token)
    }
    await expect.poll(renewHere, { timeout: 10_000, interval: 200 }).toBe(kid)
    // Both servers accept both tokens, even if one of them has read the new keys a moment later than the other.
    for (const token of [oldToken, renewed.access_token])
      for (const target of [server, secondServer]) expect((await getUser(target, token)).status).toBe(200)
    const keySet = (await (await fetch(`${server.url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
    expect(keySet.keys.map((key) => key.kid)).toEqual([kid, keyOf(oldToken)])
    expect(await statusOfRead(oldToken)).toBe(200)
    const { ended } = await joinChannel(oldToken)

    await rotateKeys(server.dataDir, { now: true })
    await expect.poll(() => statusOfRead(oldToken), { timeout: 10_000, interval: 200 }).toBe(401)
    for (const token of [oldToken, renewed.access_token])
      expect(refusalOf(await getUser(server, token))).toEqual([403, 'bad_jwt'])
    expect(await ended).toBe('phx_close')
    const lastRenewal = await renew(server, renewed.refresh_token)
    expect(await statusOfRead(lastRenewal.body.access_token)).toBe(200)
    await startedServer.kill()
  })

  it('new keys do not stop the server if their file cannot be read', async () => {
    const { session } = await signUpPerson(server, 'di@example.com')
    const path = join(server.dataDir, keyFileName)
    const text = await readFile(path, 'utf8')
    await writeFile(path, '{')
    const [header = '', ...others] = session.access_token.split('.')
    const strangeHeader = btoa(JSON.stringify({ ...JSON.parse(atob(header)), kid: 'strange' })).replaceAll('=', '')
    expect(refusalOf(await getUser(server, [strangeHeader, ...others].join('.')))).toEqual([403, 'bad_jwt'])
    expect((await getUser(server, session.access_token)).status).toBe(200)
    await writeFile(path, text)
  })
})

/** Joins a channel with this token; `ended` resolves with the event with which the server closes it. */
async function joinChannel(token: string): Promise<{ ended: Promise<string> }> {
  const address = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.publishableKey}&vsn=2.0.0`
  const socket = new WebSocket(address)
  let [onJoined, onEnded] = [() => {}, (_event: string) => {}]
  const isJoined = new Promise<void>((resolve) => (onJoined = resolve))
  const end = new Promise<string>((resolve) => (onEnded = resolve))
  socket.on('open', () => socket.send(JSON.stringify(['1', '1', 'realtime:x', 'phx_join', { access_token: token }])))
  socket.on('message', (data) => {
    const [, , , event] = JSON.parse((data as Buffer).toString()) as [unknown, unknown, unknown, string]
    if (event === 'phx_reply') onJoined()
    if (event === 'phx_close') onEnded(event)
  })
  await isJoined
  return { ended: end.finally(() => socket.terminate()) }
}
