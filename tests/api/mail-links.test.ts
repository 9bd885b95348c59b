import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { testClient } from '../harness/client.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { linkParameters, clickLink, mailedLink } from '../harness/mailed-link.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

/** Repeats an expectation for up to 15 s, which is long enough on a busy machine. */
const eventually = <T>(work: () => Promise<T>) => expect.poll(work, { timeout: 15_000 })

const expiredRefusal = [403, 'otp_expired']

let mail: MailServer
let server: TestServer

beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ env: { SMTP_URL: mail.url } })
})
afterAll(async () => {
  await server.stop()
  await mail.stop()
})

const signUp = (email: string, password = 'correct horse') =>
  testClient(server).auth.signUp({ email, password, options: { emailRedirectTo: `${server.url}/select-brand` } })
const signIn = (email: string, password = 'correct horse') =>
  testClient(server).auth.signInWithPassword({ email, password })

/** Signs up a person and confirms the e-mail address; the client is signed in. */
async function signUpConfirmed(email: string) {
  await signUp(email)
  const client = testClient(server)
  const { data, error } = await clickLink(client, await mail.next(email))
  if (error || !data.session) throw error ?? new Error('no session')
  return { client, session: data.session }
}

const expireLinks = () => server.database?.owner.query(`update auth.one_time_tokens set expires_at = now()`)
const verify = (token: string, type: string) => authRequest(server, '/verify', { body: { token_hash: token, type } })

