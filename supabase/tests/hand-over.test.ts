import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeEach(async () => {
  scene = await openScene()
})
afterEach(() => scene.drop())

const handOver = (by: Person, to: keyof Scene['ids'], brand = scene.acme) =>
  scene.as(by)('select hand_over_brand($1, $2)', [brand, scene.ids[to]])
const rolesOf = async () =>
  Object.fromEntries(
    (
      await scene.owner.query<{ who: string; role: string }>(
        `select split_part(u.email, '@', 1) as who, m.role from memberships m join auth.users u on u.id = m.user_id where m.brand_id = $1`,
        [scene.acme],
      )
    ).rows.map(({ who, role }) => [who, role]),
  )

describe('handing a brand over', () => {
  it('handing a brand over makes the chosen member owner and the caller admin in one step', async () => {
    await handOver('ana', 'bo')
    expect(await rolesOf()).toEqual({ ana: 'admin', bo: 'owner', kim: 'member', cy: 'admin' })
    expect(await refusalOf(handOver('ana', 'kim'))).toBe('P0001 NOT_AUTHORIZED')
    await handOver('bo', 'ana')
    expect(await rolesOf()).toEqual({ ana: 'owner', bo: 'admin', kim: 'member', cy: 'admin' })
  })

  it('handing a brand over can be done by owners only, and to members only', async () => {
    for (const person of ['cy', 'bo', 'dee', 'gus', 'eve', 'service'] as const)
      expect(await refusalOf(handOver(person, 'kim'))).toMatch(/^(P0001 NOT_AUTHORIZED|42501)/)
    for (const person of ['gus', 'eve', 'dee', 'ana'] as const)
      expect(await refusalOf(handOver('ana', person))).toBe('P0001 USER_NOT_FOUND')
    expect(await refusalOf(scene.as('ana')('select hand_over_brand(null, $1)', [scene.ids.bo]))).toBe(
      'P0001 NOT_AUTHORIZED',
    )
    expect(await rolesOf()).toEqual({ ana: 'owner', bo: 'member', kim: 'member', cy: 'admin' })
  })

  it('handing a brand over to two people at once gives it to one of them', async () => {
    const results = await Promise.allSettled([handOver('ana', 'bo'), handOver('ana', 'kim')])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const roles = await rolesOf()
    expect(roles.ana).toBe('admin')
    expect(new Set([roles.bo, roles.kim])).toEqual(new Set(['member', 'owner']))
  })
})

describe('the name of a former member', () => {
  const namesFor = async (person: Person, brand = scene.acme) =>
    (
      await scene.as(person)<{ list: { name: string }[] }>('select former_members($1, $2) as list', [
        brand,
        [scene.ids.bo, scene.ids.kim],
      ])
    ).rows[0]?.list.map(({ name }) => name)
  const remove = (by: Person, person: 'bo' | 'kim') =>
    scene.as(by)('delete from memberships where brand_id = $1 and user_id = $2', [scene.acme, scene.ids[person]])

  it('the name of a former member is shown only to the members of that brand, and is the last display name', async () => {
    await scene.as('bo')('update memberships set display_name = $3 where brand_id = $1 and user_id = $2', [
      scene.acme,
      scene.ids.bo,
      'Bo the Elder',
    ])
    expect(await namesFor('ana')).toEqual([])
    await remove('cy', 'bo')
    expect(await namesFor('ana')).toEqual(['Bo the Elder'])
    expect(await namesFor('kim')).toEqual(['Bo the Elder'])
    expect(await namesFor('eve', scene.umbra)).toEqual([])
    for (const person of ['bo', 'eve', 'dee'] as const)
      expect(await refusalOf(namesFor(person))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(scene.as('ana')('select * from private.former_members'))).toMatch(/^42501/)
  })

  it('a person who is added again has the former display name, and not the beginning of the e-mail address', async () => {
    await scene.as('bo')(`update memberships set display_name = 'Bo Bell' where brand_id = $1 and user_id = $2`, [
      scene.acme,
      scene.ids.bo,
    ])
    await remove('cy', 'bo')
    await scene.as('ana')(`select add_brand_member_by_email($1, 'bo@example.com')`, [scene.acme])
    const { rows } = await scene.as('ana')(
      'select display_name from memberships where brand_id = $1 and user_id = $2',
      [scene.acme, scene.ids.bo],
    )
    expect(rows).toEqual([{ display_name: 'Bo Bell' }])
    expect(await namesFor('ana')).toEqual([])
  })

  it('the name of a former member is deleted when the person joins again, and with the account', async () => {
    await remove('kim', 'kim')
    await remove('cy', 'bo')
    expect((await namesFor('ana'))?.length).toBe(2)
    await scene.owner.query(`insert into memberships (brand_id, user_id, display_name) values ($1, $2, 'Kim')`, [
      scene.acme,
      scene.ids.kim,
    ])
    expect((await namesFor('ana'))?.length).toBe(1)
    await scene.owner.query('delete from auth.users where id = any ($1)', [[scene.ids.bo, scene.ids.kim]])
    expect(await namesFor('ana')).toEqual([])
    await scene.owner.query('delete from brands where id = $1', [scene.acme])
  })
})

