import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.owner.query(`insert into tags (brand_id, name) values ($1, 'fair')`, [scene.acme])
})
afterAll(() => scene.drop())
beforeEach(async () => {
  for (const table of ['contacts', 'companies']) await scene.owner.query(`delete from ${table}`)
})

type Row = Partial<Record<'id' | 'email' | 'phone' | 'first_name' | 'last_name' | 'title' | 'company' | 'tags', string>>
interface Answer {
  row: number
  status: string
  id: string
  reason: string | null
}
interface Change {
  id: string
  email: string | null
  before: Record<string, unknown>
  after: Record<string, unknown>
}

const chunkJson = (rows: readonly Row[], first = 2) =>
  JSON.stringify(rows.map((row, index) => ({ row: index + first, ...row })))
async function answerOf<T>(text: string, values: readonly unknown[]): Promise<T> {
  const { rows } = await scene.as('bo')<{ answer: T }>(`select ${text} as answer`, [scene.acme, ...values])
  return rows[0]!.answer
}
const importRows = (rows: readonly Row[], importId = randomUUID(), first = 2) =>
  answerOf<Answer[]>('import_contacts($1, $2, $3)', [importId, chunkJson(rows, first)])
const preview = (rows: readonly Row[]) => answerOf<Change[]>('preview_import($1, $2)', [chunkJson(rows)])
const undo = (importId: string) => answerOf<Record<string, unknown>>('undo_import($1, $2)', [importId])
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status)

async function addContact(values: Record<string, string> = {}, brand = scene.acme): Promise<string> {
  const { rows } = await scene.owner.query<{ id: string }>(
    `insert into contacts (brand_id, email, phone, first_name, last_name, title) values ($1, $2, $3, $4, $5, $6) returning id`,
    [brand, values.email, values.phone ?? '0100', values.first_name ?? 'Uta', values.last_name, values.title],
  )
  return rows[0]!.id
}
/** Returns each contact as '<email> <phone> <first name> <last name> <title> <company>', without nulls, in this order. */
async function contacts(brand = scene.acme): Promise<string[]> {
  const { rows } = await scene.owner.query<{ line: string }>(
    `select concat_ws(' ', c.email, c.phone, c.first_name, c.last_name, c.title, o.name) as line
     from contacts c left join companies o on o.id = c.company_id where c.brand_id = $1 order by 1`,
    [brand],
  )
  return rows.map(({ line }) => line)
}
const companies = async () =>
  (await scene.owner.query<{ name: string }>('select name from companies order by 1')).rows.map(({ name }) => name)

