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

  /** As if every attempt had been made that long ago. */
  const wait = (seconds: number) =>
    server.database?.owner.query('update auth.attempts set at = at - make_interval(secs => $1 + random())', [seconds])

  async function guess(email: string, addresses: string[]): Promise<number> {
    const answers = await Promise.all(addresses.map((address) => signIn(email, 'wrong password', address)))
    expect(answers.every(({ status }) => status === 400 || status === 429)).toBe(true)
    return answers.filter(({ status }) => status === 400).length
  }

  it('looks at no more than ten guesses a minute on an account, from one address or from fifty', async () => {
    const one = Array.from({ length: 100 }, () => '203.0.113.1')
    expect(await guess('single@example.com', one)).toBeLessThanOrEqual(10)
    const fifty = Array.from({ length: 100 }, (_, index) => `198.51.100.${index % 50}`)
    expect(await guess('many@example.com', fifty)).toBeLessThanOrEqual(10)
  })

  it('tells how long to wait, and the same for an address that nobody has', async () => {
    await signUpPerson({ ...server }, 'known@example.com')
    const address = '203.0.113.9'
    for (const email of ['known@example.com', 'unknown@example.com']) {
      await guess(
        email,
        Array.from({ length: 8 }, () => address),
      )
      const answer = await signIn(email, 'wrong password', address)
      expect([...refusalOf(answer), answer.headers.get('retry-after')]).toEqual([429, 'over_request_rate_limit', '60'])
    }
  })

  it('lets the owner in from elsewhere while somebody goes on guessing', async () => {
    await signUpPerson(server, 'owner@example.com')
    for (let minute = 0; minute < 5; minute++) {
      await guess(
        'owner@example.com',
        Array.from({ length: 20 }, () => '203.0.113.20'),
      )
      await wait(61)
    }
    await guess(
      'owner@example.com',
      Array.from({ length: 20 }, () => '203.0.113.20'),
    )
    expect((await signIn('owner@example.com', 'correct horse', '192.0.2.7')).status).toBe(200)
  })

  it('knows the address that the owner has a session from, and measures it by itself', async () => {
    await signUpPerson(server, 'home@example.com')
    expect((await signIn('home@example.com', 'correct horse', '192.0.2.50')).status).toBe(200)
    await guess(
      'home@example.com',
      Array.from({ length: 60 }, (_, index) => `198.51.101.${index}`),
    )
    expect((await signIn('home@example.com', 'correct horse', '192.0.2.99')).status).toBe(429)
    expect((await signIn('home@example.com', 'correct horse', '192.0.2.50')).status).toBe(200)
  })

  it('counts failures of an address over all accounts, and its sign-ups, but no right sign-in', async () => {
    const address = '203.0.113.77'
    await signUpPerson(server, 'right@example.com')
    for (let round = 0; round < 40; round++) {
      expect((await signIn('right@example.com', 'correct horse', address)).status).toBe(200)
    }
    for (let account = 0; account < 29; account++) await signIn(`a${account}@example.com`, 'wrong', address)
    const signUp = (email: string) =>
      authRequest(server, '/signup', { body: { email, password: 's@cret1' }, headers: { 'X-Forwarded-For': address } })
    expect((await signUp('thirtieth@example.com')).status).toBe(200)
    expect(refusalOf(await signUp('more@example.com'))).toEqual([429, 'over_request_rate_limit'])
    expect(refusalOf(await signIn('right@example.com', 'correct horse', address))).toEqual([
      429,
      'over_request_rate_limit',
    ])
    await wait(301)
    expect((await signIn('right@example.com', 'correct horse', address)).status).toBe(200)
  }, 60_000)

  it('believes no forwarded address but the one that its proxy wrote', async () => {
    const forwarded = Array.from({ length: 40 }, (_, index) => `10.9.8.${index}, 203.0.113.90`)
    expect(await guess('spoofed@example.com', forwarded)).toBeLessThanOrEqual(5)
  })

  it('stores nobody’s address in the table of attempts', async () => {
    const { rows } = await server.database!.owner.query('select subject from auth.attempts')
    expect(rows.length).toBeGreaterThan(10)
    expect(JSON.stringify(rows)).not.toMatch(/@|203\.0/)
  })
})

it('without TRUST_PROXY a forwarded address changes nothing', async () => {
  const server = await startTestServer({ product: false, env: { AUTH_RATE_LIMIT: '30' } })
  try {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        authRequest(server, '/token?grant_type=password', {
          body: { email: 'ana@example.com', password: 'wrong password' },
          headers: { 'X-Forwarded-For': `198.51.100.${index}`, Forwarded: `for=198.51.100.${index}` },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(5)
  } finally {
    await server.stop()
  }
})
