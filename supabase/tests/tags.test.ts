import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())
beforeEach(async () => {
  const brands = [[scene.acme, scene.umbra]]
  await scene.owner.query('delete from contacts where brand_id = any ($1)', brands)
  await scene.owner.query('delete from tags where brand_id = any ($1)', brands)
  await scene.owner.query('delete from private.tombstones where brand_id = any ($1)', brands)
})

const idFrom = async (by: Person, text: string, values: unknown[] = []) =>
  (await scene.as(by)<{ id: string }>(text, values)).rows[0]?.id ?? ''
const addTag = (name: string, by: Person = 'ana', brand = scene.acme) =>
  idFrom(by, 'insert into tags (brand_id, name) values ($1, $2) returning id', [brand, name])
const addContact = (tags: readonly string[], email = `${randomUUID()}@x.y`) =>
  idFrom('bo', 'insert into contacts (brand_id, email, tag_ids) values ($1, $2, $3) returning id', [
    scene.acme,
    email,
    tags,
  ])
const tagsOf = async (contactId: string) =>
  (await scene.owner.query<{ tag_ids: string[] }>('select tag_ids from contacts where id = $1', [contactId])).rows[0]
    ?.tag_ids
const setTags = (contactId: string, tags: readonly string[]) =>
  scene.as('bo')('update contacts set tag_ids = $2 where id = $1', [contactId, tags])
const readContacts = async (by: Person, query: object, brand = scene.acme) =>
  (
    await scene.as(by)<{ answer: { answers: { rows: { id: string }[]; total: number }[] } }>(
      'select read_queries($1, $2) as answer',
      [brand, JSON.stringify([{ table: 'contacts', count: true, ...query }])],
    )
  ).rows[0]?.answer.answers[0]

describe('the right to change tags', () => {
  it('admins and owners may add, rename, recolour and delete tags; members only read them', async () => {
    const tagId = await addTag('VIP', 'cy')
    await scene.as('ana')(`update tags set name = 'Key', color = 'pink' where id = $1`, [tagId])
    const { rows } = await scene.as('bo')('select name, color from tags where brand_id = $1', [scene.acme])
    expect(rows).toEqual([{ name: 'Key', color: 'pink' }])
    expect(await refusalOf(addTag('Mine', 'bo'))).toMatch(/^42501 /)
    expect((await scene.as('bo')(`update tags set name = 'x' where id = $1`, [tagId])).rowCount).toBe(0)
    expect((await scene.as('bo')('delete from tags where id = $1', [tagId])).rowCount).toBe(0)
    for (const call of [`upsert_tag($1, 'x')`, 'merge_tags($1, gen_random_uuid(), gen_random_uuid())'])
      expect(await refusalOf(scene.as('bo')(`select ${call}`, [scene.acme]))).toBe('P0001 NOT_AUTHORIZED')
    expect((await scene.as('cy')('delete from tags where id = $1', [tagId])).rowCount).toBe(1)
  })

  it('admins may restore a deleted tag, with the records that had it', async () => {
    const vip = await addTag('VIP')
    const zoe = await addContact([vip])
    await scene.as('ana')('delete from tags where id = $1', [vip])
    const restore = (by: Person) =>
      scene.as(by)<{ ids: string[] }>(`select restore_records($1, 'tags', array[$2]::uuid[]) as ids`, [scene.acme, vip])
    expect(await refusalOf(restore('bo'))).toBe('P0001 NOT_AUTHORIZED')
    // Somebody edits the record's tags meanwhile, and the id of the deleted tag stays in the row.
    const otherTag = await addTag('Other')
    await setTags(zoe, [vip, otherTag])
    expect((await restore('cy')).rows[0]?.ids).toEqual([vip])
    expect(await tagsOf(zoe)).toEqual([vip, otherTag].sort())
    expect((await readContacts('bo', { where: { tag_ids: { has: [vip] } } }))?.total).toBe(1)
  })

  it('outsiders can neither see nor change tags', async () => {
    const vip = await addTag('VIP')
    const zoe = await addContact([vip])
    expect((await scene.as('eve')('select * from tags where brand_id = $1', [scene.acme])).rows).toEqual([])
    expect((await scene.as('eve')('delete from tags where id = $1', [vip])).rowCount).toBe(0)
    for (const call of [
      `upsert_tag($1, 'x')`,
      'tag_counts($1)',
      'merge_tags($1, gen_random_uuid(), gen_random_uuid())',
      `change_matching($1, '{"table": "contacts"}', '{"remove_tags": ["${vip}"]}')`,
    ])
      expect(await refusalOf(scene.as('eve')(`select ${call}`, [scene.acme]))).toBe('P0001 NOT_AUTHORIZED')
    expect(await tagsOf(zoe)).toEqual([vip])
  })
})