describe('a sign-up that has to be confirmed by a link', () => {
  it('a sign-up that has to be confirmed by a link starts no session until the link is clicked, and then signs in', async () => {
    const { data } = await signUp('ana@example.com')
    expect(data.session).toBeNull()
    expect(data.user).toMatchObject({ email: 'ana@example.com' })
    expect((await signIn('ana@example.com')).error?.code).toBe('email_not_confirmed')

    const letter = await mail.next('ana@example.com')
    expect(letter.subject).toBe('Confirm your email address')
    const { address, tokenHash } = mailedLink(letter)
    expect(address.origin + address.pathname + address.search).toBe(`${server.url}/auth/confirm`)
    expect(linkParameters(address.href).get('next')).toBe('/select-brand')
    expect(letter.html).toContain(tokenHash)

    const { data: clicked, error } = await clickLink(testClient(server), letter)
    expect(error).toBeNull()
    expect(clicked.session?.user).toMatchObject({
      email: 'ana@example.com',
      email_confirmed_at: expect.any(String),
      identities: [{ identity_data: { email_verified: true } }],
    })
    expect(decodeJwt(clicked.session?.access_token ?? '')).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }] })
    expect((await signIn('ana@example.com')).error).toBeNull()
  })

  it('a sign-up that has to be confirmed by a link uses up the link at the first click, not when its page is opened', async () => {
    await signUp('once@example.com')
    const letter = await mail.next('once@example.com')
    const { tokenHash } = mailedLink(letter)
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(`${server.url}/auth/v1/verify?token_hash=${tokenHash}&type=signup`, {
        method,
        headers: { apikey: server.publishableKey },
      })
      expect(response.status).toBe(405)
    }
    const clicks = await Promise.all(Array.from({ length: 20 }, () => verify(tokenHash, 'signup')))
    expect(clicks.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(clicks.filter(({ status }) => status === 403)).toHaveLength(19)
    expect(refusalOf(await verify(tokenHash, 'signup'))).toEqual(expiredRefusal)
  })

  it('a sign-up that has to be confirmed by a link refuses an expired link, a link of another kind, and a link that this server has not made', async () => {
    await signUp('late@example.com')
    const { tokenHash } = mailedLink(await mail.next('late@example.com'))
    expect(refusalOf(await verify(tokenHash, 'recovery'))).toEqual(expiredRefusal)
    expect(refusalOf(await verify(tokenHash, 'invite'))).toEqual(expiredRefusal)
    expect(refusalOf(await verify('A'.repeat(64), 'signup'))).toEqual(expiredRefusal)
    expect(refusalOf(await verify('x', 'signup'))).toEqual(expiredRefusal)
    expect(refusalOf(await verify(tokenHash, 'magiclink'))).toEqual([400, 'validation_failed'])
    const byCode = { email: 'late@example.com', token: '123456', type: 'email' }
    expect(refusalOf(await authRequest(server, '/verify', { body: byCode }))).toEqual(expiredRefusal)
    await expireLinks()
    expect(refusalOf(await verify(tokenHash, 'signup'))).toEqual(expiredRefusal)

    await testClient(server).auth.resend({ type: 'signup', email: 'late@example.com' })
    expect((await clickLink(testClient(server), await mail.next('late@example.com'))).data.session).not.toBeNull()
  })

  it('a sign-up that has to be confirmed by a link stores nothing in the database that could be used to sign in', async () => {
    await signUp('rest@example.com')
    const { tokenHash } = mailedLink(await mail.next('rest@example.com'))
    const { rows } = (await server.database?.owner.query(
      `select (select string_agg(t::text, ' ') from auth.one_time_tokens t) || coalesce((select string_agg(m::text, ' ') from private.mail_outbox m), '') as all`,
    )) ?? { rows: [] }
    expect(rows[0].all).toContain('rest@example.com')
    expect(rows[0].all).not.toContain(tokenHash)
    expect(rows[0].all).not.toContain(tokenHash.slice(22))
  })

  it('a sign-up that has to be confirmed by a link reveals only in the mail that an address has an account', async () => {
    await signUpConfirmed('known@example.com')
    const signUpOfKnown = await signUp('known@example.com', 'another one')
    const signUpOfNew = await signUp('fresh@example.com')
    expect(signUpOfKnown.error).toBeNull()
    expect(Object.keys(signUpOfKnown.data.user ?? {})).toEqual(Object.keys(signUpOfNew.data.user ?? {}))
    expect((await mail.next('known@example.com')).subject).toBe('You have an account already')
    expect((await signIn('known@example.com', 'another one')).error?.code).toBe('invalid_credentials')
    expect((await signIn('known@example.com')).error).toBeNull()
  })

  it('a sign-up that has to be confirmed by a link sets the password of the sign-up whose link is opened, if several people signed up with the address', async () => {
    await signUp('victim@example.com', 'of the stranger')
    await mail.next('victim@example.com')
    await signUp('victim@example.com', 'of the owner')
    expect((await clickLink(testClient(server), await mail.next('victim@example.com'))).error).toBeNull()
    expect((await signIn('victim@example.com', 'of the owner')).error).toBeNull()
    expect((await signIn('victim@example.com', 'of the stranger')).error?.code).toBe('invalid_credentials')
  })

  it('a sign-up that has to be confirmed by a link says in the mail if it was not the first one with the address', async () => {
    await signUp('twice@example.com', 'of the owner')
    expect((await mail.next('twice@example.com')).text).not.toContain('again')
    await signUp('twice@example.com', 'of the stranger')
    const { subject, text } = await mail.next('twice@example.com')
    expect(subject).toBe('Confirm your email address')
    expect(text).toContain('Somebody signed up with this email address again.')
  })

  it('a confirmation link that is requested again sets no stranger’s password: after several sign-ups it leads to a new password', async () => {
    const resend = () => testClient(server).auth.resend({ type: 'signup', email: 'waits@example.com' })
    await signUp('waits@example.com', 'of the owner')
    await mail.next('waits@example.com')
    await resend()
    expect(linkParameters(mailedLink(await mail.next('waits@example.com')).address.href).get('type')).toBe('signup')
    await signUp('waits@example.com', 'of the stranger')
    await mail.next('waits@example.com')
    await resend()
    const letter = await mail.next('waits@example.com')
    expect(letter.subject).toBe('Confirm your email address')
    expect(linkParameters(mailedLink(letter).address.href).get('type')).toBe('recovery')
    const client = testClient(server)
    const { data, error } = await clickLink(client, letter)
    expect([error, data.user?.email_confirmed_at]).toEqual([null, expect.any(String)])
    for (const password of ['of the owner', 'of the stranger'])
      expect((await signIn('waits@example.com', password)).error?.code).toBe('invalid_credentials')
    expect((await client.auth.updateUser({ password: 'a better staple' })).error).toBeNull()
    expect((await signIn('waits@example.com', 'a better staple')).error).toBeNull()
  })

  it('a confirmation link that is requested again leads to a new password if the token of the sign-up is gone', async () => {
    await signUp('gone@example.com', 'of somebody')
    await mail.next('gone@example.com')
    await server.database?.owner.query(`delete from auth.one_time_tokens where relates_to = 'gone@example.com'`)
    await testClient(server).auth.resend({ type: 'signup', email: 'gone@example.com' })
    const letter = await mail.next('gone@example.com')
    expect(linkParameters(mailedLink(letter).address.href).get('type')).toBe('recovery')
    expect((await clickLink(testClient(server), letter)).error).toBeNull()
    expect((await signIn('gone@example.com', 'of somebody')).error?.code).toBe('invalid_credentials')
  })

  it('a request for another confirmation link of a confirmed address sends a mail that the address has an account, and how to sign in', async () => {
    await signUpConfirmed('done@example.com')
    const resend = (email: string) => authRequest(server, '/resend', { body: { type: 'signup', email } })
    const [ofConfirmed, ofUnknown] = [await resend('done@example.com'), await resend('unknown@example.com')]
    expect([ofConfirmed.status, ofConfirmed.body]).toEqual([ofUnknown.status, ofUnknown.body])
    const letter = await mail.next('done@example.com')
    expect(letter.subject).toBe('You have an account already')
    expect(letter.text).toContain(`${server.url}/auth`)
    expect(letter.text).not.toContain('token_hash')
    await eventually(waitingMailCount).toBe(0)
    expect(mail.mails.map(({ to }) => String(to))).not.toContain('unknown@example.com')
  })

  it('a sign-up that has to be confirmed by a link redirects to pages of this app only', async () => {
    for (const [index, target] of [
      'https://evil.example/x',
      '//evil.example',
      `${server.url}@evil.example/`,
    ].entries()) {
      const email = `open${index}@example.com`
      await testClient(server).auth.signUp({ email, password: 's@cret1', options: { emailRedirectTo: target } })
      const { address } = mailedLink(await mail.next(email))
      expect(address.origin).toBe(server.url)
      expect(linkParameters(address.href).get('next')).toBe('/')
    }
  })
})

