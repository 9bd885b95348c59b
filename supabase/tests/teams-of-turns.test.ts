import { afterAll, beforeAll, expect, test } from 'vitest'
import { UserTeams } from '#server/db/user-teams.ts'
import { openScene, type Scene } from './people.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

test('the team of a user is the largest brand that they have opened; a user without one is a team alone', async () => {
  const { owner, ids, acme, umbra } = scene
  // Lou has opened both brands. Gus was added to Acme, but has opened only his own brand.
  await owner.query(`update public.memberships set opened_at = now() where brand_id = any ($1)`, [[acme, umbra]])
  await scene.as('ana')('select add_brand_member_by_email($1, $2, $3)', [acme, 'lou@example.com', 'member'])
  await owner.query('update public.memberships set opened_at = now() where user_id = $1', [ids.lou])
  await scene.as('gus')('insert into brands (name) values ($1)', ['Gus'])
  await scene.as('ana')('select add_brand_member_by_email($1, $2, $3)', [acme, 'gus@example.com', 'member'])

  const teams = new UserTeams(owner)
  const people = ['ana', 'bo', 'lou', 'eve', 'dee'] as const
  const currentTeams = () => people.map((person) => teams.of(ids[person]))
  expect(currentTeams()).toEqual(people.map((person) => ids[person]))
  await expect.poll(currentTeams).toEqual([acme, acme, acme, umbra, ids.dee])
  await expect.poll(() => teams.of(ids.gus)).not.toBe(ids.gus)
  expect([acme, umbra]).not.toContain(teams.of(ids.gus))
  expect(teams.of('from 198.51.100.0/24')).toBe('from 198.51.100.0/24')
  teams.close()
})

test('only the owner role can query the teams that take turns at the database', async () => {
  for (const person of ['ana', 'nobody', 'service'] as const)
    await expect(scene.as(person)('select * from private.teams_of($1)', [[scene.ids.ana]])).rejects.toThrow(
      /permission denied/,
    )
})

test('a look-up of the teams of many users counts the members of each brand once', async () => {
  const userCount = 300
  const client = await scene.owner.connect()
  try {
    await client.query('begin')
    await client.query(
      `with people as (insert into auth.users (id, email) select gen_random_uuid(), n || '@many.example' from generate_series(1, $2::int) n returning id)
       insert into public.memberships (brand_id, user_id, role, opened_at) select $1, id, 'member', now() from people`,
      [scene.acme, userCount],
    )
    const rowsRead = async () => {
      const { rows } = await client.query<{ n: string }>(
        `select seq_tup_read + coalesce(idx_tup_fetch, 0) as n from pg_stat_xact_user_tables where relname = 'memberships'`,
      )
      return Number(rows[0]?.n)
    }
    const before = await rowsRead()
    const { rowCount } = await client.query(
      `select from private.teams_of(array(select id from auth.users where email like '%@many.example'))`,
    )
    expect(rowCount).toBe(userCount)
    expect((await rowsRead()) - before).toBeLessThan(10 * userCount)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
