import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilLockWait } from '#tests/harness/lock-wait.ts'
import { openScene, type Person, type Scene } from './people.ts'

/** Eve, an attacker, founds brands, and adds a stranger (gus) to them. */
let scene: Scene
beforeEach(async () => {
  scene = await openScene()
})
afterEach(() => scene.drop())

/** Returns 'allowed', or the SQLSTATE and the message of the refusal. */
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'allowed',
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  )
const foundBrands = (by: Person, count: number, prefix: string) =>
  scene.as(by)(`insert into brands (name) select $2 || n from generate_series(1, $1::integer) n`, [count, prefix])
const addTo = (brand: string, person: Person, role = 'member') =>
  scene.as('eve')('select add_brand_member_by_email($1, $2, $3)', [brand, `${person}@example.com`, role])
const giveUp = async (by: Person, brand = scene.umbra) =>
  (await scene.as(by)('select give_up_unopened_brand($1) as owner', [brand])).rows[0]?.owner
const rolesOf = async (brand = scene.umbra) =>
  Object.fromEntries(
    (
      await scene.owner.query<{ name: string; role: string }>(
        `select split_part(u.email, '@', 1) as name, m.role from memberships m join auth.users u on u.id = m.user_id
         where m.brand_id = $1`,
        [brand],
      )
    ).rows.map(({ name, role }) => [name, role]),
  )
const leave = (person: Person, brand = scene.umbra) =>
  scene.as(person)('delete from memberships where brand_id = $1 and user_id = $2', [brand, scene.ids[person as 'gus']])

describe('a user who founds brands', () => {
  it('a user can found 1,000 brands within 24 hours, and no more, whether one by one or in one statement', async () => {
    await scene.owner.query('update private.brands_founded set n = 997 where user_id = $1', [scene.ids.eve])
    expect(await outcomeOf(foundBrands('eve', 4, 'Too many '))).toMatch(/^PT429 You have created 1,000 brands/)
    await foundBrands('eve', 3, 'Enough ')
    expect(await outcomeOf(foundBrands('eve', 1, 'Last '))).toMatch(/^PT429/)
    await foundBrands('gus', 1, 'Of somebody else ')
  })

  it('a user who has founded 1,000 brands can found brands again after 25 hours', async () => {
    await scene.owner.query(
      `update private.brands_founded set n = 1000, hour = date_trunc('hour', now()) - interval '25 hours'
       where user_id = $1`,
      [scene.ids.eve],
    )
    await foundBrands('eve', 1, 'Next day ')
    const { rows } = await scene.owner.query('select n from private.brands_founded where user_id = $1', [scene.ids.eve])
    expect(rows).toEqual([{ n: 1 }])
  })
})

describe('a person who is added to many brands', () => {
  it('a person can be added by one caller to 500 brands that the person has not opened, and no more', async () => {
    await foundBrands('eve', 501, 'Flood ')
    const { rows } = await scene.owner.query<{ id: string }>(`select id from brands where name like 'Flood %'`)
    const [last, first, ...others] = rows.map(({ id }) => id)
    if (!last || !first) throw new Error('A brand is missing.')
    await scene.as('eve')('select add_brand_member_by_email(b.id, $2) from unnest($1::uuid[]) b (id)', [
      [first, ...others],
      'gus@example.com',
    ])
    expect(await outcomeOf(addTo(last, 'gus'))).toMatch(/^PT429 You have added this person to 500 brands/)
    await addTo(last, 'bo')
    await scene.as('ana')('select add_brand_member_by_email($1, $2)', [scene.acme, 'gus@example.com'])
    await scene.as('gus')('select open_brand($1)', [first])
    await addTo(last, 'gus')
  }, 60_000)
})

