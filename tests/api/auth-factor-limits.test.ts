import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { sentCode } from '../harness/outbox.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

describe('limits on second factors', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ env: { AUTH_RATE_LIMIT: '1000' } })
  })
  afterAll(() => server.stop())

  let personCount = 0

  /** Signs up a person and verifies an authenticator app. The returned `client` and `token` are at aal2. */
  async function personWithApp() {
    const { client, user } = await signUpPerson(server, `person${++personCount}@example.com`)
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    const secret = data?.totp.secret ?? ''
    const { data: session } = await client.auth.mfa.challengeAndVerify({
      factorId: data?.id ?? '',
      code: totpCode(secret),
    })
    return { client, user, factorId: data?.id ?? '', secret, token: session?.access_token ?? '' }
  }

  const ageAttempts = (seconds: number) =>
    server.database!.owner.query('update auth.attempts set at = at - make_interval(secs => $1 + random())', [seconds])

  it('limits on second factors: of 14 tries one after another and 26 more in parallel, at most fifteen are checked and the others get 429, also from another server process', async () => {
    const { token, factorId, secret } = await personWithApp()
    await ageAttempts(61)
    const { body } = await authRequest(server, `/factors/${factorId}/challenge`, { token, body: {} })
    const guess = (target: Pick<TestServer, 'url' | 'publishableKey'>, code: string) =>
      authRequest(target, `/factors/${factorId}/verify`, { token, body: { challenge_id: body.id, code } })
    const before = [await guess(server, 'wrong')]
    while (before.length < 14) before.push(await guess(server, 'wrong'))
    // All parallel tries that have a connection check the limit before one of them is counted.
    const blocker = await server.database!.owner.connect()
    const parallel = (async () => {
      await blocker.query('begin; lock table auth.attempts in share mode')
      return Promise.all(Array.from({ length: 26 }, () => guess(server, 'wrong')))
    })()
    try {
      await vi.waitFor(async () => {
        const { rows } = await blocker.query(
          `select count(*)::int as waiting from pg_locks where relation = 'auth.attempts'::regclass and not granted`,
        )
        expect(rows[0].waiting).toBeGreaterThan(1)
      }, 10_000)
    } finally {
      await blocker.query('commit')
      blocker.release()
    }
    const responses = [...before, ...(await parallel)]
    expect(responses.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(15)
    expect(responses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(25)
    const rightCode = totpCode(secret, 1)
    const refusedResponse = await guess(server, rightCode)
    expect([...refusalOf(refusedResponse), refusedResponse.headers.get('retry-after')]).toEqual([
      429,
      'over_request_rate_limit',
      '60',
    ])

    const { dataDir, databaseUrl = '' } = server
    const otherServer = await startTestServer({
      dataDir,
      databaseUrl,
      env: { AUTH_RATE_LIMIT: '1000', SITE_URL: server.url },
    })
    expect((await guess({ ...otherServer, url: `http://localhost:${otherServer.port}` }, rightCode)).status).toBe(429)
    await otherServer.kill()
    await ageAttempts(61)
    expect((await guess(server, totpCode(secret, 1))).status).toBe(200)
  })

  it('limits on second factors allow sixty tries in a quarter of an hour, however slowly they come', async () => {
    const { token, factorId } = await personWithApp()
    let checkedCount = 0
    for (let minute = 0; minute < 6; minute++) {
      const { body } = await authRequest(server, `/factors/${factorId}/challenge`, { token, body: {} })
      for (let n = 0; n < 16; n++) {
        const response = await authRequest(server, `/factors/${factorId}/verify`, {
          token,
          body: { challenge_id: body.id, code: 'wrong' },
        })
        if (response.status === 422) checkedCount++
      }
      await ageAttempts(61)
    }
    expect(checkedCount).toBeLessThanOrEqual(60)
    await ageAttempts(900)
    const { body } = await authRequest(server, `/factors/${factorId}/challenge`, { token, body: {} })
    const lateTry = await authRequest(server, `/factors/${factorId}/verify`, {
      token,
      body: { challenge_id: body.id, code: 'wrong' },
    })
    expect(lateTry.status).toBe(422)
  })

  it('limits on second factors allow ten wrong recovery codes in a quarter of an hour; new codes lift the limit', async () => {
    const { token } = await personWithApp()
    const { body } = await authRequest(server, '/factors/recovery-codes', { token, body: {} })
    const [code] = body.codes as string[]
    const enterCode = (entered: string) =>
      authRequest(server, '/factors/recovery-codes/verify', { token, body: { code: entered } })
    for (let round = 0; round < 10; round++)
      expect(refusalOf(await enterCode('wrong'))).toEqual([422, 'mfa_verification_failed'])
    expect(refusalOf(await enterCode(code!))).toEqual([429, 'mfa_recovery_codes_locked'])
    const newCodes = await authRequest(server, '/factors/recovery-codes/regenerate', { method: 'POST', token })
    expect((await enterCode((newCodes.body.codes as string[])[0]!)).status).toBe(200)
  })

  it('limits on second factors allow one message to a phone in half a minute, and five in a quarter of an hour', async () => {
    const { client, token } = await personWithApp()
    const { data } = await client.auth.mfa.enroll({
      factorType: 'phone',
      phone: '+447700900123',
      friendlyName: 'phone',
    })
    const requestMessage = () => authRequest(server, `/factors/${data?.id}/challenge`, { token, body: {} })
    expect((await requestMessage()).status).toBe(200)
    const tooEarly = await requestMessage()
    expect(refusalOf(tooEarly)).toEqual([429, 'over_sms_send_rate_limit'])
    expect(tooEarly.body.message).toBe('For security purposes, you can only request this after 30 seconds')
    for (let round = 0; round < 4; round++) {
      await ageAttempts(31)
      expect((await requestMessage()).status).toBe(200)
    }
    await ageAttempts(31)
    expect((await requestMessage()).headers.get('retry-after')).toBe('900')
  })

  it('limits on second factors allow a verified phone another code after half a minute, and five in a quarter of an hour', async () => {
    // Deletes the counted messages of earlier tests: otherwise the limit on all messages would apply first.
    await server.database!.owner.query('delete from auth.attempts')
    const { client, token } = await personWithApp()
    const phone = '+447700900456'
    const { data } = await client.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName: 'phone' })
    const requestCode = () => authRequest(server, `/factors/${data?.id}/challenge`, { token, body: {} })
    const challengeId = String((await requestCode()).body.id)
    const code = await sentCode(server.dataDir, phone, 1)
    expect((await client.auth.mfa.verify({ factorId: data?.id ?? '', challengeId, code })).error).toBeNull()
    // Waits longer than the ten seconds by which attempts are grouped, but less than the thirty seconds of the limit.
    await ageAttempts(12)
    expect((await requestCode()).headers.get('retry-after')).toBe('30')
    for (let round = 0; round < 4; round++) {
      await ageAttempts(31)
      expect((await requestCode()).status).toBe(200)
    }
    await ageAttempts(31)
    expect((await requestCode()).headers.get('retry-after')).toBe('900')
  })
})

