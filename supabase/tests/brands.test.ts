import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

describe('a brand', () => {
  it('a brand has its creator as owner, and six stages', async () => {
    const gus = scene.as('gus')
    await gus(`insert into brands (name, slug) values ('First', 'ignored')`)
    const { rows } = await gus<{ id: string; slug: string; created_by: string }>(
      'select id, slug, created_by from brands',
    )
    expect(rows).toMatchObject([{ slug: 'first', created_by: scene.ids.gus }])
    expect((await gus('select user_id, role, display_name from memberships')).rows).toEqual([
      { user_id: scene.ids.gus, role: 'owner', display_name: 'gus' },
    ])
    expect((await gus('select name, position, kind from deal_stages order by position')).rows).toEqual([
      { name: 'Incoming', position: 1, kind: 'open' },
      { name: 'Qualified', position: 2, kind: 'open' },
      { name: 'Proposal', position: 3, kind: 'open' },
      { name: 'Verbal Yes', position: 4, kind: 'open' },
      { name: 'Won', position: 5, kind: 'won' },
      { name: 'Lost', position: 6, kind: 'lost' },
    ])
  })

  it.each([
    ['Müller & Söhne GmbH', 'müller-söhne-gmbh'],
    ['  Ärzte -- 日本 42! ', 'ärzte-日本-42-'],
    ['(Brackets)', '-brackets-'],
  ])('a brand with the name %s has the slug %s, whatever the client sent', async (name, slug) => {
    await scene.as('gus')('insert into brands (name, slug) values ($1, $2)', [name, 'sent'])
    const { rows } = await scene.as('gus')('select name from brands where slug = $1', [slug])
    expect(rows).toEqual([{ name: name.trim() }])
  })

  it('a brand has a unique name, ignoring case; a blank name is refused', async () => {
    expect(await refusalOf(scene.as('gus')(`insert into brands (name) values ('ACME')`))).toMatch(
      /^23505 duplicate key value/,
    )
    expect(await refusalOf(scene.as('gus')(`insert into brands (name) values ('  ')`))).toMatch(/^23514/)
  })

  it('a brand gets a new slug when it gets a new name', async () => {
    await scene.as('gus')(`update brands set name = 'Second' where slug = 'first'`)
    expect((await scene.as('gus')(`select slug, version from brands where name = 'Second'`)).rows).toEqual([
      { slug: 'second', version: 2 },
    ])
  })

  it('a brand is deleted with all its rows, by one statement', async () => {
    const query = scene.as('eve')
    await query(`select upsert_contact($1, 'a@b.c', 'A', null, 'Big')`, [scene.umbra])
    await query(`select quick_create_deal($1, 'Deal', null)`, [scene.umbra])
    await query(`insert into tasks (brand_id, title) values ($1, 'Call')`, [scene.umbra])
    await query('update deals set amount = 5 where brand_id = $1', [scene.umbra])
    await query(
      `insert into notes (brand_id, body, contact_id) select brand_id, 'Called', id from contacts where brand_id = $1`,
      [scene.umbra],
    )
    expect((await query('delete from brands where id = $1', [scene.umbra])).rowCount).toBe(1)
    for (const table of [
      'memberships',
      'deal_stages',
      'companies',
      'contacts',
      'deals',
      'tasks',
      'notes',
      'deal_stage_changes',
      'amount_changes',
      'field_changes',
    ]) {
      expect((await scene.owner.query(`select from ${table} where brand_id = $1`, [scene.umbra])).rowCount).toBe(0)
    }
  })
})
