import { expect, it } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { signedInAuthRequests } from '../harness/fuzz-auth.ts'
import { fuzz } from '../harness/fuzz-run.ts'
import { startTestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'
import { poolOf } from '../harness/pool-of.ts'

const requestCount = Number(process.env.FUZZ_REQUESTS ?? 20_000)

it(`${requestCount} random requests over /auth/v1, most of them signed in, cause no 5xx, no late response and no response with internal details`, async () => {
  const server = await startTestServer()
  const owner = poolOf(server.databaseUrl)
  try {
    const { client } = await signUpPerson(server, 'ana@example.org')
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    const code = totpCode(data?.totp.secret ?? '')
    const { data: session } = await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code })
    const token = session?.access_token ?? ''
    await client.auth.mfa.enroll({ factorType: 'phone', phone: '+447700900123', friendlyName: 'phone' })
    await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'key' })
    await authRequest(server, '/factors/recovery-codes', { token, body: {} })
    const factorIds = (await client.auth.mfa.listFactors()).data?.all.map(({ id }) => id) ?? []
    expect(factorIds).toHaveLength(4)
    const passkeyId = (await client.auth.mfa.listFactors()).data?.all.find(
      ({ factor_type }) => factor_type === 'webauthn',
    )?.id
    const challenge = await authRequest(server, `/factors/${passkeyId}/challenge`, { token, body: {} })

    const { requests, statuses } = await fuzz({
      url: server.url,
      headers: { apikey: server.publishableKey },
      owner,
      requests: requestCount,
      seed: Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31),
      from: signedInAuthRequests({ token, factorIds, challengeId: String(challenge.body.id) }),
    })
    console.log(`${requests} requests:`, Object.fromEntries(statuses))
    expect(requests).toBeGreaterThanOrEqual(requestCount)
    expect(statuses.get(200)).toBeGreaterThan(requests / 100)
    // The user still exists, and the session still has the level `aal2`.
    expect((await client.auth.getUser()).error).toBeNull()
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')
  } finally {
    await owner.end()
    await server.stop()
  }
}, 900_000)