describe('the reset of a forgotten password', () => {
  it('the reset of a forgotten password works by a link, once; the existing sessions end', async () => {
    const before = await signUpConfirmed('forgot@example.com')
    const client = testClient(server)
    const { error } = await client.auth.resetPasswordForEmail('Forgot@example.com ', {
      redirectTo: `${server.url}/auth/new-password`,
    })
    expect(error).toBeNull()
    const letter = await mail.next('forgot@example.com', /new password/)
    expect(linkParameters(mailedLink(letter).address.href).get('next')).toBe('/auth/new-password')
    const events: string[] = []
    client.auth.onAuthStateChange((event) => void events.push(event))
    const { data } = await clickLink(client, letter)
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ amr: [{ method: 'recovery' }] })
    expect(events).toContain('PASSWORD_RECOVERY')
    expect((await client.auth.updateUser({ password: 'the new horse' })).error).toBeNull()
    expect((await signIn('forgot@example.com', 'the new horse')).error).toBeNull()
    expect((await signIn('forgot@example.com')).error?.code).toBe('invalid_credentials')
    expect((await before.client.auth.getUser()).error).not.toBeNull()
    expect((await clickLink(testClient(server), letter)).error?.code).toBe('otp_expired')
  })

  it('the reset of a forgotten password gets the same response for an unknown address, and sends no mail', async () => {
    await signUpConfirmed('real@example.com')
    const responses = await Promise.all(
      ['real@example.com', 'unreal@example.com'].map((email) => authRequest(server, '/recover', { body: { email } })),
    )
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [200, {}],
      [200, {}],
    ])
    await mail.next('real@example.com', /new password/)
    await eventually(waitingMailCount).toBe(0)
    expect(mail.mails.filter(({ to }) => to.includes('unreal@example.com'))).toEqual([])
  })

  it('the reset of a forgotten password keeps the link of the account’s owner valid when strangers request links too', async () => {
    await signUpConfirmed('asked@example.com')
    const requestReset = () => testClient(server).auth.resetPasswordForEmail('asked@example.com')
    await requestReset()
    const letterToOwner = await mail.next('asked@example.com', /new password/)
    await requestReset()
    const laterLetter = await mail.next('asked@example.com', /new password/)
    expect((await clickLink(testClient(server), letterToOwner)).error).toBeNull()
    expect((await clickLink(testClient(server), laterLetter)).error?.code).toBe('otp_expired')
  })

  it('the reset of a forgotten password removes the password and sessions of a stranger who signed up with the unconfirmed address', async () => {
    await signUp('squat@example.com', 'of the stranger')
    await testClient(server).auth.resetPasswordForEmail('squat@example.com')
    expect((await clickLink(testClient(server), await mail.next('squat@example.com', /new password/))).error).toBeNull()
    expect((await signIn('squat@example.com', 'of the stranger')).error?.code).toBe('invalid_credentials')
  })
})

