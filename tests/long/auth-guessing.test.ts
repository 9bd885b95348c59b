import { afterAll, beforeAll, expect, it } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ product: false, env: { AUTH_RATE_LIMIT: '30', TRUST_PROXY: '1' } })
  for (const name of ['one', 'fifty', 'all']) await signUpPerson(server, `${name}@example.com`)
})
afterAll(() => server.stop())

const signIn = (email: string, password: string, address: string) =>
  authRequest(server, '/token?grant_type=password', {
    body: { email, password },
    headers: { 'X-Forwarded-For': address },
  })

const ageAttempts = (seconds: number) =>
  server.database!.owner.query('update auth.attempts set at = at - make_interval(secs => $1 + random())', [seconds])

/**
 * Sends wrong passwords, 20 in parallel. Returns `checked`, the number of passwords that the server compared with the hash (status 400). The
 * server refused the others (429). `minutes`: the duration, rounded up.
 */
async function guess(email: string, attempts: number, addressOf: (index: number) => string) {
  const startedAt = performance.now()
  let [checked, next] = [0, 0]
  const sendGuesses = async () => {
    while (next < attempts) {
      const index = next++
      const { status } = await signIn(email, `wrong password ${index}`, addressOf(index))
      expect([400, 429]).toContain(status)
      if (status === 400) checked++
    }
  }
  await Promise.all(Array.from({ length: 20 }, sendGuesses))
  return { checked, minutes: Math.ceil((performance.now() - startedAt) / 60_000) }
}

it('of 1,000 wrong passwords from one network address, or from fifty, at most ten a minute are checked; the account’s owner can still sign in', async () => {
  for (const [name, addressOf] of [
    ['one', () => '203.0.113.1'],
    ['fifty', (index: number) => `198.51.100.${index % 50}`],
  ] as const) {
    const { checked, minutes } = await guess(`${name}@example.com`, 1000, addressOf)
    console.log(`${name}: ${checked} of 1000 checked, in ${minutes} min`)
    expect(checked).toBeLessThanOrEqual(10 * (minutes + 1))
    await ageAttempts(15 * 60)
    expect((await signIn(`${name}@example.com`, 'correct horse', '192.0.2.7')).status).toBe(200)
  }
}, 300_000)

it('of 10,000 wrong passwords from 10,000 network addresses at most a hundred are checked', async () => {
  const { checked, minutes } = await guess(
    'all@example.com',
    10_000,
    (index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  )
  console.log(`${checked} of 10000 checked, in ${minutes} min`)
  expect(checked).toBeLessThanOrEqual(100)
}, 600_000)
