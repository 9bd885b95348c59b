import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())
beforeEach(async () => {
  for (const table of ['deals', 'tasks', 'contacts', 'companies'])
    await scene.owner.query(`delete from ${table} where brand_id = $1`, [scene.acme])
})

type Row = Partial<Record<'email' | 'phone' | 'first_name' | 'last_name' | 'title' | 'company', string>>
type Answer = { status: string; reason: string | null; id: string | null }
interface Undone {
  done: boolean
  contacts: number
  companies: number
  restored: number
  kept: number | null
  changed: number | null
}

async function importRows(importId: string, rows: readonly Row[], first = 2): Promise<Answer[]> {
  const chunk = JSON.stringify(rows.map((row, index) => ({ row: index + first, ...row })))
  const { rows: answers } = await scene.as('bo')<{ outcomes: Answer[] }>(
    `select import_contacts($1, $2, $3, 'fair.csv') as outcomes`,
    [scene.acme, importId, chunk],
  )
  return answers[0]?.outcomes ?? []
}

/** Calls undo_import until it is done, at most 101 times. Returns the number of calls, and the last response. */
async function undo(importId: string, person: 'bo' | 'ana' = 'bo') {
  for (let calls = 1; ; calls += 1) {
    const { rows } = await scene.as(person)<{ answer: Undone }>('select undo_import($1, $2) as answer', [
      scene.acme,
      importId,
    ])
    const result = rows[0]?.answer
    if (!result || result.done || calls > 100) return { calls, answer: result }
  }
}

const undoneAnswer = (contacts: number, companies: number, rest: Partial<Undone> = {}): Undone => ({
  done: true,
  contacts,
  companies,
  restored: 0,
  kept: 0,
  changed: 0,
  ...rest,
})

const knownContact = async () => {
  const { rows } = await scene.owner.query(
    `select c.first_name, c.last_name, c.phone, c.title, o.name as company
     from contacts c left join companies o on o.id = c.company_id where c.email = 'known@x.y' and c.brand_id = $1`,
    [scene.acme],
  )
  return rows
}

const namesFrom = async (text: string) =>
  (await scene.owner.query<{ name: string }>(text, [scene.acme])).rows.map((r) => r.name)
const contactAddresses = () =>
  namesFrom('select coalesce(email, phone) as name from contacts where brand_id = $1 order by 1')
const companyNames = () => namesFrom('select name from companies where brand_id = $1 order by 1')
const runAsAna = (text: string, ...values: unknown[]) => scene.as('ana')(text, [scene.acme, ...values])

