import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
let firstStageId: unknown

const bo = (text: string, ...values: unknown[]) => scene.as('bo')(text, [scene.acme, ...values])

async function addDeal(): Promise<string> {
  const id = randomUUID()
  await bo(`insert into deals (brand_id, id, stage_id, name) values ($1, $2, $3, 'Deal')`, id, firstStageId)
  return id
}

beforeAll(async () => {
  scene = await openScene()
  firstStageId = (await bo('select id from deal_stages where brand_id = $1 order by position limit 1')).rows[0]?.id
})
afterAll(() => scene.drop())

describe('deal_contacts', () => {
  const [zoe, kai] = [randomUUID(), randomUUID()]
  beforeAll(() =>
    bo(
      `insert into contacts (brand_id, id, first_name, email) values ($1, $2, 'Zoe', 'zoe@x.y'), ($1, $3, 'Kai', 'kai@x.y')`,
      zoe,
      kai,
    ),
  )
  const addPart = (deal: string, contact: string, role = 'pays') =>
    bo(
      'insert into deal_contacts (brand_id, deal_id, contact_id, role) values ($1, $2, $3, $4) returning id',
      deal,
      contact,
      role,
    )
  const parts = async (deal: string) =>
    (
      await bo(
        'select id, contact_id, role from deal_contacts where brand_id = $1 and deal_id = $2 order by contact_id',
        deal,
      )
    ).rows

  it('deal_contacts accepts a contact of the same brand, once per deal, with one of three parts in the deal', async () => {
    const deal = await addDeal()
    await addPart(deal, zoe)
    expect(await refusalOf(addPart(deal, zoe, 'uses'))).toMatch(/^23505/)
    expect(await refusalOf(addPart(deal, kai, 'sings'))).toMatch(/^23514/)
    const contactOfUmbra = randomUUID()
    await scene.as('eve')(`insert into contacts (brand_id, id, email) values ($1, $2, 'e@x.y')`, [
      scene.umbra,
      contactOfUmbra,
    ])
    expect(await refusalOf(addPart(deal, contactOfUmbra))).toMatch(/^23503/)
    expect(
      await refusalOf(
        scene.as('eve')(`insert into deal_contacts (brand_id, deal_id, contact_id, role) values ($1, $2, $3, 'pays')`, [
          scene.acme,
          deal,
          kai,
        ]),
      ),
    ).toMatch(/^42501/)
  })

  it.each([
    ['the deal, then the contact, restored in reverse order', ['deals', 'contacts'], ['contacts', 'deals']],
    ['the deal, then the contact, restored in that order', ['deals', 'contacts'], ['deals', 'contacts']],
    ['the contact, then the deal, restored in that order', ['contacts', 'deals'], ['contacts', 'deals']],
    ['the contact alone', ['contacts'], ['contacts']],
  ])(
    'the rows of deal_contacts are restored with the records that they were deleted with: %s',
    async (_, deleted, restored) => {
      const deal = await addDeal()
      await addPart(deal, zoe)
      await addPart(deal, kai, 'uses')
      const before = await parts(deal)
      const ids: Record<string, string> = { deals: deal, contacts: zoe }
      for (const table of deleted) await bo(`delete from ${table} where brand_id = $1 and id = $2`, ids[table])
      expect((await parts(deal)).length).toBeLessThan(2)
      for (const table of restored) await bo('select restore_records($1, $2, array[$3::uuid])', table, ids[table])
      expect(await parts(deal)).toEqual(before)
    },
  )

  it('a row of deal_contacts that a person removed stays deleted until the removal is undone', async () => {
    const deal = await addDeal()
    const id = (await addPart(deal, zoe)).rows[0]?.id
    await bo('delete from deal_contacts where brand_id = $1 and id = $2', id)
    await bo('delete from deals where brand_id = $1 and id = $2', deal)
    await bo(`select restore_records($1, 'deals', array[$2::uuid])`, deal)
    expect(await parts(deal)).toEqual([])
    await bo(`select restore_records($1, 'deal_contacts', array[$2::uuid])`, id)
    expect(await parts(deal)).toEqual([{ id, contact_id: zoe, role: 'pays' }])
  })
})
