import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

describe('rate limits', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ product: false, env: { AUTH_RATE_LIMIT: '30', TRUST_PROXY: '1' } })
  })
  afterAll(() => server.stop())

  const signIn = (email: string, password: string, address: string) =>
    authRequest(server, '/token?grant_type=password', {
      body: { email, password },
      headers: { 'X-Forwarded-For': address },
    })

  /** Moves all attempts into the past by `seconds`, and each by a random part of a second more. */
  const ageAttempts = (seconds: number) =>
    server.database?.owner.query('update auth.attempts set at = at - make_interval(secs => $1 + random())', [seconds])

  /** Tries a wrong password from each address at the same time. Returns the number of tries that no limit refused. */
  async function guess(email: string, addresses: string[]): Promise<number> {
    const responses = await Promise.all(addresses.map((address) => signIn(email, 'wrong password', address)))
    expect(responses.every(({ status }) => status === 400 || status === 429)).toBe(true)
    return responses.filter(({ status }) => status === 400).length
  }

  it('rate limits allow no more than ten guesses a minute on an account, whether from one network address or from fifty', async () => {
    const oneAddress = Array.from({ length: 100 }, () => '203.0.113.1')
    expect(await guess('single@example.com', oneAddress)).toBeLessThanOrEqual(10)
    const fiftyAddresses = Array.from({ length: 100 }, (_, index) => `198.51.100.${index % 50}`)
    expect(await guess('many@example.com', fiftyAddresses)).toBeLessThanOrEqual(10)
  })

  it('rate limits tell the client how long to wait, also for an unknown e-mail address', async () => {
    await signUpPerson({ ...server }, 'known@example.com')
    const address = '203.0.113.9'
    for (const email of ['known@example.com', 'unknown@example.com']) {
      await guess(
        email,
        Array.from({ length: 8 }, () => address),
      )
      const response = await signIn(email, 'wrong password', address)
      expect([...refusalOf(response), response.headers.get('retry-after')]).toEqual([
        429,
        'over_request_rate_limit',
        '60',
      ])
    }
  })

  it('rate limits let the owner of an account sign in from another network address while guessing goes on', async () => {
    await signUpPerson(server, 'owner@example.com')
    for (let minute = 0; minute < 5; minute++) {
      await guess(
        'owner@example.com',
        Array.from({ length: 20 }, () => '203.0.113.20'),
      )
      await ageAttempts(61)
    }
    await guess(
      'owner@example.com',
      Array.from({ length: 20 }, () => '203.0.113.20'),
    )
    expect((await signIn('owner@example.com', 'correct horse', '192.0.2.7')).status).toBe(200)
  })

  it('rate limits have a separate counter for a network address from which the owner of the account has a session', async () => {
    await signUpPerson(server, 'home@example.com')
    expect((await signIn('home@example.com', 'correct horse', '192.0.2.50')).status).toBe(200)
    await guess(
      'home@example.com',
      Array.from({ length: 60 }, (_, index) => `198.51.101.${index}`),
    )
    expect((await signIn('home@example.com', 'correct horse', '192.0.2.99')).status).toBe(429)
    expect((await signIn('home@example.com', 'correct horse', '192.0.2.50')).status).toBe(200)
  })

  it('rate limits count successful sign-ins too, and allow thirty on an account in five minutes', async () => {
    const address = '203.0.113.76'
    await signUpPerson(server, 'right@example.com')
    const responses = []
    for (let round = 0; round < 40; round++) responses.push(await signIn('right@example.com', 'correct horse', address))
    expect(responses.map(({ status }) => status)).toEqual([...Array(30).fill(200), ...Array(10).fill(429)])
    const lastResponse = responses.at(-1)!
    expect([...refusalOf(lastResponse), lastResponse.headers.get('retry-after')]).toEqual([
      429,
      'over_request_rate_limit',
      '300',
    ])
    expect((await signIn('right@example.com', 'correct horse', '203.0.113.75')).status).toBe(429)
    await ageAttempts(301)
    expect((await signIn('right@example.com', 'correct horse', address)).status).toBe(200)
  }, 60_000)

  it('rate limits never count a right password as a guess, not even in many parallel requests', async () => {
    await signUpPerson(server, 'busy@example.com')
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => signIn('busy@example.com', 'correct horse', '203.0.113.70')),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await guess('busy@example.com', Array(10).fill('203.0.113.71'))).toBe(5)
  })

  it('rate limits count all attempts from a network address, over all accounts: wrong, right, and sign-ups', async () => {
    const address = '203.0.113.77'
    await signUpPerson(server, 'once@example.com')
    expect((await signIn('once@example.com', 'correct horse', address)).status).toBe(200)
    await Promise.all(Array.from({ length: 28 }, (_, account) => signIn(`a${account}@example.com`, 'wrong', address)))
    const signUp = (email: string) =>
      authRequest(server, '/signup', { body: { email, password: 's@cret1' }, headers: { 'X-Forwarded-For': address } })
    expect((await signUp('thirtieth@example.com')).status).toBe(200)
    expect(refusalOf(await signUp('more@example.com'))).toEqual([429, 'over_request_rate_limit'])
    expect((await signIn('nobody@example.com', 'wrong', address)).status).toBe(429)
    await ageAttempts(301)
    expect((await signIn('nobody@example.com', 'wrong', address)).status).toBe(400)
  }, 60_000)

  it('rate limits count a /64 as one network', async () => {
    const signInFrom = (group: string, host: number) =>
      signIn(`six${host}@example.com`, 'wrong', `2001:db8:0:${group}::${host}`)
    const responses = await Promise.all(Array.from({ length: 30 }, (_, host) => signInFrom('1', host)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]))
    expect((await signInFrom('1', 99)).status).toBe(429)
    expect((await signInFrom('2', 99)).status).toBe(400)
  })

  it('rate limits count each kind of request that sends mail', async () => {
    const address = '203.0.113.80'
    await Promise.all(Array.from({ length: 30 }, (_, account) => signIn(`c${account}@example.com`, 'wrong', address)))
    const refusalOfMail = async (path: string, body: object) =>
      refusalOf(await authRequest(server, path, { body, headers: { 'X-Forwarded-For': address } }))
    const refusal = [429, 'over_request_rate_limit']
    expect(await refusalOfMail('/recover', { email: 'mail@example.com' })).toEqual(refusal)
    expect(await refusalOfMail('/resend', { email: 'mail@example.com', type: 'signup' })).toEqual(refusal)
  })

  it('rate limits accept people with a session from a network address that has used up its limit, up to a higher limit for the whole address', async () => {
    const address = '203.0.113.78'
    for (const name of ['desk1', 'desk2']) {
      await signUpPerson(server, `${name}@example.com`)
      expect((await signIn(`${name}@example.com`, 'correct horse', address)).status).toBe(200)
    }
    await signUpPerson(server, 'visitor@example.com')
    await Promise.all(Array.from({ length: 28 }, (_, account) => signIn(`b${account}@example.com`, 'wrong', address)))
    expect((await signIn('visitor@example.com', 'correct horse', address)).status).toBe(429)
    expect((await signIn('desk1@example.com', 'correct horse', address)).status).toBe(200)
    const statusOf = async (email: string) => (await signIn(email, 'correct horse', address)).status
    await server.database!.owner.query('update auth.attempts set n = n * 5')
    expect(await statusOf('desk2@example.com')).toBe(429)
    await ageAttempts(301)
    expect(await statusOf('visitor@example.com')).toBe(200)
  }, 60_000)

  it('rate limits let no more than thirty of sixty simultaneous sign-ups pass', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.79' }
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        authRequest(server, '/signup', { body: { email: `many${index}@example.com`, password: 's@cret1' }, headers }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(30)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(30)
  }, 60_000)

  it('rate limits trust only the forwarded address that the server’s own proxy added', async () => {
    const forwarded = Array.from({ length: 40 }, (_, index) => `10.9.8.${index}, 203.0.113.90`)
    expect(await guess('spoofed@example.com', forwarded)).toBeLessThanOrEqual(5)
  })

  it('rate limits store no network address in the table of attempts', async () => {
    const { rows } = await server.database!.owner.query('select subject from auth.attempts')
    expect(rows.length).toBeGreaterThan(10)
    expect(JSON.stringify(rows)).not.toMatch(/@|203\.0/)
  })
})

it('a forwarded network address is ignored without TRUST_PROXY', async () => {
  const server = await startTestServer({ product: false, env: { AUTH_RATE_LIMIT: '30' } })
  try {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        authRequest(server, '/token?grant_type=password', {
          body: { email: 'ana@example.com', password: 'wrong password' },
          headers: { 'X-Forwarded-For': `198.51.100.${index}`, Forwarded: `for=198.51.100.${index}` },
        }),
      ),
    )
    expect(responses.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(5)
  } finally {
    await server.stop()
  }
})
