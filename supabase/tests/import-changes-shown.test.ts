import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

type Row = Partial<Record<'email' | 'phone' | 'first_name' | 'last_name' | 'title' | 'company' | 'tags', string>>
interface Change {
  email: string
  before: Record<string, string | null>
  after: Record<string, string | null>
  changed_since?: boolean
}

const chunkJson = (rows: readonly Row[]) => JSON.stringify(rows.map((row, index) => ({ row: index + 2, ...row })))
const importRows = (importId: string, rows: readonly Row[]) =>
  scene.as('bo')('select import_contacts($1, $2, $3)', [scene.acme, importId, chunkJson(rows)])
async function preview(rows: readonly Row[]): Promise<Change[]> {
  const { rows: found } = await scene.as('bo')<{ answer: Change[] }>('select preview_import($1, $2) as answer', [
    scene.acme,
    chunkJson(rows),
  ])
  return found[0]?.answer ?? []
}
async function changes(importId: string): Promise<{ count: number; contacts: Change[] }> {
  const { rows } = await scene.as('bo')<{ answer: { count: number; contacts: Change[] } }>(
    'select import_changes($1, $2) as answer',
    [scene.acme, importId],
  )
  return rows[0]?.answer ?? { count: -1, contacts: [] }
}
/** Returns '<e-mail address>: <field> <old> → <new>' for each field that differs. */
const lines = (found: readonly Change[]) =>
  found.flatMap(({ email, before, after }) =>
    Object.keys(before)
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => `${email}: ${field} ${before[field]} → ${after[field]}`),
  )

it('the changes of an import to known contacts can be listed before and after it, field by field, until it is undone', async () => {
  await importRows(randomUUID(), [
    { email: 'anna@x.y', first_name: 'Anna', last_name: 'Vogt', phone: '030 1', title: 'CFO', company: 'Nordhafen' },
    { email: 'same@x.y', first_name: 'Sam', company: 'Nordhafen' },
  ])
  const fileRows: Row[] = [
    { email: 'ANNA@x.y', last_name: 'Alt', phone: '030 9', company: 'NORDHAFEN' },
    { email: 'same@x.y', first_name: 'Sam', company: 'nordhafen' },
    { email: 'new@x.y', first_name: 'Neu' },
    // The second row of the file for Anna: its values count, and its empty fields are taken from her first row.
    { email: 'anna@x.y', phone: '030 8', title: '' },
    // A refused row changes no contact.
    { email: 'same@x.y', phone: 'x'.repeat(51) },
  ]
  const expectedChanges = ['anna@x.y: phone 030 1 → 030 8', 'anna@x.y: last_name Vogt → Alt']
  expect(lines(await preview(fileRows)).sort()).toEqual(expectedChanges.toSorted())
  const importId = randomUUID()
  await importRows(importId, fileRows)
  const result = await changes(importId)
  expect(lines(result.contacts).sort()).toEqual(expectedChanges.toSorted())
  expect([result.count, result.contacts[0]?.changed_since]).toEqual([1, false])
  expect(await preview(fileRows)).toEqual([])

  await scene.as('ana')(`update contacts set phone = '030 7' where email = 'anna@x.y' and brand_id = $1`, [scene.acme])
  expect((await changes(importId)).contacts[0]).toMatchObject({ changed_since: true, after: { phone: '030 7' } })

  // A company that the file names is listed although it does not exist yet. Once the import is undone, nothing is listed.
  const laterImport = randomUUID()
  const rows = [{ email: 'same@x.y', company: 'Südhafen' }]
  expect(lines(await preview(rows))).toEqual(['same@x.y: company Nordhafen → Südhafen'])
  await importRows(laterImport, rows)
  expect(lines((await changes(laterImport)).contacts)).toEqual(['same@x.y: company Nordhafen → Südhafen'])
  await scene.as('bo')('select undo_import($1, $2)', [scene.acme, laterImport])
  expect(await changes(laterImport)).toEqual({ count: 0, contacts: [] })
})

it('the list of changes names the tags that an import added', async () => {
  const importId = randomUUID()
  await importRows(randomUUID(), [{ email: 'tagged@x.y' }])
  await scene.as('ana')('select import_contacts($1, $2, $3)', [
    scene.acme,
    importId,
    chunkJson([{ email: 'tagged@x.y', tags: 'VIP, press' }]),
  ])
  expect(lines((await changes(importId)).contacts)).toEqual(['tagged@x.y: tags null → press, VIP'])
})

it('of 201 changed contacts 200 are listed and all are counted; another brand sees none; a preview of more than 5,000 rows is refused', async () => {
  const people = Array.from({ length: 201 }, (_, index) => ({ email: `p${index}@x.y`, first_name: 'Old' }))
  await importRows(randomUUID(), people)
  const importId = randomUUID()
  await importRows(
    importId,
    people.map((row) => ({ ...row, first_name: 'New' })),
  )
  const { count, contacts } = await changes(importId)
  expect([count, contacts.length]).toEqual([201, 200])
  const listForUmbra = await scene.as('eve')('select import_changes($1, $2) as answer', [scene.umbra, importId])
  expect(listForUmbra.rows).toEqual([{ answer: { count: 0, contacts: [] } }])
  const sizeRefusal = await refusalOf(
    scene.as('bo')('select preview_import($1, $2)', [scene.acme, chunkJson(Array.from({ length: 5001 }, () => ({})))]),
  )
  expect(sizeRefusal).toBe('22023 p_rows is a list of at most 5000 rows.')
})
