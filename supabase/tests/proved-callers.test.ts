import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atLevel, type Level } from './at-level.ts'
import { openScene, refusalOf, type Scene } from './people.ts'

/** A thief knows ana's password. Ana has a second factor, so only her own session is at aal2. */
let scene: Scene
const thiefLevel: Level = {}
const anaLevel: Level = { token: 'aal2', session: 'aal2' }
const queryAsAna = (level: Level, text: string, values: unknown[] = []) => atLevel(scene, 'ana', level, text, values)

beforeAll(async () => {
  scene = await openScene()
  await scene.owner.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
    [scene.ids.ana],
  )
})
afterAll(() => scene.drop())

describe('for a session with a password alone, if a factor is required,', () => {
  /** Functions that lead to the verification, or say why access is refused. */
  const allowedFunctions = ['brands_behind_second_factor', 'capabilities']

  it('only functions that lead to the verification of a required factor work with a password alone', async () => {
    const { rows } = await scene.owner.query<{ name: string; types: string[] }>(
      `select p.proname as name, array(select format_type(t, null) from unnest(p.proargtypes) t) as types from pg_proc p
       where p.pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute') order by 1`,
    )
    expect(rows.length).toBeGreaterThan(25)
    const values: Record<string, string> = {
      uuid: `'${scene.acme}'`,
      text: `'x@example.com'`,
      jsonb: `'[]'`,
      'uuid[]': `'{}'`,
      'text[]': 'null',
      integer: '1',
      bigint: '1',
      boolean: 'true',
      'timestamp with time zone': 'now()',
      'time without time zone': `'22:00'`,
    }
    const results: Record<string, string> = {}
    for (const { name, types } of rows) {
      const call = `select public.${name}(${types.map((type) => `${values[type]}::${type}`).join(', ')})`
      results[name] = await queryAsAna(thiefLevel, call).then(
        () => 'answered',
        (error: pg.DatabaseError) => error.message,
      )
    }
    const refusedResults = Object.entries(results).filter(([name]) => !allowedFunctions.includes(name))
    expect(Object.fromEntries(refusedResults)).toEqual(
      Object.fromEntries(
        refusedResults.map(([name]) => [
          name,
          name === 'delete_my_account' ? 'REAUTHENTICATION_NEEDED' : 'SECOND_FACTOR_REQUIRED',
        ]),
      ),
    )
    expect(allowedFunctions.map((name) => results[name])).toEqual(['answered', 'answered'])
  })

  it.each([
    [`update memberships set display_name = 'Thief'`, 0],
    [`update memberships set display_name = 'Thief' where user_id = $1`, 0],
    [`update memberships set display_name = 'Thief' returning user_id`, 0],
    ['delete from memberships', 0],
    ['delete from memberships where user_id = $1', 0],
    ['delete from memberships returning user_id', 0],
    [`update brands set name = 'Mine'`, 0],
    ['delete from brands', 0],
    ['delete from deal_stages', 0],
    ['update tasks set title = $1::text', 0],
  ])('the statement touches no row with a password alone, if a factor is required: %s', async (text, touched) => {
    const countTouched = `with done as (${text.includes('returning') ? text : `${text} returning 1`}) select count(*)::int from done`
    const values = text.includes('$1') ? [scene.ids.ana] : []
    expect(await queryAsAna(thiefLevel, countTouched, values)).toEqual([{ count: touched }])
    // Without RETURNING the policy for reading does not apply, so the number of changed rows is compared, too.
    const client = await scene.owner.connect()
    try {
      await client.query('begin')
      await scene.become(client, 'ana')
      if (!text.includes('returning')) expect((await client.query(text, values)).rowCount).toBe(touched)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  it('no brand can be created with a password alone, if a factor is required', async () => {
    const creation = queryAsAna(thiefLevel, 'insert into brands (id, name) values ($1, $2)', [randomUUID(), 'Thieves'])
    expect(await refusalOf(creation)).toMatch(/^42501/)
  })

  it('no live change arrives with a password alone, if a factor is required: neither rows nor messages of the topic', async () => {
    const claims = (level: Level) =>
      JSON.stringify([{ role: 'authenticated', sub: scene.ids.ana, session_id: scene.ids.ana, aal: level.token }])
    const topicsOf = async (level: Level) => {
      const client = await scene.owner.connect()
      try {
        await client.query('begin')
        await client.query('update auth.sessions set aal = $2::auth.aal_level where id = $1', [
          scene.ids.ana,
          level.session ?? 'aal1',
        ])
        return (await client.query('select scope from private.may_hear($1, $2)', [claims(level), [scene.acme]])).rows
      } finally {
        await client.query('rollback')
        client.release()
      }
    }
    expect(await topicsOf(thiefLevel)).toEqual([])
    expect(await topicsOf(anaLevel)).toEqual([{ scope: scene.acme }])
    const readTopic = `select from realtime.messages where set_config('realtime.topic', $1, true) is not null`
    expect(await queryAsAna(thiefLevel, readTopic, [`brand:${scene.acme}`])).toEqual([])
  })
})

it('with both factors, functions that require a factor answer, and rows can be changed', async () => {
  for (const call of ['my_sessions()', 'end_other_sessions()', 'accept_invitations()', 'export_my_data()'])
    expect(await queryAsAna(anaLevel, `select ${call}`)).toHaveLength(1)
  expect(
    await queryAsAna(anaLevel, `update memberships set display_name = 'Ana' where user_id = $1 returning 1`, [
      scene.ids.ana,
    ]),
  ).toHaveLength(1)
  expect(await queryAsAna(anaLevel, `insert into brands (name) values ('Second')`)).toEqual([])
})

it('my_brand_ids returns only the brands in which the person has at least the given role, and none for an unknown role', async () => {
  const brandCount = async (person: 'ana' | 'bo' | 'cy' | 'gus', role: string) =>
    (await atLevel(scene, person, anaLevel, 'select private.my_brand_ids($1) as id', [role])).length
  const brandCounts: Record<string, number[]> = {}
  for (const person of ['ana', 'cy', 'bo', 'gus'] as const)
    brandCounts[person] = [
      await brandCount(person, 'member'),
      await brandCount(person, 'admin'),
      await brandCount(person, 'owner'),
      await brandCount(person, 'king'),
    ]
  expect(brandCounts).toEqual({ ana: [1, 1, 1, 0], cy: [1, 1, 0, 0], bo: [1, 0, 0, 0], gus: [0, 0, 0, 0] })
})