describe('a change of the e-mail address', () => {
  it('a change of the e-mail address takes effect when both addresses have confirmed it, in either order', async () => {
    for (const order of [/Confirm the change/, /Confirm your new/]) {
      const [from, to] = order.source.includes('change')
        ? ['a@example.com', 'b@example.com']
        : ['c@example.com', 'd@example.com']
      const { client } = await signUpConfirmed(from)
      const { data } = await client.auth.updateUser({ email: to })
      expect(data.user).toMatchObject({ email: from, new_email: to })
      const letters = [await mail.next(from, /Confirm the change/), await mail.next(to, /Confirm your new/)] as const
      const [first, second] = letters[0].subject.match(order) ? letters : [letters[1], letters[0]]
      const firstClick = await clickLink(testClient(server), first)
      expect(firstClick).toEqual({ error: null, data: { session: null, user: null } })
      expect((await client.auth.getUser()).data.user?.email).toBe(from)
      expect((await clickLink(testClient(server), first)).error?.code).toBe('otp_expired')
      const secondClick = await clickLink(testClient(server), second)
      expect(secondClick.data.session?.user.email).toBe(to)
      expect(secondClick.data.user).not.toHaveProperty('new_email')
      expect((await mail.next(from, /was changed/)).text).toContain(to)
      expect((await signIn(to)).error).toBeNull()
      expect((await signIn(from)).error?.code).toBe('invalid_credentials')
    }
  })

  it('a change of the e-mail address invalidates the links of an earlier request, and refuses an address that another account has got meanwhile', async () => {
    const { client } = await signUpConfirmed('e@example.com')
    await client.auth.updateUser({ email: 'f@example.com' })
    const invalidLetter = await mail.next('f@example.com')
    await mail.next('e@example.com')
    await client.auth.updateUser({ email: 'g@example.com' })
    expect((await clickLink(testClient(server), invalidLetter)).error?.code).toBe('otp_expired')
    expect((await client.auth.updateUser({ email: 'ana@example.com' })).error?.code).toBe('email_exists')

    expect((await clickLink(testClient(server), await mail.next('e@example.com'))).error).toBeNull()
    const lateLetter = await mail.next('g@example.com')
    await signUpConfirmed('g@example.com')
    expect((await clickLink(testClient(server), lateLetter)).error?.code).toBe('email_exists')
    expect((await client.auth.getUser()).data.user?.email).toBe('e@example.com')
  })

  it('a change of the e-mail address can be mailed again to the address that has not confirmed it yet', async () => {
    const { client } = await signUpConfirmed('h@example.com')
    await client.auth.updateUser({ email: 'i@example.com' })
    await clickLink(testClient(server), await mail.next('h@example.com'))
    await mail.next('i@example.com')
    expect((await client.auth.resend({ type: 'email_change', email: 'h@example.com' })).error).toBeNull()
    const click = await clickLink(testClient(server), await mail.next('i@example.com'))
    expect(click.data.session?.user.email).toBe('i@example.com')
  })
})