describe('a tag', () => {
  it('a tag has a unique name, ignoring case, and one of ten colours', async () => {
    await addTag(' Früh ')
    expect(await refusalOf(addTag('FRÜH'))).toMatch(/^23505 /)
    expect(await refusalOf(addTag('  '))).toMatch(/^23514 /)
    expect(await refusalOf(addTag('x'.repeat(51)))).toMatch(/^23514 /)
    expect(await refusalOf(addTag('a, b'))).toBe('23514 A tag has no comma and no semicolon in its name.')
    const unknownColor = scene.as('ana')(`insert into tags (brand_id, name, color) values ($1, 'x', 'mauve')`, [
      scene.acme,
    ])
    expect(await refusalOf(unknownColor)).toMatch(/^23514 /)
    await addTag('Früh', 'eve', scene.umbra)
    const existingId = await idFrom('cy', `select upsert_tag($1, ' früh') as id`, [scene.acme])
    expect(existingId).toBe(await idFrom('bo', `select id from tags where brand_id = $1`, [scene.acme]))
    for (let n = 0; n < 9; n++) await addTag(`Tag ${n}`)
    const { rows } = await scene.owner.query('select distinct color from tags where brand_id = $1', [scene.acme])
    expect(rows).toHaveLength(10)
  })

  it('a brand has at most 200 tags', async () => {
    await scene.owner.query(`insert into tags (brand_id, name) select $1, 'Tag ' || n from generate_series(1, 200) n`, [
      scene.acme,
    ])
    expect(await refusalOf(addTag('One more'))).toBe('54000 A brand has at most 200 tags. Delete or merge some first.')
  })

  it('a tag may have the id of a tag of another brand, whose records it does not get, or of a deleted tag of its own brand', async () => {
    const first = await addTag('VIP')
    const zoe = await addContact([first])
    const addWithSameId = (by: Person, brand: string) =>
      scene.as(by)(`insert into tags (brand_id, id, name) values ($1, $2, 'Again')`, [brand, first])
    expect(await refusalOf(addWithSameId('ana', scene.acme))).toMatch(/^23505 /)
    await addWithSameId('eve', scene.umbra)
    const counts = (by: Person, brand: string) => scene.as(by)('select tag_counts($1) as n', [brand])
    expect((await counts('eve', scene.umbra)).rows).toEqual([{ n: [] }])
    expect((await counts('bo', scene.acme)).rows).toEqual([{ n: [{ id: first, contacts: 1, companies: 0, deals: 0 }] }])
    await scene.as('ana')('delete from tags where id = $1 and brand_id = $2', [first, scene.acme])
    expect((await counts('bo', scene.acme)).rows).toEqual([{ n: [] }])
    expect(await tagsOf(zoe)).toEqual([first])
    await addWithSameId('ana', scene.acme)
    const { rows } = await scene.owner.query('select version > 1 as continues from tags where brand_id = $1', [
      scene.acme,
    ])
    expect(rows).toEqual([{ continues: true }])
  })
})

