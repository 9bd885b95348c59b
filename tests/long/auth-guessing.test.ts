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

/** As if that much time had gone by. Seconds. */
const wait = (seconds: number) =>
  server.database!.owner.query('update auth.attempts set at = at - make_interval(secs => $1 + random())', [seconds])

/** Wrong passwords, twenty at a time; how many of them were looked at (the others are 429), and in how many minutes. */
async function guess(email: string, attempts: number, addressOf: (index: number) => string) {
  const started = performance.now()
  let [looked, next] = [0, 0]
  const one = async () => {
    while (next < attempts) {
      const index = next++
      const { status } = await signIn(email, `wrong password ${index}`, addressOf(index))
      expect([400, 429]).toContain(status)
      if (status === 400) looked++
    }
  }
  await Promise.all(Array.from({ length: 20 }, one))
  return { looked, minutes: Math.ceil((performance.now() - started) / 60_000) }
}

it('1,000 wrong passwords from one address, and from fifty: ten a minute at most are looked at; the owner gets in again', async () => {
  for (const [name, addressOf] of [
    ['one', () => '203.0.113.1'],
    ['fifty', (index: number) => `198.51.100.${index % 50}`],
  ] as const) {
    const { looked, minutes } = await guess(`${name}@example.com`, 1000, addressOf)
    console.log(`${name}: ${looked} of 1000 looked at, in ${minutes} min`)
    expect(looked).toBeLessThanOrEqual(10 * (minutes + 1))
    await wait(15 * 60)
    expect((await signIn(`${name}@example.com`, 'correct horse', '192.0.2.7')).status).toBe(200)
  }
}, 300_000)

it('10,000 wrong passwords from as many addresses: a hundred at most are looked at', async () => {
  const { looked, minutes } = await guess(
    'all@example.com',
    10_000,
    (index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  )
  console.log(`${looked} of 10000 looked at, in ${minutes} min`)
  expect(looked).toBeLessThanOrEqual(100)
}, 600_000)
