import { randomBytes } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFactorCipher } from '#server/auth/factors/factor-cipher.ts'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { untilLockWait } from '../harness/lock-wait.ts'
import { sentCode } from '../harness/outbox.ts'
import { signUpWithApp } from '../harness/person-with-app.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode, untilStepLasts } from '../harness/totp.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

let personCount = 0
const newPerson = () => signUpPerson(server, `person${++personCount}@example.com`)
const personWithApp = () => signUpWithApp(server, `person${++personCount}@example.com`)

async function signInAgain(email: string | undefined): Promise<SupabaseClient> {
  const client = testClient(server)
  const { error } = await client.auth.signInWithPassword({ email: email ?? '', password: 'correct horse' })
  if (error) throw error
  return client
}

const levelOf = async (client: SupabaseClient) => (await client.auth.mfa.getAuthenticatorAssuranceLevel()).data

describe('an authenticator app', () => {
  it('an authenticator app is enrolled with a QR code and a secret, verified, required at sign-in, and removed', async () => {
    const { client, user } = await newPerson()
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'My app', issuer: 'Banyan & Co' })
    expect(data).toMatchObject({ type: 'totp', friendly_name: 'My app' })
    expect(data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]*<\/svg>$/)
    expect(data?.totp.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(data?.totp.uri ?? '')
    expect([uri.protocol, uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([
      'otpauth:',
      data?.totp.secret,
      'Banyan & Co',
    ])
    expect((await levelOf(client))?.nextLevel).toBe('aal1')

    const secret = data?.totp.secret ?? ''
    const factorId = data?.id ?? ''
    const { data: session } = await client.auth.mfa.challengeAndVerify({ factorId, code: totpCode(secret) })
    expect(session?.user.factors).toMatchObject([{ id: factorId, status: 'verified', factor_type: 'totp' }])
    expect(await levelOf(client)).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' })
    expect(
      (await levelOf(client))?.currentAuthenticationMethods.map((one) => (typeof one === 'string' ? one : one.method)),
    ).toEqual(['totp', 'password'])

    const secondClient = await signInAgain(user.email)
    expect(await levelOf(secondClient)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
    expect((await secondClient.auth.mfa.listFactors()).data?.totp).toHaveLength(1)
    const second = await secondClient.auth.mfa.challengeAndVerify({ factorId, code: totpCode(secret, 1) })
    expect(second.error).toBeNull()
    expect((await secondClient.auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
    await secondClient.auth.refreshSession()
    expect(await levelOf(secondClient)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
  })

  it('an app whose secret was encrypted with other keys of the server is refused with a message that says what to do', async () => {
    const { user, factorId, secret } = await personWithApp()
    const otherKeys = createFactorCipher(randomBytes(32))
    await server.database!.owner.query('update auth.mfa_factors set secret = $2 where id = $1', [
      factorId,
      otherKeys.encrypt(factorId, secret),
    ])
    const client = await signInAgain(user.email)
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code: totpCode(secret, 1) })
    expect(error).toMatchObject({
      status: 422,
      code: 'mfa_verification_failed',
      message:
        'This app cannot be checked, because the keys of the server have changed. Ask the operator of the server to remove the app',
    })
  })

  it('each code of an authenticator app is accepted once, also if fifty requests send it at once', async () => {
    const { user, factorId, secret } = await personWithApp()
    const client = await signInAgain(user.email)
    const { data } = await client.auth.getSession()
    const token = data.session?.access_token ?? ''
    const challenges = await Promise.all(
      Array.from({ length: 50 }, () => authRequest(server, `/factors/${factorId}/challenge`, { token, body: {} })),
    )
    const code = totpCode(secret, 1)
    const responses = await Promise.all(
      challenges.map(({ body }) =>
        authRequest(server, `/factors/${factorId}/verify`, { token, body: { challenge_id: body.id, code } }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ body }) => body.code === 'mfa_verification_failed')).toHaveLength(49)
  })

  it('the clock of an authenticator app may be fast or slow by one step of 30 s, and no more', async () => {
    const { client } = await newPerson()
    for (const [ahead, isRight] of [
      [-2, false],
      [2, false],
      [-1, true],
      [1, true],
    ] as const) {
      const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: `app ${ahead}` })
      await untilStepLasts()
      const code = totpCode(data?.totp.secret ?? '', ahead)
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code })
      expect([ahead, error === null]).toEqual([ahead, isRight])
    }
  })

  it('the secret of an authenticator app is stored encrypted in the database', async () => {
    const { factorId, secret } = await personWithApp()
    const { rows } = await server.database!.owner.query('select secret from auth.mfa_factors where id = $1', [factorId])
    expect(rows[0].secret).not.toContain(secret)
    expect(rows[0].secret.length).toBeGreaterThan(40)
  })
})

