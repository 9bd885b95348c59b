import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { clickLink, mailedLink } from '../harness/mailed-link.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

let mail: MailServer
let server: TestServer
let owner: SupabaseClient
let brand: string
let email: string
let personCount = 0

beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ env: { SMTP_URL: mail.url, EMAIL_CONFIRMATION: 'off' } })
  owner = (await signUpPerson(server, 'owner@example.com')).client
})
afterAll(async () => {
  await server.stop()
  await mail.stop()
})
beforeEach(async () => {
  email = `guest${++personCount}@example.com`
  brand = randomUUID()
  await owner.from('brands').insert({ id: brand, name: `Acme ${personCount}` })
})

async function invite(role = 'owner') {
  const { error } = await owner.rpc('invite_member', { p_brand_id: brand, p_email: email, p_role: role })
  if (error) throw error
  return mail.next(email, /invited/)
}

const rolesOf = async (userId: string) =>
  (await query<{ role: string }>(server, 'select role from memberships where user_id = $1', userId)).map(
    ({ role }) => role,
  )

/** Sends the token of the letter's link with the session of this client. */
async function sendToken(letter: Awaited<ReturnType<typeof invite>>, client: SupabaseClient) {
  const { tokenHash } = mailedLink(letter)
  const token = (await client.auth.getSession()).data.session?.access_token ?? ''
  return authRequest(server, '/verify', { body: { token_hash: tokenHash, type: 'invite' }, token })
}

it('the product’s settings say whether the server verifies e-mail addresses', async () => {
  const serverSettings = () => query(server, 'select settings from private.server_settings')
  const settings = { calendar: true, mail: true, sign_up: 'open' }
  expect(await serverSettings()).toEqual([{ settings: { ...settings, proves_addresses: false } }])
  const env = { SMTP_URL: mail.url, SITE_URL: server.url }
  const { dataDir, databaseUrl = '' } = server
  const verifyingServer = await startTestServer({ dataDir, databaseUrl, env })
  expect(await serverSettings()).toEqual([{ settings: { ...settings, proves_addresses: true } }])
  await verifyingServer.kill()
  const unverifyingServer = await startTestServer({ dataDir, databaseUrl, env: { ...env, EMAIL_CONFIRMATION: 'off' } })
  await unverifyingServer.kill()
})

describe('on a server that does not verify e-mail addresses, an invitation', () => {
  it('an invitation is not accepted by signing up with its e-mail address if the server does not verify e-mail addresses', async () => {
    const letter = await invite()
    const { user } = await signUpPerson(server, email)
    expect(await rolesOf(user.id)).toEqual([])
    expect((await clickLink(testClient(server), letter)).error?.code).toBe('user_already_exists')
  })

  it('an invitation is not accepted by changing an account’s e-mail address to the invited one if the server does not verify e-mail addresses', async () => {
    await invite()
    const { client, user } = await signUpPerson(server, `stranger${personCount}@example.com`)
    expect((await client.auth.updateUser({ email })).data.user?.email).toBe(email)
    expect(await rolesOf(user.id)).toEqual([])
  })

  it('an invitation is accepted by its link, which creates the account, once', async () => {
    const letter = await invite('admin')
    const guest = testClient(server)
    const { data, error } = await clickLink(guest, letter)
    expect(error).toBeNull()
    expect(await rolesOf(data.user?.id ?? '')).toEqual(['admin'])
    expect((await clickLink(testClient(server), letter)).error?.code).toBe('otp_expired')
  })

  it('an invitation is accepted by its link in a session of the invited e-mail address, once', async () => {
    const letter = await invite('admin')
    const { client, user } = await signUpPerson(server, email)
    const response = await sendToken(letter, client)
    expect([response.status, response.body]).toEqual([200, { msg: 'Invitation accepted', code: '200', joined: brand }])
    expect(await rolesOf(user.id)).toEqual(['admin'])
    expect((await client.auth.getUser()).error).toBeNull()
    expect(refusalOf(await sendToken(letter, client))).toEqual([403, 'otp_expired'])
  })

  it('an invitation is not accepted by its link in another person’s session', async () => {
    const letter = await invite()
    await signUpPerson(server, email)
    const stranger = await signUpPerson(server, `stranger${personCount}@example.com`)
    expect(refusalOf(await sendToken(letter, stranger.client))).toEqual([422, 'user_already_exists'])
    await stranger.client.auth.signOut()
    expect(refusalOf(await sendToken(letter, stranger.client))).toEqual([422, 'user_already_exists'])
    expect(await rolesOf(stranger.user.id)).toEqual([])
  })

  it('an invitation needs the second factor of a person who has one', async () => {
    const letter = await invite()
    const { client, user } = await signUpPerson(server, email)
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code: totpCode(data?.totp.secret ?? '') })
    const passwordOnlyClient = testClient(server)
    await passwordOnlyClient.auth.signInWithPassword({ email, password: 'correct horse' })
    expect(refusalOf(await sendToken(letter, passwordOnlyClient))).toEqual([403, 'insufficient_aal'])
    expect((await sendToken(letter, client)).status).toBe(200)
    expect(await rolesOf(user.id)).toEqual(['owner'])
  })
})
