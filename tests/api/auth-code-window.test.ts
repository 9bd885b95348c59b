import { afterAll, beforeAll, expect, it } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

let personCount = 0

/**
 * Enrols an authenticator app for a new person. `prove` sends the code that the app shows `ahead` steps of 30 s from now (negative: earlier), each
 * time with a new challenge. It returns 'accepted', or the error code of the refusal.
 */
async function personWithApp() {
  const { client } = await signUpPerson(server, `window${++personCount}@example.com`)
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  const [id, secret] = [data?.id ?? '', data?.totp.secret ?? '']
  let token = (await client.auth.getSession()).data.session?.access_token ?? ''
  const prove = async (ahead: number): Promise<unknown> => {
    const { body } = await authRequest(server, `/factors/${id}/challenge`, { token, body: {} })
    const response = await authRequest(server, `/factors/${id}/verify`, {
      token,
      body: { challenge_id: body.id, code: totpCode(secret, ahead) },
    })
    if (response.status === 200) token = response.body.access_token
    return response.status === 200 ? 'accepted' : response.body.code
  }
  return { id, prove }
}

const refusalCode = 'mfa_verification_failed'

/** Waits until the current step of 30 s lasts at least 8 s more, which is enough for the requests of a test. */
async function atTheBeginningOfAStep(): Promise<void> {
  const leftMs = 30_000 - (Date.now() % 30_000)
  if (leftMs < 8_000) await new Promise((resolve) => setTimeout(resolve, leftMs + 50))
}

it('a code of an authenticator app is refused if it is more than one step of 30 s before or after the current code', async () => {
  const { prove } = await personWithApp()
  for (const ahead of [-40, -20, -3, -2, 2, 3, 20, 40])
    expect([ahead, await prove(ahead)]).toEqual([ahead, refusalCode])
  expect(await prove(0)).toBe('accepted')
  for (const ahead of [-40, -2, 2, 40]) expect([ahead, await prove(ahead)]).toEqual([ahead, refusalCode])
})

it('a code of an authenticator app is accepted once; then codes of earlier steps are refused', {
  timeout: 60_000,
}, async () => {
  const { id, prove } = await personWithApp()
  await atTheBeginningOfAStep()
  expect(await prove(0)).toBe('accepted')
  expect(await prove(0)).toBe(refusalCode)
  expect(await prove(-1)).toBe(refusalCode)
  expect(await prove(1)).toBe('accepted')
  expect(await prove(1)).toBe(refusalCode)
  expect(await prove(0)).toBe(refusalCode)
  const { rows } = await server.database!.owner.query(
    'select last_totp_step - floor(extract(epoch from now()) / 30)::int as ahead from auth.mfa_factors where id = $1',
    [id],
  )
  expect(Number(rows[0].ahead)).toBe(1)
})
