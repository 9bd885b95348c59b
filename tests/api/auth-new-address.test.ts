import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { sentCode } from '../harness/outbox.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let personCount = 0

beforeAll(async () => {
  server = await startTestServer({ env: { AUTH_RATE_LIMIT: '100' } })
})
afterAll(() => server.stop())

/** Signs up a person whose sign-in was the given number of minutes ago. */
async function personSignedInFor(minutes: number) {
  const { client, user } = await signUpPerson(server, `person${++personCount}@example.com`)
  await query(
    server,
    `update auth.mfa_amr_claims c set updated_at = now() - make_interval(mins => $2) from auth.sessions s
     where s.id = c.session_id and s.user_id = $1`,
    user.id,
    minutes,
  )
  await client.auth.refreshSession()
  const token = (await client.auth.getSession()).data.session?.access_token ?? ''
  return { client, user, email: user.email ?? '', token }
}

describe('a change of the e-mail address', () => {
  const changeAddress = (token: string, more: object = {}) =>
    authRequest(server, '/user', { method: 'PUT', token, body: { email: `moved${personCount}@example.com`, ...more } })

  it('a change of the e-mail address needs the password if the sign-in is more than five minutes old', async () => {
    const { client, token } = await personSignedInFor(6)
    const refusedResponse = await changeAddress(token)
    expect(refusalOf(refusedResponse)).toEqual([422, 'current_password_required'])
    expect(refusedResponse.body.message).toBe('The current password is needed to change the email address')
    expect(refusalOf(await changeAddress(token, { current_password: 'wrong horse' }))).toEqual([
      422,
      'current_password_invalid',
    ])
    expect((await client.auth.getUser()).data.user?.email).toBe(`person${personCount}@example.com`)
    const { status, body } = await changeAddress(token, { current_password: 'correct horse' })
    expect([status, body.email]).toEqual([200, `moved${personCount}@example.com`])
  })

  it('a change of the e-mail address needs no password right after a sign-in, and otherwise accepts a mailed code instead, once', async () => {
    const recentSignIn = await personSignedInFor(4)
    expect((await changeAddress(recentSignIn.token)).status).toBe(200)
    const { client, email, token } = await personSignedInFor(6)
    expect(refusalOf(await changeAddress(token, { nonce: '000000' }))).toEqual([422, 'reauthentication_not_valid'])
    await client.auth.reauthenticate()
    const nonce = await sentCode(server.dataDir, email, 1)
    expect((await changeAddress(token, { nonce })).status).toBe(200)
    const secondChange = { nonce, email: `again${personCount}@example.com` }
    expect(refusalOf(await changeAddress(token, secondChange))).toEqual([422, 'reauthentication_not_valid'])
  })

  it('a change of the e-mail address uses up a mailed code even if the change is refused', async () => {
    const { email: takenAddress } = await personSignedInFor(0)
    const { client, email, token } = await personSignedInFor(6)
    await client.auth.reauthenticate()
    const nonce = await sentCode(server.dataDir, email, 1)
    expect(refusalOf(await changeAddress(token, { nonce, email: takenAddress }))).toEqual([422, 'email_exists'])
    expect(refusalOf(await changeAddress(token, { nonce }))).toEqual([422, 'reauthentication_not_valid'])
  })

  it('a change of the e-mail address together with a new password in the same request needs only one proof', async () => {
    const { client, email, token } = await personSignedInFor(6)
    await client.auth.reauthenticate()
    const nonce = await sentCode(server.dataDir, email, 1)
    expect((await changeAddress(token, { nonce, password: 'a better staple' })).status).toBe(200)
    const newLogin = { email: `moved${personCount}@example.com`, password: 'a better staple' }
    expect((await testClient(server).auth.signInWithPassword(newLogin)).error).toBeNull()
  })

  it('a change of the e-mail address reveals nothing about other accounts to a caller without proof, and counts wrong passwords as failed sign-ins', async () => {
    const { token, email } = await personSignedInFor(6)
    const takenAddress = { email: 'person1@example.com' }
    expect(refusalOf(await changeAddress(token, takenAddress))).toEqual([422, 'current_password_required'])
    const responses = []
    for (let round = 0; round < 12; round++)
      responses.push(await changeAddress(token, { current_password: `guess ${round}` }))
    expect(responses.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(10)
    expect(refusalOf(responses.at(-1)!)).toEqual([429, 'over_request_rate_limit'])
    expect((await testClient(server).auth.signInWithPassword({ email, password: 'wrong' })).error?.status).toBe(429)
  })

  it('a change of the e-mail address counts each requested address, so that nobody can test thousands of addresses', async () => {
    const { email: takenAddress } = await personSignedInFor(0)
    const { token } = await personSignedInFor(1)
    await query(server, 'delete from auth.attempts')
    const requestChange = async () => refusalOf(await changeAddress(token, { email: takenAddress }))
    for (let attempt = 0; attempt < 100; attempt++) expect(await requestChange()).toEqual([422, 'email_exists'])
    expect(await requestChange()).toEqual([429, 'over_request_rate_limit'])
    await query(server, 'delete from auth.attempts')
  })

  it('a change of the e-mail address is refused if the password changes before the new address is written', async () => {
    const { client, user, token } = await personSignedInFor(1)
    const otherClient = await server.database!.owner.connect()
    await otherClient.query('begin')
    await otherClient.query(`update auth.users set encrypted_password = 'x' where id = $1`, [user.id])
    const pending = changeAddress(token)
    await sleep(300)
    await otherClient.query('commit')
    otherClient.release()
    expect(refusalOf(await pending)).toEqual([422, 'current_password_required'])
    expect((await client.auth.getUser()).data.user?.email).toBe(user.email)
  })

  it('a change of the e-mail address needs no proof if the address stays the same', async () => {
    const { token, email } = await personSignedInFor(6)
    expect((await changeAddress(token, { email: email.toUpperCase() })).status).toBe(200)
  })
})

const strangeAddresses = [
  ['a zero-width space', 'own\u200ber@example.com'],
  ['a soft hyphen', 'own\u00ader@example.com'],
  ['a word joiner', 'owner@exam\u2060ple.com'],
  ['a bidi override', 'own\u202eer@example.com'],
  ['an Arabic number sign', 'own\u0600er@example.com'],
  ['a bidi isolate', 'owner@example\u2066.com'],
  ['a tag character', 'owner\u{e0061}@example.com'],
  ['a variation selector', 'owner\ufe0f@example.com'],
  ['a Hangul filler', 'owner\u3164@example.com'],
  ['a combining grapheme joiner', 'ow\u034fner@example.com'],
  ['full-width letters', 'owner@\uff45xample.com'],
  ['a ligature', 'o\ufb01@example.com'],
  ['a one-dot leader', 'owner@example\u2024com'],
  ['a private-use character', 'owner\ue000@example.com'],
  ['a decomposed letter', 'owne\u0301r@example.com'],
] as const

describe.each(strangeAddresses)('an e-mail address with %s', (_, address) => {
  it('an e-mail address with invisible or look-alike characters is refused for a new account, and matches no existing account', async () => {
    const signUp = await authRequest(server, '/signup', { body: { email: address, password: 's@cret1' } })
    expect([...refusalOf(signUp), signUp.body.message]).toEqual([
      400,
      'validation_failed',
      'Unable to validate email address: it contains characters that cannot be seen or that look like others. Type it again',
    ])
    const body = { email: address, password: 'correct horse' }
    await query(server, 'delete from auth.attempts')
    const signIn = await authRequest(server, '/token?grant_type=password', { body })
    expect(refusalOf(signIn)).toEqual([400, 'invalid_credentials'])
  })
})

it('an e-mail address with invisible or look-alike characters is also refused when a user changes to it', async () => {
  const { token } = await personSignedInFor(0)
  for (const [, email] of strangeAddresses) {
    const response = await authRequest(server, '/user', { method: 'PUT', token, body: { email } })
    expect(refusalOf(response)).toEqual([400, 'validation_failed'])
  }
})

it.each(['jörg@exämple.de', '用户@例え.jp', "o'brien+crm@example.co.uk", 'имя@пример.рф'])(
  'an e-mail address with letters of another script or with signs is accepted: %s',
  async (email) => {
    const { status } = await authRequest(server, '/signup', { body: { email, password: 's@cret1' } })
    expect(status).toBe(200)
  },
)
