import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeEach(async () => {
  scene = await openScene()
})
afterEach(() => scene.drop())

const invite = async (by: Person, email: string | null, role = 'member') =>
  (await scene.as(by)<{ id: string | null }>('select invite_member($1, $2, $3) as id', [scene.acme, email, role]))
    .rows[0]?.id
const resend = (by: Person, id: unknown) => scene.as(by)('select resend_invitation($1, $2)', [scene.acme, id])
const withdraw = (by: Person, id: unknown) => scene.as(by)('select withdraw_invitation($1, $2)', [scene.acme, id])
const pendingInvitations = async () =>
  (await scene.as('ana')('select email, role, invited_by from invitations order by email')).rows
const outbox = async () => (await scene.owner.query('select * from private.mail_outbox order by id')).rows
const ageMailsByOneHour = () => scene.owner.query(`update invitations set sent_at = sent_at - interval '1 hour'`)
const roleOf = async (userId: string) =>
  (await scene.owner.query('select role from memberships where brand_id = $1 and user_id = $2', [scene.acme, userId]))
    .rows[0]?.role

/** Adds a user, whose e-mail address is confirmed unless `confirmed` is false. Returns the user's id. */
async function signUp(email: string, { confirmed = true } = {}): Promise<string> {
  const id = randomUUID()
  await scene.owner.query('insert into auth.users (id, email, email_confirmed_at) values ($1, $2, $3)', [
    id,
    email,
    confirmed ? new Date() : null,
  ])
  return id
}

describe('the right to invite', () => {
  it('the right to invite belongs to admins and owners; only owners can offer the role owner', async () => {
    expect(await refusalOf(invite('bo', 'new@example.com'))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(invite('gus', 'new@example.com'))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(invite('dee', 'new@example.com'))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(invite('eve', 'new@example.com'))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(invite('cy', 'new@example.com', 'owner'))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(invite('cy', 'new@example.com', 'king'))).toMatch(/^23514/)
    await invite('cy', ' New@Example.com ', 'admin')
    const chief = await invite('ana', 'chief@example.com', 'owner')
    expect(await refusalOf(invite('cy', 'chief@example.com', 'member'))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(resend('cy', chief))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(withdraw('cy', chief))).toBe('P0001 NOT_AUTHORIZED')
    expect(await pendingInvitations()).toEqual([
      { email: 'chief@example.com', role: 'owner', invited_by: scene.ids.ana },
      { email: 'new@example.com', role: 'admin', invited_by: scene.ids.cy },
    ])
  })

  it('the right to invite belongs to nobody if the server sends no mail and sign-up is open, or if the server has no settings', async () => {
    await scene.owner.query(`select private.on_server_settings('{"mail": false, "sign_up": "open"}')`)
    expect(await refusalOf(invite('ana', 'new@example.com'))).toBe('BY005 INVITATIONS_OFF')
    await scene.owner.query('delete from private.server_settings')
    expect(await refusalOf(invite('ana', 'new@example.com'))).toBe('BY005 INVITATIONS_OFF')
    const { rows } = await scene.as('bo')('select capabilities()')
    expect(rows[0]?.capabilities).toEqual({
      mail: false,
      invitations: false,
      invitation_links: true,
      sign_up: null,
      calendar: false,
    })
  })

  it.each([
    [{ mail: true, sign_up: 'open' }, true],
    [{ mail: false, sign_up: 'invited' }, true],
    [{ mail: true, sign_up: 'closed' }, false],
  ])('the right to invite with the server settings %j is reported as %s', async (settings, invitations) => {
    await scene.owner.query('select private.on_server_settings($1)', [JSON.stringify(settings)])
    const { rows } = await scene.as('bo')('select capabilities()')
    expect(rows[0]?.capabilities).toEqual({
      ...settings,
      invitations,
      invitation_links: settings.sign_up !== 'closed',
      calendar: false,
    })
  })

  it.each([null, '', '   ', 'x', 'a@b@c', 'a b@c.de', `${'a'.repeat(260)}@b.c`])(
    'the right to invite does not cover an invalid e-mail address such as %j',
    async (email) => {
      expect(await refusalOf(invite('ana', email))).toMatch(/^22023 Email is/)
    },
  )
})

