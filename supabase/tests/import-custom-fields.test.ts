import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
const fieldIds: Record<string, string> = {}
beforeAll(async () => {
  scene = await openScene()
  await defineField('Region', 'text')
  await defineField('Team size', 'number')
  await defineField('Tier', 'choice', [
    { id: 'g', label: 'Gold' },
    { id: 's', label: 'Silver' },
  ])
  await defineField('Topics', 'choices', [
    { id: 'a', label: 'Ales' },
    { id: 'b', label: 'Beer' },
  ])
  await defineField('Notes', 'long_text')
  await defineField('Story', 'long_text')
})
afterAll(() => scene.drop())
beforeEach(() => scene.owner.query('delete from contacts where brand_id = $1', [scene.acme]))

async function defineField(label: string, type: string, options: unknown[] = [], brand = scene.acme) {
  const { rows } = await scene.owner.query<{ id: string; key: string }>(
    `insert into custom_fields (brand_id, "table", label, type, options) values ($1, 'contacts', $2, $3, $4) returning id, key`,
    [brand, label, type, JSON.stringify(options)],
  )
  if (rows[0]) fieldIds[rows[0].key] = rows[0].id
  return rows[0]?.id ?? ''
}

interface Answer {
  status: string
  left_out_values?: { field: string; reason: string }[]
}

/** Replaces the keys of custom fields by their ids, because values are stored by id. */
const byId = (custom: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(custom).map(([key, value]) => [fieldIds[key] ?? key, value]))

async function callAs<T>(by: Person, call: string, ...values: unknown[]): Promise<T> {
  const placeholders = values.map((_, index) => `$${index + 2}`).join(', ')
  const { rows } = await scene.as(by)<{ answer: T }>(`select ${call}($1, ${placeholders}) as answer`, [
    scene.acme,
    ...values,
  ])
  return rows[0]?.answer as T
}

async function importRows(by: Person, rows: readonly object[], importId = randomUUID()): Promise<Answer[]> {
  const chunk = JSON.stringify(rows.map((row, index) => ({ row: index + 2, ...row })))
  const results = await callAs<Answer[]>(by, 'import_contacts', importId, chunk)
  return results.map(({ status, left_out_values }) => ({ status, ...(left_out_values && { left_out_values }) }))
}

const customOf = async (email: string) =>
  (await scene.owner.query('select custom from contacts where brand_id = $1 and email_norm = $2', [scene.acme, email]))
    .rows[0]?.custom
const undo = (importId: string) => callAs('bo', 'undo_import', importId)

it('an import sets custom fields of new and known contacts, by id or key', async () => {
  const rows = [
    { email: 'a@x.y', custom: { region: ' North ', [fieldIds.team_size ?? '']: 12, topics: ['b', 'a'] } },
    { phone: '0100', custom: { tier: 'g' } },
    { email: 'c@x.y', custom: {} },
    { email: 'd@x.y', custom: { region: null, tier: '' } },
  ]
  expect(await importRows('bo', rows)).toEqual(rows.map(() => ({ status: 'created' })))
  expect(await customOf('a@x.y')).toEqual(byId({ region: 'North', team_size: 12, topics: ['a', 'b'] }))
  expect(await importRows('bo', rows)).toEqual(rows.map(() => ({ status: 'unchanged' })))
  expect(
    await importRows('bo', [
      { email: 'a@x.y', custom: { region: 'South', topics: ['a'] } },
      { email: 'A@x.y', custom: { region: 'West' } },
    ]),
  ).toEqual([{ status: 'updated' }, { status: 'updated' }])
  expect(await customOf('a@x.y')).toEqual(byId({ region: 'West', team_size: 12, topics: ['a'] }))
})

it('an import leaves out values that do not fit and reports them row by row; the row is imported', async () => {
  const [otherBrand = ''] = (
    await scene.owner.query<{ id: string }>('select id from brands where id <> $1', [scene.acme])
  ).rows.map(({ id }) => id)
  const foreignField = await defineField('Foreign', 'text', [], otherBrand)
  const longText = 'x'.repeat(4500)
  const results = await importRows('bo', [
    { email: 'a@x.y', custom: { region: 'North', team_size: 'many', tier: 'Gold' } },
    { email: 'b@x.y', custom: { [foreignField]: 'Mine', unknown: 1 } },
    { email: 'c@x.y', custom: { notes: longText, story: longText } },
    { email: 'd@x.y', custom: ['region'] },
    { email: 'no address', custom: { region: 'North' } },
  ])
  expect(results.map(({ status }) => status)).toEqual(['created', 'created', 'created', 'created', 'error'])
  expect(results[0]?.left_out_values).toEqual([
    {
      field: 'Team size',
      reason: 'The field "Team size" takes a number below 1,000,000,000,000 with at most 6 decimals.',
    },
    { field: 'Tier', reason: 'The field "Tier" takes the id of one of its options.' },
  ])
  expect(results[1]?.left_out_values?.map(({ reason }) => reason)).toEqual([
    'There is no such field.',
    'There is no such field.',
  ])
  expect(results[2]?.left_out_values?.[0]?.reason).toBe('The fields of a record hold at most 8 kB together.')
  expect(await customOf('a@x.y')).toEqual(byId({ region: 'North' }))
  expect([await customOf('b@x.y'), await customOf('c@x.y'), await customOf('d@x.y')]).toEqual([{}, {}, {}])
  expect(await refusalOf(importRows('eve', [{ email: 'e@x.y', custom: { region: 'North' } }]))).toBe(
    'P0001 NOT_AUTHORIZED',
  )
})

