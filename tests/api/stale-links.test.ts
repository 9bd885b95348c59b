import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setAccountBlocked, deleteFactors, type Operator, resetPassword } from '#server/auth/admin/operator.ts'
import { loadKeys } from '#server/auth/keys.ts'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { testClient } from '../harness/client.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { clickLink, mailedLink } from '../harness/mailed-link.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

let mail: MailServer
let server: TestServer
let operator: Operator
let email: string
let personCount = 0

beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ env: { SMTP_URL: mail.url } })
  const { refreshSecret } = await loadKeys(server.dataDir)
  operator = { db: server.database!.owner, secret: refreshSecret, siteUrl: server.url }
})
afterAll(async () => {
  await server.stop()
  await mail.stop()
})
beforeEach(() => {
  email = `person${++personCount}@example.com`
})

const knownPassword = 'correct horse'
const signUp = (password = knownPassword) => testClient(server).auth.signUp({ email, password })

async function signUpConfirmed() {
  await signUp()
  const client = testClient(server)
  const { data, error } = await clickLink(client, await mail.next(email, /Confirm your email/))
  if (error || !data.user) throw error ?? new Error('no session')
  return { client, user: data.user }
}

type Letter = Awaited<ReturnType<MailServer['next']>>

/** Expects the link to be refused without a sign-in. */
async function expectRefused(letter: Pick<Letter, 'links'>) {
  const sessions = () => query<{ n: number }>(server, 'select count(*)::int as n from auth.sessions')
  const before = await sessions()
  const { data, error } = await clickLink(testClient(server), letter)
  expect([error?.status, error?.code, data.session]).toEqual([403, 'otp_expired', null])
  expect(await sessions()).toEqual(before)
}

async function requestRecovery() {
  await testClient(server).auth.resetPasswordForEmail(email)
  return mail.next(email, /new password/)
}

/** Requests a change of the e-mail address, and confirms it by both links. */
async function moveTo(client: ReturnType<typeof testClient>, from: string, to: string) {
  const { error } = await client.auth.updateUser({ email: to })
  if (error) throw error
  await clickLink(testClient(server), await mail.next(from, /Confirm the change/))
  const secondClick = await clickLink(testClient(server), await mail.next(to, /Confirm your new/))
  expect(secondClick.data.session?.user.email).toBe(to)
}

/** Adds a verified factor; the client is then at aal2. */
async function addVerifiedFactor(client: ReturnType<typeof testClient>) {
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  const id = data?.id ?? ''
  const secret = data?.totp.secret ?? ''
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: id, code: totpCode(secret) })
  if (error) throw error
  return { id, secret }
}

describe('a link for a new password', () => {
  it('a link for a new password is refused after a change of e-mail address and password', async () => {
    const { client } = await signUpConfirmed()
    const letter = await requestRecovery()
    await moveTo(client, email, `moved${personCount}@example.com`)
    expect((await client.auth.updateUser({ password: 'a better staple' })).error).toBeNull()
    await expectRefused(letter)
  })

  const changes: [string, (client: ReturnType<typeof testClient>, user: { id: string }) => Promise<unknown>][] = [
    ['of the address', (client) => moveTo(client, email, `moved${personCount}@example.com`)],
    [
      'of the password',
      async (client) => expect((await client.auth.updateUser({ password: 'a better staple' })).error).toBeNull(),
    ],
    ['of the factors, by adding the first one', addVerifiedFactor],
    [
      'by the operator, whose reset link is used',
      async () => {
        const link = await resetPassword(operator, email)
        const recoveredClient = testClient(server)
        await clickLink(recoveredClient, { links: [link] })
        expect((await recoveredClient.auth.updateUser({ password: 'a better staple' })).error).toBeNull()
      },
    ],
    ['by the operator, who blocks it', () => setAccountBlocked(operator, email, true)],
    [
      'in the database itself',
      (_, { id }) => query(server, `update auth.users set encrypted_password = 'x' where id = $1`, id),
    ],
  ]
  it.each(changes)('a link for a new password is refused after a change %s', async (_, change) => {
    const { client, user } = await signUpConfirmed()
    const letter = await requestRecovery()
    await change(client, user)
    await expectRefused(letter)
    expect(await query(server, 'select from auth.one_time_tokens where user_id = $1', user.id)).toEqual([])
  })

  it('a link for a new password is refused after a factor or recovery codes were added, used or removed', async () => {
    const { client, user } = await signUpConfirmed()
    const { id, secret } = await addVerifiedFactor(client)
    const storedTokens = () => query(server, 'select from auth.one_time_tokens where user_id = $1', user.id)
    const requestLink = async () => {
      const letter = await requestRecovery()
      expect(await storedTokens()).toHaveLength(1)
      return letter
    }
    const token = async () => (await client.auth.getSession()).data.session?.access_token ?? ''

    let letter = await requestLink()
    const creation = await authRequest(server, '/factors/recovery-codes', { token: await token(), body: {} })
    await expectRefused(letter)
    letter = await requestLink()
    const newCodes = await authRequest(server, '/factors/recovery-codes/regenerate', { token: await token(), body: {} })
    expect([creation.status, newCodes.status]).toEqual([200, 200])
    await expectRefused(letter)

    letter = await requestLink()
    const passwordOnlyClient = testClient(server)
    const { data } = await passwordOnlyClient.auth.signInWithPassword({ email, password: knownPassword })
    const [code] = newCodes.body.codes as string[]
    const spent = await authRequest(server, '/factors/recovery-codes/verify', {
      token: data.session?.access_token ?? '',
      body: { code },
    })
    expect(spent.status).toBe(200)
    await expectRefused(letter)

    letter = await requestLink()
    const removal = await authRequest(server, '/factors/recovery-codes', { token: await token(), method: 'DELETE' })
    expect(removal.status).toBe(200)
    await expectRefused(letter)

    letter = await requestLink()
    expect((await client.auth.mfa.unenroll({ factorId: id })).error).toBeNull()
    await expectRefused(letter)

    expect(secret).not.toBe('')
    await client.auth.refreshSession()
    await addVerifiedFactor(client)
    letter = await requestLink()
    await deleteFactors(operator, email, undefined)
    await expectRefused(letter)
  })
})