describe('the tags of a record', () => {
  it('the tags of a record are sorted, without repetitions and without tags of another brand', async () => {
    const [a, b, foreign] = [await addTag('A'), await addTag('B'), await addTag('C', 'eve', scene.umbra)]
    const zoe = await addContact([b, a, b, foreign, randomUUID()])
    expect(await tagsOf(zoe)).toEqual([a, b].sort())
    await setTags(zoe, [foreign])
    expect(await tagsOf(zoe)).toEqual([])
    const setToNull = scene.as('bo')('update contacts set tag_ids = null where id = $1', [zoe])
    expect(await refusalOf(setToNull)).toMatch(/^23502 /)
  })

  it('the tags of a record are limited to 30', async () => {
    const ids: string[] = []
    for (let n = 0; n < 31; n++) ids.push(await addTag(`Tag ${n}`))
    const zoe = await addContact(ids.slice(1))
    expect(await refusalOf(setTags(zoe, ids))).toBe('54000 A record has at most 30 tags.')
    // Ids without a tag do not count towards the limit, however many are sent.
    await setTags(zoe, [...ids.slice(1), ...Array.from({ length: 5000 }, () => randomUUID())])
    expect(await tagsOf(zoe)).toHaveLength(30)
  })

  it('the tags of a record lose a deleted tag with the first edit after it can no longer be restored', async () => {
    const [a, b] = [await addTag('A'), await addTag('B')]
    const zoe = await addContact([a])
    await scene.as('ana')('delete from tags where id = $1', [a])
    await scene.owner.query('update private.tombstones set row_data = null where row_id = $1', [a])
    await setTags(zoe, [a, b])
    expect(await tagsOf(zoe)).toEqual([b])
  })

  it('records are filtered by their tags with `has`; other conditions are refused', async () => {
    const [a, b] = [await addTag('A'), await addTag('B')]
    const [zoe, max] = [await addContact([a]), await addContact([a, b])]
    await addContact([])
    const idsWithTags = async (has: unknown) =>
      (await readContacts('bo', { where: { tag_ids: { has } } }))?.rows.map((row) => row.id).sort()
    expect(await idsWithTags([b])).toEqual([max])
    expect(await idsWithTags([a, b])).toEqual([zoe, max].sort())
    expect(await idsWithTags([])).toEqual([])
    for (const condition of [a, [a], null, { has: a }, { gt: a }, { has: [a], not: null }, { has: [a], has2: 1 }])
      expect(await refusalOf(readContacts('bo', { where: { tag_ids: condition } }))).toBe(
        '22023 The condition of tag_ids in p_queries is { "has": a list of values }.',
      )
    expect(await refusalOf(idsWithTags(['x']))).toMatch(/^22P02 /)
    expect(await refusalOf(idsWithTags(Array.from({ length: 1001 }, () => a)))).toMatch(/^22023 A list of values/)
    expect(await refusalOf(readContacts('bo', { where: { first_name: { has: [a] } } }))).toMatch(/^22023 A condition/)
  })

  it('tags are added to and removed from many records at once, and no other tag is lost', async () => {
    const [a, b] = [await addTag('A'), await addTag('B')]
    const [zoe, max] = [await addContact([a]), await addContact([])]
    const change = async (edit: object, query: object = { table: 'contacts' }) =>
      (
        await scene.as('bo')<{ answer: { ids: string[] } }>('select change_matching($1, $2, $3) as answer', [
          scene.acme,
          JSON.stringify(query),
          JSON.stringify(edit),
        ])
      ).rows[0]?.answer.ids.sort()
    expect(await change({ add_tags: [b] })).toEqual([zoe, max].sort())
    expect([await tagsOf(zoe), await tagsOf(max)]).toEqual([[a, b].sort(), [b]])
    expect(await change({ add_tags: [b] })).toEqual([])
    expect(await change({ add_tags: [a], remove_tags: [b] }, { table: 'contacts', where: { id: [max] } })).toEqual([
      max,
    ])
    expect([await tagsOf(zoe), await tagsOf(max)]).toEqual([[a, b].sort(), [a]])
    const foreign = await addTag('C', 'eve', scene.umbra)
    expect(await refusalOf(change({ add_tags: [foreign] }))).toBe('22023 A tag of "add_tags" is not one of this brand.')
    for (const bad of [{}, { add_tags: a }, { add_tags: [a], owner_id: null }, { add_tags: null }])
      expect(await refusalOf(change(bad))).toMatch(/^22023 p_change is/)
  })
})

it('merge_tags moves the records of one tag to another, in batches, and deletes the first one', async () => {
  const [a, b] = [await addTag('A'), await addTag('B')]
  const contactWithBoth = await addContact([a, b])
  await scene.owner.query(
    `insert into contacts (brand_id, email, tag_ids) select $1, n || '@many.x', array[$2]::uuid[] from generate_series(1, 700) n`,
    [scene.acme, a],
  )
  const merge = async (from: string, into: string) =>
    (await scene.as('cy')<{ n: object }>('select merge_tags($1, $2, $3) as n', [scene.acme, from, into])).rows[0]?.n
  expect(await merge(a, b)).toEqual({ done: false, count: 500 })
  expect(await merge(a, b)).toEqual({ done: true, count: 201 })
  expect(await tagsOf(contactWithBoth)).toEqual([b])
  const { rows } = await scene.as('bo')('select tag_counts($1) as n', [scene.acme])
  expect(rows).toEqual([{ n: [{ id: b, contacts: 701, companies: 0, deals: 0 }] }])
  for (const [from, into] of [
    [a, b],
    [b, b],
    [b, await addTag('C', 'eve', scene.umbra)],
  ] as const)
    expect(await refusalOf(merge(from, into))).toMatch(/^22023 Two tags of this brand are needed/)
})

