import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())
beforeEach(async () => {
  await scene.owner.query('delete from contacts where brand_id = any ($1)', [[scene.acme, scene.umbra]])
})

interface Answer {
  done: boolean
  count: number
  ids: string[]
  until: string
}

const addContacts = (brand: string, count: number, firstName: string) =>
  scene.owner.query(
    `insert into contacts (brand_id, email, first_name) select $1, $3 || n || '@x.y', $3 from generate_series(1, $2) n`,
    [brand, count, firstName],
  )
const countsByFirstName = async (brand = scene.acme) =>
  (
    await scene.owner.query<{ name: string; count: string }>(
      'select first_name as name, count(*) from contacts where brand_id = $1 group by 1 order by 1',
      [brand],
    )
  ).rows.map(({ name, count }) => [name, Number(count)])

async function changeMatching(query: object, change: object, until: string | null = null): Promise<Answer> {
  const { rows } = await scene.as('bo')<{ answer: Answer }>('select change_matching($1, $2, $3, $4) as answer', [
    scene.acme,
    JSON.stringify(query),
    JSON.stringify(change),
    until,
  ])
  return rows[0]?.answer as Answer
}

/**
 * Defines a text field and a number field, and returns their ids. The first call gives them the keys 'region' and 'score'. In later calls
 * the database makes the keys from the labels.
 */
async function defineFields(): Promise<{ region: string; score: string }> {
  const ids = await Promise.all(
    [
      ['region', 'text'],
      ['score', 'number'],
    ].map(async ([key, type]) => {
      const { rows } = await scene.as('cy')<{ id: string }>(
        `insert into custom_fields (brand_id, "table", key, label, type)
         select $1, 'contacts', case when not exists (select from custom_fields where brand_id = $1 and key = $2) then $2 end, initcap($2) || ' ' || gen_random_uuid(), $3
         returning id`,
        [scene.acme, key, type],
      )
      return String(rows[0]?.id)
    }),
  )
  return { region: ids[0] ?? '', score: ids[1] ?? '' }
}
const alterField = (change: string, field: string) =>
  scene.as('cy')(`update custom_fields set ${change} where brand_id = $1 and id = $2`, [scene.acme, field])
const distinctCustom = async (brand = scene.acme) =>
  (
    await scene.owner.query<{ custom: unknown }>(
      'select custom from contacts where brand_id = $1 group by custom order by length(custom::text), custom::text',
      [brand],
    )
  ).rows.map(({ custom }) => custom)

