import { afterAll, beforeAll, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpWithApp } from '../harness/person-with-app.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { AUTH_RATE_LIMIT: '0' } })
})
afterAll(() => server.stop())

it('AUTH_RATE_LIMIT=0 also removes the limits on second factors', async () => {
  const { client, session, factorId } = await signUpWithApp(server, 'ana@example.com')
  const token = session?.access_token ?? ''
  const post = (path: string, body: object) => authRequest(server, `/factors/${path}`, { token, body })
  const { body: challenge } = await post(`${factorId}/challenge`, {})
  for (let round = 0; round < 17; round++) {
    const response = await post(`${factorId}/verify`, { challenge_id: challenge.id, code: 'wrong' })
    expect([round, ...refusalOf(response)]).toEqual([round, 422, 'mfa_verification_failed'])
  }
  await post('recovery-codes', {})
  for (let round = 0; round < 12; round++)
    expect(refusalOf(await post('recovery-codes/verify', { code: 'wrong' }))).toEqual([422, 'mfa_verification_failed'])
  const { data } = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+447700900123', friendlyName: 'phone' })
  for (let round = 0; round < 7; round++)
    expect([round, (await post(`${data?.id}/challenge`, {})).status]).toEqual([round, 200])
})
