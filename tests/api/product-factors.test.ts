import { afterAll, beforeAll, expect, it } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

/** These tests prove the specification's sentences about second factors, with the calls that it lists. */
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

it('spec 7: Multi-factor: POST /factors (friendly_name, factor_type, phone or issuer); DELETE /factors/{id}; POST /factors/{id}/challenge; POST /factors/{id}/verify (challenge_id, code or webauthn credential)', async () => {
  const { session } = await signUpPerson(server, 'calls@example.org')
  let token = session.access_token
  const call = (path: string, method: string, body?: unknown) => authRequest(server, path, { method, token, body })
  const app = { friendly_name: 'App', factor_type: 'totp', issuer: 'Banyan' }
  const enrolment = await call('/factors', 'POST', app)
  expect(enrolment).toMatchObject({ status: 200, body: { type: 'totp', friendly_name: 'App' } })
  const { id, totp } = enrolment.body as unknown as { id: string; totp: { secret: string } }
  const challenged = await call(`/factors/${id}/challenge`, 'POST', {})
  expect(challenged.body).toMatchObject({ id: expect.any(String), type: 'totp', expires_at: expect.any(Number) })
  const proof = { challenge_id: challenged.body.id, code: totpCode(totp.secret) }
  const verification = await call(`/factors/${id}/verify`, 'POST', proof)
  expect(verification).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
  token = verification.body.access_token
  const phone = { friendly_name: 'Mobile', factor_type: 'phone', phone: '+442079460000' }
  expect(await call('/factors', 'POST', phone)).toMatchObject({ status: 200, body: { phone: expect.any(String) } })
  expect(await call(`/factors/${id}`, 'DELETE')).toMatchObject({ status: 200, body: { id } })
})

it('spec 3: Auth user has factors with factor_type (phone, totp, webauthn), status (verified), friendly_name.', async () => {
  const { client } = await signUpPerson(server, 'factors@example.org')
  const { data: app } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' })
  await client.auth.mfa.challengeAndVerify({ factorId: app?.id ?? '', code: totpCode(app?.totp.secret ?? '') })
  await client.auth.mfa.enroll({ factorType: 'phone', friendlyName: 'Mobile', phone: '+442079460000' })
  await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })
  const { data } = await client.auth.getUser()
  const factors = data.user?.factors?.map(({ factor_type, status, friendly_name }) => [
    factor_type,
    status,
    friendly_name,
  ])
  expect(factors?.sort(([one = ''], [other = '']) => one.localeCompare(other))).toEqual([
    ['phone', 'unverified', 'Mobile'],
    ['totp', 'verified', 'App'],
    ['webauthn', 'unverified', 'Key'],
  ])
})

it('spec 4: Authenticator assurance level comes from the token; the next level becomes aal2 when a verified factor exists.', async () => {
  const { client } = await signUpPerson(server, 'levels@example.org')
  const level = async (ofClient = client) => (await ofClient.auth.mfa.getAuthenticatorAssuranceLevel()).data
  const { data: app } = await client.auth.mfa.enroll({ factorType: 'totp' })
  expect(await level()).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
  await client.auth.mfa.challengeAndVerify({ factorId: app?.id ?? '', code: totpCode(app?.totp.secret ?? '') })
  expect((await client.auth.getClaims()).data?.claims.aal).toBe('aal2')
  const secondClient = testClient(server)
  await secondClient.auth.signInWithPassword({ email: 'levels@example.org', password: 'correct horse' })
  expect((await secondClient.auth.getClaims()).data?.claims.aal).toBe('aal1')
  expect(await level(secondClient)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
})

it('spec 4: Multi-factor factors go enrolled, challenged, verified (verification saves a new session).', async () => {
  const { client, session } = await signUpPerson(server, 'steps@example.org')
  const { data: app } = await client.auth.mfa.enroll({ factorType: 'totp' })
  const factorId = app?.id ?? ''
  const status = async () => (await client.auth.mfa.listFactors()).data?.all.map((factor) => factor.status)
  expect(await status()).toEqual(['unverified'])
  const { data: challenge } = await client.auth.mfa.challenge({ factorId })
  const challengeId = challenge?.id ?? ''
  const wrongVerification = await client.auth.mfa.verify({ factorId, challengeId, code: '000000' })
  expect(wrongVerification.error?.code).toBe('mfa_verification_failed')
  expect(await status()).toEqual(['unverified'])
  const { data: next } = await client.auth.mfa.challenge({ factorId })
  await client.auth.mfa.verify({ factorId, challengeId: next?.id ?? '', code: totpCode(app?.totp.secret ?? '') })
  expect(await status()).toEqual(['verified'])
  const { data } = await client.auth.getSession()
  expect(data.session?.access_token).not.toBe(session.access_token)
  expect(data.session?.refresh_token).not.toBe(session.refresh_token)
})