describe('change_matching', () => {
  it('change_matching deletes the rows that a search finds, in batches, and nothing else', async () => {
    await addContacts(scene.acme, 1_100, 'Wrong')
    await addContacts(scene.acme, 3, 'Right')
    await addContacts(scene.umbra, 3, 'Wrong')
    const query = { table: 'contacts', search: 'wrong' }
    const first = await changeMatching(query, { delete: true })
    expect([first.done, first.count, new Set(first.ids).size]).toEqual([false, 500, 500])
    // A record that is added meanwhile stays, because the person who requested the delete has not seen it.
    await addContacts(scene.acme, 1, 'Wrong later')
    const second = await changeMatching(query, { delete: true }, first.until)
    const third = await changeMatching(query, { delete: true }, first.until)
    expect([second.count, second.done, third.count, third.done]).toEqual([500, false, 100, true])
    expect(await countsByFirstName()).toEqual([
      ['Right', 3],
      ['Wrong later', 1],
    ])
    expect(await countsByFirstName(scene.umbra)).toEqual([['Wrong', 3]])
    // The deleted records can be restored, as after any other delete.
    await scene.as('bo')(`select restore_records($1, 'contacts', $2)`, [scene.acme, third.ids])
    expect((await countsByFirstName())[1]).toEqual(['Wrong', 100])
  })

  it('change_matching gives all matching rows in batches to a member, or to nobody, and no row twice; a new owner who is no member is refused', async () => {
    const { bo, gus } = scene.ids
    await addContacts(scene.acme, 600, 'All')
    const allContacts = { table: 'contacts' }
    expect((await changeMatching(allContacts, { owner_id: bo })).count).toBe(500)
    expect((await changeMatching(allContacts, { owner_id: bo })).count).toBe(100)
    expect((await changeMatching(allContacts, { owner_id: bo })).count).toBe(0)
    const contactsOfBo = { table: 'contacts', where: { owner_id: bo } }
    expect((await changeMatching(contactsOfBo, { owner_id: null })).count).toBe(500)
    expect((await changeMatching(contactsOfBo, { owner_id: null })).count).toBe(100)
    expect(await refusalOf(changeMatching(allContacts, { owner_id: gus }))).toBe(
      '22023 The owner is not a member of this brand.',
    )
  })

  it('change_matching sets or empties a custom field, named by id or key, in rows with another value; other fields stay', async () => {
    const { region, score } = await defineFields()
    await addContacts(scene.acme, 600, 'All')
    await addContacts(scene.umbra, 2, 'All')
    await scene.owner.query(
      `update contacts set custom = jsonb_build_object($2::text, 'North', $3::text, 7) where brand_id = $1 and email like 'All1%'`,
      [scene.acme, region, score],
    )
    const allContacts = { table: 'contacts' }
    const setNorth = { custom: { region: ' North ' } }
    const first = await changeMatching(allContacts, setNorth)
    const second = await changeMatching(allContacts, setNorth, first.until)
    expect([first.count, first.done, second.count, (await changeMatching(allContacts, setNorth)).count]).toEqual([
      489,
      true,
      0,
      0,
    ])
    expect(await distinctCustom(scene.umbra)).toEqual([{}])
    expect(await distinctCustom()).toEqual([{ [region]: 'North' }, { [region]: 'North', [score]: 7 }])
    // Each record was changed once, by the person who requested it.
    const { rows } = await scene.owner.query(
      'select distinct updated_by, version from contacts where brand_id = $1 and id = any ($2)',
      [scene.acme, first.ids],
    )
    expect(rows).toEqual([{ updated_by: scene.ids.bo, version: 2 }])
    const contactsWithScore = { table: 'contacts', where: { [`custom.${score}`]: { not: null } } }
    expect((await changeMatching(contactsWithScore, { custom: { [region]: null, [score]: 8.5 } })).count).toBe(111)
    expect(await distinctCustom()).toEqual([{ [score]: 8.5 }, { [region]: 'North' }])
  })

  it('change_matching refuses a value that the field does not accept, an empty value of a required field, and a field that is retired or of another brand', async () => {
    const { region, score } = await defineFields()
    const [secret] = (
      await scene.as('eve')<{ id: string }>(
        `insert into custom_fields (brand_id, "table", label, type) values ($1, 'contacts', $2, 'number') returning id`,
        [scene.umbra, `Secret ${randomUUID()}`],
      )
    ).rows
    await addContacts(scene.acme, 2, 'Stay')
    const refusalOfCustom = (custom: unknown) => refusalOf(changeMatching({ table: 'contacts' }, { custom }))
    expect(await refusalOfCustom({ [score]: 'many' })).toMatch(/^22023 The field "Score .*" takes a number below/)
    for (const id of [secret?.id, randomUUID(), 'nothing', ''])
      expect(await refusalOfCustom({ [String(id)]: 'x' })).toBe(
        `22023 There is no field ${id} for contacts that is in use.`,
      )
    expect(await refusalOf(changeMatching({ table: 'deals' }, { custom: { [region]: 'x' } }))).toMatch(
      /^22023 There is no field/,
    )
    for (const custom of [{}, Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, 1]))])
      expect(await refusalOfCustom(custom)).toBe('22023 "custom" of p_change has 1 to 20 fields.')
    for (const custom of [null, [], 'x']) expect(await refusalOfCustom(custom)).toMatch(/^22023 p_change is/)
    await alterField(`required = true`, region)
    for (const value of [null, '', '  '])
      expect(await refusalOfCustom({ [region]: value })).toMatch(/^22023 The field "Region .*" is required\./)
    await alterField(`retired_at = now()`, score)
    expect(await refusalOfCustom({ [score]: 1 })).toMatch(/^22023 There is no field .* in use\./)
    expect(await distinctCustom()).toEqual([{}])
  })

  it('change_matching refuses unknown changes, tables and columns, and people outside of the brand', async () => {
    await addContacts(scene.acme, 2, 'Stay')
    const allContacts = { table: 'contacts' }
    for (const change of [{}, { delete: false }, { first_name: 'x' }, { owner_id: null, first_name: 'x' }])
      expect(await refusalOf(changeMatching(allContacts, change))).toMatch(/^22023 p_change is/)
    for (const table of ['deal_stages', 'memberships', 'brands', null])
      expect(await refusalOf(changeMatching({ table }, { delete: true }))).toMatch(
        /^22023 Contacts, companies and deals/,
      )
    expect(
      await refusalOf(changeMatching({ table: 'contacts', where: { email_norm: 'x' } }, { delete: true })),
    ).toMatch(/^42703/)
    expect(
      await refusalOf(
        scene.as('eve')(`select change_matching($1, '{"table": "contacts"}', '{"delete": true}')`, [scene.acme]),
      ),
    ).toBe('P0001 NOT_AUTHORIZED')
    expect(await countsByFirstName()).toEqual([['Stay', 2]])
  })
})