describe('a row without an e-mail address, whose id names a contact', () => {
  it('a row without an e-mail address, whose id names a contact, changes the contact; the preview and the list of changes name it; the undo restores it', async () => {
    const id = await addContact({ last_name: 'Holm', title: 'CFO' })
    const rows: Row[] = [
      { id, phone: '0200', first_name: '', last_name: 'Berg', title: 'CEO', company: 'Nord', tags: 'fair' },
    ]
    const before = { email: null, phone: '0100', last_name: 'Holm', title: 'CFO', company: null, tags: null }
    const after = { email: null, phone: '0200', last_name: 'Berg', title: 'CEO', company: 'Nord', tags: 'fair' }
    expect(await preview(rows)).toMatchObject([{ id, email: null, before, after: { ...after, first_name: 'Uta' } }])

    const importId = randomUUID()
    expect(await importRows(rows, importId)).toEqual([{ row: 2, status: 'updated', id, reason: null }])
    expect(await contacts()).toEqual(['0200 Uta Berg CEO Nord'])
    expect(await answerOf('import_changes($1, $2)', [importId])).toMatchObject({
      count: 1,
      contacts: [{ id, before, after, changed_since: false }],
    })
    // The same chunk again, and the same rows in another file.
    expect(statuses(await importRows(rows, importId))).toEqual(['unchanged'])
    expect(await preview(rows)).toEqual([])

    expect(await undo(importId)).toMatchObject({ done: true, contacts: 0, companies: 1, restored: 1, changed: 0 })
    expect(await contacts()).toEqual(['0100 Uta Holm CFO'])
    expect(await companies()).toEqual([])
  })

  it('a row without an e-mail address, whose id names a contact with an address, changes the contact and keeps the address', async () => {
    const id = await addContact({ email: 'uta@x.y' })
    expect(statuses(await importRows([{ id, phone: '0200', company: 'Nord' }]))).toEqual(['updated'])
    expect(await contacts()).toEqual(['uta@x.y 0200 Uta Nord'])
  })

  it('of several rows for one contact the later values count, whether a row names the contact by its id or by its address', async () => {
    const id = await addContact({ email: 'uta@x.y' })
    const rows: Row[] = [
      { id, phone: '0201', title: 'CTO' },
      { email: 'uta@x.y', phone: '0202' },
      { id, phone: '0203', last_name: 'Berg' },
      { email: 'UTA@x.y', phone: '0204' },
      { id, phone: '0205' },
    ]
    expect(await preview(rows)).toMatchObject([{ id, after: { phone: '0205', title: 'CTO', last_name: 'Berg' } }])
    const importId = randomUUID()
    const outcomes = await importRows(rows, importId)
    expect([statuses(outcomes), new Set(outcomes.map((answer) => answer.id))]).toEqual([
      rows.map(() => 'updated'),
      new Set([id]),
    ])
    expect(await contacts()).toEqual(['uta@x.y 0205 Uta Berg CTO'])
    await undo(importId)
    expect(await contacts()).toEqual(['uta@x.y 0100 Uta'])
  })

  it('a row without an e-mail address adds a contact if its id is that of a deleted contact, of a contact of another brand, or of no contact', async () => {
    const deletedId = await addContact()
    await scene.owner.query('delete from contacts where id = $1', [deletedId])
    const foreign = await addContact({ phone: '0900', first_name: 'Eve' }, scene.umbra)
    const ids = [deletedId, foreign, randomUUID()]
    const rows = ids.map((id) => ({ id, phone: '0200', first_name: 'Neu', company: 'Nord' }))
    expect(await preview(rows)).toEqual([])
    const importId = randomUUID()
    const outcomes = await importRows(rows, importId)
    expect(statuses(outcomes)).toEqual(['created', 'created', 'created'])
    expect(outcomes.filter(({ id }) => ids.includes(id))).toEqual([])
    // Sent again, no row adds a second contact.
    expect(statuses(await importRows(rows, importId))).toEqual(['unchanged', 'unchanged', 'unchanged'])
    expect(await contacts()).toEqual(['0200 Neu Nord', '0200 Neu Nord', '0200 Neu Nord'])
    expect(await contacts(scene.umbra)).toEqual(['0900 Eve'])
  })
})

describe('a row with an address that no contact has, whose id names a contact without one', () => {
  it('a row with a new address and the id of a contact without one gives the contact the address and the other values; the undo removes them', async () => {
    const id = await addContact()
    const rows: Row[] = [{ id, email: 'Uta@x.y', phone: '0200', company: 'Nord' }]
    expect(await preview(rows)).toMatchObject([
      { id, before: { email: null, phone: '0100' }, after: { email: 'Uta@x.y', phone: '0200', company: 'Nord' } },
    ])
    const importId = randomUUID()
    expect(await importRows(rows, importId)).toEqual([{ row: 2, status: 'updated', id, reason: null }])
    expect(await contacts()).toEqual(['Uta@x.y 0200 Uta Nord'])
    expect(statuses(await importRows(rows, importId))).toEqual(['unchanged'])
    expect(await undo(importId)).toMatchObject({ done: true, contacts: 0, companies: 1, restored: 1 })
    expect(await contacts()).toEqual(['0100 Uta'])
  })

  it('two imports, of which the second gives the contact its address, can be undone in either order', async () => {
    for (const isOlderUndoneFirst of [true, false]) {
      await scene.owner.query('delete from contacts')
      const id = await addContact()
      const [first, second] = [randomUUID(), randomUUID()]
      await importRows([{ id, phone: '0200' }], first)
      await importRows([{ id, email: 'uta@x.y', title: 'CEO' }], second)
      expect(await contacts()).toEqual(['uta@x.y 0200 Uta CEO'])
      for (const importId of isOlderUndoneFirst ? [first, second] : [second, first]) await undo(importId)
      expect(await contacts()).toEqual(['0100 Uta'])
    }
  })

  it('a row changes the contact that has its address; if none has, and its id is that of a contact with another address, of another brand or of nobody, it adds a contact', async () => {
    const nameless = await addContact()
    const otherId = await addContact({ email: 'other@x.y', phone: '0300' })
    await addContact({ email: 'known@x.y', phone: '0400' })
    const foreign = await addContact({ phone: '0900', first_name: 'Eve' }, scene.umbra)
    const rows: Row[] = [
      { id: nameless, email: 'known@x.y', title: 'CEO' },
      { id: otherId, email: 'new@x.y' },
      { id: foreign, email: 'foreign@x.y' },
      { id: randomUUID(), email: 'nobody@x.y' },
    ]
    expect((await preview(rows)).map(({ email }) => email)).toEqual(['known@x.y'])
    const outcomes = await importRows(rows)
    expect(statuses(outcomes)).toEqual(['updated', 'created', 'created', 'created'])
    expect(outcomes.filter(({ id }) => rows.some((row) => row.id === id))).toEqual([])
    expect(await contacts()).toEqual([
      '0100 Uta',
      'foreign@x.y',
      'known@x.y 0400 Uta CEO',
      'new@x.y',
      'nobody@x.y',
      'other@x.y 0300 Uta',
    ])
    expect(await contacts(scene.umbra)).toEqual(['0900 Eve'])
  })

  it('of two new addresses for one id the contact gets the first; a new address with two ids goes to the contact of the first id', async () => {
    const [first, second] = [await addContact({ phone: '1' }), await addContact({ phone: '2' })]
    const rows: Row[] = [
      { id: first, email: 'a@x.y' },
      { id: first, email: 'b@x.y' },
      { id: first, phone: '11' },
      { id: second, email: 'a@x.y', title: 'CEO' },
    ]
    expect(await preview(rows)).toMatchObject([{ id: first, after: { email: 'a@x.y', phone: '11', title: 'CEO' } }])
    expect(statuses(await importRows(rows))).toEqual(['updated', 'created', 'updated', 'updated'])
    expect(await contacts()).toEqual(['2 Uta', 'a@x.y 11 Uta CEO', 'b@x.y'])
  })
})

