import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

/** Eve, an attacker, adds a stranger (gus) to her brand, and looks for data of the stranger's account. */
let scene: Scene
beforeEach(async () => {
  scene = await openScene()
  await scene.as('eve')('select add_brand_member_by_email($1, $2)', [scene.umbra, ' Gus@Example.com '])
})
afterEach(() => scene.drop())

const openBrand = (by: Person, brand = scene.umbra) => scene.as(by)('select open_brand($1)', [brand])
const auditLog = async (by: Person = 'eve', brand = scene.umbra) =>
  (await scene.as(by)('select event, user_id, who, detail from audit_log($1)', [brand])).rows
const listedAddresses = async () =>
  (await scene.as('eve')('select email from list_brand_members($1) where user_id = $2', [scene.umbra, scene.ids.gus]))
    .rows
const openedAt = async (person: 'gus' | 'eve' | 'lou') =>
  (
    await scene.as('eve')('select opened_at from memberships where brand_id = $1 and user_id = $2', [
      scene.umbra,
      scene.ids[person],
    ])
  ).rows[0]?.opened_at

/** Adds an audit log entry of an account, as the server does. */
async function logAccountEvent(
  person: 'gus' | 'eve',
  action: string,
  session: string | null = scene.ids[person],
  traits = {},
) {
  await scene.owner.query('insert into auth.audit_log_entries (payload, ip_address) values ($1, $2)', [
    JSON.stringify({
      action,
      actor_id: scene.ids[person],
      actor_username: `${person}@secret.example`,
      traits,
      ...(session === null ? {} : { session_id: session }),
    }),
    '203.0.113.77',
  ])
}
const changeAddress = () =>
  scene.owner.query(`update auth.users set email = 'gus.moved@secret.example' where id = $1`, [scene.ids.gus])

describe('a brand that an added person has not opened', () => {
  it('a brand that an added person has not opened shows only the e-mail address by which they were added: no sign-in, no change and no later address', async () => {
    for (const action of ['login', 'login_failed', 'user_updated_password', 'user_modified', 'logout'])
      await logAccountEvent('gus', action)
    await changeAddress()
    expect(JSON.stringify(await auditLog())).not.toMatch(/secret|203\.|sign_in|password|changed/)
    expect(await listedAddresses()).toEqual([{ email: 'gus@example.com' }])
    expect(await openedAt('gus')).toBeNull()
  })

  it('a person who was added to a brand is shown who added them, until they open the brand', async () => {
    const unopenedBrands = async (person: Person) =>
      (await scene.as(person)('select brand_id, added_by from unopened_brands()')).rows
    expect(await unopenedBrands('gus')).toEqual([{ brand_id: scene.umbra, added_by: 'eve' }])
    expect(await unopenedBrands('eve')).toEqual([])
    await scene.as('eve')(`update memberships set role = 'owner' where brand_id = $1 and user_id = $2`, [
      scene.umbra,
      scene.ids.lou,
    ])
    await scene.as('lou')('delete from memberships where brand_id = $1 and user_id = $2', [scene.umbra, scene.ids.eve])
    expect(await unopenedBrands('gus')).toEqual([{ brand_id: scene.umbra, added_by: null }])
    await openBrand('gus')
    expect(await unopenedBrands('gus')).toEqual([])
  })
})

describe('a brand that an added person has opened', () => {
  it('a brand that an added person has opened lists the person’s current e-mail address, and no earlier one', async () => {
    await logAccountEvent('gus', 'login')
    await openBrand('gus')
    await changeAddress()
    expect(await listedAddresses()).toEqual([{ email: 'gus.moved@secret.example' }])
    expect(
      (await scene.owner.query('select from private.added_addresses where user_id = $1', [scene.ids.gus])).rowCount,
    ).toBe(0)
    expect(JSON.stringify(await auditLog())).not.toMatch(/sign_in/)
  })

  it('a brand that an added person has opened shows its owners only events of sessions that opened it, and only the network addresses of the owners’ own sessions', async () => {
    await openBrand('gus')
    await logAccountEvent('gus', 'login', scene.ids.gus, { method: 'password', user_email: 'x@secret.example' })
    await logAccountEvent('gus', 'user_updated_password', randomUUID())
    await logAccountEvent('gus', 'login_failed', null)
    await openBrand('eve')
    await logAccountEvent('eve', 'login')
    const lines = (await auditLog()).filter(({ event }) => !/member|invitation/.test(event as string))
    expect(lines).toEqual([
      { event: 'sign_in', user_id: scene.ids.eve, who: 'eve', detail: { address: '203.0.113.x' } },
      { event: 'sign_in', user_id: scene.ids.gus, who: 'gus', detail: { method: 'password' } },
    ])
    expect(JSON.stringify(await auditLog('service'))).not.toContain('203.')
  })

  it('a brand that an added person has opened can be opened again by the same session, which changes nothing', async () => {
    await openBrand('gus')
    const first = await openedAt('gus')
    await openBrand('gus')
    expect(await openedAt('gus')).toEqual(first)
    expect(
      (await scene.owner.query('select from private.brand_openings where user_id = $1', [scene.ids.gus])).rowCount,
    ).toBe(1)
  })

  it('a person who is removed from a brand and added again has to open the brand again; events of earlier sessions stay hidden', async () => {
    await openBrand('gus')
    await logAccountEvent('gus', 'login')
    const membership = [scene.umbra, scene.ids.gus]
    await scene.as('eve')('delete from memberships where brand_id = $1 and user_id = $2', membership)
    await logAccountEvent('gus', 'user_updated_password')
    await scene.as('eve')('select add_brand_member_by_email($1, $2)', [scene.umbra, 'gus@example.com'])
    await logAccountEvent('gus', 'user_modified')
    expect(await openedAt('gus')).toBeNull()
    expect(JSON.stringify(await auditLog())).not.toMatch(/sign_in|changed/)
  })
})

