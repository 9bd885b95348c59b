import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const SAMPLES = 200

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Both kinds in turn, so that whatever else the machine does falls on both. */
async function medians(ask: (isKnown: boolean, index: number) => Promise<unknown>): Promise<[number, number]> {
  const known: number[] = []
  const unknown: number[] = []
  for (let index = 0; index < SAMPLES; index++) {
    known.push(await timeOf(() => ask(true, index)))
    unknown.push(await timeOf(() => ask(false, index)))
  }
  return [median(known), median(unknown)]
}

describe('whether an address has an account cannot be told by time', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ product: false, env: { EMAIL_CONFIRMATION: 'on' } })
    await server.database?.owner.query('select 1')
    const open = await startTestServer({ product: false, databaseUrl: server.databaseUrl, dataDir: server.dataDir })
    await signUpPerson(open, 'known@example.com')
    await open.stop()
  })
  afterAll(() => server.stop())

  it('at sign-in', async () => {
    const [known, unknown] = await medians((isKnown, index) =>
      authRequest(server, '/token?grant_type=password', {
        body: { email: isKnown ? 'known@example.com' : `nobody${index}@example.com`, password: 'wrong password' },
      }),
    )
    expect(Math.abs(known - unknown) / known).toBeLessThan(0.1)
  })

  it('at sign-up, where addresses are confirmed by mail', async () => {
    const [known, unknown] = await medians((isKnown, index) =>
      authRequest(server, '/signup', {
        body: { email: isKnown ? 'known@example.com' : `new${index}@example.com`, password: 'secret1' },
      }),
    )
    console.log(`sign-up: known ${known.toFixed(1)} ms, new ${unknown.toFixed(1)} ms`)
    expect(Math.abs(known - unknown) / known).toBeLessThan(0.1)
  })
})
