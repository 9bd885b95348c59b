import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthResponse, authRequest } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('\0', '\ud800', '__proto__', 'constructor', "' or 1=1 --", 'a'.repeat(300), 'ana@example.com'),
)
const value = fc.oneof(
  text,
  fc.double(),
  fc.constantFrom(1e308, null, true, {}, []),
  fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
)
const metadata = fc.dictionary(text, value, { maxKeys: 6 })

describe('random input of a signed-in user', () => {
  let server: TestServer
  let token: string

  beforeAll(async () => {
    server = await startTestServer({ product: false })
    token = (await signUpPerson(server, 'ana@example.com')).session.access_token
  })
  afterAll(() => server.stop())

  it('random metadata of a signed-in user is returned as it was sent, or refused', async () => {
    await fc.assert(
      fc.asyncProperty(metadata, async (data) => {
        const sentMetadata = JSON.parse(JSON.stringify(data))
        const response = await authRequest(server, '/user', { method: 'PUT', token, body: JSON.stringify({ data }) })
        expectClean(response)
        // The server drops the key `__proto__`.
        if (response.status === 200 && !JSON.stringify(sentMetadata).includes('__proto__'))
          expect(response.body.user_metadata).toMatchObject(withoutNulls(sentMetadata))
        const cleared = Object.fromEntries(Object.keys(response.body.user_metadata ?? {}).map((name) => [name, null]))
        await authRequest(server, '/user', { method: 'PUT', token, body: { data: cleared } })
      }),
      { numRuns: 200 },
    )
  })

  it('random input of a signed-in user makes no endpoint respond with 5xx or internal details', async () => {
    const endpoint = fc.constantFrom(
      ['PUT', '/user'],
      ['POST', '/signup'],
      ['POST', '/token?grant_type=password'],
      ['POST', '/token?grant_type=refresh_token'],
    )
    const bodyKey = fc.constantFrom('email', 'password', 'data', 'refresh_token', 'app_metadata', 'phone', 'nonce')
    await fc.assert(
      fc.asyncProperty(endpoint, fc.dictionary(bodyKey, value), async ([method = '', path = ''], body) => {
        expectClean(await authRequest(server, path, { method, token, body: JSON.stringify(body) }))
      }),
      { numRuns: 400 },
    )
  })
})

function expectClean({ status, body }: AuthResponse): void {
  expect(status).toBeLessThan(500)
  expect(JSON.stringify(body)).not.toMatch(/at \w+ \(|node_modules|select |insert |update |syntax|22P0/i)
}

function withoutNulls(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, member]) => member !== null))
}
