import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openScene, refusal, type Scene } from './people.ts'

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

const addContacts = (brand: string, count: number, first: string) =>
  scene.owner.query(
    `insert into contacts (brand_id, email, first_name) select $1, $3 || n || '@x.y', $3 from generate_series(1, $2) n`,
    [brand, count, first],
  )
const firstNames = async (brand = scene.acme) =>
  (
    await scene.owner.query<{ name: string; count: string }>(
      'select first_name as name, count(*) from contacts where brand_id = $1 group by 1 order by 1',
      [brand],
    )
  ).rows.map(({ name, count }) => [name, Number(count)])

async function call(query: object, change: object, until: string | null = null): Promise<Answer> {
  const { rows } = await scene.as('bo')<{ answer: Answer }>('select change_matching($1, $2, $3, $4) as answer', [
    scene.acme,
    JSON.stringify(query),
    JSON.stringify(change),
    until,
  ])
  return rows[0]?.answer as Answer
}

describe('change_matching', () => {
  it('deletes what a search finds, in pieces, and nothing else', async () => {
    await addContacts(scene.acme, 1_100, 'Wrong')
    await addContacts(scene.acme, 3, 'Right')
    await addContacts(scene.umbra, 3, 'Wrong')
    const query = { table: 'contacts', search: 'wrong' }
    const first = await call(query, { delete: true })
    expect([first.done, first.count, new Set(first.ids).size]).toEqual([false, 500, 500])
    // What is added meanwhile was not seen by the person who asked.
    await addContacts(scene.acme, 1, 'Wrong later')
    const second = await call(query, { delete: true }, first.until)
    const third = await call(query, { delete: true }, first.until)
    expect([second.count, second.done, third.count, third.done]).toEqual([500, false, 100, true])
    expect(await firstNames()).toEqual([
      ['Right', 3],
      ['Wrong later', 1],
    ])
    expect(await firstNames(scene.umbra)).toEqual([['Wrong', 3]])
    // The undo of any other delete brings them back.
    await scene.as('bo')(`select restore_records($1, 'contacts', $2)`, [scene.acme, third.ids])
    expect((await firstNames())[1]).toEqual(['Wrong', 100])
  })

  it('gives what a condition finds to a member, and to nobody; each record once', async () => {
    const { bo, gus } = scene.ids
    await addContacts(scene.acme, 600, 'All')
    const all = { table: 'contacts' }
    expect((await call(all, { owner_id: bo })).count).toBe(500)
    expect((await call(all, { owner_id: bo })).count).toBe(100)
    expect((await call(all, { owner_id: bo })).count).toBe(0)
    const mine = { table: 'contacts', where: { owner_id: bo } }
    expect((await call(mine, { owner_id: null })).count).toBe(500)
    expect((await call(mine, { owner_id: null })).count).toBe(100)
    expect(await refusal(call(all, { owner_id: gus }))).toBe('22023 The owner is not a member of this brand.')
  })

  it('refuses what it cannot do', async () => {
    await addContacts(scene.acme, 2, 'Stay')
    const all = { table: 'contacts' }
    for (const change of [{}, { delete: false }, { first_name: 'x' }, { owner_id: null, first_name: 'x' }])
      expect(await refusal(call(all, change))).toMatch(/^22023 p_change is/)
    for (const table of ['deal_stages', 'memberships', 'brands', null])
      expect(await refusal(call({ table }, { delete: true }))).toMatch(/^22023 Contacts, companies and deals/)
    expect(await refusal(call({ table: 'contacts', where: { email_norm: 'x' } }, { delete: true }))).toMatch(/^42703/)
    expect(
      await refusal(
        scene.as('eve')(`select change_matching($1, '{"table": "contacts"}', '{"delete": true}')`, [scene.acme]),
      ),
    ).toBe('P0001 NOT_AUTHORIZED')
    expect(await firstNames()).toEqual([['Stay', 2]])
  })
})
