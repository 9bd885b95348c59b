import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())
beforeEach(async () => {
  for (const table of ['contacts', 'tags'])
    await scene.owner.query(`delete from ${table} where brand_id = $1`, [scene.acme])
})

interface Answer {
  status: string
  left_out_tags?: string[]
}

interface Found {
  before: { tags: string | null }
  after: { tags: string | null }
}

async function importRows(by: Person, rows: readonly object[], importId = randomUUID()): Promise<Answer[]> {
  const chunk = JSON.stringify(rows.map((row, index) => ({ row: index + 2, ...row })))
  const { rows: found } = await scene.as(by)<{ answers: Answer[] }>('select import_contacts($1, $2, $3) as answers', [
    scene.acme,
    importId,
    chunk,
  ])
  return (found[0]?.answers ?? []).map(({ status, left_out_tags }) => ({
    status,
    ...(left_out_tags && { left_out_tags }),
  }))
}

const tagsOf = async (email: string) =>
  (
    await scene.owner.query<{ name: string }>(
      `select t.name from contacts c join tags t on t.brand_id = c.brand_id and t.id = any (c.tag_ids)
       where c.brand_id = $1 and c.email = $2 order by 1`,
      [scene.acme, email],
    )
  ).rows.map(({ name }) => name)
const undo = (importId: string) => scene.as('bo')('select undo_import($1, $2)', [scene.acme, importId])

it('an import creates unknown tags for admins, only reports them as left out for members, and finds known tags ignoring case', async () => {
  const rows = [
    { email: 'a@x.y', tags: ' VIP; Press ,vip,, ' },
    { phone: '0100', tags: 'press' },
    { email: 'c@x.y', tags: '' },
    { email: 'd@x.y', tags: null },
  ]
  expect(await importRows('cy', rows)).toEqual(rows.map(() => ({ status: 'created' })))
  expect(await tagsOf('a@x.y')).toEqual(['Press', 'VIP'])
  expect(await importRows('cy', rows)).toEqual(rows.map(() => ({ status: 'unchanged' })))
  expect(
    await importRows('bo', [
      { email: 'c@x.y', tags: 'PRESS;Later' },
      { email: 'e@x.y', tags: 'Later' },
    ]),
  ).toEqual([
    { status: 'updated', left_out_tags: ['Later'] },
    { status: 'created', left_out_tags: ['Later'] },
  ])
  expect(await tagsOf('c@x.y')).toEqual(['Press'])
  const { rows: tags } = await scene.owner.query('select name from tags where brand_id = $1 order by 1', [scene.acme])
  expect(tags).toEqual([{ name: 'Press' }, { name: 'VIP' }])
})

it('an import adds tags to those of a known contact, and its undo restores the previous ones', async () => {
  await importRows('ana', [{ email: 'known@x.y', first_name: 'Kim', tags: 'Old' }])
  for (const row of [{ tags: 'New' }, { tags: 'New', first_name: 'Jo' }, { first_name: 'Jo' }]) {
    const [importId, laterImport] = [randomUUID(), randomUUID()]
    expect(await importRows('ana', [{ email: 'known@x.y', ...row }], importId)).toEqual([{ status: 'updated' }])
    expect(await tagsOf('known@x.y')).toEqual('tags' in row ? ['New', 'Old'] : ['Old'])
    // Two imports are undone in the order in which they were made.
    expect(await importRows('ana', [{ email: 'known@x.y', tags: 'Other' }], laterImport)).toEqual([
      { status: 'updated' },
    ])
    await undo(importId)
    await undo(laterImport)
    expect(await tagsOf('known@x.y')).toEqual(['Old'])
    const { rows } = await scene.owner.query('select first_name from contacts where brand_id = $1', [scene.acme])
    expect(rows).toEqual([{ first_name: 'Kim' }])
  }
})

it('the tags that an import gives to known contacts can be listed before and after the import', async () => {
  await importRows('ana', [
    { email: 'known@x.y', tags: 'Old' },
    { email: 'same@x.y', tags: 'Old' },
  ])
  const rows = [
    { email: 'known@x.y', tags: 'new; OLD' },
    { email: 'KNOWN@x.y', tags: 'New, Later' },
    { email: 'same@x.y', tags: 'old' },
  ]
  const chunk = JSON.stringify(rows)
  const tagChanges = async (by: Person, call: string, value: string) => {
    const { rows: found } = await scene.as(by)<{ answer: Found[] | { contacts: Found[] } }>(
      `select ${call}($1, $2) as answer`,
      [scene.acme, value],
    )
    const result = found[0]?.answer ?? []
    return ('contacts' in result ? result.contacts : result).map(({ before, after }) => [before.tags, after.tags])
  }
  expect(await tagChanges('ana', 'preview_import', chunk)).toEqual([['Old', 'Later, new, Old']])
  // A member cannot create the tags, so nothing would change.
  expect(await tagChanges('bo', 'preview_import', chunk)).toEqual([])
  const importId = randomUUID()
  await importRows('ana', rows, importId)
  expect(await tagChanges('bo', 'import_changes', importId)).toEqual([['Old', 'Later, new, Old']])
})

it('an import gives a contact 30 tags at most and a brand 200, and reports the ones that it left out', async () => {
  const tagNames = Array.from({ length: 32 }, (_, n) => `Tag ${String(n).padStart(2, '0')}`)
  const [result] = await importRows('ana', [{ email: 'a@x.y', tags: tagNames.join(';') }])
  expect(result?.status).toBe('created')
  expect(result?.left_out_tags).toHaveLength(2)
  expect(await tagsOf('a@x.y')).toHaveLength(30)
  await scene.owner.query(`insert into tags (brand_id, name) select $1, 'Full ' || n from generate_series(1, 168) n`, [
    scene.acme,
  ])
  const longTag = 'x'.repeat(51)
  expect(await importRows('ana', [{ email: 'b@x.y', tags: `One more, ${longTag}, Tag 00` }])).toEqual([
    { status: 'created', left_out_tags: ['One more', longTag] },
  ])
  expect(await tagsOf('b@x.y')).toEqual(['Tag 00'])
  expect(await refusalOf(importRows('eve', [{ email: 'c@x.y', tags: 'Mine' }]))).toBe('P0001 NOT_AUTHORIZED')
})

it('an import handles a repeated e-mail address row by row, and ignores tags that are no text', async () => {
  const importId = randomUUID()
  const rows = [
    { email: 'a@x.y', tags: 'One' },
    { email: 'A@x.y', tags: 'Two' },
    { email: 'b@x.y', tags: ['One'] },
    { email: 'c@x.y', tags: { has: 1 } },
    { tags: 'One' },
  ]
  const statuses = (await importRows('ana', rows, importId)).map(({ status }) => status)
  expect(statuses).toEqual(['created', 'updated', 'created', 'created', 'error'])
  expect(await tagsOf('a@x.y')).toEqual(['One', 'Two'])
  await undo(importId)
  const { rows: remaining } = await scene.owner.query('select email from contacts where brand_id = $1', [scene.acme])
  expect(remaining).toEqual([])
})
