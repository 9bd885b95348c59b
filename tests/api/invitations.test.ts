import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { type TestDatabase, testDatabase } from '../harness/database.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { linkParameters, clickLink, mailedLink } from '../harness/mailed-link.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let mail: MailServer
let database: TestDatabase
let dataDir: string
let server: TestServer
let owner: SupabaseClient
let brand: string

beforeEach(async () => {
  mail = await startMailServer()
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'banyan-invite-'))
})
afterEach(async () => {
  await server.stop()
  await mail.stop()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const start = (env: Record<string, string>) => startTestServer({ dataDir, databaseUrl: database.url, env })

/** Creates a brand with an owner, then restarts the server with `env`. */
async function openBrand(env: Record<string, string>) {
  const first = await start({})
  const person = await signUpPerson(first, 'ana@example.com')
  brand = randomUUID()
  await person.client.from('brands').insert({ id: brand, name: 'Acme' })
  await first.stop()
  server = await start(env)
  owner = testClient(server)
  await owner.auth.signInWithPassword({ email: 'ana@example.com', password: 'correct horse' })
}

const invite = (email: string, role = 'member') =>
  owner.rpc('invite_member', { p_brand_id: brand, p_email: email, p_role: role })
const brandsOf = async (client: SupabaseClient) => {
  const { data } = await client.auth.getUser()
  const memberships = client.from('memberships').select('role, brands(name)')
  return (await memberships.eq('user_id', data.user?.id)).data
}

describe('an invitation', () => {
  it('an invitation reaches an unknown e-mail address, and its link creates an account that is a member of the brand with the invited role', async () => {
    await openBrand({ SMTP_URL: mail.url })
    expect((await owner.rpc('capabilities')).data).toEqual({
      mail: true,
      invitations: true,
      invitation_links: true,
      sign_up: 'open',
      calendar: true,
    })
    const unknown = { p_brand_id: brand, p_email: 'new@example.com', p_role: 'admin' }
    expect((await owner.rpc('add_brand_member_by_email', unknown)).error?.message).toBe('USER_NOT_FOUND')
    expect((await invite('new@example.com', 'admin')).error).toBeNull()
    const letter = await mail.next('new@example.com')
    expect(letter.subject).toBe('ana invited you to Acme')
    const { address } = mailedLink(letter)
    expect(Object.fromEntries(linkParameters(address.href))).toMatchObject({
      type: 'invite',
      next: '/select-brand',
      email: 'new@example.com',
    })

    const guest = testClient(server)
    const { data, error } = await clickLink(guest, letter)
    expect(error).toBeNull()
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ amr: [{ method: 'invite' }] })
    expect(await brandsOf(guest)).toEqual([{ role: 'admin', brands: { name: 'Acme' } }])
    expect((await guest.auth.updateUser({ password: 'a horse of my own' })).error).toBeNull()
    const passwordSignIn = await testClient(server).auth.signInWithPassword({
      email: 'new@example.com',
      password: 'a horse of my own',
    })
    expect(passwordSignIn.error).toBeNull()
    expect((await clickLink(testClient(server), letter)).error?.code).toBe('otp_expired')
    expect((await guest.rpc('open_brand', { p_brand_id: brand })).error).toBeNull()
    const { data: lines } = await owner.rpc('audit_log', { p_brand_id: brand })
    expect(lines).toContainEqual(expect.objectContaining({ event: 'signed_up', who: 'new' }))
  })

  it('an invitation can also be accepted by signing up and confirming the e-mail address', async () => {
    await openBrand({ SMTP_URL: mail.url })
    await invite('new@example.com')
    await mail.next('new@example.com', /invited/)
    const guest = testClient(server)
    await guest.auth.signUp({ email: 'new@example.com', password: 's@cret1' })
    await clickLink(guest, await mail.next('new@example.com', /Confirm/))
    expect(await brandsOf(guest)).toEqual([{ role: 'member', brands: { name: 'Acme' } }])
  })

  it('an invitation is refused when it has expired or was withdrawn, and to another e-mail address', async () => {
    await openBrand({ SMTP_URL: mail.url })
    const { data: id } = await invite('late@example.com')
    const expiredLetter = await mail.next('late@example.com')
    await database.owner.query(`update invitations set expires_at = now()`)
    expect((await clickLink(testClient(server), expiredLetter)).error?.code).toBe('otp_expired')
    await owner.rpc('withdraw_invitation', { p_brand_id: brand, p_id: id })
    expect((await clickLink(testClient(server), expiredLetter)).error?.code).toBe('otp_expired')

    await invite('other@example.com')
    const letter = await mail.next('other@example.com')
    const stranger = testClient(server)
    await stranger.auth.signUp({ email: 'stranger@example.com', password: 's@cret1' })
    await clickLink(stranger, await mail.next('stranger@example.com'))
    expect((await stranger.rpc('accept_invitations')).data).toEqual([])
    // A signed-in person who opens the link becomes the invited person, and keeps no data of the former account.
    const { data } = await clickLink(stranger, letter)
    expect(data.user?.email).toBe('other@example.com')
  })

  it('an invitation asks a person who has created an account meanwhile to sign in, and is accepted then', async () => {
    await openBrand({ SMTP_URL: mail.url })
    await invite('soon@example.com')
    const letter = await mail.next('soon@example.com')
    await database.owner.query(`alter table auth.users disable trigger accept_invitations_of_confirmed_user`)
    const guest = testClient(server)
    await guest.auth.signUp({ email: 'soon@example.com', password: 's@cret1' })
    await clickLink(guest, await mail.next('soon@example.com', /Confirm/))
    expect((await clickLink(testClient(server), letter)).error?.code).toBe('user_already_exists')
    expect((await guest.rpc('accept_invitations')).data).toEqual([brand])
    expect(await brandsOf(guest)).toHaveLength(1)
  })

  it('an invitation gives the account to the person who reads the mailbox, not to a stranger who signed up with the address before', async () => {
    await openBrand({ SMTP_URL: mail.url })
    await testClient(server).auth.signUp({ email: 'new@example.com', password: 'of the stranger' })
    await invite('new@example.com')
    await clickLink(testClient(server), await mail.next('new@example.com', /invited/))
    const loginOfStranger = { email: 'new@example.com', password: 'of the stranger' }
    expect((await testClient(server).auth.signInWithPassword(loginOfStranger)).error?.code).toBe('invalid_credentials')
    // Until the password is set, another sign-up cannot take over the account.
    await testClient(server).auth.signUp(loginOfStranger)
    expect((await mail.next('new@example.com', /account already/)).subject).toBe('You have an account already')
    expect((await testClient(server).auth.signInWithPassword(loginOfStranger)).error?.code).toBe('invalid_credentials')
  })
})

