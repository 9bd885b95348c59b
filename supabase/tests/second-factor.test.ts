import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Person, type Scene } from './people.ts'
import { isolationMatrix } from './isolation-matrix.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

type Named = Exclude<Person, 'nobody' | 'service'>

interface Level {
  /** As the token says. */
  token?: string
  /** As the session's row says. */
  session?: string
  /** Further claims. */
  claims?: Record<string, unknown>
}

/** One statement of a person at a level; rolled back. */
async function at<Row extends Record<string, unknown>>(
  person: Named,
  level: Level,
  text: string,
  values: unknown[] = [],
) {
  const client = await scene.owner.connect()
  const id = scene.ids[person]
  try {
    await client.query('begin')
    await client.query('update auth.sessions set aal = $2::auth.aal_level where id = $1', [id, level.session ?? 'aal1'])
    const claims = { role: 'authenticated', sub: id, session_id: id, aal: level.token ?? 'aal1', ...level.claims }
    await client.query(`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify(claims),
    ])
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const both = { token: 'aal2', session: 'aal2' }
const message = (text: string) => ({ code: 'P0001', message: text })

describe('a brand that demands a second factor', () => {
  beforeAll(async () => {
    await scene.as('ana')(`insert into companies (brand_id, name) values ($1, 'Borealis')`, [scene.acme])
    await scene.owner.query('update brands set requires_second_factor = true where id = $1', [scene.acme])
  })
  afterAll(() => scene.owner.query('update brands set requires_second_factor = false'))

  it.each(['ana', 'cy', 'bo'] as const)('shows %s nothing with a password alone, and all with both', async (person) => {
    for (const table of ['brands', 'memberships', 'companies', 'deal_stages']) {
      const column = table === 'brands' ? 'id' : 'brand_id'
      const select = `select from ${table} where ${column} = $1`
      expect(await at(person, {}, select, [scene.acme])).toEqual([])
      expect((await at(person, both, select, [scene.acme])).length).toBeGreaterThan(0)
      // A token from before the proof, and one whose factor was removed since.
      expect(await at(person, { token: 'aal1', session: 'aal2' }, select, [scene.acme])).toEqual([])
      expect(await at(person, { token: 'aal2', session: 'aal1' }, select, [scene.acme])).toEqual([])
    }
  })

  it('answers every function with SECOND_FACTOR_REQUIRED to members, with NOT_AUTHORIZED to others', async () => {
    for (const call of [
      'pull($1)',
      'board($1)',
      'dashboard($1)',
      `search_contacts($1, 'x')`,
      'list_brand_members($1)',
      `upsert_contact($1, 'zoe@example.com', null, null, null)`,
      `quick_create_deal($1, 'New', gen_random_uuid())`,
      `add_brand_member_by_email($1, 'gus@example.com')`,
      `invite_member($1, 'new@example.com')`,
      `import_contacts($1, gen_random_uuid(), '[]')`,
      `record_deletion($1, 'tasks', gen_random_uuid())`,
      `restore_records($1, 'tasks', array[]::uuid[])`,
      'audit_log($1)',
    ]) {
      await expect(at('ana', {}, `select ${call}`, [scene.acme])).rejects.toMatchObject(
        message('SECOND_FACTOR_REQUIRED'),
      )
      await expect(at('gus', both, `select ${call}`, [scene.acme])).rejects.toMatchObject(message('NOT_AUTHORIZED'))
    }
    expect((await at('bo', both, 'select pull($1)', [scene.acme])).length).toBe(1)
  })

  it('takes no write from a password alone', async () => {
    const insert = `insert into companies (brand_id, name) values ($1, 'New')`
    await expect(at('ana', {}, insert, [scene.acme])).rejects.toMatchObject({ code: '42501' })
    for (const text of [
      `update brands set name = 'Mine' where id = $1 returning id`,
      `update companies set name = 'Mine' where brand_id = $1 returning id`,
      'delete from companies where brand_id = $1 returning id',
      'delete from memberships where brand_id = $1 returning user_id',
      'delete from brands where id = $1 returning id',
    ]) {
      expect(await at('ana', {}, text, [scene.acme])).toEqual([])
    }
  })

  it('is named to the member whom it waits for, who hears whether a factor is there', async () => {
    const list = 'select id, name, has_factor from brands_behind_second_factor()'
    expect(await at('bo', {}, list)).toEqual([{ id: scene.acme, name: 'Acme', has_factor: false }])
    expect(await at('bo', both, list)).toEqual([])
    expect(await at('gus', {}, list)).toEqual([])
  })

  it('is another matter than other brands', async () => {
    expect((await at('eve', {}, 'select from deal_stages where brand_id = $1', [scene.umbra])).length).toBe(6)
  })

  it('opens no cell of the matrix to a session without the second factor', async () => {
    const cells = await isolationMatrix(scene)
    const open = cells.filter(
      ({ brand, what, outcome }) => brand === 'own' && outcome === 'rows' && !what.startsWith('brands insert'),
    )
    expect(open.filter(({ what }) => !PERSONAL_CALLS.has(what))).toEqual([])
  })
})

/** About the caller alone. */
const PERSONAL_CALLS = new Set([
  'accept_invitations()',
  'capabilities()',
  'my_sessions()',
  'end_session()',
  'end_other_sessions()',
  'brands_behind_second_factor()',
  'export_my_data()',
  'delete_my_account()',
])

it('whoever has a factor sees nothing of any brand, nor their own data, before they have proved it', async () => {
  const id = scene.ids.kim
  const seen = async (level: Level) =>
    (await at('kim', level, 'select from deal_stages where brand_id = $1', [scene.acme])).length
  const all = await seen({})
  expect(all).toBeGreaterThan(0)
  await scene.owner.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', 'unverified', now(), now())`,
    [id],
  )
  expect(await seen({})).toBe(all)
  await scene.owner.query(`update auth.mfa_factors set status = 'verified' where user_id = $1`, [id])
  try {
    for (const level of [{}, { token: 'aal2' }, { session: 'aal2' }]) {
      expect(await seen(level)).toBe(0)
      for (const call of ['pull($1)', 'dashboard($1)', 'list_brand_members($1)', 'export_my_data()']) {
        const values = call.includes('$1') ? [scene.acme] : []
        await expect(at('kim', level, `select ${call}`, values)).rejects.toMatchObject(
          message('SECOND_FACTOR_REQUIRED'),
        )
      }
    }
    const list = 'select name, has_factor from brands_behind_second_factor()'
    expect(await at('kim', {}, list)).toEqual([{ name: 'Acme', has_factor: true }])
    expect(await seen(both)).toBe(all)
    expect(await at('kim', both, list)).toEqual([])
  } finally {
    await scene.owner.query('delete from auth.mfa_factors where user_id = $1', [id])
  }
})

it('owners alone demand a second factor, and only after they have proved one', async () => {
  const demand = 'select require_second_factor($1, true)'
  await expect(at('ana', {}, demand, [scene.acme])).rejects.toMatchObject(message('SECOND_FACTOR_REQUIRED'))
  for (const person of ['bo', 'cy', 'gus', 'eve'] as const)
    await expect(at(person, both, demand, [scene.acme])).rejects.toMatchObject(message('NOT_AUTHORIZED'))
  await at('ana', both, demand, [scene.acme])
  await expect(at('ana', both, 'update brands set requires_second_factor = true')).rejects.toMatchObject({
    code: '42501',
  })
})