describe('challenges', () => {
  it('challenges of a factor are valid for five minutes, once, and for one network address', async () => {
    const { user, factorId, secret } = await personWithApp()
    const client = await signInAgain(user.email)
    const token = (await client.auth.getSession()).data.session?.access_token ?? ''
    const verify = (body: object) => authRequest(server, `/factors/${factorId}/verify`, { token, body })
    const challenge = async () =>
      String((await authRequest(server, `/factors/${factorId}/challenge`, { token, body: {} })).body.id)

    const expiredChallenge = await challenge()
    await server.database!.owner.query(
      `update auth.mfa_challenges set created_at = now() - interval '301 s' where id = $1`,
      [expiredChallenge],
    )
    const rightCode = totpCode(secret, 1)
    expect(refusalOf(await verify({ challenge_id: expiredChallenge, code: rightCode }))).toEqual([
      422,
      'mfa_challenge_expired',
    ])
    const challengeOfOtherAddress = await challenge()
    await server.database!.owner.query(`update auth.mfa_challenges set ip_address = '192.0.2.1' where id = $1`, [
      challengeOfOtherAddress,
    ])
    expect(refusalOf(await verify({ challenge_id: challengeOfOtherAddress, code: rightCode }))).toEqual([
      422,
      'mfa_ip_address_mismatch',
    ])
    const unknown = crypto.randomUUID()
    expect(refusalOf(await verify({ challenge_id: unknown, code: rightCode }))).toEqual([422, 'mfa_factor_not_found'])
    expect(refusalOf(await verify({ challenge_id: 'x', code: rightCode }))).toEqual([422, 'mfa_factor_not_found'])
    const validChallenge = await challenge()
    expect(refusalOf(await verify({ challenge_id: validChallenge, code: '' }))).toEqual([400, 'validation_failed'])
    expect(refusalOf(await verify({ challenge_id: validChallenge, code: '000' }))).toEqual([
      422,
      'mfa_verification_failed',
    ])
    expect((await verify({ challenge_id: validChallenge, code: rightCode })).status).toBe(200)
    expect(refusalOf(await verify({ challenge_id: validChallenge, code: rightCode }))).toEqual([
      422,
      'mfa_ip_address_mismatch',
    ])
  })
})

