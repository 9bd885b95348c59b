import { afterEach, beforeEach, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeEach(async () => {
  scene = await openScene()
})
afterEach(() => scene.drop())

const piece = 2000

/** Adds contacts of a member to Acme, as the database's owner, so that it is fast. */
const addContacts = (count: number, owner: keyof Scene['ids']) =>
  scene.owner.query(
    `insert into contacts (brand_id, email, owner_id) select $1, 'c' || n || '@' || $2::uuid || '.test', $2::uuid from generate_series(1, $3) n`,
    [scene.acme, scene.ids[owner], count],
  )
const clear = async (by: Person, brand = scene.acme) =>
  (await scene.as(by)<{ answer: object }>('select clear_brand($1) as answer', [brand])).rows[0]?.answer
const release = async (by: Person, person: keyof Scene['ids'], to: keyof Scene['ids'] | null) =>
  (
    await scene.as(by)<{ answer: object }>('select release_records($1, $2, $3) as answer', [
      scene.acme,
      scene.ids[person],
      to && scene.ids[to],
    ])
  ).rows[0]?.answer
const contactsOf = async (owner: keyof Scene['ids'] | null) => {
  const { rows } = await scene.owner.query<{ n: number }>(
    'select count(*)::integer as n from contacts where brand_id = $1 and owner_id is not distinct from $2',
    [scene.acme, owner && scene.ids[owner]],
  )
  return rows[0]?.n
}

it('a large brand is cleared in pieces, until its delete is short; the kept figures stay right', async () => {
  await addContacts(piece + 3, 'bo')
  expect(await clear('ana')).toEqual({ done: false, count: piece })
  expect(await contactsOf('bo')).toBe(3)
  expect(await clear('ana')).toEqual({ done: true, count: 0 })
  expect(await contactsOf('bo')).toBe(3)
  expect((await scene.owner.query('select * from private.wrong_figures()')).rows).toEqual([])
  expect((await scene.as('ana')('delete from brands where id = $1', [scene.acme])).rowCount).toBe(1)
})

it('the notes of other people are cleared too, before the records that they are about', async () => {
  await addContacts(1, 'bo')
  await scene.owner.query(
    `insert into notes (brand_id, contact_id, body, created_by)
     select brand_id, id, 'Called', $2 from contacts, generate_series(1, $3::integer) where brand_id = $1`,
    [scene.acme, scene.ids.bo, piece + 1],
  )
  expect(await clear('ana')).toEqual({ done: false, count: piece })
  const { rows } = await scene.owner.query('select count(*)::integer as n from notes where brand_id = $1', [scene.acme])
  expect(rows).toEqual([{ n: 1 }])
  expect(await contactsOf('bo')).toBe(1)
})

it('only owners clear a brand', async () => {
  await addContacts(piece + 1, 'bo')
  for (const person of ['cy', 'bo', 'eve', 'gus', 'dee', 'nobody'] as const)
    expect(await refusalOf(clear(person))).toMatch(/^(P0001 NOT_AUTHORIZED|42501)/)
  expect(await contactsOf('bo')).toBe(piece + 1)
})

it('the records of a member are given away in pieces, as remove_member gives them', async () => {
  await addContacts(piece + 3, 'bo')
  expect(await release('cy', 'bo', 'kim')).toEqual({ done: false, counts: { contacts: piece } })
  expect(await release('cy', 'bo', 'kim')).toEqual({ done: true, counts: { contacts: 3 } })
  expect(await contactsOf('kim')).toBe(piece + 3)
  expect(await release('kim', 'kim', null)).toEqual({ done: false, counts: { contacts: piece } })
  expect([await contactsOf('kim'), await contactsOf(null)]).toEqual([3, piece])
})

it('records are given away in pieces only by those who may end the membership', async () => {
  await addContacts(3, 'bo')
  await addContacts(3, 'ana')
  for (const person of ['kim', 'eve', 'gus', 'dee', 'nobody'] as const)
    expect(await refusalOf(release(person, 'bo', 'kim'))).toMatch(/^(P0001 NOT_AUTHORIZED|42501)/)
  expect(await refusalOf(release('cy', 'ana', 'cy'))).toBe('P0001 NOT_AUTHORIZED')
  expect(await refusalOf(release('ana', 'ana', 'bo'))).toBe('BY001 LAST_OWNER')
  for (const to of ['eve', 'dee', 'bo'] as const)
    expect(await refusalOf(release('ana', 'bo', to))).toBe('P0001 USER_NOT_FOUND')
  expect([await contactsOf('bo'), await contactsOf('ana')]).toEqual([3, 3])
})