describe('a pending invitation', () => {
  it('a pending invitation is mailed, with a link without a secret; the brand’s name is not turned into a link', async () => {
    await scene.as('ana')('update brands set name = $2 where id = $1', [scene.acme, 'Win at http://evil.example'])
    const id = await invite('ana', 'new@example.com')
    const [mail] = await outbox()
    expect(mail).toMatchObject({
      template: 'message',
      recipient: 'new@example.com',
      data: {
        link: { type: 'invite', id, next: '/select-brand', email: 'new@example.com' },
        button: expect.any(String),
      },
    })
    expect(JSON.stringify(mail.data)).not.toMatch(/http:\/\/|evil\.example/)
    expect(mail.data.subject).toMatch(/^ana invited you to Win at/)
  })

  it('a pending invitation is renewed, not duplicated, when the same address is invited again', async () => {
    const id = await invite('ana', 'new@example.com')
    await scene.owner.query(`update invitations set expires_at = now() - interval '1 day'`)
    expect(await invite('cy', 'NEW@example.com', 'admin')).toBe(id)
    const { rows } = await scene.as('ana')(
      `select role, expires_at > now() + interval '6 days' as fresh from invitations`,
    )
    expect(rows).toEqual([{ role: 'admin', fresh: true }])
  })

  it('the audit log has one line for each mail of a pending invitation, and for each other role', async () => {
    const id = await invite('cy', 'new@example.com')
    await invite('ana', 'new@example.com', 'owner')
    await invite('ana', 'new@example.com', 'owner')
    await ageMailsByOneHour()
    await resend('ana', id)
    await scene.as('ana')(`select make_invitation_link($1, 'new@example.com', 'admin')`, [scene.acme])
    expect(await refusalOf(invite('bo', 'new@example.com', 'owner'))).toBe('P0001 NOT_AUTHORIZED')
    await scene.as('cy')(`select make_invitation_link($1, 'link@example.com')`, [scene.acme])
    await invite('cy', 'link@example.com')
    const { rows } = await scene.as('ana')<{ event: string; who: string; detail: Record<string, string> }>(
      `select event, who, detail from audit_log($1) where event like 'invitation%' order by id`,
      [scene.acme],
    )
    const [email, other] = ['new@example.com', 'link@example.com']
    expect(rows).toEqual([
      { event: 'invitation_sent', who: 'cy', detail: { email, role: 'member' } },
      { event: 'invitation_role_changed', who: 'ana', detail: { email, from: 'member', to: 'owner' } },
      { event: 'invitation_sent_again', who: 'ana', detail: { email, role: 'owner' } },
      // The mails were aged by a statement of the test.
      { event: 'invitation_sent_again', who: null, detail: { email, role: 'owner' } },
      { event: 'invitation_sent_again', who: 'ana', detail: { email, role: 'owner' } },
      { event: 'invitation_link_made', who: 'ana', detail: { email, role: 'admin' } },
      { event: 'invitation_link_made', who: 'cy', detail: { email: other, role: 'member' } },
      { event: 'invitation_sent', who: 'cy', detail: { email: other, role: 'member' } },
    ])
  })

  it('a pending invitation is sent again, but not twice within a minute', async () => {
    const id = await invite('ana', 'new@example.com')
    expect(await refusalOf(resend('cy', id))).toMatch(/^PT429/)
    await ageMailsByOneHour()
    await resend('cy', id)
    expect(await outbox()).toHaveLength(2)
    expect(await refusalOf(resend('bo', id))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(resend('ana', randomUUID()))).toBe('BY006 NOT_FOUND')
  })

  it('a pending invitation ends when it is withdrawn', async () => {
    const id = await invite('ana', 'new@example.com')
    expect(await refusalOf(withdraw('bo', id))).toBe('P0001 NOT_AUTHORIZED')
    await withdraw('cy', id)
    expect(await pendingInvitations()).toEqual([])
    expect(await roleOf(await signUp('new@example.com'))).toBeUndefined()
    expect(await refusalOf(withdraw('cy', id))).toBe('BY006 NOT_FOUND')
  })

  it('pending invitations cannot be used to send mass mail, because one person may send 30 an hour', async () => {
    for (let nth = 0; nth < 30; nth++) await invite('ana', `p${nth}@example.com`)
    expect(await refusalOf(invite('ana', 'p30@example.com'))).toMatch(/^PT429/)
    await invite('cy', 'p30@example.com')
    await scene.owner.query(`update private.invitation_mails set at = at - interval '61 minutes'`)
    await invite('ana', 'p31@example.com')
  })

  it('a pending invitation is not needed for an e-mail address with an account, which becomes a member at once', async () => {
    expect(await invite('ana', 'gus@example.com', 'admin')).toBeNull()
    expect(await roleOf(scene.ids.gus)).toBe('admin')
    expect(await outbox()).toEqual([])
    expect(await refusalOf(invite('ana', 'bo@example.com'))).toBe('BY002 ALREADY_MEMBER')
  })

  it('a pending invitation is deleted with its brand', async () => {
    await invite('ana', 'new@example.com')
    await scene.as('ana')('delete from brands where id = $1', [scene.acme])
    expect(await roleOf(await signUp('new@example.com'))).toBeUndefined()
  })
})