describe('a person who was made the last owner of a brand that they have not opened', () => {
  beforeEach(async () => {
    await addTo(scene.umbra, 'gus', 'owner')
  })

  it('give_up_unopened_brand gives the brand to the admin who has opened it, and the person can then leave', async () => {
    for (const [person, role] of [
      ['bo', 'admin'],
      ['kim', 'admin'],
    ] as const)
      await addTo(scene.umbra, person, role)
    await scene.as('kim')('select open_brand($1)', [scene.umbra])
    await leave('eve')
    expect(await outcomeOf(leave('gus'))).toMatch(/LAST_OWNER/)
    expect(await giveUp('gus')).toBe(scene.ids.kim)
    expect(await rolesOf()).toEqual({ gus: 'member', bo: 'admin', kim: 'owner', lou: 'member' })
    await leave('gus')
    expect(await rolesOf()).toEqual({ bo: 'admin', kim: 'owner', lou: 'member' })
  })

  it('give_up_unopened_brand gives the brand back to the earlier owner who handed it over', async () => {
    await scene.as('eve')('select hand_over_brand($1, $2)', [scene.umbra, scene.ids.lou])
    await scene.as('lou')(`update memberships set role = 'member' where brand_id = $1 and user_id = $2`, [
      scene.umbra,
      scene.ids.eve,
    ])
    await scene.as('lou')('select hand_over_brand($1, $2)', [scene.umbra, scene.ids.gus])
    await scene.as('gus')('delete from memberships where brand_id = $1 and user_id = $2', [scene.umbra, scene.ids.lou])
    expect(await giveUp('gus')).toBe(scene.ids.eve)
    expect(await rolesOf()).toEqual({ eve: 'owner', gus: 'member' })
  })

  it('give_up_unopened_brand deletes the brand if nobody else is in it', async () => {
    await leave('lou')
    await leave('eve')
    expect(await giveUp('gus')).toBeNull()
    expect((await scene.owner.query('select from brands where id = $1', [scene.umbra])).rowCount).toBe(0)
  })

  it('give_up_unopened_brand needs no second factor, even if the brand demands one', async () => {
    await scene.owner.query('update brands set requires_second_factor = true where id = $1', [scene.umbra])
    await scene.owner.query('delete from memberships where brand_id = $1 and user_id = $2', [
      scene.umbra,
      scene.ids.eve,
    ])
    expect(await giveUp('gus')).toBe(scene.ids.lou)
  })

  it('give_up_unopened_brand changes nothing if there is another owner, and is refused to strangers, and to the last owner who has opened the brand', async () => {
    expect(await giveUp('gus')).toBe(scene.ids.eve)
    expect(await giveUp('eve')).toBe(scene.ids.gus)
    expect(await outcomeOf(giveUp('lou'))).toMatch(/NOT_AUTHORIZED/)
    expect(await rolesOf()).toEqual({ eve: 'owner', gus: 'owner', lou: 'member' })
    await leave('gus')
    expect(await outcomeOf(giveUp('gus'))).toMatch(/NOT_AUTHORIZED/)
    expect(await outcomeOf(giveUp('bo'))).toMatch(/NOT_AUTHORIZED/)
    expect(await outcomeOf(giveUp('gus', randomUUID()))).toMatch(/NOT_AUTHORIZED/)
    expect(await outcomeOf(giveUp('eve'))).toBe('BY001 LAST_OWNER')
    expect(await rolesOf()).toEqual({ eve: 'owner', lou: 'member' })
  })

  it('last_unopened_brands lists the brands that must be given up before the account is deleted, and is refused to the last owner of an opened brand', async () => {
    await leave('lou')
    await leave('eve')
    await scene.owner.query('update brands set requires_second_factor = true where id = $1', [scene.umbra])
    await foundBrands('gus', 1, 'Own ')
    const lastUnopened = async () =>
      (await scene.as('gus')<{ ids: string[] }>('select last_unopened_brands() as ids')).rows[0]?.ids
    expect(await outcomeOf(lastUnopened())).toBe('BY001 LAST_OWNER')
    await scene.as('gus')(`delete from brands where name = 'Own 1'`)
    await scene.as('ana')('select add_brand_member_by_email($1, $2, $3)', [scene.acme, 'gus@example.com', 'owner'])
    expect(await lastUnopened()).toEqual([scene.umbra])
    expect(await giveUp('gus')).toBeNull()
    expect(await lastUnopened()).toEqual([])
  })

  it('give_up_unopened_brand is refused if the person opens the brand at the same time', async () => {
    await leave('lou')
    await leave('eve')
    const opening = await scene.owner.connect()
    try {
      await opening.query('begin')
      await scene.become(opening, 'gus')
      await opening.query('select open_brand($1)', [scene.umbra])
      const givingUp = outcomeOf(giveUp('gus'))
      await Promise.race([givingUp, untilLockWait(scene.owner)])
      await opening.query('commit')
      expect(await givingUp).toBe('BY001 LAST_OWNER')
    } finally {
      opening.release(true)
    }
    expect(await rolesOf()).toEqual({ gus: 'owner' })
  })

  it('a brand keeps one owner if both its owners, who have not opened it, give it up and leave at the same time, 20 times', async () => {
    for (let round = 0; round < 20; round++) {
      const brand = randomUUID()
      await scene.as('eve')('insert into brands (id, name) values ($1, $2)', [brand, `Race ${round}`])
      for (const person of ['gus', 'bo'] as const) await addTo(brand, person, 'owner')
      await addTo(brand, 'kim')
      await leave('eve', brand)
      const results = await Promise.all(
        (['gus', 'bo'] as const).map((person) => outcomeOf(giveUp(person, brand).then(() => leave(person, brand)))),
      )
      const owners = Object.values(await rolesOf(brand)).filter((role) => role === 'owner')
      expect(owners, `${round}: ${results.join(', ')}`).toHaveLength(1)
      expect(results.filter((result) => !/^(allowed|BY001 LAST_OWNER)$/.test(result))).toEqual([])
    }
  }, 60_000)
})
