import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RefusalName, refusalCodes } from '#shared/refusal-codes.ts'
import { openScene, type Person, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

type PersonWithAccount = Exclude<Person, 'nobody' | 'service'>

/** The authentication levels of a session. A missing level is 'aal1'. */
interface SessionLevels {
  /** The level in the token. */
  token?: string
  /** The level in the session's row. */
  session?: string
  /** Claims that are added to the token, or replace its claims of the same name. */
  claims?: Record<string, unknown>
}

/** Runs a statement as a person at a level, and rolls it back. Returns its rows. */
async function rowsAtLevel<Row extends Record<string, unknown>>(
  person: PersonWithAccount,
  level: SessionLevels,
  text: string,
  values: unknown[] = [],
) {
  return (await resultOf<Row>(person, level, text, values)).rows
}

/** Returns the number of rows that a statement changes, and rolls it back. */
async function changedRowCount(person: PersonWithAccount, level: SessionLevels, text: string) {
  return (await resultOf(person, level, text)).rowCount
}

async function resultOf<Row extends Record<string, unknown>>(
  person: PersonWithAccount,
  level: SessionLevels,
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
    return await client.query<Row>(text, values)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Checks that each variant of the statement changes no row. */
async function expectNoEffect(person: PersonWithAccount, level: SessionLevels, statement: string) {
  const filter = `where ${/brands/.test(statement) ? 'id' : 'brand_id'} = '${scene.acme}'`
  for (const text of [statement, `${statement} ${filter}`]) {
    // Without RETURNING only the count shows a change: the policy for reading does not apply.
    const [counted, returned] = [
      await changedRowCount(person, level, text),
      await rowsAtLevel(person, level, `${text} returning *`),
    ]
    expect([text, counted, returned.length]).toEqual([text, 0, 0])
  }
}

const bothFactors = { token: 'aal2', session: 'aal2' }
const errorNamed = (text: RefusalName) => ({ code: refusalCodes[text], message: text })

describe('a brand that demands a second factor', () => {
  beforeAll(async () => {
    await scene.as('ana')(`insert into companies (brand_id, name) values ($1, 'Borealis')`, [scene.acme])
    await scene.owner.query('update brands set requires_second_factor = true where id = $1', [scene.acme])
  })
  afterAll(() => scene.owner.query('update brands set requires_second_factor = false'))

  it.each(['ana', 'cy', 'bo'] as const)(
    'a brand that demands a second factor shows %s nothing with a password alone, and everything with both factors',
    async (person) => {
      for (const table of ['brands', 'memberships', 'companies', 'deal_stages']) {
        const column = table === 'brands' ? 'id' : 'brand_id'
        const select = `select from ${table} where ${column} = $1`
        expect(await rowsAtLevel(person, {}, select, [scene.acme])).toEqual([])
        expect((await rowsAtLevel(person, bothFactors, select, [scene.acme])).length).toBeGreaterThan(0)
        // Neither a token from before the verification is sufficient, nor one whose factor was removed later.
        expect(await rowsAtLevel(person, { token: 'aal1', session: 'aal2' }, select, [scene.acme])).toEqual([])
        expect(await rowsAtLevel(person, { token: 'aal2', session: 'aal1' }, select, [scene.acme])).toEqual([])
      }
    },
  )

  it('a brand that demands a second factor refuses functions with SECOND_FACTOR_REQUIRED to members, with NOT_AUTHORIZED to others', async () => {
    for (const call of [
      'pull($1)',
      'board($1)',
      'dashboard($1)',
      `search_contacts($1, 'x')`,
      'list_brand_members($1)',
      `upsert_contact($1, 'zoe@example.com', null, null, null)`,
      `add_contact_by_phone($1, '0100')`,
      `add_company($1, 'Newco')`,
      `quick_create_deal($1, 'New', gen_random_uuid())`,
      `add_brand_member_by_email($1, 'gus@example.com')`,
      `invite_member($1, 'new@example.com')`,
      `import_contacts($1, gen_random_uuid(), '[]')`,
      'read_imports($1)',
      'former_members($1, array[]::uuid[])',
      `change_matching($1, '{"table": "contacts"}', '{"delete": true}')`,
      'undo_import($1, gen_random_uuid())',
      `upsert_tag($1, 'New')`,
      'tag_counts($1)',
      'merge_tags($1, gen_random_uuid(), gen_random_uuid())',
      `restore_moved($1, 'tags', array[gen_random_uuid()])`,
      `record_deletion($1, 'tasks', gen_random_uuid())`,
      `restore_records($1, 'tasks', array[]::uuid[])`,
      'audit_log($1)',
    ]) {
      await expect(rowsAtLevel('ana', {}, `select ${call}`, [scene.acme])).rejects.toMatchObject(
        errorNamed('SECOND_FACTOR_REQUIRED'),
      )
      await expect(rowsAtLevel('gus', bothFactors, `select ${call}`, [scene.acme])).rejects.toMatchObject(
        errorNamed('NOT_AUTHORIZED'),
      )
    }
    expect((await rowsAtLevel('bo', bothFactors, 'select pull($1)', [scene.acme])).length).toBe(1)
  })

  it('a brand that demands a second factor refuses all writes of a session without it, also those with a filter, RETURNING or ON CONFLICT', async () => {
    const insert = `insert into companies (brand_id, name) values ($1, 'New')`
    for (const text of [
      insert,
      `${insert} returning id`,
      `${insert} on conflict do nothing`,
      `insert into companies (brand_id, id, name) select brand_id, id, 'Mine' from companies where brand_id = $1
       union all select $1, gen_random_uuid(), 'Mine' on conflict (brand_id, id) do update set name = excluded.name`,
      `insert into brands (id, name) values ($1, 'Mine') on conflict (id) do update set name = excluded.name`,
    ]) {
      await expect(rowsAtLevel('ana', {}, text, [scene.acme])).rejects.toMatchObject({ code: '42501' })
    }
    for (const verb of ['update brands set name', 'update companies set name', 'update memberships set display_name'])
      await expectNoEffect('bo', {}, `${verb} = 'Mine'`)
    for (const table of ['companies', 'memberships', 'brands', 'deal_stages'])
      await expectNoEffect('ana', {}, `delete from ${table}`)
    // All members become owners, so that no other rule refuses the write.
    await scene.owner.query(`update memberships set role = 'owner' where brand_id = $1`, [scene.acme])
    try {
      await expectNoEffect('bo', {}, 'delete from memberships')
      await expectNoEffect('cy', {}, `update memberships set role = 'member'`)
    } finally {
      await scene.owner.query(`update memberships set role = 'member' where brand_id = $1 and user_id <> $2`, [
        scene.acme,
        scene.ids.ana,
      ])
    }
  })

  it('a brand that demands a second factor is listed for its members, and the list says whether they have a factor', async () => {
    const readList = 'select id, name, has_factor from brands_behind_second_factor()'
    expect(await rowsAtLevel('bo', {}, readList)).toEqual([{ id: scene.acme, name: 'Acme', has_factor: false }])
    expect(await rowsAtLevel('bo', bothFactors, readList)).toEqual([])
    expect(await rowsAtLevel('gus', {}, readList)).toEqual([])
  })

  it('a brand that demands a second factor does not affect other brands', async () => {
    expect((await rowsAtLevel('eve', {}, 'select from deal_stages where brand_id = $1', [scene.umbra])).length).toBe(6)
  })
})

it('a user with a factor sees no brand and no own data before verifying it', async () => {
  const id = scene.ids.kim
  const stageCount = async (level: SessionLevels) =>
    (await rowsAtLevel('kim', level, 'select from deal_stages where brand_id = $1', [scene.acme])).length
  const countWithoutFactor = await stageCount({})
  expect(countWithoutFactor).toBeGreaterThan(0)
  await scene.owner.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', 'unverified', now(), now())`,
    [id],
  )
  expect(await stageCount({})).toBe(countWithoutFactor)
  await scene.owner.query(`update auth.mfa_factors set status = 'verified' where user_id = $1`, [id])
  try {
    for (const level of [{}, { token: 'aal2' }, { session: 'aal2' }]) {
      expect(await stageCount(level)).toBe(0)
      for (const call of ['pull($1)', 'dashboard($1)', 'list_brand_members($1)', 'export_my_data()']) {
        const values = call.includes('$1') ? [scene.acme] : []
        await expect(rowsAtLevel('kim', level, `select ${call}`, values)).rejects.toMatchObject(
          errorNamed('SECOND_FACTOR_REQUIRED'),
        )
      }
    }
    for (const statement of [
      `update memberships set display_name = 'Mine'`,
      'delete from memberships',
      `update companies set name = 'Mine'`,
      'delete from companies',
    ])
      for (const level of [{}, { token: 'aal2' }, { session: 'aal2' }]) await expectNoEffect('kim', level, statement)
    await expect(
      rowsAtLevel('kim', {}, `insert into companies (brand_id, name) values ($1, 'Mine') on conflict do nothing`, [
        scene.acme,
      ]),
    ).rejects.toMatchObject({ code: '42501' })
    const readList = 'select name, has_factor from brands_behind_second_factor()'
    expect(await rowsAtLevel('kim', {}, readList)).toEqual([{ name: 'Acme', has_factor: true }])
    expect(await stageCount(bothFactors)).toBe(countWithoutFactor)
    expect(await rowsAtLevel('kim', bothFactors, readList)).toEqual([])
  } finally {
    await scene.owner.query('delete from auth.mfa_factors where user_id = $1', [id])
  }
})

it('only owners can demand a second factor, and only after verifying their own', async () => {
  const demand = 'select require_second_factor($1, true)'
  await expect(rowsAtLevel('ana', {}, demand, [scene.acme])).rejects.toMatchObject(errorNamed('SECOND_FACTOR_REQUIRED'))
  for (const person of ['bo', 'cy', 'gus', 'eve'] as const)
    await expect(rowsAtLevel(person, bothFactors, demand, [scene.acme])).rejects.toMatchObject(
      errorNamed('NOT_AUTHORIZED'),
    )
  await rowsAtLevel('ana', bothFactors, demand, [scene.acme])
  await expect(
    rowsAtLevel('ana', bothFactors, 'update brands set requires_second_factor = true'),
  ).rejects.toMatchObject({
    code: '42501',
  })
})

describe('a user with a factor, signed in with the password alone', () => {
  const otherSession = '22222222-2222-4222-8222-222222222222'
  const calls = [`end_session('${otherSession}')`, 'end_other_sessions()']

  it.each(calls)(
    'a user with a factor who signed in with the password alone cannot end a session by %s',
    async (call) => {
      const id = scene.ids.lou
      await scene.owner.query(`insert into auth.sessions (id, user_id, aal) values ($1, $2, 'aal2')`, [
        otherSession,
        id,
      ])
      const sessionCount = async () =>
        (await scene.owner.query('select from auth.sessions where user_id = $1', [id])).rowCount
      try {
        // For a user without a factor the password is sufficient.
        await rowsAtLevel('lou', {}, `select ${call}`)
        await scene.owner.query(
          `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
         values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
          [id],
        )
        for (const level of [{}, { token: 'aal2' }, { session: 'aal2' }])
          await expect(rowsAtLevel('lou', level, `select ${call}`)).rejects.toMatchObject(
            errorNamed('SECOND_FACTOR_REQUIRED'),
          )
        await rowsAtLevel('lou', bothFactors, `select ${call}`)
        expect(await sessionCount()).toBe(2)
      } finally {
        await scene.owner.query('delete from auth.mfa_factors where user_id = $1', [id])
        await scene.owner.query('delete from auth.sessions where id = $1', [otherSession])
      }
    },
  )
})
