import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())
beforeEach(async () => {
  for (const table of ['deals', 'tasks', 'contacts', 'companies'])
    await scene.owner.query(`delete from ${table} where brand_id = $1`, [scene.acme])
})

type Row = Partial<Record<'email' | 'phone' | 'first_name' | 'title' | 'company', string>>

async function importRows(rows: readonly Row[]): Promise<string> {
  const id = randomUUID()
  await importMore(id, rows)
  return id
}

async function importMore(id: string, rows: readonly Row[]): Promise<void> {
  const chunk = JSON.stringify(rows.map((row, index) => ({ row: index + 2, ...row })))
  await scene.as('bo')(`select import_contacts($1, $2, $3, 'fair.csv')`, [scene.acme, id, chunk])
}

async function undo(id: string) {
  for (let calls = 1; calls < 20; calls += 1) {
    const { rows } = await scene.as('bo')<{ answer: { done: boolean } }>('select undo_import($1, $2) as answer', [
      scene.acme,
      id,
    ])
    if (rows[0]?.answer.done) return rows[0].answer
  }
  throw new Error('undo_import does not end')
}

async function undoPlan(id: string) {
  const { rows } = await scene.as('bo')<{ list: unknown[] }>('select read_imports($1, $2) as list', [scene.acme, id])
  return rows[0]?.list[0]
}

/** Returns 'e-mail name title company' of each contact of the brand, and the name of each company. */
async function stored() {
  const { rows } = await scene.owner.query<{ line: string }>(
    `select concat_ws(' ', c.email, c.first_name, c.title, o.name) as line
     from contacts c left join companies o on o.id = c.company_id where c.brand_id = $1
     union all select name from companies where brand_id = $1 order by 1`,
    [scene.acme],
  )
  return rows.map(({ line }) => line)
}

const runAsAna = (text: string) => scene.as('ana')(text, [scene.acme])
const addTask = () =>
  runAsAna(`insert into tasks (brand_id, title, contact_id) select $1, 'Call', id from contacts where brand_id = $1`)

/** A file with one e-mail address in two rows: the later row changes what the earlier one wrote, also when the file is imported again. */
const file = [
  { email: 'twice@x.y', first_name: 'First', company: 'Fair Co' },
  { email: 'once@x.y', first_name: 'Only', company: 'Fair Co' },
  { email: 'twice@x.y', first_name: 'Second', title: 'CEO', company: 'Fair Co' },
]

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

describe('two imports of the same file', () => {
  it.each(['newer', 'older'])(
    'two imports of the same file leave no rows behind once both are undone, the %s one first',
    async (first) => {
      const ids = [await importRows(file), await importRows(file)]
      if (first === 'newer') ids.reverse()
      for (const id of ids) await undo(id)
      expect(await stored()).toEqual([])
    },
  )

  it('the undo of the newer of two imports of the same file restores all values of the older one', async () => {
    const older = await importRows(file)
    const newer = await importRows(file)
    expect(await undoPlan(older)).toMatchObject({ removable: 1, kept: 1 })
    expect(await undoPlan(newer)).toMatchObject({ removable: 0, kept: 0, restorable: 1, changed: 0 })
    expect(await undo(newer)).toMatchObject({ contacts: 0, restored: 1, kept: 0, changed: 0 })
    expect(await undoPlan(older)).toMatchObject({ removable: 2, kept: 0, unused_companies: 0 })
    expect(await undo(older)).toMatchObject({ contacts: 2, companies: 1, kept: 0 })
  })

  it('after an undo of the older of two imports of the same file, the undo of the newer one deletes the rows that the first undo kept', async () => {
    const older = await importRows(file)
    const newer = await importRows(file)
    expect(await undo(older)).toMatchObject({ contacts: 1, companies: 0, kept: 1 })
    expect(await stored()).toEqual(['Fair Co', 'twice@x.y Second CEO Fair Co'])
    expect(await undoPlan(newer)).toMatchObject({ removable: 1, kept: 0, restorable: 0, changed: 0 })
    expect(await undo(newer)).toMatchObject({ contacts: 1, companies: 1, restored: 0, kept: 0 })
  })
})

it('the undo of an import keeps contacts and companies that somebody wrote a note about', async () => {
  const id = await importRows([
    { email: 'a@x.y', first_name: 'A', company: 'Noted Co' },
    { email: 'b@x.y', first_name: 'B', company: 'Other Co' },
  ])
  await runAsAna(
    `insert into notes (brand_id, body, contact_id) select $1, 'Called', id from contacts where brand_id = $1 and email = 'b@x.y'`,
  )
  await runAsAna(
    `insert into notes (brand_id, body, company_id) select $1, 'Visited', id from companies where brand_id = $1 and name = 'Noted Co'`,
  )
  expect(await undoPlan(id)).toMatchObject({ removable: 1, kept: 1 })
  expect(await undo(id)).toMatchObject({ contacts: 1, companies: 0, kept: 1 })
  expect(await stored()).toEqual(['b@x.y B Other Co', 'Noted Co', 'Other Co'])
})

