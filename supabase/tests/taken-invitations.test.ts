import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeEach(async () => {
  scene = await openScene()
})
afterEach(() => scene.drop())

const setServerSettings = (value: object) =>
  scene.owner.query('select private.on_server_settings($1)', [JSON.stringify(value)])
const invite = async (by: Person, email: string, role = 'member') =>
  (await scene.as(by)<{ id: string }>('select invite_member($1, $2, $3) as id', [scene.acme, email, role])).rows[0]?.id
const roleOf = async (userId: string) =>
  (await scene.owner.query('select role from memberships where brand_id = $1 and user_id = $2', [scene.acme, userId]))
    .rows[0]?.role
const takeInvite = async (id: unknown, userId: string) =>
  (await scene.owner.query('select private.take_invite($1, $2) as brand', [id, userId])).rows[0].brand
const maySignUp = async (email: string) =>
  (await scene.owner.query('select private.may_sign_up($1) as may', [email])).rows[0].may
const pendingAddresses = async () =>
  (await scene.owner.query('select email from invitations where brand_id = $1 order by 1', [scene.acme])).rows.map(
    ({ email }) => email,
  )

async function signUp(email: string): Promise<string> {
  const id = randomUUID()
  await scene.owner.query('insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())', [id, email])
  return id
}

describe.each([
  { mail: false, sign_up: 'invited', proves_addresses: false },
  // A server without the setting proves_addresses does not verify addresses.
  { mail: true, sign_up: 'open' },
])('without verified e-mail addresses, with the settings %j,', (serverSettings) => {
  beforeEach(() => setServerSettings(serverSettings))

  it('an account with an unverified e-mail address does not become a member', async () => {
    await invite('ana', 'boss@example.com', 'owner')
    expect(await roleOf(await signUp('boss@example.com'))).toBeUndefined()
    await scene.owner.query(`delete from auth.users where email = 'boss@example.com'`)
    await scene.owner.query(`update auth.users set email = 'boss@example.com' where id = $1`, [scene.ids.gus])
    expect(await roleOf(scene.ids.gus)).toBeUndefined()
    expect((await scene.as('gus')('select accept_invitations() as brands')).rows).toEqual([{ brands: [] }])
    expect(await pendingAddresses()).toEqual(['boss@example.com'])
    expect(await maySignUp('boss@example.com')).toBe(false)
  })

  it('the link of an invitation makes the account of the invited e-mail address a member, once, and opens the brand', async () => {
    const id = await invite('ana', 'new@example.com', 'admin')
    expect(await takeInvite(id, scene.ids.gus)).toBeNull()
    const user = await signUp('new@example.com')
    expect(await takeInvite(id, user)).toBe(scene.acme)
    expect(await takeInvite(id, user)).toBeNull()
    expect(await roleOf(user)).toBe('admin')
    const { rows } = await scene.owner.query('select opened_at, created_by from memberships where user_id = $1', [user])
    expect(rows).toEqual([{ opened_at: expect.any(Date), created_by: scene.ids.ana }])
  })

  it('the link of an expired or unknown invitation makes nobody a member', async () => {
    const id = await invite('ana', 'new@example.com')
    const user = await signUp('new@example.com')
    await scene.owner.query(`update invitations set expires_at = now() - interval '1 second'`)
    expect(await takeInvite(id, user)).toBeNull()
    expect(await takeInvite(randomUUID(), user)).toBeNull()
    expect(await roleOf(user)).toBeUndefined()
  })
})

describe('with verified e-mail addresses', () => {
  it('an account with a verified e-mail address becomes a member who has not opened the brand; the link also opens it', async () => {
    await invite('ana', 'new@example.com')
    const user = await signUp('new@example.com')
    expect(await roleOf(user)).toBe('member')
    const openedAt = async (id: string) =>
      (await scene.owner.query('select opened_at from memberships where user_id = $1', [id])).rows[0].opened_at
    expect(await openedAt(user)).toBeNull()

    const id = await invite('ana', 'other@example.com')
    const client = await scene.owner.connect()
    const otherUser = randomUUID()
    try {
      await client.query('begin')
      await client.query('insert into auth.users (id, email) values ($1, $2)', [otherUser, 'other@example.com'])
      await client.query('update auth.users set email_confirmed_at = now() where id = $1', [otherUser])
      expect((await client.query('select private.take_invite($1, $2) as brand', [id, otherUser])).rows[0].brand).toBe(
        scene.acme,
      )
      await client.query('commit')
    } finally {
      client.release()
    }
    expect(await openedAt(otherUser)).toBeInstanceOf(Date)
    expect(await pendingAddresses()).toEqual([])
  })

  it('an account with a verified e-mail address also becomes a member on Supabase, where the database has no server settings', async () => {
    await invite('ana', 'new@example.com')
    await scene.owner.query('delete from private.server_settings')
    expect(await maySignUp('new@example.com')).toBe(true)
    expect(await roleOf(await signUp('new@example.com'))).toBe('member')
  })
})