it('an opening of an earlier membership does not count for the next one', async () => {
  const oldSession = randomUUID()
  await openBrand('gus')
  const insertOpening = 'insert into private.brand_openings (brand_id, user_id, session_id) values ($1, $2, $3)'
  await scene.owner.query(insertOpening, [scene.umbra, scene.ids.gus, oldSession])
  const membership = [scene.umbra, scene.ids.gus]
  await scene.as('eve')('delete from memberships where brand_id = $1 and user_id = $2', membership)
  await scene.as('eve')('select add_brand_member_by_email($1, $2)', [scene.umbra, 'gus@example.com'])
  await openBrand('gus')
  await logAccountEvent('gus', 'login', oldSession)
  expect(JSON.stringify(await auditLog())).not.toMatch(/sign_in/)
})

it('only members can open a brand, and only with a session', async () => {
  for (const person of ['bo', 'dee', 'ana'] as const)
    expect(await refusalOf(openBrand(person))).toBe('P0001 NOT_AUTHORIZED')
  for (const person of ['service', 'nobody'] as const) expect(await refusalOf(openBrand(person))).toMatch(/^42501/)
  expect(await refusalOf(scene.as('gus')('update memberships set opened_at = now()'))).toMatch(/^42501/)
})

it('the creator of a brand has opened it, and devices get the list of people who have opened it', async () => {
  expect(await openedAt('eve')).toBeInstanceOf(Date)
  await logAccountEvent('eve', 'login')
  expect((await auditLog()).map(({ event }) => event)).toContain('sign_in')
  const { rows } = await scene.as('eve')<{ answer: { rows: { memberships: Record<string, unknown>[] } } }>(
    `select pull($1, null, '{memberships}') as answer`,
    [scene.umbra],
  )
  const pulled = rows[0]?.answer.rows.memberships ?? []
  expect(pulled.map(({ user_id, opened_at }) => [user_id, opened_at === null])).toEqual(
    expect.arrayContaining([
      [scene.ids.eve, false],
      [scene.ids.gus, true],
    ]),
  )
})

it('an e-mail address with an invisible character is refused with a message that says what to do', async () => {
  const addition = scene.as('eve')('select add_brand_member_by_email($1, $2)', [scene.umbra, 'bo\u200b@example.com'])
  expect(await refusalOf(addition)).toBe('22023 The email has an invisible character in it. Type it again by hand.')
})

describe('an export of the caller’s data', () => {
  const exportCount = async () => (await auditLog()).filter(({ event }) => event === 'data_exported').length

  it('an export of the caller’s data is logged in the audit log of the brands that the person has opened, and of no other', async () => {
    await scene.as('gus')('select export_my_data()')
    expect(await exportCount()).toBe(0)
    await openBrand('gus')
    await scene.as('gus')('select export_my_data()')
    expect(await exportCount()).toBe(1)
  })

  it('an export of the caller’s data is logged once for all its pages, whichever table it starts with', async () => {
    await openBrand('gus')
    for (const table of ['deal_stages', 'companies', 'contacts'])
      await scene.as('gus')('select export_my_data($1)', [table])
    expect(await exportCount()).toBe(1)
  })
})

it('a person who is removed while opening the brand gets the error of a non-member', async () => {
  const client = await scene.owner.connect()
  try {
    await client.query('begin')
    await client.query('delete from memberships where brand_id = $1 and user_id = $2', [scene.umbra, scene.ids.gus])
    const opening = refusalOf(openBrand('gus'))
    await expect
      .poll(
        async () =>
          (
            await scene.owner.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).rowCount,
      )
      .toBeGreaterThan(0)
    await client.query('commit')
    expect(await opening).toBe('P0001 NOT_AUTHORIZED')
  } finally {
    client.release()
  }
})