describe('with the setting SIGN_UP', () => {
  const signUp = (email: string) => authRequest(server, '/signup', { body: { email, password: 's@cret1' } })

  it('only invited e-mail addresses can sign up with the setting SIGN_UP invited', async () => {
    await openBrand({ SIGN_UP: 'invited', SMTP_URL: mail.url })
    expect(refusalOf(await signUp('new@example.com'))).toEqual([422, 'signup_disabled'])
    await invite('new@example.com')
    expect((await signUp('new@example.com')).status).toBe(200)
    expect(refusalOf(await signUp('other@example.com'))).toEqual([422, 'signup_disabled'])
  })

  it('nobody can sign up by the form with the setting SIGN_UP invited and without verified addresses', async () => {
    await openBrand({ SIGN_UP: 'invited' })
    expect((await owner.rpc('capabilities')).data).toMatchObject({ invitations: true, mail: false })
    await invite('new@example.com')
    expect(refusalOf(await signUp('new@example.com'))).toEqual([422, 'signup_disabled'])
  })

  it('nobody can sign up with the setting SIGN_UP closed, not even by a link', async () => {
    await openBrand({ SMTP_URL: mail.url })
    await invite('new@example.com')
    const letter = await mail.next('new@example.com')
    const closedServer = await start({ SIGN_UP: 'closed', SMTP_URL: mail.url })
    try {
      expect((await clickLink(testClient(closedServer), letter)).error?.code).toBe('signup_disabled')
      expect((await invite('other@example.com')).error?.message).toBe('INVITATIONS_OFF')
    } finally {
      await closedServer.stop()
    }
  })
})
