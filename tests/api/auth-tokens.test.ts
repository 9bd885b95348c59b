import { createHmac, createPublicKey } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const encodedPart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)

describe('tokens and keys', () => {
  let server: TestServer
  let validToken: string
  let ownKey: JWK

  beforeAll(async () => {
    server = await startTestServer({ product: false })
    validToken = (await signUpPerson(server, 'ana@example.com')).session.access_token
    ownKey = JSON.parse(await readFile(join(server.dataDir, 'keys.json'), 'utf8')).signingKeys[0]
  })
  afterAll(() => server.stop())

  const [header, payload] = [
    () => JSON.parse(Buffer.from(validToken.split('.')[0] ?? '', 'base64url').toString()),
    () => JSON.parse(Buffer.from(validToken.split('.')[1] ?? '', 'base64url').toString()) as JWTPayload,
  ]

  /** Returns a token with these changed claims, signed by the server's own key: only a check of the claims can refuse it. */
  async function signedByUs(change: JWTPayload): Promise<string> {
    return new SignJWT({ ...payload(), ...change }).setProtectedHeader(header()).sign(await importJWK(ownKey, 'ES256'))
  }

  /**
   * Returns a token that is signed by a new key, which the server does not know. `extra` gets the public half of that key, and returns what is
   * added to the header or replaced in it.
   */
  async function signedByStranger(extra: (jwk: JWK) => Record<string, unknown>): Promise<string> {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    return new SignJWT(payload())
      .setProtectedHeader({ ...header(), ...extra(await exportJWK(publicKey)) })
      .sign(privateKey)
  }

  function hs256Token(secret: string | Buffer): string {
    const body = `${encodedPart({ ...header(), alg: 'HS256' })}.${encodedPart(payload())}`
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
  }

  const invalidTokens: Record<string, () => Promise<string> | string> = {
    'alg none': () => `${encodedPart({ ...header(), alg: 'none' })}.${encodedPart(payload())}.`,
    'alg None with the old signature': () =>
      `${encodedPart({ ...header(), alg: 'None' })}.${encodedPart(payload())}.${validToken.split('.')[2]}`,
    'HS256 with our public key as PEM': () =>
      hs256Token(
        createPublicKey({ key: { ...ownKey, d: undefined } as never, format: 'jwk' }).export({
          type: 'spki',
          format: 'pem',
        }),
      ),
    'HS256 with our public key as JSON': () => hs256Token(JSON.stringify({ ...ownKey, d: undefined })),
    'HS256 with the publishable key': () => hs256Token(server.publishableKey),
    'an unknown kid': () => signedByStranger(() => ({ kid: 'unknown' })),
    'our kid, a strange key': () => signedByStranger(() => ({})),
    'a jwk in the header': () => signedByStranger((jwk) => ({ jwk })),
    'a jku in the header': () => signedByStranger(() => ({ jku: 'http://127.0.0.1:1/keys', kid: 'theirs' })),
    'a kid that is a path': () => signedByStranger(() => ({ kid: '../../../../dev/null' })),
    'no kid': () => signedByStranger(() => ({ kid: undefined })),
    'another audience': () => signedByUs({ aud: 'somebody' }),
    'another issuer': () => signedByUs({ iss: 'https://elsewhere.example/auth/v1' }),
    expired: () => signedByUs({ exp: now() - 1 }),
    'not yet valid': () => signedByUs({ nbf: now() + 600 }),
    'no expiry': () => signedByUs({ exp: undefined }),
    'an altered payload': () =>
      validToken
        .split('.')
        .with(1, encodedPart({ ...payload(), role: 'service_role' }))
        .join('.'),
    'an altered signature': () => `${validToken.slice(0, -4)}AAAA`,
    'no signature': () => validToken.split('.').slice(0, 2).join('.'),
    nonsense: () => 'nonsense',
    '100 KB': () => 'x'.repeat(100 * 1024),
    '100 KB of a token': () =>
      `${encodedPart(header())}.${encodedPart({ ...payload(), filler: 'x'.repeat(75_000) })}.${validToken.split('.')[2]}`,
  }

  it.each(Object.keys(invalidTokens))(
    'a request with an invalid token is refused by auth and by REST: %s',
    async (name) => {
      const token = (await invalidTokens[name]?.()) ?? ''
      expect(refusalOf(await authRequest(server, '/user', { token }))).toEqual([403, 'bad_jwt'])
      const restResponse = await fetch(`${server.url}/rest/v1/anything`, {
        headers: { apikey: server.publishableKey, Authorization: `Bearer ${token}` },
      })
      expect(restResponse.status).toBe(401)
      expect(restResponse.headers.get('www-authenticate')).toContain('invalid_token')
      expect(await restResponse.json()).toMatchObject({ code: name === 'expired' ? 'PGRST303' : 'PGRST301' })
    },
  )

  it('a forged token uses no database connection', async () => {
    const { owner } = server.database!
    const heldClients = await Promise.all(Array.from({ length: owner.options.max ?? 10 }, () => owner.connect()))
    try {
      expect(refusalOf(await authRequest(server, '/user', { token: 'nonsense' }))).toEqual([403, 'bad_jwt'])
    } finally {
      for (const client of heldClients) client.release()
    }
  })

  it('an unknown role is refused, even with a valid signature', async () => {
    const restResponse = await fetch(`${server.url}/rest/v1/anything`, {
      headers: { apikey: server.publishableKey, Authorization: `Bearer ${await signedByUs({ role: 'postgres' })}` },
    })
    expect(restResponse.status).toBe(401)
  })

  it('a request with a wrong API key is refused by auth and by REST', async () => {
    for (const key of ['', 'wrong', `${server.publishableKey}x`]) {
      expect((await authRequest(server, '/settings', { headers: { apikey: key } })).status).toBe(401)
      expect((await fetch(`${server.url}/rest/v1/anything`, { headers: { apikey: key } })).status).toBe(401)
    }
  })

  it('the server publishes the public half of its key, and nothing else', async () => {
    for (const path of ['/auth/v1/.well-known/jwks.json', '/.well-known/jwks.json']) {
      const response = await fetch(server.url + path)
      expect(response.headers.get('cache-control')).toBe('public, max-age=600')
      const { kid, x, y } = ownKey
      expect(await response.json()).toEqual({
        keys: [{ kid, kty: 'EC', alg: 'ES256', use: 'sig', key_ops: ['verify'], crv: 'P-256', x, y }],
      })
    }
  })

  it('the server keeps its keys in a file that only its own system user can read', async () => {
    expect((await stat(join(server.dataDir, 'keys.json'))).mode & 0o777).toBe(0o600)
    expect(server.publishableKey).toMatch(/^sb_publishable_[\w-]{22}_[\w-]{8}$/)
    expect(server.secretKey).toMatch(/^sb_secret_[\w-]{22}_[\w-]{8}$/)
  })

  it('an unknown path gets 404 and a code, and a wrong method 405', async () => {
    expect(refusalOf(await authRequest(server, '/magiclink', { body: {} }))).toEqual([404, 'not_found'])
    const wrongMethodResponse = await authRequest(server, '/user', { method: 'DELETE' })
    expect([...refusalOf(wrongMethodResponse), wrongMethodResponse.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, PUT',
    ])
    expect((await authRequest(server, '/health')).body).toMatchObject({ name: 'GoTrue' })
  })
})
