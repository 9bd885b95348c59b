import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
const [company, contact, deal] = [randomUUID(), randomUUID(), randomUUID()]

beforeEach(async () => {
  scene = await openScene()
  await bo(`insert into companies (brand_id, id, name) values ($1, $2, 'Big')`, company)
  await bo(
    `insert into contacts (brand_id, id, email, first_name, company_id, owner_id) values ($1, $2, 'z@x.y', 'Zoe', $3, $4)`,
    contact,
    company,
    scene.ids.kim,
  )
  await bo(`select quick_create_deal($1, 'Deal', null, $2)`, deal)
  await bo('update deals set contact_id = $3, company_id = $4 where brand_id = $1 and id = $2', deal, contact, company)
  await bo(`insert into tasks (brand_id, title, contact_id, deal_id) values ($1, 'Call', $2, $3)`, contact, deal)
})
afterEach(() => scene.drop())

const bo = (text: string, ...values: unknown[]) => scene.as('bo')(text, [scene.acme, ...values])
const remove = (table: string, id: string) => bo(`delete from ${table} where brand_id = $1 and id = $2`, id)
const link = (table: string, column: string, id: string, to: string | null) =>
  bo(`update ${table} set ${column} = $3 where brand_id = $1 and id = $2`, id, to)
const restore = async (table: string, ...ids: string[]) =>
  (await bo('select restore_records($1, $2, $3) as ids', table, ids)).rows[0]?.ids
/**
 * 'link' links the deal to the contact with the index `to`, unless one of the two is deleted. 'turn' deletes this contact, or restores it if
 * it is deleted; if `at` is 0, 'turn' does so with the deal.
 */
const linkStep = fc.record({ kind: fc.constantFrom('link', 'turn'), at: fc.nat(3), to: fc.nat(1) })
const dealLinks = async () =>
  (await bo('select contact_id, company_id from deals where brand_id = $1 and id = $2', deal)).rows[0]