describe('a limit on all text messages', () => {
  let server: TestServer
  let personCount = 0

  beforeAll(async () => {
    server = await startTestServer({ env: { AUTH_RATE_LIMIT: '1000', SMS_LIMIT: '24', TRUST_PROXY: '1' } })
  })
  afterAll(() => server.stop())

  /** Enrols this phone number for a new person. Returns a function that requests a code from a network address. */
  async function enrolPhone(number: string) {
    const { client, session } = await signUpPerson(server, `texter${++personCount}@example.com`)
    const { data } = await client.auth.mfa.enroll({ factorType: 'phone', phone: number, friendlyName: 'phone' })
    return (address: string) =>
      authRequest(server, `/factors/${data?.id}/challenge`, {
        token: session.access_token,
        body: {},
        headers: { 'X-Forwarded-For': address },
      })
  }

  it('a limit of 24 text messages an hour allows six in a quarter of an hour; half of them are reserved for networks that have requested none', async () => {
    const requesters = []
    for (let n = 0; n < 8; n++) requesters.push(await enrolPhone(`+4477009001${10 + n}`))
    const [first, ...others] = requesters
    for (const [host, requestFrom] of [first, ...others.slice(0, 2)].entries())
      expect((await requestFrom!(`2001:db8::${host}`)).status).toBe(200)
    // A /64 is one network.
    const refusedResponse = await others[2]!('2001:db8::9')
    expect([...refusalOf(refusedResponse), refusedResponse.headers.get('retry-after')]).toEqual([
      429,
      'over_sms_send_rate_limit',
      '900',
    ])
    // The network has requested no code yet, but this user has.
    await server.database!.owner.query(`update auth.attempts set at = at - interval '31 s'`)
    expect(refusalOf(await first!('192.0.2.9'))).toEqual([429, 'over_sms_send_rate_limit'])
    for (let n = 0; n < 3; n++) expect((await others[3 + n]!(`192.0.2.${n}`)).status).toBe(200)
    expect(refusalOf(await others[6]!('192.0.2.8'))).toEqual([429, 'over_sms_send_rate_limit'])
    await server.database!.owner.query(`update auth.attempts set at = at - interval '15 minutes'`)
    expect((await others[6]!('203.0.113.1')).status).toBe(200)
  }, 60_000)

  it('a phone that nobody has verified gets at most five text messages in a quarter of an hour, whoever requests them', async () => {
    await server.database!.owner.query('delete from auth.attempts')
    const requesters = []
    for (let n = 0; n < 6; n++) requesters.push(await enrolPhone('+447700900200'))
    const statuses = []
    for (const [index, requestFrom] of requesters.entries())
      statuses.push((await requestFrom(`198.51.100.${index}`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('a phone that nobody has verified gets at most five text messages also if many people request codes at once; refused requests do not count', async () => {
    const owner = server.database!.owner
    await owner.query('delete from auth.attempts')
    const requesters = []
    for (let n = 0; n < 12; n++) requesters.push(await enrolPhone('+447700900300'))
    const [first, ...others] = requesters
    // Seven of these eight requests are refused, because their user has just requested a code.
    for (let n = 0; n < 8; n++) await first!('198.51.100.1')
    const responses = await Promise.all(others.map((requestFrom, index) => requestFrom(`203.0.113.${index}`)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(7)
  }, 60_000)
})

it('the message hook gets phone and message; if it fails, the response says so without internal details', async () => {
  const { createServer } = await import('node:http')
  const received: { phone: string; message: string }[] = []
  let status = 200
  const hook = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push(JSON.parse(body))
      response.writeHead(status).end('insides of the hook')
    })
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  const address = hook.address()
  const port = typeof address === 'object' ? address?.port : 0
  const server = await startTestServer({ env: { SMS_HOOK_URL: `http://127.0.0.1:${port}/send` } })
  try {
    const { client } = await signUpPerson(server, 'ana@example.com')
    const { data } = await client.auth.mfa.enroll({
      factorType: 'phone',
      phone: '+447700900123',
      friendlyName: 'phone',
    })
    const factorId = data?.id ?? ''
    const { data: challenge } = await client.auth.mfa.challenge({ factorId })
    expect(received).toMatchObject([{ phone: '+447700900123', message: expect.stringMatching(/ is (\d{6})\./) }])
    expect(received[0]?.message).toMatch(/\n@localhost #\d{6}$/)
    const code = / is (\d{6})\./.exec(received[0]?.message ?? '')?.[1] ?? ''
    expect((await client.auth.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code })).error).toBeNull()
    status = 500
    const { error } = await client.auth.mfa.challenge({ factorId })
    expect([error?.status, error?.code, error?.message]).toEqual([422, 'sms_send_failed', 'The code could not be sent'])
  } finally {
    await server.stop()
    hook.close()
  }
})