describe('the records of a former member', () => {
  it('the records of a former member lose their owner, and every device gets the change', async () => {
    const { acme, ids } = scene
    const { rows } = await scene.as('bo')<{ id: string }>('select id from deal_stages where brand_id = $1 limit 1', [
      acme,
    ])
    const stage = rows[0]?.id
    const valuesByTable = {
      companies: `(brand_id, id, name, owner_id) values ($1, $2, 'Big', $3)`,
      contacts: `(brand_id, id, email, owner_id) values ($1, $2, 'zoe@example.com', $3)`,
      deals: `(brand_id, id, name, owner_id, stage_id) values ($1, $2, 'Migration', $3, '${stage}')`,
      tasks: `(brand_id, id, title, assignee_id) values ($1, $2, 'Call', $3)`,
    }
    for (const [table, values] of Object.entries(valuesByTable))
      await scene.as('bo')(`insert into ${table} ${values}`, [acme, randomUUID(), ids.bo])
    const { rows: before } = await scene.as('ana')<{ cursor: string }>(`select pull($1) ->> 'cursor' as cursor`, [acme])
    const cursor = before[0]?.cursor
    await scene.as('cy')('delete from memberships where brand_id = $1 and user_id = $2', [acme, ids.bo])
    const { rows: pulled } = await scene.as('ana')('select pull($1, $2) as answer', [acme, cursor])
    const result = pulled[0]?.answer as { rows: Record<string, Record<string, unknown>[]> }
    for (const table of Object.keys(valuesByTable)) {
      const [row] = result.rows[table] ?? []
      expect(row, table).toMatchObject({ created_by: ids.bo, version: 2 })
      expect(row?.[table === 'tasks' ? 'assignee_id' : 'owner_id'], table).toBeNull()
    }
  })

  it('a company is refused if its owner is not a member of the brand', async () => {
    const insert = scene.as('ana')(`insert into companies (brand_id, name, owner_id) values ($1, 'Big', $2)`, [
      scene.acme,
      scene.ids.eve,
    ])
    expect(await refusalOf(insert)).toMatch(/^23503/)
  })
})

describe('a deleted brand', () => {
  it('a deleted brand leaves no row with its brand_id, not even a tombstone, except in the audit log; only owners can delete it', async () => {
    const { acme, owner } = scene
    await scene.as('bo')(`insert into tasks (brand_id, title) values ($1, 'Call')`, [acme])
    await scene.as('bo')('delete from tasks where brand_id = $1', [acme])
    await scene.as('bo')(`insert into companies (brand_id, name) values ($1, 'Big')`, [acme])
    const deleteBy = async (person: Person) =>
      (await scene.as(person)('delete from brands where id = $1', [acme])).rowCount
    for (const person of ['cy', 'bo', 'eve', 'dee'] as const) expect(await deleteBy(person)).toBe(0)
    expect(await deleteBy('ana')).toBe(1)
    const { rows: tables } = await owner.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where a.attname = 'brand_id' and c.relkind = 'r' and c.relname <> 'brand_events' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)`,
    )
    expect(tables.length).toBeGreaterThan(7)
    for (const { name } of tables)
      expect((await owner.query(`select from ${name} where brand_id = $1`, [acme])).rowCount, name).toBe(0)
    expect(await refusalOf(scene.as('ana')('select pull($1)', [acme]))).toBe('P0001 NOT_AUTHORIZED')
  })
})