describe('a requested change of the e-mail address that is canceled', () => {
  it('the current address cancels a requested change without a proof: both links are dead, and no link is mailed again', async () => {
    for (const opened of ['neither', 'one']) {
      const [from, to] = [`keeps-${opened}@example.com`, `typo-${opened}@example.com`]
      const { client } = await signUpConfirmed(from)
      await client.auth.updateUser({ email: to })
      const letters = [await mail.next(from, /Confirm the change/), await mail.next(to, /Confirm your new/)] as const
      if (opened === 'one') expect((await clickLink(testClient(server), letters[0])).error).toBeNull()
      await makeSignInOld(from)
      await client.auth.refreshSession()
      expect((await client.auth.updateUser({ email: 'other@example.com' })).error?.code).toBe(
        'current_password_required',
      )
      const { data, error } = await client.auth.updateUser({ email: from.toUpperCase() })
      expect([error, data.user?.email, data.user?.new_email]).toEqual([null, from, undefined])
      expect((await client.auth.getUser()).data.user).not.toHaveProperty('new_email')
      for (const letter of letters)
        expect((await clickLink(testClient(server), letter)).error?.code).toBe('otp_expired')
      await client.auth.resend({ type: 'email_change', email: from })
      expect(await tokensFor(to)).toBe(0)
      expect((await signIn(from)).error).toBeNull()
    }
  })

  it('a session without the second factor cannot cancel a requested change', async () => {
    const { client } = await signUpConfirmed('guarded@example.com')
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp' })
    if (!data) throw new Error('not enrolled')
    const code = totpCode(data.totp.secret)
    expect((await client.auth.mfa.challengeAndVerify({ factorId: data.id, code })).error).toBeNull()
    expect((await client.auth.updateUser({ email: 'wanted@example.com' })).error).toBeNull()
    const weak = testClient(server)
    await weak.auth.signInWithPassword({ email: 'guarded@example.com', password: 'correct horse' })
    const { error } = await weak.auth.updateUser({ email: 'guarded@example.com' })
    expect(error?.code).toBe('insufficient_aal')
    // A profile form that sends the unchanged address with other values cancels nothing, and is saved.
    const profile = { email: 'guarded@example.com', data: { display_name: 'Gus' } }
    expect((await weak.auth.updateUser(profile)).error).toBeNull()
    expect((await client.auth.getUser()).data.user).toMatchObject({ new_email: 'wanted@example.com' })
  })
})

describe('a feature that the server does not have', () => {
  it('a sign-in without a password, which the server does not have, is refused with a message', async () => {
    const client = testClient(server)
    expect((await client.auth.signInWithOtp({ email: 'ana@example.com' })).error?.code).toBe('otp_disabled')
    expect((await client.auth.signInWithOtp({ phone: '+441234' })).error?.code).toBe('phone_provider_disabled')
    expect((await client.auth.resend({ type: 'sms', phone: '+441234' })).error?.code).toBe('validation_failed')
  })
})

/** Makes the person's sign-ins too old to count as a proof. The next renewed token of a session shows it. */
const makeSignInOld = (email: string) =>
  server.database?.owner.query(
    `update auth.mfa_amr_claims c set updated_at = now() - interval '2 hours'
     from auth.sessions s join auth.users u on u.id = s.user_id where c.session_id = s.id and u.email = $1`,
    [email],
  )

async function tokensFor(email: string): Promise<number> {
  const tokens = await server.database?.owner.query('select from auth.one_time_tokens where relates_to = $1', [email])
  return tokens?.rowCount ?? -1
}

async function waitingMailCount(): Promise<number> {
  const mails = await server.database?.owner.query('select from private.mail_outbox')
  return mails?.rowCount ?? -1
}