describe('restore_records', () => {
  it('restore_records restores a row and the links to it', async () => {
    const before = (await bo('select * from contacts where brand_id = $1 and id = $2', contact)).rows[0]
    await remove('contacts', contact)
    expect(await dealLinks()).toEqual({ contact_id: null, company_id: company })
    expect(await restore('contacts', contact)).toEqual([contact])
    const after = (await bo('select * from contacts where brand_id = $1 and id = $2', contact)).rows[0]
    const { rev: _rev, version, updated_at: _at, ...otherColumns } = after ?? {}
    expect(before).toMatchObject(otherColumns)
    expect(version).toBe(2)
    expect(await dealLinks()).toEqual({ contact_id: contact, company_id: company })
    expect((await bo('select contact_id from tasks where brand_id = $1')).rows).toEqual([{ contact_id: contact }])
    expect(await restore('contacts', contact)).toEqual([])
  })

  it('restore_records keeps links that were changed meanwhile, and drops a link to a deleted record', async () => {
    await remove('contacts', contact)
    const otherContact = randomUUID()
    await bo(`insert into contacts (brand_id, id, email) values ($1, $2, 'o@x.y')`, otherContact)
    await bo('update deals set contact_id = $3 where brand_id = $1 and id = $2', deal, otherContact)
    await remove('companies', company)
    await scene.as('kim')('delete from memberships where brand_id = $1 and user_id = $2', [scene.acme, scene.ids.kim])
    expect(await restore('contacts', contact)).toEqual([contact])
    expect(await dealLinks()).toEqual({ contact_id: otherContact, company_id: null })
    expect(
      (await bo('select company_id, owner_id from contacts where brand_id = $1 and id = $2', contact)).rows,
    ).toEqual([{ company_id: null, owner_id: null }])
  })

  it.each([
    ['the deal is deleted first and restored first', ['deals', 'contacts'], ['deals', 'contacts']],
    ['the deal is deleted first, the contact is restored first', ['deals', 'contacts'], ['contacts', 'deals']],
    ['the contact is deleted first, the deal is restored first', ['contacts', 'deals'], ['deals', 'contacts']],
    ['the contact is deleted first and restored first', ['contacts', 'deals'], ['contacts', 'deals']],
  ])('restore_records links two deleted records to each other again in any order: %s', async (_, deleted, restored) => {
    const ids: Record<string, string> = { deals: deal, contacts: contact }
    for (const table of deleted) await remove(table, ids[table] ?? '')
    for (const table of restored) await restore(table, ids[table] ?? '')
    expect(await dealLinks()).toEqual({ contact_id: contact, company_id: company })
    expect((await bo('select contact_id, deal_id from tasks where brand_id = $1')).rows).toEqual([
      { contact_id: contact, deal_id: deal },
    ])
  })

  it.each([
    ['the earlier contact is restored first', [0, 1]],
    ['the last contact is restored first', [1, 0]],
  ])('restore_records gives a deal its last contact if two of its contacts were deleted: %s', async (_, order) => {
    const otherContact = randomUUID()
    await bo(`insert into contacts (brand_id, id, email) values ($1, $2, 'o@x.y')`, otherContact)
    await remove('contacts', contact)
    await link('deals', 'contact_id', deal, otherContact)
    await remove('contacts', otherContact)
    for (const index of order) await restore('contacts', [contact, otherContact][index] ?? '')
    expect(await dealLinks()).toMatchObject({ contact_id: otherContact })
  })

  it('restore_records gives a deal its contact back if another one was chosen and removed meanwhile', async () => {
    const otherContact = randomUUID()
    await bo(`insert into contacts (brand_id, id, email) values ($1, $2, 'o@x.y')`, otherContact)
    await remove('contacts', contact)
    await link('deals', 'contact_id', deal, otherContact)
    await link('deals', 'contact_id', deal, null)
    await restore('contacts', contact)
    expect(await dealLinks()).toMatchObject({ contact_id: contact })
  })

  it('restore_records gives a deal its last contact, whatever was deleted and restored, in any order', {
    tags: ['long'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(linkStep, { minLength: 4, maxLength: 12 }), fc.boolean(), async (steps, isReversed) => {
        const contacts = [randomUUID(), randomUUID()]
        for (const id of contacts)
          await bo(`insert into contacts (brand_id, id, email) values ($1, $2, $3)`, id, `${id}@x.y`)
        const dealId = randomUUID()
        await bo(`select quick_create_deal($1, 'Deal', null, $2)`, dealId)
        let lastLinked: string | null = null
        const deletedTables = new Map<string, 'contacts' | 'deals'>()
        for (const { kind, at, to } of steps) {
          const contactId = contacts[to] ?? ''
          const [table, id] = at === 0 ? (['deals', dealId] as const) : (['contacts', contactId] as const)
          if (kind === 'link') {
            if (deletedTables.has(dealId) || deletedTables.has(contactId)) continue
            await link('deals', 'contact_id', dealId, contactId)
            lastLinked = contactId
          } else if (deletedTables.delete(id)) await restore(table, id)
          else {
            await remove(table, id)
            deletedTables.set(id, table)
          }
        }
        const remaining = [...deletedTables]
        for (const [id, table] of isReversed ? remaining.toReversed() : remaining) await restore(table, id)
        const { rows } = await bo('select contact_id from deals where brand_id = $1 and id = $2', dealId)
        expect(rows).toEqual([{ contact_id: lastLinked }])
      }),
      { numRuns: 80, endOnFailure: true },
    )
  })

  it('restore_records restores a row that has no creator without a creator', async () => {
    await scene.owner.query('alter table contacts disable trigger stamp')
    await scene.owner.query('update contacts set created_by = null where id = $1', [contact])
    await scene.owner.query('alter table contacts enable trigger stamp')
    await remove('contacts', contact)
    await restore('contacts', contact)
    expect((await bo('select created_by from contacts where brand_id = $1 and id = $2', contact)).rows).toEqual([
      { created_by: null },
    ])
  })

  it('restore_records skips a contact whose e-mail address another contact has got meanwhile', async () => {
    await remove('contacts', contact)
    await bo(`insert into contacts (brand_id, email) values ($1, 'Z@X.Y')`)
    expect(await restore('contacts', contact)).toEqual([])
  })

  it('restore_records restores a deal with its history, into the first stage if its own stage was deleted', async () => {
    const stage = randomUUID()
    await scene.as('cy')(`insert into deal_stages (brand_id, id, name) values ($1, $2, 'Short')`, [scene.acme, stage])
    await bo('update deals set stage_id = $3 where brand_id = $1 and id = $2', deal, stage)
    await remove('deals', deal)
    await scene.as('cy')('delete from deal_stages where brand_id = $1 and id = $2', [scene.acme, stage])
    expect(await restore('deals', deal)).toEqual([deal])
    const { rows } = await bo(
      'select s.name from deals d join deal_stages s on s.id = d.stage_id where d.brand_id = $1 and d.id = $2',
      deal,
    )
    expect(rows).toEqual([{ name: 'Incoming' }])
    expect((await bo('select from deal_stage_changes where brand_id = $1 and deal_id = $2', deal)).rowCount).toBe(3)
  })

  it('restore_records can be called by members, and for stages by admins', async () => {
    await scene.as('cy')(`insert into deal_stages (brand_id, id, name) values ($1, $2, 'Gone')`, [scene.acme, company])
    await scene.as('cy')('delete from deal_stages where brand_id = $1 and id = $2', [scene.acme, company])
    expect(await refusalOf(restore('deal_stages', company))).toBe('P0001 NOT_AUTHORIZED')
    expect(
      (await scene.as('cy')('select restore_records($1, $2, $3) as ids', [scene.acme, 'deal_stages', [company]])).rows,
    ).toEqual([{ ids: [company] }])
    expect(await refusalOf(restore('memberships', scene.ids.dee))).toMatch(/^22023/)
    await remove('contacts', contact)
    expect(
      await refusalOf(scene.as('eve')('select restore_records($1, $2, $3)', [scene.acme, 'contacts', [contact]])),
    ).toBe('P0001 NOT_AUTHORIZED')
    expect(
      (await scene.as('eve')('select restore_records($1, $2, $3) as ids', [scene.umbra, 'contacts', [contact]])).rows,
    ).toEqual([{ ids: [] }])
  })

  it('restore_records restores nothing after 30 days, because the deleted row is no longer stored', async () => {
    await remove('contacts', contact)
    await scene.owner.query(`update private.tombstones set deleted_at = now() - interval '31 days'`)
    await scene.owner.query('select private.prune()')
    expect(await restore('contacts', contact)).toEqual([])
    expect(
      (await scene.owner.query('select row_data, links from private.tombstones where row_id = $1', [contact])).rows,
    ).toEqual([{ row_data: null, links: null }])
  })
})