describe('phone numbers and job titles in an import', () => {
  it('phone numbers and job titles are imported, also those of a known contact; empty ones change nothing', async () => {
    await importRows(randomUUID(), [{ email: 'a@x.y', phone: ' 0100 ', title: 'CEO' }])
    const outcomes = await importRows(randomUUID(), [
      { email: 'A@X.Y', phone: '', title: 'CFO' },
      { email: 'a@x.y', title: 'CFO' },
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['updated', 'unchanged'])
    const { rows } = await scene.owner.query('select email, phone, title from contacts where brand_id = $1', [
      scene.acme,
    ])
    expect(rows).toEqual([{ email: 'a@x.y', phone: '0100', title: 'CFO' }])
  })

  it('an imported row with only a phone number creates a contact; only the same row of a repeated import is recognised as this contact', async () => {
    const file = [
      { phone: '0100', first_name: 'Uta' },
      { phone: '0100', first_name: 'Uwe' },
      { first_name: 'Nobody' },
      { email: '', phone: '1'.repeat(51) },
      { phone: '0100', title: 't'.repeat(201) },
    ]
    const outcomes = await importRows(randomUUID(), file)
    expect(outcomes.map(({ status, reason }) => reason ?? status)).toEqual([
      'created',
      'created',
      'Email is required',
      'The phone number is longer than 50 characters',
      'The title is longer than 200 characters',
    ])
    expect(await contactAddresses()).toEqual(['0100', '0100'])
    // The same file is imported again, as after an interruption: each row is recognised as the contact that it has created.
    const repeatedOutcomes = await importRows(randomUUID(), file)
    expect(repeatedOutcomes.slice(0, 2).map(({ status }) => status)).toEqual(['unchanged', 'unchanged'])
    expect(repeatedOutcomes.slice(0, 2).map(({ id }) => id)).toEqual(outcomes.slice(0, 2).map(({ id }) => id))
    // Other rows of a file add contacts, although their phone numbers are the same.
    await importRows(randomUUID(), file.slice(0, 2), 12)
    expect(await contactAddresses()).toHaveLength(4)
  })
})

describe('undo_import', () => {
  it('undo_import deletes the rows that the import added, and keeps rows that existed before, that a person changed, or that other records refer to', async () => {
    await importRows(randomUUID(), [{ email: 'known@x.y', company: 'Old Co' }])
    const id = randomUUID()
    await importRows(id, [
      { email: 'known@x.y', first_name: 'Known', company: 'Changed Co' },
      { email: 'plain@x.y', company: 'Plain Co' },
      { email: 'plain@x.y', first_name: 'Twice in the file' },
      { email: 'changed@x.y', company: 'Kept Co' },
      { email: 'deal@x.y', company: 'Plain Co' },
      { email: 'task@x.y', company: 'Edited Co' },
      { email: 'moved@x.y', company: 'Edited Co' },
      { phone: '0100', company: 'Deal Co' },
    ])
    // A later chunk of the same import changes a contact of the first chunk.
    await importRows(id, [{ email: 'plain@x.y', last_name: 'And in the next chunk' }], 502)
    await runAsAna(`update contacts set title = 'Boss' where brand_id = $1 and email = 'changed@x.y'`)
    await runAsAna(
      `insert into deals (brand_id, name, stage_id, contact_id) select $1, 'Deal', s.id, c.id from deal_stages s, contacts c
       where s.brand_id = $1 and s.position = 1 and c.brand_id = $1 and c.email = 'deal@x.y'`,
    )
    await runAsAna(
      `insert into deals (brand_id, name, stage_id, company_id) select $1, 'Other', s.id, c.id from deal_stages s, companies c
       where s.brand_id = $1 and s.position = 1 and c.brand_id = $1 and c.name = 'Deal Co'`,
    )
    await runAsAna(
      `insert into tasks (brand_id, title, contact_id) select $1, 'Call', id from contacts where brand_id = $1 and email = 'task@x.y'`,
    )
    await runAsAna(`update companies set notes = 'Mine' where brand_id = $1 and name = 'Edited Co'`)
    const { rows } = await scene.as('bo')<{ list: Record<string, unknown>[] }>('select read_imports($1, $2) as list', [
      scene.acme,
      id,
    ])
    expect(rows[0]?.list).toMatchObject([
      {
        id,
        file_name: 'fair.csv',
        created: 6,
        updated: 3,
        removable: 3,
        kept: 3,
        restorable: 1,
        changed: 0,
        holds_values: true,
        undone_at: null,
      },
    ])

    // A colleague may undo the import: she could delete each contact anyway.
    expect(await undo(id, 'ana')).toEqual({ calls: 1, answer: undoneAnswer(3, 1, { restored: 1, kept: 3 }) })
    expect(await contactAddresses()).toEqual(['changed@x.y', 'deal@x.y', 'known@x.y', 'task@x.y'])
    // Each of these companies has a contact that stays or a deal, was changed by a person, or existed before the import.
    expect(await companyNames()).toEqual(['Deal Co', 'Edited Co', 'Kept Co', 'Old Co', 'Plain Co'])
    expect(await knownContact()).toEqual([
      { first_name: null, last_name: null, phone: null, title: null, company: 'Old Co' },
    ])

    // Without their deals, a contact and two companies are deleted by the next call. A changed contact and one with a task stay.
    await runAsAna(`delete from deals where brand_id = $1`)
    expect((await undo(id)).answer).toEqual(undoneAnswer(4, 3, { restored: 1, kept: 2 }))
    expect(await companyNames()).toEqual(['Edited Co', 'Kept Co', 'Old Co'])
  })

  it('undo_import works in batches of 500, companies after contacts, and can be undone like any other delete', async () => {
    const id = randomUUID()
    for (let chunk = 0; chunk < 3; chunk += 1)
      await importRows(
        id,
        Array.from({ length: 400 }, (_, n) => ({ email: `p${chunk}-${n}@x.y`, company: `Co ${n % 40}` })),
        2 + chunk * 400,
      )
    const { rows: before } = await scene.owner.query('select id from contacts where brand_id = $1', [scene.acme])
    expect(await undo(id)).toEqual({ calls: 3, answer: undoneAnswer(1200, 40) })
    expect([await contactAddresses(), await companyNames()]).toEqual([[], []])
    const restoredIds = before.slice(0, 10).map((row) => row.id)
    await scene.as('bo')(`select restore_records($1, 'contacts', $2)`, [scene.acme, restoredIds])
    expect(await contactAddresses()).toHaveLength(10)
    // A person who restores a contact wants to keep it.
    expect((await undo(id)).answer).toMatchObject({ contacts: 1200, kept: 10 })
  })

  it('undo_import also undoes the repetition of an import that was undone before', async () => {
    const rows = [{ phone: '0100', company: 'Co' }]
    for (let round = 0; round < 2; round += 1) {
      const id = randomUUID()
      expect((await importRows(id, rows))[0]?.status).toBe('created')
      expect((await undo(id)).answer).toEqual(undoneAnswer(1, 1))
    }
    expect(await contactAddresses()).toEqual([])
  })

  it('undo_import restores the previous values of known contacts in batches, except of contacts that somebody has changed or deleted since', async () => {
    const knownRows = Array.from({ length: 700 }, (_, n) => ({
      email: `p${n}@x.y`,
      first_name: `First ${n}`,
      phone: `0${n}`,
    }))
    await importRows(randomUUID(), [
      { email: 'known@x.y', first_name: 'Ida', title: 'CEO', company: 'Now Co' },
      ...knownRows,
    ])
    const id = randomUUID()
    await importRows(id, [
      { email: 'KNOWN@x.y', first_name: 'I', last_name: 'H', phone: '0100', title: 'Clerk', company: 'Past Co' },
      ...knownRows.map(({ email }) => ({ email, first_name: 'Old', phone: '1' })),
    ])
    // A value that an earlier row of the same import wrote, in this chunk or an earlier one, does not count as a previous value.
    await importRows(id, [
      { email: 'known@x.y', title: 'Porter' },
      { email: 'known@x.y', title: 'Chief' },
    ])
    await runAsAna(`update contacts set phone = '2' where brand_id = $1 and email in ('p5@x.y', 'p6@x.y')`)
    await runAsAna(`delete from contacts where brand_id = $1 and email = 'p7@x.y'`)
    const { rows } = await scene.as('bo')<{ list: unknown[] }>('select read_imports($1, $2) as list', [scene.acme, id])
    expect(rows[0]?.list).toMatchObject([{ removable: 0, kept: 0, restorable: 698, changed: 2 }])
    expect(await undo(id)).toEqual({ calls: 2, answer: undoneAnswer(0, 1, { restored: 698, changed: 2 }) })
    expect(await knownContact()).toEqual([
      { first_name: 'Ida', last_name: null, phone: null, title: 'CEO', company: 'Now Co' },
    ])
    expect(
      await namesFrom(`select distinct first_name as name from contacts where brand_id = $1 and phone = '1'`),
    ).toEqual([])
    expect(
      await namesFrom(
        `select first_name || ' ' || phone as name from contacts where brand_id = $1 and email in ('p4@x.y', 'p5@x.y') order by 1`,
      ),
    ).toEqual(['First 4 04', 'Old 2'])
    // The previous values can be read by nobody; only the undo uses them.
    expect(await refusalOf(scene.as('bo')('select * from private.import_changes'))).toMatch(/^42501 /)
  })

  it('undo_import treats a change between two chunks of one import as a previous value', async () => {
    await importRows(randomUUID(), [{ email: 'known@x.y', title: 'CEO' }])
    const id = randomUUID()
    await importRows(id, [{ email: 'known@x.y', title: 'Clerk', phone: '1' }])
    await runAsAna(`update contacts set title = 'Boss' where brand_id = $1`)
    await importRows(id, [{ email: 'known@x.y', title: 'Clerk' }], 502)
    expect((await undo(id)).answer).toEqual(undoneAnswer(0, 0, { restored: 1 }))
    expect(await knownContact()).toMatchObject([{ title: 'Boss', phone: '1' }])
  })

  it('undo_import skips a previous company that was deleted meanwhile; the previous values of only the last 20 imports are kept', async () => {
    await importRows(randomUUID(), [{ email: 'known@x.y', title: 'CEO', company: 'Past Co' }])
    const id = randomUUID()
    await importRows(id, [{ email: 'known@x.y', title: 'Clerk', company: 'New Co' }])
    await runAsAna(`delete from companies where brand_id = $1 and name = 'Past Co'`)
    expect((await undo(id)).answer).toEqual(undoneAnswer(0, 1, { restored: 1 }))
    expect(await knownContact()).toMatchObject([{ title: 'CEO', company: null }])
    for (let n = 0; n <= 21; n += 1) await importRows(randomUUID(), [{ email: 'known@x.y', title: `Title ${n}` }])
    const countImportsWithValues =
      'select count(distinct import_id)::text as name from private.import_changes where brand_id = $1'
    expect(await namesFrom(countImportsWithValues)).toEqual(['20'])
  })

  it('undo_import accepts only imports that read_imports lists, which are those that wrote rows', async () => {
    const id = randomUUID()
    const unchanged = randomUUID()
    await importRows(id, [{ email: 'a@x.y' }, { email: 'bad' }])
    await importRows(unchanged, [{ email: 'a@x.y' }])
    const { rows } = await scene.as('ana')<{ list: { id: string; started_by: string }[] }>(
      'select read_imports($1) as list',
      [scene.acme],
    )
    expect(rows[0]?.list[0]).toMatchObject({ id, created: 1, updated: 0, started_by: scene.ids.bo })
    expect(rows[0]?.list.map((listed) => listed.id)).not.toContain(unchanged)
    expect(rows[0]?.list.length).toBeLessThanOrEqual(20)
    expect(await refusalOf(undo(unchanged))).toBe('22023 This import is not known.')
    expect(await refusalOf(scene.as('eve')('select undo_import($1, $2)', [scene.acme, id]))).toBe(
      'P0001 NOT_AUTHORIZED',
    )
    expect(await contactAddresses()).toEqual(['a@x.y'])
  })
})