describe('three imports that change the same rows', () => {
  const layers = ['A', 'B', 'C'].map((letter) => [
    { email: 'new@x.y', first_name: `New ${letter}`, company: `Co ${letter}` },
    { email: 'known@x.y', first_name: `Known ${letter}`, company: `Co ${letter}` },
  ])

  it.each(orders)(
    'three imports that change the same rows leave the rows from before the imports when they are undone in the order %i, %i, %i',
    async (...order) => {
      await importRows([{ email: 'known@x.y', first_name: 'Known', title: 'CEO', company: 'Old Co' }])
      const before = await stored()
      const ids: string[] = []
      for (const layer of layers) ids.push(await importRows(layer))
      for (const index of order) await undo(ids[index] ?? '')
      expect(await stored()).toEqual(before)
      for (const id of ids) expect(await undoPlan(id)).toMatchObject({ kept: 0, changed: 0, holds_values: false })
    },
  )

  it('imports that change the same rows leave no rows when they are undone, even if one was undone and repeated before', async () => {
    const [first, ...undoneBefore] = [await importRows(layers[0] ?? []), await importRows(layers[1] ?? [])]
    for (const id of undoneBefore) await undo(id)
    const repeatedImport = await importRows(layers[1] ?? [])
    await importMore(repeatedImport, layers[2] ?? [])
    await undo(repeatedImport)
    await undo(first)
    expect(await stored()).toEqual([])
  })

  it('two imports that change the same 620 rows leave no rows when they are undone in batches', async () => {
    const many = (name: string) =>
      Array.from({ length: 620 }, (_, n) => ({ email: `p${n}@x.y`, first_name: name, company: `${name} ${n % 7}` }))
    const [older, newer] = [await importRows(many('A')), await importRows(many('B'))]
    expect(await undo(older)).toMatchObject({ contacts: 0, companies: 7, kept: 620 })
    expect(await undo(newer)).toMatchObject({ contacts: 620, companies: 7, kept: 0 })
    expect(await stored()).toEqual([])
  })
})

describe('a person who edits imported contacts', () => {
  it.each(['between the imports', 'after both'])(
    'an imported contact that a person edits %s stays when both imports are undone',
    async (when) => {
      for (const first of ['newer', 'older']) {
        const edit = () => runAsAna(`update contacts set title = 'Boss' where brand_id = $1 and email = 'twice@x.y'`)
        const ids = [await importRows(file)]
        if (when !== 'after both') await edit()
        ids.push(await importRows(file))
        if (when === 'after both') await edit()
        if (first === 'newer') ids.reverse()
        for (const id of ids) await undo(id)
        expect(await stored()).toEqual(['Fair Co', 'twice@x.y Second Boss Fair Co'])
        await runAsAna(`delete from contacts where brand_id = $1`)
        await runAsAna(`delete from companies where brand_id = $1`)
      }
    },
  )

  it('an imported contact that a person edits after the undo of the newer import stays when the older one is undone', async () => {
    const [older, newer] = [await importRows(file), await importRows(file)]
    await undo(newer)
    await runAsAna(`update contacts set title = 'Boss' where brand_id = $1 and email = 'twice@x.y'`)
    expect(await undo(older)).toMatchObject({ contacts: 1, kept: 1 })
    expect(await stored()).toEqual(['Fair Co', 'twice@x.y Second Boss Fair Co'])
  })

  it('an imported contact with a task stays when both imports are undone, with the values of the older one; without the task, the next undo deletes it', async () => {
    const older = await importRows([{ email: 'a@x.y', title: 'CEO', company: 'Co' }])
    const newer = await importRows([{ email: 'a@x.y', title: 'Clerk' }])
    await undo(older)
    await addTask()
    expect(await undoPlan(newer)).toMatchObject({ removable: 0, kept: 0, restorable: 1 })
    expect(await undo(newer)).toMatchObject({ contacts: 0, restored: 1, kept: 0 })
    expect(await stored()).toEqual(['a@x.y CEO Co', 'Co'])
    await runAsAna(`delete from tasks where brand_id = $1`)
    expect(await undo(older)).toMatchObject({ contacts: 1, companies: 1 })
    expect(await stored()).toEqual([])
  })

  it('the undo of an import deletes unused companies, even if a person has already deleted the contacts', async () => {
    const id = await importRows(file)
    await runAsAna(`delete from contacts where brand_id = $1`)
    expect(await undoPlan(id)).toMatchObject({ removable: 0, kept: 0, unused_companies: 1 })
    expect(await undo(id)).toMatchObject({ contacts: 0, companies: 1 })
    expect(await undoPlan(id)).toMatchObject({ unused_companies: 0 })
  })
})