describe('a one-time token', () => {
  it.each([
    ['the e-mail address becomes verified', `update auth.users set email_confirmed_at = now() where id = $1`],
    [
      'a factor is inserted that is already verified',
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
    ],
    [
      'a recovery code is inserted',
      `with factor as (
         insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
         values (gen_random_uuid(), $1, 'recovery_code', 'unverified', now(), now()) returning id
       ) insert into auth.mfa_recovery_codes (factor_id, code_hash) select id, 'x' from factor`,
    ],
  ])('a one-time token is deleted after a change in the database: %s', async (_what, change) => {
    const id = crypto.randomUUID()
    await query(server, 'insert into auth.users (id, email) values ($1, $2)', id, email)
    await query(
      server,
      `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, expires_at, made_for)
       values (gen_random_uuid(), $1, 'confirmation_token', 'x', $2, now() + interval '1 hour', auth.credentials_digest($1))`,
      id,
      email,
    )
    await query(server, change, id)
    expect(await query(server, 'select from auth.one_time_tokens where user_id = $1', id)).toEqual([])
  })
})

describe('other one-time links and codes, after a change of the account', () => {
  it('a link to confirm an address is refused after the address was verified in another way', async () => {
    await signUp('of the stranger')
    const letter = await mail.next(email, /Confirm your email/)
    const owner = testClient(server)
    await clickLink(owner, await requestRecovery())
    expect((await owner.auth.updateUser({ password: 'of the owner' })).error).toBeNull()
    await expectRefused(letter)
  })

  it('both links of a change of address are refused after a new password, and the requested change is gone', async () => {
    const { client } = await signUpConfirmed()
    const newAddress = `wanted${personCount}@example.com`
    await client.auth.updateUser({ email: newAddress })
    const letters = [await mail.next(email, /Confirm the change/), await mail.next(newAddress, /Confirm your new/)]
    const { data } = await client.auth.updateUser({ password: 'a better staple' })
    expect(data.user).not.toHaveProperty('new_email')
    for (const letter of letters) await expectRefused(letter)
    await client.auth.resend({ type: 'email_change', email })
    expect(await query(server, `select from auth.one_time_tokens where relates_to = $1`, newAddress)).toEqual([])
  })

  it('a change of address that only one of the two addresses has confirmed cannot be completed after a new password', async () => {
    const { client } = await signUpConfirmed()
    const newAddress = `wanted${personCount}@example.com`
    await client.auth.updateUser({ email: newAddress })
    await clickLink(testClient(server), await mail.next(email, /Confirm the change/))
    const second = await mail.next(newAddress, /Confirm your new/)
    await client.auth.updateUser({ password: 'a better staple' })
    await expectRefused(second)
    expect((await client.auth.getUser()).data.user?.email).toBe(email)
  })

  it('a mailed code is refused after a new password', async () => {
    const { client } = await signUpConfirmed()
    await client.auth.reauthenticate()
    const nonce = /\b\d{6}\b/.exec((await mail.next(email, /confirmation code/)).text)?.[0] ?? ''
    expect(nonce).toHaveLength(6)
    await client.auth.updateUser({ password: 'a better staple' })
    const { error } = await client.auth.updateUser({ password: 'one more staple', nonce })
    expect(error?.code).toBe('reauthentication_not_valid')
  })
})

