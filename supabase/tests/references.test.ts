import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
/** Ids of records of Umbra. Bo of Acme knows these ids. */
let umbraIds: Record<'stage' | 'company' | 'contact' | 'deal', string>

beforeAll(async () => {
  scene = await openScene()
  const eve = scene.as('eve')
  const idFrom = async (text: string, ...values: unknown[]) =>
    String((await eve<{ id: string }>(text, [scene.umbra, ...values])).rows[0]?.id)
  const stage = await idFrom('select id from deal_stages where brand_id = $1 limit 1')
  umbraIds = {
    stage,
    company: await idFrom(`insert into companies (brand_id, name) values ($1, 'Umbra Co') returning id`),
    contact: await idFrom(`insert into contacts (brand_id, email) values ($1, 'x@umbra.com') returning id`),
    deal: await idFrom(`insert into deals (brand_id, name, stage_id) values ($1, 'Secret', $2) returning id`, stage),
  }
})
afterAll(() => scene.drop())

describe('a record of one brand never refers to a record of another brand', () => {
  const bo = (text: string, ...values: unknown[]) => scene.as('bo')(text, [scene.acme, ...values])
  const anyStageSql = `(select id from deal_stages where brand_id = $1 limit 1)`

  it.each([
    [
      'a deal with a stage of another brand',
      () => bo(`insert into deals (brand_id, name, stage_id) values ($1, 'x', $2)`, umbraIds.stage),
    ],
    [
      'a deal with a contact of another brand',
      () =>
        bo(
          `insert into deals (brand_id, name, stage_id, contact_id) values ($1, 'x', ${anyStageSql}, $2)`,
          umbraIds.contact,
        ),
    ],
    [
      'a deal with a company of another brand',
      () =>
        bo(
          `insert into deals (brand_id, name, stage_id, company_id) values ($1, 'x', ${anyStageSql}, $2)`,
          umbraIds.company,
        ),
    ],
    [
      'a deal with an owner who belongs to another brand',
      () =>
        bo(
          `insert into deals (brand_id, name, stage_id, owner_id) values ($1, 'x', ${anyStageSql}, $2)`,
          scene.ids.eve,
        ),
    ],
    ['a quick deal with a stage of another brand', () => bo(`select quick_create_deal($1, 'x', $2)`, umbraIds.stage)],
    [
      'a contact with a company of another brand',
      () => bo(`insert into contacts (brand_id, email, company_id) values ($1, 'q@q.q', $2)`, umbraIds.company),
    ],
    [
      'a task with a deal of another brand',
      () => bo(`insert into tasks (brand_id, title, deal_id) values ($1, 'x', $2)`, umbraIds.deal),
    ],
    [
      'a task with a contact of another brand',
      () => bo(`insert into tasks (brand_id, title, contact_id) values ($1, 'x', $2)`, umbraIds.contact),
    ],
    [
      'a task with an assignee who belongs to another brand',
      () => bo(`insert into tasks (brand_id, title, assignee_id) values ($1, 'x', $2)`, scene.ids.eve),
    ],
  ])('a record of one brand never refers to a record of another brand: %s', async (_name, attempt) => {
    expect(await refusalOf(attempt())).toMatch(/^23503 /)
  })

  it('an update cannot create a reference to a record of another brand either', async () => {
    await bo(`select quick_create_deal($1, 'Mine', null, $2)`, randomUUID())
    for (const [column, id] of [
      ['stage_id', umbraIds.stage],
      ['contact_id', umbraIds.contact],
      ['company_id', umbraIds.company],
    ])
      expect(await refusalOf(bo(`update deals set ${column} = $2 where brand_id = $1`, id))).toMatch(/^23503 /)
  })

  it('no update moves a record to another brand', async () => {
    for (const table of ['deals', 'contacts', 'companies', 'tasks', 'deal_stages', 'memberships']) {
      const { acme, umbra } = scene
      expect(
        await refusalOf(scene.as('ana')(`update ${table} set brand_id = $2 where brand_id = $1`, [acme, umbra])),
      ).toMatch(/^42501 /)
      expect(
        await refusalOf(scene.as('ana')(`update ${table} set brand_id = brand_id where brand_id = $1`, [acme])),
      ).toMatch(/^42501 /)
    }
  })

  it('no function writes into a brand of which the caller is no member', async () => {
    const attempts = [
      `select upsert_contact($1, 'in@side.com', 'I')`,
      `select add_contact_by_phone($1, '0100', 'I')`,
      `select add_company($1, 'In')`,
      `select import_contacts($1, gen_random_uuid(), '[{"row": 1, "email": "in@side.com"}]')`,
      `select import_contacts($1, gen_random_uuid(), '[{"row": 1, "phone": "0100"}]')`,
      'select undo_import($1, gen_random_uuid())',
      `select change_matching($1, '{"table": "contacts"}', '{"delete": true}')`,
      `select quick_create_deal($1, 'In', null)`,
      `select restore_records($1, 'deals', array[gen_random_uuid()])`,
      `select add_brand_member_by_email($1, 'bo@example.com', 'owner')`,
    ]
    for (const text of attempts)
      expect(await refusalOf(scene.as('bo')(text, [scene.umbra]))).toBe('P0001 NOT_AUTHORIZED')
    expect(
      (await scene.owner.query(`select from contacts where email = 'in@side.com' or phone = '0100'`)).rowCount,
    ).toBe(0)
  })

  it('a join, a filter or an order shows nothing of another brand', async () => {
    const { rows } = await scene.as('bo')(
      `select d.name, c.email, s.name as stage from deals d
       left join contacts c on c.brand_id = d.brand_id and c.id = d.contact_id
       left join deal_stages s on s.id = $1 order by c.email, s.name`,
      [umbraIds.stage],
    )
    expect(rows.filter((row) => row.stage !== null)).toEqual([])
    expect((await scene.as('bo')('select from contacts where email = $1', ['x@umbra.com'])).rowCount).toBe(0)
    const count = await scene.as('bo')('select count(*)::int as n from deals where brand_id <> $1', [scene.acme])
    expect(count.rows).toEqual([{ n: 0 }])
  })

  it('two rows in two brands may have the same id', async () => {
    const insert = (person: 'bo' | 'eve', brand: string) =>
      scene.as(person)(`insert into tasks (brand_id, id, title) values ($1, $2, 'Same')`, [brand, umbraIds.deal])
    await insert('eve', scene.umbra)
    await insert('bo', scene.acme)
    await scene.as('bo')('delete from tasks where id = $1', [umbraIds.deal])
    expect((await scene.as('eve')('select from tasks where id = $1', [umbraIds.deal])).rowCount).toBe(1)
  })
})