it('the custom fields that an import changes can be listed before and after the import, and its undo restores the previous values', async () => {
  await importRows('bo', [
    { email: 'known@x.y', first_name: 'Kim', custom: { region: 'North', topics: ['a', 'b'] } },
    { email: 'same@x.y', custom: { region: 'North' } },
  ])
  const before = byId({ region: 'North', topics: ['a', 'b'] })
  const rows = [
    { email: 'known@x.y', custom: { topics: ['a'], tier: 'g', team_size: 'many' } },
    { email: 'KNOWN@x.y', custom: { tier: 's' } },
    { email: 'same@x.y', custom: { region: 'North' } },
  ]
  const after = byId({ region: 'North', topics: ['a'], tier: 's' })
  const preview = await callAs<object[]>('bo', 'preview_import', JSON.stringify(rows))
  expect(preview).toMatchObject([{ email: 'known@x.y', before: { custom: before }, after: { custom: after } }])
  const [importId, laterImport] = [randomUUID(), randomUUID()]
  expect((await importRows('bo', rows, importId)).map(({ status }) => status)).toEqual([
    'updated',
    'updated',
    'unchanged',
  ])
  expect(await customOf('known@x.y')).toEqual(after)
  expect(await callAs('bo', 'import_changes', importId)).toMatchObject({
    count: 1,
    contacts: [{ before: { custom: before }, after: { custom: after } }],
  })
  // Two imports are undone in the order in which they were made.
  await importRows('bo', [{ email: 'known@x.y', first_name: 'Jo', custom: { region: 'West' } }], laterImport)
  await undo(importId)
  await undo(laterImport)
  expect(await customOf('known@x.y')).toEqual(before)
  const { rows: names } = await scene.owner.query('select first_name from contacts where brand_id = $1 order by 1', [
    scene.acme,
  ])
  expect(names).toEqual([{ first_name: 'Kim' }, { first_name: null }])
})

it('the undo of an import skips a field that was deleted meanwhile', async () => {
  const deletedField = await defineField('Gone', 'text')
  await importRows('bo', [{ email: 'known@x.y', custom: { gone: 'here', region: 'North' } }])
  const importId = randomUUID()
  await importRows('bo', [{ email: 'known@x.y', custom: { gone: 'there', region: 'South', tier: 'g' } }], importId)
  await scene.owner.query('delete from custom_fields where id = $1', [deletedField])
  await undo(importId)
  expect(await customOf('known@x.y')).toEqual({ ...byId({ region: 'North' }), [deletedField]: 'there' })
})

it('a patch of a record accepts keys of custom fields, and stores ids', async () => {
  await importRows('bo', [{ email: 'a@x.y', custom: { region: 'North' } }])
  const patch = (custom: object) =>
    scene.as('bo')('update contacts set custom = $2 where brand_id = $1', [scene.acme, JSON.stringify(custom)])
  await patch({ region: null, tier: 'g', team_size: 3, unknown: null })
  expect(await customOf('a@x.y')).toEqual(byId({ tier: 'g', team_size: 3 }))
  expect(await refusalOf(patch({ team_size: 'many' }))).toMatch(/^22023 The field "Team size" takes a number/)
  expect(await refusalOf(patch({ unknown: 1 }))).toBe('22023 There is no field unknown for contacts.')
})

it('an import recognises a contact without an e-mail address by its id, and adds it once', async () => {
  await importRows('bo', [{ phone: '0100', title: 'Buyer' }])
  const { rows } = await scene.owner.query<{ id: string }>('select id from contacts where brand_id = $1', [scene.acme])
  const id = rows[0]?.id
  expect(await importRows('bo', [{ id, phone: '0100', custom: { region: 'North' } }])).toEqual([{ status: 'updated' }])
  expect(await importRows('bo', [{ id, phone: '0100', custom: { region: 'North' } }])).toEqual([
    { status: 'unchanged' },
  ])
  // An id that belongs to no contact of this brand is ignored.
  const [unknownId, invalidId] = [randomUUID(), 'x']
  expect(
    (
      await importRows('bo', [
        { id: unknownId, phone: '0200' },
        { id: invalidId, phone: '0300' },
      ])
    ).map(({ status }) => status),
  ).toEqual(['created', 'created'])
  const { rows: rowsWithUnknownId } = await scene.owner.query(
    'select id from contacts where brand_id = $1 and id = $2',
    [scene.acme, unknownId],
  )
  expect(rowsWithUnknownId).toEqual([])
})
