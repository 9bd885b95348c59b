import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeEach(async () => {
  scene = await openScene()
  // Like the bundled server without mail: anybody can sign up, and e-mail addresses are not verified.
  await setServerSettings({ mail: false, sign_up: 'open', proves_addresses: false })
})
afterEach(() => scene.drop())

const setServerSettings = (value: object) =>
  scene.owner.query('select private.on_server_settings($1)', [JSON.stringify(value)])

/** Runs a statement as a person whose token contains their e-mail address, like tokens of the bundled server and of Supabase. */
async function queryAs<Row>(
  person: 'ana' | 'bo' | 'cy' | 'gus',
  text: string,
  values: unknown[],
): Promise<Row | undefined> {
  const client = await scene.owner.connect()
  try {
    await client.query('begin')
    const id = scene.ids[person]
    const { rows } = await client.query('select email from auth.users where id = $1', [id])
    const claims = { role: 'authenticated', sub: id, session_id: id, email: rows[0].email }
    await client.query(`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify(claims),
    ])
    const result = await client.query(text, values)
    await client.query('commit')
    return result.rows[0]
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const makeLinkSql = 'select make_invitation_link($1, $2, $3) as token'
const makeLink = async (by: 'ana' | 'bo' | 'cy', email: string, role = 'member') =>
  (await queryAs<{ token: string | null }>(by, makeLinkSql, [scene.acme, email, role]))?.token ?? ''
const refusalToMake = (by: Person, role = 'member') =>
  refusalOf(scene.as(by)(makeLinkSql, [scene.acme, 'new@example.com', role]))
const accept = async (person: 'bo' | 'gus', token: string) =>
  (await queryAs<{ brand: string }>(person, 'select accept_invitation_link($1) as brand', [token]))?.brand
/** Tries to accept a link. Returns the name and the detail of the error, or 'accepted'. */
const resultOfAccept = (person: 'bo' | 'gus', token: string) =>
  accept(person, token).then(
    () => 'accepted',
    ({ message, detail }: { message: string; detail: string }) => `${message} ${detail}`,
  )
const readLink = async (token: string) =>
  (await scene.owner.query('select private.read_invitation_link($1) as link', [token])).rows[0].link
const membershipOfGus = async () =>
  (
    await scene.owner.query('select role, opened_at from memberships where brand_id = $1 and user_id = $2', [
      scene.acme,
      scene.ids.gus,
    ])
  ).rows[0]
/** Gives the account of Gus the invited e-mail address, as if he had signed up with it. */
const giveGusInvitedAddress = () =>
  scene.owner.query(`update auth.users set email = 'new@example.com' where id = $1`, [scene.ids.gus])
const withdraw = () =>
  queryAs('ana', 'select withdraw_invitation(brand_id, id) from invitations where brand_id = $1', [scene.acme])
const auditLines = async () =>
  (
    await scene.as('ana')<{ event: string; detail: Record<string, string> }>(
      `select event, detail from audit_log($1) where event like 'invitation%' or event = 'member_joined' and user_id <> $2 order by at`,
      [scene.acme, scene.ids.ana],
    )
  ).rows.map(({ event, detail }) => `${event} ${detail.email ?? detail.name} ${detail.role ?? ''}`.trim())

it('an invitation link is created by admins and owners, for roles that they may give, unless nobody can sign up', async () => {
  for (const person of ['bo', 'gus', 'dee', 'eve'] as const)
    expect(await refusalToMake(person)).toBe('P0001 NOT_AUTHORIZED')
  expect(await refusalToMake('cy', 'owner')).toBe('P0001 NOT_AUTHORIZED')
  expect(await refusalOf(makeLink('cy', 'x'))).toBe('22023 Email is not valid')
  expect(await makeLink('cy', ' New@Example.com ', 'admin')).toMatch(/^[0-9a-f]{64}$/)
  await setServerSettings({ mail: false, sign_up: 'closed' })
  expect(await refusalToMake('ana')).toBe('BY005 INVITATIONS_OFF')
})

it('the database stores a hash of the token of an invitation link, and no mail is written', async () => {
  const token = await makeLink('ana', 'new@example.com')
  const { rows } = await scene.owner.query(`select l::text as link, i::text as invitation
    from private.invitation_links l join invitations i on i.id = l.invitation_id`)
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'))
  expect((await scene.owner.query('select from private.mail_outbox')).rowCount).toBe(0)
  expect((await scene.owner.query('select sent_at from invitations')).rows).toEqual([{ sent_at: null }])
})

describe('a valid link', () => {
  it('a valid invitation link shows its offer, and makes the account of its e-mail address a member, once', async () => {
    await scene.as('ana')(`update memberships set display_name = 'Ana Weber' where user_id = $1`, [scene.ids.ana])
    const token = await makeLink('ana', 'new@example.com', 'admin')
    const offer = { state: 'open', email: 'new@example.com', brand: 'Acme', role: 'admin', invited_by: 'Ana Weber' }
    expect(await readLink(token)).toEqual({ ...offer, has_account: false })
    await giveGusInvitedAddress()
    expect(await readLink(token)).toEqual({ ...offer, has_account: true })
    expect(await accept('gus', token)).toBe(scene.acme)
    expect(await membershipOfGus()).toEqual({ role: 'admin', opened_at: expect.any(Date) })
    expect(await readLink(token)).toEqual({ state: 'used' })
    // The first response may have been lost, so the same member may accept the link again.
    expect(await accept('gus', token)).toBe(scene.acme)
    await scene.as('ana')('delete from memberships where user_id = $1', [scene.ids.gus])
    expect(await resultOfAccept('gus', token)).toBe('LINK_ENDED used')
    expect(await auditLines()).toEqual(['invitation_link_made new@example.com admin', 'member_joined new admin'])
  })

  it('a valid invitation link is refused to an account with another e-mail address, and the error names the invited one', async () => {
    const token = await makeLink('ana', 'new@example.com')
    expect(await resultOfAccept('gus', token)).toBe('OTHER_ADDRESS new@example.com')
    expect(await resultOfAccept('bo', token)).toBe('OTHER_ADDRESS new@example.com')
    expect((await readLink(token)).state).toBe('open')
  })

  it('a valid invitation link lets its e-mail address sign up if only invited people may, also if no address is verified', async () => {
    await setServerSettings({ mail: false, sign_up: 'invited', proves_addresses: false })
    const token = await makeLink('ana', 'new@example.com')
    const maySignUp = async (email: string, given: string) =>
      (await scene.owner.query('select private.may_sign_up_by_link($1, $2) as may', [email, given])).rows[0].may
    expect(await maySignUp('New@example.com', token)).toBe(true)
    expect([await maySignUp('other@example.com', token), await maySignUp('new@example.com', 'x')]).toEqual([
      false,
      false,
    ])
    await withdraw()
    expect(await maySignUp('new@example.com', token)).toBe(false)
  })

  it('a valid invitation link adds one member, even if ten simultaneous calls accept it', async () => {
    const token = await makeLink('ana', 'new@example.com')
    await giveGusInvitedAddress()
    const brands = await Promise.all(Array.from({ length: 10 }, () => accept('gus', token)))
    expect(new Set(brands)).toEqual(new Set([scene.acme]))
    expect((await auditLines()).filter((line) => line.startsWith('member_joined'))).toHaveLength(1)
  })
})

describe('a link becomes invalid', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['withdrawn', 'revoked', withdraw],
    ['replaced by a newer one', 'replaced', () => makeLink('cy', 'new@example.com')],
    ['seven days old', 'expired', () => scene.owner.query('update private.invitation_links set expires_at = now()')],
    [
      'of an inviter who may no longer invite',
      'revoked',
      () => scene.as('ana')(`update memberships set role = 'member' where user_id = $1`, [scene.ids.cy]),
    ],
  ])('an invitation link becomes invalid when it is %s', async (_when, state, invalidate) => {
    const token = await makeLink('cy', 'new@example.com')
    await invalidate()
    await giveGusInvitedAddress()
    expect(await readLink(token)).toEqual({ state })
    expect(await resultOfAccept('gus', token)).toBe(`LINK_ENDED ${state}`)
    expect(await membershipOfGus()).toBeUndefined()
  })

  it('an invitation link becomes invalid when its brand is deleted, and leaves no row', async () => {
    const token = await makeLink('ana', 'new@example.com')
    await scene.as('ana')('delete from brands where id = $1', [scene.acme])
    expect(await readLink(token)).toEqual({ state: 'unknown' })
    expect(await resultOfAccept('gus', token)).toBe('LINK_ENDED unknown')
  })

  it('an invitation link stays valid when the same invitation is also sent by mail; once the link is accepted, the mail is invalid', async () => {
    await setServerSettings({ mail: true, sign_up: 'open', proves_addresses: false })
    const token = await makeLink('ana', 'new@example.com')
    await queryAs('ana', 'select invite_member($1, $2)', [scene.acme, 'new@example.com'])
    const { rows } = await scene.owner.query('select id, sent_at from invitations')
    expect(rows).toEqual([{ id: expect.any(String), sent_at: expect.any(Date) }])
    expect((await readLink(token)).state).toBe('open')
    await giveGusInvitedAddress()
    await accept('gus', token)
    expect((await scene.owner.query('select private.address_of_invite($1) as email', [rows[0].id])).rows).toEqual([
      { email: null },
    ])
  })
})

it('an account with the invited e-mail address becomes a member at once, without a link', async () => {
  expect(await makeLink('ana', 'gus@example.com')).toBe('')
  expect((await membershipOfGus()).role).toBe('member')
  expect(await refusalOf(makeLink('ana', 'bo@example.com'))).toBe('BY002 ALREADY_MEMBER')
})

it('one person can create at most 30 links within an hour', async () => {
  for (let nth = 0; nth < 30; nth++) await makeLink('ana', `p${nth}@example.com`)
  expect(await refusalOf(makeLink('ana', 'p30@example.com'))).toMatch(/^PT429/)
  await makeLink('cy', 'p30@example.com')
  await scene.owner.query(`update private.invitation_links set made_at = made_at - interval '61 minutes'`)
  await makeLink('ana', 'p31@example.com')
})