describe('in an account with a verified factor, a session with only a password', () => {
  it('a session with only a password cannot enrol or remove a factor, or change the password or e-mail address, if the account has a verified factor', async () => {
    const { user, factorId } = await personWithApp()
    const client = await signInAgain(user.email)
    const { error: enrolError } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'mine' })
    expect([enrolError?.status, enrolError?.code]).toEqual([403, 'insufficient_aal'])
    const { error: removeError } = await client.auth.mfa.unenroll({ factorId })
    expect([removeError?.status, removeError?.code]).toEqual([422, 'insufficient_aal'])
    for (const change of [
      { password: 'a whole new one', current_password: 'correct horse' },
      { email: 'thief@example.com' },
    ]) {
      const { error } = await client.auth.updateUser(change)
      expect([error?.status, error?.code]).toEqual([401, 'insufficient_aal'])
    }
    const { error: unknownFactorError } = await client.auth.mfa.unenroll({ factorId: crypto.randomUUID() })
    expect([unknownFactorError?.status, unknownFactorError?.code]).toEqual([404, 'mfa_factor_not_found'])
  })

  it('a session with only a password cannot end another session if the account has a verified factor', async () => {
    const { client, user } = await personWithApp()
    const passwordOnlyClient = await signInAgain(user.email)
    const { data: passwordOnlySession } = await passwordOnlyClient.auth.getSession()
    const wrongScopeResponse = await authRequest(server, '/logout?scope=mine', {
      token: passwordOnlySession.session?.access_token ?? '',
      body: {},
    })
    expect(refusalOf(wrongScopeResponse)).toEqual([400, 'validation_failed'])
    const { error } = await passwordOnlyClient.auth.signOut({ scope: 'others' })
    expect([error?.status, error?.code]).toEqual([422, 'insufficient_aal'])
    expect((await passwordOnlyClient.auth.signOut({ scope: 'global' })).error).toBeNull()
    expect((await passwordOnlyClient.auth.getUser()).data.user).toBeNull()
    expect((await client.auth.getUser()).data.user?.id).toBe(user.id)
  })

  it('a session with only a password cannot verify a factor that was enrolled before the account had a verified factor', async () => {
    const { client, user } = await newPerson()
    const thief = await signInAgain(user.email)
    const { data: planted } = await thief.auth.mfa.enroll({
      factorType: 'phone',
      phone: '+447700900124',
      friendlyName: 'x',
    })
    const { data: mine } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'mine' })
    await client.auth.mfa.challengeAndVerify({ factorId: mine?.id ?? '', code: totpCode(mine?.totp.secret ?? '') })
    expect((await thief.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    const newClient = await signInAgain(user.email)
    const { data: challenge } = await newClient.auth.mfa.challenge({ factorId: planted?.id ?? '' })
    const { error } = await newClient.auth.mfa.verify({
      factorId: planted?.id ?? '',
      challengeId: challenge?.id ?? '',
      code: await sentCode(server.dataDir, '+447700900124', 1),
    })
    expect([error?.status, error?.code]).toEqual([403, 'insufficient_aal'])
  })

  it('an old token of a session that has since reached aal2 cannot remove the factor', async () => {
    const { client } = await newPerson()
    const before = (await client.auth.getSession()).data.session?.access_token ?? ''
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code: totpCode(data?.totp.secret ?? '') })
    const response = await authRequest(server, `/factors/${data?.id}`, { method: 'DELETE', token: before })
    expect(refusalOf(response)).toEqual([422, 'insufficient_aal'])
  })
})

it('another person’s factor and a malformed id are both reported as not found', async () => {
  const { factorId } = await personWithApp()
  const { client, session } = await newPerson()
  expect((await client.auth.mfa.challenge({ factorId })).error?.code).toBe('mfa_factor_not_found')
  expect((await client.auth.mfa.unenroll({ factorId })).error?.status).toBe(404)
  const response = await authRequest(server, '/factors/nonsense/verify', { token: session.access_token, body: {} })
  expect(refusalOf(response)).toEqual([404, 'validation_failed'])
})

it('an account has at most ten factors, with unique names; an unverified factor is removed after five minutes', async () => {
  const { client, user } = await newPerson()
  const enroll = (friendlyName: string) => client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  const responses = await Promise.all(Array.from({ length: 12 }, (_, index) => enroll(`app ${index}`)))
  expect(responses.filter(({ error }) => error === null)).toHaveLength(10)
  expect((await enroll('more')).error?.code).toBe('too_many_enrolled_mfa_factors')
  await server.database!.owner.query(
    `update auth.mfa_factors set created_at = now() - interval '301 s' where user_id = $1`,
    [user.id],
  )
  expect((await enroll('same')).error).toBeNull()
  expect((await enroll('same')).error?.code).toBe('mfa_factor_name_conflict')
})

