import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { type TestDatabase, testDatabase } from '../harness/database.ts'
import { medianRatio } from '../harness/median-ratio.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const sampleCount = 200
/** Number of requests before the samples. They are not measured, because the first requests of a process are slower. */
const warmUpCount = 20

async function durationMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/**
 * Measures requests with known and with unknown e-mail addresses in pairs (ms), so that other load on the machine affects both. The order
 * in a pair alternates. Returns the durations with known and with unknown addresses.
 */
async function measurePairs(
  send: (isKnown: boolean, index: number) => Promise<unknown>,
): Promise<[number[], number[]]> {
  const durations: [number[], number[]] = [[], []]
  for (let index = -warmUpCount; index < sampleCount; index++) {
    for (const isKnown of index % 2 === 0 ? [true, false] : [false, true]) {
      const duration = await durationMs(() => send(isKnown, index))
      if (index >= 0) durations[isKnown ? 0 : 1].push(duration)
    }
  }
  return durations
}

describe('response times do not reveal whether an e-mail address has an account', () => {
  let database: TestDatabase
  let server: TestServer

  beforeAll(async () => {
    database = await testDatabase()
    const signUpServer = await startTestServer({ databaseUrl: database.url })
    await signUpPerson(signUpServer, 'known@example.com')
    await signUpServer.stop()
    server = await startTestServer({ databaseUrl: database.url, env: { EMAIL_CONFIRMATION: 'on' } })
  })
  afterAll(async () => {
    await server.stop()
    await database.drop()
  })

  const paths = [
    ['sign-in', '/token?grant_type=password', { password: 'wrong password' }],
    ['sign-up, where addresses are confirmed by mail', '/signup', { password: 's@cret1' }],
    ['a forgotten password', '/recover', {}],
    ['a confirmation sent again', '/resend', { type: 'signup' }],
  ] as const

  it.each(paths)(
    'response times do not reveal whether an e-mail address has an account: %s',
    async (name, path, bodyFields) => {
      const [knownDurations, unknownDurations] = await measurePairs((isKnown, index) =>
        authRequest(server, path, {
          body: { email: isKnown ? 'known@example.com' : `${name.length}nobody${index}@example.com`, ...bodyFields },
        }),
      )
      const { ratio, low, high } = medianRatio(knownDurations, unknownDurations)
      console.log(`${name}: known / unknown ${ratio.toFixed(3)}, 95 % of ${low.toFixed(3)} to ${high.toFixed(3)}`)
      expect(low).toBeGreaterThan(0.9)
      expect(high).toBeLessThan(1.1)
    },
  )
})