describe('an invitation is accepted', () => {
  it('an invitation is accepted by signing up, in every inviting brand, with the offered role', async () => {
    await invite('ana', 'new@example.com', 'admin')
    await scene.as('eve')('select invite_member($1, $2)', [scene.umbra, 'new@example.com'])
    const id = await signUp('new@example.com')
    const { rows } = await scene.owner.query(
      'select brand_id, role, display_name, created_by from memberships where user_id = $1',
      [id],
    )
    expect(rows).toEqual(
      expect.arrayContaining([
        { brand_id: scene.acme, role: 'admin', display_name: 'new', created_by: scene.ids.ana },
        { brand_id: scene.umbra, role: 'member', display_name: 'new', created_by: scene.ids.eve },
      ]),
    )
    expect(rows).toHaveLength(2)
    expect(await pendingInvitations()).toEqual([])
  })

  it('an invitation is accepted only when the e-mail address is confirmed, and only by that address', async () => {
    await invite('ana', 'new@example.com')
    const otherUser = await signUp('other@example.com')
    const id = await signUp('new@example.com', { confirmed: false })
    expect([await roleOf(id), await roleOf(otherUser)]).toEqual([undefined, undefined])
    await scene.owner.query('update auth.users set email_confirmed_at = now() where id = $1', [id])
    expect([await roleOf(id), await roleOf(otherUser)]).toEqual(['member', undefined])
  })

  it('an invitation is accepted at the next sign-in of an existing account', async () => {
    await scene.owner.query(`insert into invitations (brand_id, email, role) values ($1, 'gus@example.com', 'admin')`, [
      scene.acme,
    ])
    const { rows } = await scene.as('gus')('select accept_invitations() as brands')
    expect(rows).toEqual([{ brands: [scene.acme] }])
    expect(await roleOf(scene.ids.gus)).toBe('admin')
    expect((await scene.as('gus')('select accept_invitations() as brands')).rows).toEqual([{ brands: [] }])
  })

  it('an invitation is accepted when the e-mail address of a confirmed account changes to the invited one', async () => {
    await invite('ana', 'new@example.com')
    await scene.owner.query(`update auth.users set email = 'new@example.com' where id = $1`, [scene.ids.gus])
    expect(await roleOf(scene.ids.gus)).toBe('member')
  })

  it('an invitation is accepted neither when it has expired nor by the caller of an ended session', async () => {
    await invite('ana', 'new@example.com')
    await scene.owner.query(`update invitations set expires_at = now() - interval '1 second'`)
    expect(await roleOf(await signUp('new@example.com'))).toBeUndefined()
    await scene.owner.query('delete from auth.sessions where user_id = $1', [scene.ids.gus])
    expect(await refusalOf(scene.as('gus')('select accept_invitations()'))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(scene.as('gus')('select capabilities()'))).toBe('P0001 NOT_AUTHORIZED')
  })

  it('an invitation is accepted without changing the role of a member', async () => {
    await scene.owner.query(`insert into invitations (brand_id, email, role) values ($1, 'bo@example.com', 'owner')`, [
      scene.acme,
    ])
    expect((await scene.as('bo')('select accept_invitations() as brands')).rows).toEqual([{ brands: [] }])
    expect(await roleOf(scene.ids.bo)).toBe('member')
  })

  it('an invitation is accepted once, if twenty calls accept it at the same time', async () => {
    await scene.owner.query(`insert into invitations (brand_id, email) values ($1, 'gus@example.com')`, [scene.acme])
    const results = await Promise.all(
      Array.from({ length: 20 }, () => scene.as('gus')<{ brands: string[] }>('select accept_invitations() as brands')),
    )
    expect(results.flatMap(({ rows }) => rows[0]?.brands ?? [])).toEqual([scene.acme])
  })
})

describe('the server’s query', () => {
  it('the server’s query about a sign-up, may_sign_up, says whether the e-mail address has an invitation that has not expired', async () => {
    const maySignUp = async (email: string) =>
      (await scene.owner.query('select private.may_sign_up($1) as may', [email])).rows[0].may
    await invite('ana', 'new@example.com')
    expect([await maySignUp('new@example.com'), await maySignUp('other@example.com')]).toEqual([true, false])
    await scene.owner.query(`update invitations set expires_at = now() - interval '1 second'`)
    expect(await maySignUp('new@example.com')).toBe(false)
  })
})
