import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
let stage: string
beforeEach(async () => {
  scene = await openScene()
  const { rows } = await scene.as('bo')<{ id: string }>('select id from deal_stages where brand_id = $1 limit 1', [
    scene.acme,
  ])
  stage = rows[0]?.id ?? ''
  for (const [table, values] of Object.entries(insertsOwnedBy('bo')))
    for (let nth = 0; nth < 2; nth++) await scene.as('bo')(`insert into ${table} ${values}`, [scene.acme, randomUUID()])
})
afterEach(() => scene.drop())

const insertsOwnedBy = (of: 'bo' | 'kim') => ({
  companies: `(brand_id, id, name, owner_id) values ($1, $2::uuid, 'Big ' || $2::uuid, '${scene.ids[of]}')`,
  contacts: `(brand_id, id, email, owner_id) values ($1, $2::uuid, $2::uuid || '@example.com', '${scene.ids[of]}')`,
  deals: `(brand_id, id, name, owner_id, stage_id) values ($1, $2, 'Migration', '${scene.ids[of]}', '${stage}')`,
  tasks: `(brand_id, id, title, assignee_id) values ($1, $2, 'Call', '${scene.ids[of]}')`,
})
const twoOfEach = { deals: 2, tasks: 2, contacts: 2, companies: 2 }
const remove = (by: Person, person: keyof Scene['ids'], to: keyof Scene['ids'] | null) =>
  scene.as(by)<{ given: object }>('select remove_member($1, $2, $3) as given', [
    scene.acme,
    scene.ids[person],
    to && scene.ids[to],
  ])
const recordsOf = async (person: keyof Scene['ids'], by: Person = 'ana') =>
  (await scene.as(by)<{ n: object }>('select member_records($1, $2) as n', [scene.acme, scene.ids[person]])).rows[0]?.n
const memberCount = async () =>
  (await scene.owner.query('select from memberships where brand_id = $1', [scene.acme])).rowCount

it('the records of a removed member go to the chosen member, in each table with an owner or assignee; each device gets the change', async () => {
  expect(await recordsOf('bo', 'kim')).toEqual(twoOfEach)
  const { rows: before } = await scene.as('kim')<{ cursor: string }>(`select pull($1) ->> 'cursor' as cursor`, [
    scene.acme,
  ])
  expect((await remove('cy', 'bo', 'kim')).rows).toEqual([{ given: twoOfEach }])
  expect(await recordsOf('kim')).toEqual(twoOfEach)
  const { rows } = await scene.as('kim')('select pull($1, $2) as answer', [scene.acme, before[0]?.cursor])
  const result = rows[0]?.answer as { rows: Record<string, Record<string, unknown>[]> }
  for (const table of Object.keys(twoOfEach))
    for (const row of result.rows[table] ?? [])
      expect(row).toMatchObject({
        [table === 'tasks' ? 'assignee_id' : 'owner_id']: scene.ids.kim,
        updated_by: scene.ids.cy,
        version: 2,
      })
  expect(Object.keys(twoOfEach).map((table) => result.rows[table]?.length)).toEqual([2, 2, 2, 2])
  const { rows: auditLines } = await scene.as('ana')(
    `select user_id, detail ->> 'name' as name from audit_log($1) where event = 'member_removed' order by at desc limit 1`,
    [scene.acme],
  )
  expect(auditLines).toEqual([{ user_id: scene.ids.cy, name: 'bo' }])
})

it('without a successor the records of a removed member have no owner; the member still owns records in other brands', async () => {
  await scene.as('eve')('select add_brand_member_by_email($1, $2)', [scene.umbra, 'bo@example.com'])
  await scene.as('bo')(`insert into companies (brand_id, name, owner_id) values ($1, 'Theirs', $2)`, [
    scene.umbra,
    scene.ids.bo,
  ])
  expect((await remove('ana', 'bo', null)).rows).toEqual([{ given: {} }])
  expect(await recordsOf('bo')).toEqual({})
  const { rows } = await scene.owner.query('select brand_id, owner_id from companies where owner_id is not null')
  expect(rows).toEqual([{ brand_id: scene.umbra, owner_id: scene.ids.bo }])
})

it('a member who leaves can also choose a successor for the records', async () => {
  await remove('bo', 'bo', 'ana')
  expect(await recordsOf('ana')).toEqual(twoOfEach)
  expect(await refusalOf(scene.as('bo')('select member_records($1, $2)', [scene.acme, scene.ids.ana]))).toBe(
    'P0001 NOT_AUTHORIZED',
  )
})

it('the records stay with the member if the removal is refused', async () => {
  for (const person of ['bo', 'kim'] as const)
    expect(await refusalOf(remove(person, 'cy', person))).toBe('P0001 NOT_AUTHORIZED')
  expect(await refusalOf(remove('kim', 'bo', 'kim'))).toBe('P0001 NOT_AUTHORIZED')
  expect(await refusalOf(remove('cy', 'ana', 'cy'))).toBe('P0001 NOT_AUTHORIZED')
  for (const person of ['eve', 'gus', 'dee', 'nobody'] as const)
    expect(await refusalOf(remove(person, 'bo', null))).toMatch(/^(P0001 NOT_AUTHORIZED|42501)/)
  for (const to of ['eve', 'dee', 'bo'] as const)
    expect(await refusalOf(remove('ana', 'bo', to))).toBe('P0001 USER_NOT_FOUND')
  expect(await refusalOf(remove('ana', 'gus', 'ana'))).toBe('P0001 USER_NOT_FOUND')
  expect(await refusalOf(remove('ana', 'ana', 'bo'))).toBe('BY001 LAST_OWNER')
  expect(await recordsOf('bo')).toEqual(twoOfEach)
  expect(await memberCount()).toBe(4)
})

it('no record is lost when two members are removed at once, each in favour of the other', async () => {
  const results = await Promise.allSettled([remove('ana', 'bo', 'kim'), remove('cy', 'kim', 'bo')])
  const reasons = results.map((result) => (result.status === 'rejected' ? String(result.reason.message) : 'done'))
  expect(reasons.toSorted()).toEqual(['USER_NOT_FOUND', 'done'])
  expect([await recordsOf('bo'), await recordsOf('kim')]).toContainEqual(twoOfEach)
  expect(await memberCount()).toBe(3)
})