describe('a token whose row still exists', () => {
  /** Changes the account without the triggers that delete its tokens, so that only the digest in a token's row can refuse the token. */
  async function changeSilently(userId: string, column: 'email' | 'encrypted_password', value: string) {
    const client = await server.database!.owner.connect()
    try {
      await client.query(`set session_replication_role = 'replica'`)
      await client.query(`update auth.users set ${column} = $2 where id = $1`, [userId, value])
    } finally {
      await client.query(`set session_replication_role = 'origin'`)
      client.release()
    }
  }

  it.each([['email'], ['encrypted_password']] as const)(
    'a one-time token whose row still exists is refused if %s has changed',
    async (column) => {
      const { client, user } = await signUpConfirmed()
      const recovery = await requestRecovery()
      await client.auth.reauthenticate()
      const nonce = /\b\d{6}\b/.exec((await mail.next(email, /confirmation code/)).text)?.[0] ?? ''
      const newAddress = `wanted${personCount}@example.com`
      await client.auth.updateUser({ email: newAddress })
      const letters = [await mail.next(email, /Confirm the change/), await mail.next(newAddress, /Confirm your new/)]
      await changeSilently(user.id, column, column === 'email' ? `silent${personCount}@example.com` : 'x')
      for (const letter of [recovery, ...letters]) await expectRefused(letter)
      const { error } = await client.auth.updateUser({ password: 'one more staple', nonce })
      expect(error?.code).toBe('reauthentication_not_valid')
      expect(await query(server, 'select from auth.one_time_tokens where user_id = $1', user.id)).toHaveLength(4)
    },
  )

  it('a one-time token whose row still exists is refused if it confirms an address and the password has changed', async () => {
    const { data } = await signUp()
    const letter = await mail.next(email, /Confirm your email/)
    await changeSilently(data.user?.id ?? '', 'encrypted_password', 'x')
    await expectRefused(letter)
  })

  it('a one-time token has a digest without the address, the password or its hash', async () => {
    const { user } = await signUpConfirmed()
    await requestRecovery()
    const [row] = await query<{ made_for: string; hash: string }>(
      server,
      `select t.made_for, u.encrypted_password as hash from auth.one_time_tokens t join auth.users u on u.id = t.user_id
       where u.id = $1`,
      user.id,
    )
    expect(row?.made_for).toMatch(/^[\w+/]{43}=$/)
    expect(row?.hash).not.toContain(row?.made_for)
  })

  // 'replica': no trigger deletes the token, so only the digest decides.
  it.each([['origin'], ['replica']])(
    'a one-time token is refused when a simultaneous change of the account commits first (session_replication_role %s)',
    async (role) => {
      const { client, user } = await signUpConfirmed()
      const letter = await requestRecovery()
      const { tokenHash } = mailedLink(letter)
      const changingClient = await server.database!.owner.connect()
      await changingClient.query('begin')
      await changingClient.query(`set local session_replication_role = '${role}'`)
      await changingClient.query(`update auth.users set encrypted_password = 'x' where id = $1`, [user.id])
      const click = authRequest(server, '/verify', { body: { token_hash: tokenHash, type: 'recovery' } })
      await new Promise((resolve) => setTimeout(resolve, 200))
      await changingClient.query('commit')
      changingClient.release()
      expect(refusalOf(await click)).toEqual([403, 'otp_expired'])
      expect((await client.auth.getUser()).error).toBeNull()
    },
  )
})

it('an accepted invitation link is refused, whatever address and password the person has since', async () => {
  const { client: owner } = await signUpConfirmed()
  const brand = crypto.randomUUID()
  await owner.from('brands').insert({ id: brand, name: 'Acme' })
  email = `guest${personCount}@example.com`
  await owner.rpc('invite_member', { p_brand_id: brand, p_email: email })
  const letter = await mail.next(email, /invited/)
  const guest = testClient(server)
  expect((await clickLink(guest, letter)).error).toBeNull()
  expect((await guest.auth.updateUser({ password: 'a horse of my own' })).error).toBeNull()
  await expectRefused(letter)
  await moveTo(guest, email, `moved-guest${personCount}@example.com`)
  await expectRefused(letter)
})
