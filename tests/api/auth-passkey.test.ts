import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { type WrongValues, softPasskey } from '../harness/soft-passkey.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

interface Challenge {
  id: string
  webauthn: {
    type: 'create' | 'request'
    credential_options: { publicKey: { challenge: string; [member: string]: unknown } }
  }
}

let personCount = 0

/** Signs up a person and enrols a passkey, which is not verified yet. */
async function personWithKey() {
  const { session, user } = await signUpPerson(server, `person${++personCount}@example.com`)
  let token = session.access_token
  const enrolment = await authRequest(server, '/factors', {
    token,
    body: { factor_type: 'webauthn', friendly_name: 'key' },
  })
  const factorId = String(enrolment.body.id)
  const challenge = async () =>
    (await authRequest(server, `/factors/${factorId}/challenge`, { token, body: {} })).body as unknown as Challenge
  const verify = async ({ id, webauthn }: Challenge, credential_response: object) => {
    const response = await authRequest(server, `/factors/${factorId}/verify`, {
      token,
      body: {
        challenge_id: id,
        webauthn: {
          type: webauthn.type,
          rpId: 'evil.example',
          rpOrigins: ['https://evil.example'],
          credential_response,
        },
      },
    })
    if (response.status === 200) token = response.body.access_token
    return response
  }
  return { user, factorId, challenge, verify, key: softPasskey(server.url), password: 'correct horse' }
}

const optionsOf = ({ webauthn }: Challenge) => webauthn.credential_options.publicKey

describe('a passkey', () => {
  it('a passkey is made for this site, and verified by its response to a challenge, which is accepted once', async () => {
    const { challenge, verify, key, user } = await personWithKey()
    const first = await challenge()
    expect(first.webauthn.type).toBe('create')
    expect(optionsOf(first)).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: user.email },
      attestation: 'none',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    const creation = await verify(first, key.create(optionsOf(first)))
    expect([creation.status, creation.body.user.factors]).toMatchObject([
      200,
      [{ factor_type: 'webauthn', status: 'verified' }],
    ])

    const second = await challenge()
    expect(second.webauthn.type).toBe('request')
    expect(optionsOf(second)).toMatchObject({ rpId: 'localhost', allowCredentials: [{ type: 'public-key' }] })
    const proof = key.get(optionsOf(second))
    expect((await verify(second, proof)).status).toBe(200)
    expect(refusalOf(await verify(second, proof))).toEqual([422, 'mfa_ip_address_mismatch'])
    const third = await challenge()
    expect(refusalOf(await verify(third, proof))).toEqual([422, 'mfa_verification_failed'])
  })

  const forgedResponses: [string, WrongValues][] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another site', { site: 'evil.example' }],
    ['to another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ]

  it.each(forgedResponses)('a passkey is not created by a response %s', async (_name, wrong) => {
    const { challenge, verify, key } = await personWithKey()
    const currentChallenge = await challenge()
    expect(refusalOf(await verify(currentChallenge, key.create(optionsOf(currentChallenge), wrong)))).toEqual([
      422,
      'mfa_verification_failed',
    ])
    expect((await verify(currentChallenge, key.create(optionsOf(currentChallenge)))).status).toBe(200)
  })

  it.each([
    ...forgedResponses,
    ['that another key has signed', { signsWithWrongKey: true }],
    ['with a signature counter that went back', { count: 1 }],
  ] as [string, WrongValues][])('a passkey is not verified by a response %s', async (_name, wrong) => {
    const { challenge, verify, key } = await personWithKey()
    const creationChallenge = await challenge()
    await verify(creationChallenge, key.create(optionsOf(creationChallenge)))
    const firstRequest = await challenge()
    expect((await verify(firstRequest, key.get(optionsOf(firstRequest), { count: 5 }))).status).toBe(200)
    const currentChallenge = await challenge()
    expect(
      refusalOf(await verify(currentChallenge, key.get(optionsOf(currentChallenge), { count: 6, ...wrong }))),
    ).toEqual([422, 'mfa_verification_failed'])
    expect((await verify(currentChallenge, key.get(optionsOf(currentChallenge), { count: 7 }))).status).toBe(200)
  })

  it('a passkey is not verified by a malformed response', async () => {
    const { challenge, verify } = await personWithKey()
    const currentChallenge = await challenge()
    for (const nonsense of [
      {},
      { id: 'x' },
      { response: null },
      { id: 'x', rawId: 'x', type: 'public-key', response: {} },
    ])
      expect(refusalOf(await verify(currentChallenge, nonsense))).toEqual([422, 'mfa_verification_failed'])
  })
})

it('a server whose site URL has an IP address offers no passkeys, and says why', async () => {
  const serverAtIpAddress = await startTestServer({ env: { SITE_URL: 'http://127.0.0.1:3000' } })
  try {
    const reachableServer = { ...serverAtIpAddress, url: `http://127.0.0.1:${serverAtIpAddress.port}` }
    const { client } = await signUpPerson(reachableServer, 'ana@example.com')
    const { error } = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'key' })
    expect([error?.status, error?.code]).toEqual([422, 'mfa_webauthn_enroll_not_enabled'])
  } finally {
    await serverAtIpAddress.stop()
  }
})