it('a chunk that is imported row by row has the same result', async () => {
  const outcomes: unknown[] = []
  for (const name of ['import_as_set', 'import_row_by_row']) {
    for (const table of ['contacts', 'companies']) await scene.owner.query(`delete from ${table}`)
    const [first, second] = [await addContact({ phone: '1' }), await addContact({ phone: '2', email: 'b@x.y' })]
    const foreign = await addContact({ phone: '0900' }, scene.umbra)
    const rows: Row[] = [
      { id: first, phone: '11', company: 'Nord' },
      { id: first, email: 'a@x.y', title: 'CEO' },
      { id: second, phone: '22', last_name: 'Berg' },
      { id: second, email: 'c@x.y', phone: '33' },
      { id: foreign, email: 'd@x.y', phone: '44' },
      { id: foreign, phone: '55' },
    ]
    const { rows: found } = await scene.owner.query<{ answers: Answer[] }>(
      `select private.${name}($1, $2, $3) as answers`,
      [scene.acme, randomUUID(), chunkJson(rows)],
    )
    outcomes.push([statuses(found[0]!.answers), await contacts(), await contacts(scene.umbra)])
  }
  expect(outcomes[0]).toEqual([
    ['updated', 'updated', 'updated', 'created', 'created', 'created'],
    ['55', 'a@x.y 11 Uta CEO Nord', 'b@x.y 22 Uta Berg', 'c@x.y 33', 'd@x.y 44'],
    ['0900 Uta'],
  ])
  expect(outcomes[1]).toEqual(outcomes[0])
})

it('a row whose contact is deleted while the import waits adds another contact, and the deleted one can be restored', async () => {
  const id = await addContact({ phone: '0100', title: 'CFO' })
  const otherClient = await scene.owner.connect()
  try {
    await otherClient.query('begin')
    await otherClient.query('select private.lock_chunk($1, null, array[]::text[], array[$2::uuid])', [scene.acme, id])
    await otherClient.query('delete from contacts where id = $1', [id])
    const imported = importRows([{ id, phone: '0200' }])
    await expect
      .poll(async () => {
        const { rows } = await scene.owner.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%import_contacts%'`,
        )
        return rows.length
      })
      .toBe(1)
    await otherClient.query('commit')
    const [answer] = await imported
    expect(answer).toMatchObject({ status: 'created' })
    expect(answer?.id).not.toBe(id)
  } finally {
    otherClient.release()
  }
})