it('restore_moved restores each of several tags that were merged into one', async () => {
  const [a, b, c] = [await addTag('A'), await addTag('B'), await addTag('C')]
  const before = [[a], [b], [a, b], [a, b, c], [c]].map((tags) => tags.toSorted())
  const ids = await Promise.all(before.map((tags) => addContact(tags)))
  for (const from of [a, b]) await scene.as('cy')('select merge_tags($1, $2, $3)', [scene.acme, from, c])
  expect(await Promise.all(ids.map(tagsOf))).toEqual(ids.map(() => [c]))
  await scene.as('cy')(`select restore_moved($1, 'tags', $2)`, [scene.acme, [a, b]])
  expect(await Promise.all(ids.map(tagsOf))).toEqual(before)
})

it('restore_moved undoes a merge exactly, and skips records that colleagues changed since', async () => {
  const [a, b, c] = [await addTag('A'), await addTag('B'), await addTag('C')]
  const before = [[a], [a, b], [a, c], [b], [a]]
  const ids = await Promise.all(before.map((tags) => addContact(tags)))
  const restore = (by: Person, from = a) =>
    scene.as(by)<{ n: number }>(`select restore_moved($1, 'tags', array[$2]::uuid[]) as n`, [scene.acme, from])
  expect(await refusalOf(restore('cy'))).toMatch(/^22023 It cannot come back/)
  await scene.as('cy')('select merge_tags($1, $2, $3)', [scene.acme, a, b])
  expect(await Promise.all(ids.map(tagsOf))).toEqual([[b], [b], [b, c].sort(), [b], [b]])
  // Another person replaces tag b of one record by tag c, and deletes another record.
  await setTags(ids[4] ?? '', [c])
  await scene.as('bo')('delete from contacts where brand_id = $1 and id = $2', [scene.acme, ids[1]])
  for (const by of ['bo', 'eve'] as const) expect(await refusalOf(restore(by))).toBe('P0001 NOT_AUTHORIZED')
  expect((await restore('cy')).rows).toEqual([{ n: 2 }])
  expect(await Promise.all(ids.map(tagsOf))).toEqual([[a], undefined, [a, c].sort(), [b], [c]])
  expect(await refusalOf(restore('cy'))).toMatch(/^22023 It cannot come back/)
  for (const args of [`'tags', null`, `'tags', '{}'`, `'contacts', array[$1::uuid]`, `null, array[$1::uuid]`])
    expect(await refusalOf(scene.as('cy')(`select restore_moved($1::uuid, ${args})`, [scene.acme]))).toMatch(
      /^22023 p_/,
    )
  expect((await scene.owner.query('select 1 from private.moved_records where from_id = $1', [a])).rowCount).toBe(0)
  expect((await scene.owner.query('select * from private.wrong_figures()')).rows).toEqual([])

  // A merge that moves more than 2,000 records cannot be undone. All other merges can be undone for 24 hours.
  await scene.owner.query(
    `insert into contacts (brand_id, email, tag_ids) select $1, n || '@late.x', array[$2]::uuid[] from generate_series(1, 2001) n`,
    [scene.acme, c],
  )
  const storedMoveCount = async (id: string) =>
    (await scene.owner.query('select 1 from private.moved_records where from_id = $1', [id])).rowCount
  for (let done = false; !done; ) {
    const { rows } = await scene.as('cy')<{ n: { done: boolean } }>('select merge_tags($1, $2, $3) as n', [
      scene.acme,
      c,
      b,
    ])
    done = rows[0]?.n.done ?? true
    // The moves of so many records are not stored, not even after the first batches.
    expect(await storedMoveCount(c)).toBe(0)
  }
  expect(await refusalOf(restore('cy', c))).toMatch(/^22023 More than 2000 records were moved/)
  await scene.as('cy')('select merge_tags($1, $2, $3)', [scene.acme, a, b])
  expect(await storedMoveCount(a)).toBeGreaterThan(0)
  for (const table of ['moved_records', 'unkept_moves'])
    await scene.owner.query(`update private.${table} set moved_at = moved_at - interval '25 hours'`)
  await scene.as('cy')('select merge_tags($1, $2, $3)', [scene.acme, await addTag('D'), b])
  expect(await storedMoveCount(a)).toBe(0)
  expect((await scene.owner.query('select 1 from private.unkept_moves')).rowCount).toBe(0)
})