it('the first verification of a factor keeps the current session, ends the other sessions at aal1, and removes unverified factors of the same kind', async () => {
  const { client, user } = await newPerson()
  const otherClient = await signInAgain(user.email)
  const { data: unverifiedFactor } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'left behind' })
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code: totpCode(data?.totp.secret ?? '') })
  expect((await otherClient.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  const { data: current } = await client.auth.getUser()
  expect(current.user?.factors?.map(({ id }) => id)).toEqual([data?.id])
  expect(unverifiedFactor?.id).not.toBe(data?.id)
})

it('a refresh token from before the verification returns the active token of its session: nobody is signed out', async () => {
  const { client, session } = await newPerson()
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  const verification = await client.auth.mfa.challengeAndVerify({
    factorId: data?.id ?? '',
    code: totpCode(data?.totp.secret ?? ''),
  })
  const response = await authRequest(server, '/token?grant_type=refresh_token', {
    body: { refresh_token: session.refresh_token },
  })
  expect(response.status).toBe(200)
  expect(response.body.refresh_token).toBe(verification.data?.refresh_token)
  const { data: refreshed } = await client.auth.refreshSession()
  expect(refreshed.session?.refresh_token).not.toBe(response.body.refresh_token)
  expect(await levelOf(client)).toMatchObject({ currentLevel: 'aal2' })
})

describe('a phone factor', () => {
  it('a phone factor gets its code in the outbox folder; the code is accepted once', async () => {
    const { client, user } = await newPerson()
    const { data } = await client.auth.mfa.enroll({
      factorType: 'phone',
      phone: '+44 7700 900-123',
      friendlyName: 'Mobile',
    })
    expect(data).toMatchObject({ type: 'phone', phone: '+447700900123' })
    const factorId = data?.id ?? ''
    const { data: challenge } = await client.auth.mfa.challenge({ factorId, channel: 'sms' })
    const code = await sentCode(server.dataDir, '+447700900123', 1)
    const wrongCode = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const verify = (entered: string) =>
      client.auth.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code: entered })
    expect((await verify(wrongCode)).error?.code).toBe('mfa_verification_failed')
    expect((await verify(code)).error).toBeNull()
    expect((await verify(code)).error?.code).toBe('mfa_ip_address_mismatch')
    expect((await levelOf(client))?.currentAuthenticationMethods).toMatchObject([{ method: 'mfa/phone' }, {}])
    const { rows } = await server.database!.owner.query('select otp_code from auth.mfa_challenges')
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(user.email).toBeDefined()
  })

  it('a factor can be removed while its first code is verified, without a deadlock', async () => {
    const { client, user, session } = await newPerson()
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    const factorId = data?.id ?? ''
    const { data: challenge } = await client.auth.mfa.challenge({ factorId })
    const { owner } = server.database!
    const removal = await owner.connect()
    await removal.query('begin')
    await removal.query('select from auth.users where id = $1 for no key update', [user.id])
    const verification = authRequest(server, `/factors/${factorId}/verify`, {
      token: session.access_token,
      body: { challenge_id: challenge?.id, code: totpCode(data?.totp.secret ?? '') },
    })
    await untilLockWait(owner)
    await removal.query('delete from auth.mfa_factors where id = $1', [factorId])
    await removal.query('commit')
    removal.release()
    expect((await verification).status).toBe(422)
  })

  it('a phone factor needs a valid phone number', async () => {
    const { client } = await newPerson()
    for (const phone of ['', '12', 'hello', '+0123456789', '+12345678901234567']) {
      const { error } = await client.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName: 'x' })
      expect([phone, error?.status, error?.code]).toEqual([phone, 400, 'validation_failed'])
    }
  })
})