describe('an invitation ends with the right of its inviter to invite', () => {
  const withdrawn = async () =>
    (
      await scene.as('ana')(
        `select detail ->> 'email' as email from audit_log($1) where event = 'invitation_withdrawn' order by 1`,
        [scene.acme],
      )
    ).rows.map(({ email }) => email)
  const membership = () => [scene.acme, scene.ids.cy]

  it.each([
    ['is removed', () => scene.as('ana')('delete from memberships where brand_id = $1 and user_id = $2', membership())],
    ['leaves', () => scene.as('cy')('delete from memberships where brand_id = $1 and user_id = $2', membership())],
    [
      'is demoted',
      () =>
        scene.as('ana')(`update memberships set role = 'member' where brand_id = $1 and user_id = $2`, membership()),
    ],
    ['loses the account', () => scene.owner.query('delete from auth.users where id = $1', [scene.ids.cy])],
  ])('an invitation ends when the inviter %s', async (_how, endRight) => {
    const id = await invite('cy', 'friend@example.com', 'admin')
    await invite('ana', 'kept@example.com')
    await endRight()
    expect(await pendingAddresses()).toEqual(['kept@example.com'])
    expect(await withdrawn()).toEqual(['friend@example.com'])
    expect(await roleOf(await signUp('friend@example.com'))).toBeUndefined()
    expect((await scene.owner.query('select private.address_of_invite($1) as email', [id])).rows[0].email).toBeNull()
  })

  it('of the invitations of an owner who becomes admin, those that an admin may send stay valid', async () => {
    await invite('ana', 'chief@example.com', 'owner')
    await invite('ana', 'clerk@example.com', 'member')
    await scene.as('ana')('select hand_over_brand($1, $2)', [scene.acme, scene.ids.bo])
    expect(await pendingAddresses()).toEqual(['clerk@example.com'])
  })

  it('an invitation that was sent while its inviter was removed, so that its row still exists, has no effect', async () => {
    await scene.owner.query(
      `insert into invitations (brand_id, email, invited_by) values ($1, 'late@example.com', $2)`,
      [scene.acme, scene.ids.dee],
    )
    expect(await maySignUp('late@example.com')).toBe(false)
    expect(await roleOf(await signUp('late@example.com'))).toBeUndefined()
  })
})

it('an invitation of an e-mail address with an invisible character is refused', async () => {
  for (const hidden of ['\u200b', '\u202e', '\u00ad', '\ufeff', '\u{e0041}', '\u2063', '\u034f'])
    expect(await refusalOf(invite('ana', `own${hidden}er@example.com`))).toBe(
      '22023 The email has an invisible character in it. Type it again by hand.',
    )
})

it('an older invitation of an e-mail address with an invisible character can be sent again, a new one is refused', async () => {
  const id = await invite('ana', 'new@example.com')
  const client = await scene.owner.connect()
  try {
    await client.query(`set session_replication_role = 'replica'`)
    await client.query(
      `update invitations set email = U&'n\\200Bew@example.com', sent_at = now() - interval '1 hour' where id = $1`,
      [id],
    )
    await client.query('reset session_replication_role')
  } finally {
    client.release()
  }
  await scene.as('ana')('select resend_invitation($1, $2)', [scene.acme, id])
  const service = scene.as('service')
  const insert = service(`insert into invitations (brand_id, email) values ($1, U&'z\\200Boe@example.com')`, [
    scene.acme,
  ])
  expect(await refusalOf(insert)).toMatch(/^22023/)
})

it('the mail of a withdrawn invitation is found by an index', async () => {
  const id = await invite('ana', 'new@example.com')
  await scene.owner.query(`
    insert into private.mail_outbox (template, recipient, data)
    select 'message', 'x@example.com', jsonb_build_object('link', jsonb_build_object('type', 'invite', 'id', gen_random_uuid()))
    from generate_series(1, 3000)`)
  await scene.owner.query('analyze private.mail_outbox')
  const client = await scene.owner.connect()
  try {
    await client.query('begin')
    await client.query('delete from invitations where id = $1', [id])
    const { rows } = await client.query(
      `select pg_stat_get_xact_tuples_returned('private.mail_outbox'::regclass)::integer as read`,
    )
    expect(rows[0].read).toBeLessThan(10)
    await client.query('commit')
  } finally {
    client.release()
  }
  const { rows } = await scene.owner.query(`select from private.mail_outbox where recipient = 'new@example.com'`)
  expect(rows).toHaveLength(0)
})
