import { expect, it } from 'vitest'
import { fuzz } from '../harness/fuzz-run.ts'
import { startTestServer } from '../harness/server.ts'
import { officialClient } from '../harness/client.ts'
import { poolOf } from '../harness/pool-of.ts'

it('20,000 random requests over the product’s tables, functions and accounts cause no 5xx, no late response and no response with internal details', async () => {
  const server = await startTestServer()
  const owner = poolOf(server.databaseUrl)
  try {
    const client = officialClient(server.url, server.publishableKey)
    const { data } = await client.auth.signUp({ email: 'ana@example.org', password: 'correct horse' })
    const { requests } = await fuzz({
      url: server.url,
      headers: { apikey: server.publishableKey, authorization: `Bearer ${data.session?.access_token}` },
      owner,
      requests: 20_000,
      seed: Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31),
    })
    expect(requests).toBeGreaterThanOrEqual(20_000)
  } finally {
    await owner.end()
    await server.stop()
  }
}, 900_000)
