import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterEach, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { testDatabase } from '../harness/database.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { clickLink } from '../harness/mailed-link.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let owner: SupabaseClient
let brand: string
const stoppables: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await server.stop()
  for (const other of stoppables.splice(0)) await other.stop()
})

/** Starts a server with the settings `env` and signs in the owner of a brand. The owner signed up before, on a server with open sign-up. */
async function startWithOwner(env: Record<string, string> = {}) {
  const database = await testDatabase()
  stoppables.push({ stop: () => database.drop() })
  const dataDir = await mkdtemp(join(tmpdir(), 'banyan-'))
  const databaseUrl = database.url
  const first = await startTestServer({ dataDir, databaseUrl })
  const person = await signUpPerson(first, 'owner@example.com')
  brand = randomUUID()
  await person.client.from('brands').insert({ id: brand, name: 'Acme' })
  // Otherwise both servers would send the mails of this database.
  await first.stop()
  server = await startTestServer({ dataDir, databaseUrl, env })
  owner = testClient(server)
  await owner.auth.signInWithPassword({ email: 'owner@example.com', password: 'correct horse' })
}

async function makeLink(email: string, role = 'member'): Promise<string> {
  const { data, error } = await owner.rpc('make_invitation_link', { p_brand_id: brand, p_email: email, p_role: role })
  if (error) throw error
  return data
}

const readInvitation = async (token: string) => (await authRequest(server, '/invitation', { body: { token } })).body
const password = 's@cret1'
const rolesOf = (userId = '') => query(server, 'select role from memberships where user_id = $1', userId)

it('an invitation link shows brand and role without a session, and lets the invited e-mail address sign up and join; the token is not stored with the account', async () => {
  await startWithOwner({ SIGN_UP: 'invited' })
  const token = await makeLink('new@example.com', 'admin')
  expect(await readInvitation(token)).toMatchObject({ state: 'open', brand: 'Acme', role: 'admin', has_account: false })
  expect(await readInvitation('0'.repeat(64))).toEqual({ state: 'unknown' })
  expect(refusalOf(await authRequest(server, '/invitation', { body: { token: 'x' } }))).toEqual([
    400,
    'validation_failed',
  ])

  const signUp = (email: string, invitation?: string) =>
    authRequest(server, '/signup', { body: { email, password, data: { invitation, name: 'Nia' } } })
  for (const refused of [
    await signUp('new@example.com'),
    await signUp('new@example.com', '0'.repeat(64)),
    await signUp('other@example.com', token),
  ])
    expect(refusalOf(refused)).toEqual([422, 'signup_disabled'])
  expect((await signUp('new@example.com', token)).status).toBe(200)
  const guest = testClient(server)
  const { data } = await guest.auth.signInWithPassword({ email: 'new@example.com', password })
  expect(data.user?.user_metadata).toEqual({ name: 'Nia' })
  expect(await guest.rpc('accept_invitation_link', { p_token: token })).toMatchObject({ data: brand, error: null })
  expect(await rolesOf(data.user?.id)).toEqual([{ role: 'admin' }])
  expect(await readInvitation(token)).toEqual({ state: 'used' })
  const { error } = await owner.rpc('accept_invitation_link', { p_token: '0'.repeat(64) })
  expect(error).toMatchObject({ code: 'BY007', message: 'LINK_ENDED', details: 'unknown' })
})

it('the number of guessed tokens of invitation links is limited', async () => {
  await startWithOwner({ AUTH_RATE_LIMIT: '5' })
  const responses = []
  for (let nth = 0; nth < 7; nth++)
    responses.push((await authRequest(server, '/invitation', { body: { token: `${nth}`.repeat(64) } })).status)
  expect(responses.slice(-1)).toEqual([429])
})

describe('on a server that verifies e-mail addresses', () => {
  let mail: MailServer
  it('a person with an invitation link still has to confirm the address on a server that verifies e-mail addresses, and joins the brand by confirming it', async () => {
    mail = await startMailServer()
    stoppables.push(mail)
    await startWithOwner({ SMTP_URL: mail.url })
    const token = await makeLink('new@example.com')
    const guest = testClient(server)
    const { data } = await guest.auth.signUp({ email: 'new@example.com', password })
    expect(data.session).toBeNull()
    expect(await rolesOf(data.user?.id)).toEqual([])
    await clickLink(guest, await mail.next('new@example.com', /Confirm/))
    expect(await rolesOf((await guest.auth.getUser()).data.user?.id)).toEqual([{ role: 'member' }])
    expect(await guest.rpc('accept_invitation_link', { p_token: token })).toMatchObject({ data: brand, error: null })
  })
})
