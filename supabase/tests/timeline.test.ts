import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

interface Entry {
  kind: string
  key: string
  at: string
  by: string | null
  [detail: string]: unknown
}

interface Timeline {
  entries: Entry[]
  pinned: { id: string }[]
  names: Record<string, string>
  next: string | null
}

let scene: Scene
const [contact, company, deal, otherContact] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
const runInAcme = (person: Person, text: string, ...values: unknown[]) =>
  scene.as(person)(text, [scene.acme, ...values])
const timeline = async (table: string, id: string, before: string | null = null, limit = 30) =>
  (await runInAcme('kim', 'select timeline($1, $2, $3, $4, $5)', table, id, before, limit)).rows[0]
    ?.timeline as Timeline
const summaries = ({ entries }: Timeline) =>
  entries.map(({ kind, note, column, from, to, title }) =>
    [kind, (note as { body: string } | undefined)?.body ?? title ?? column, from, to].filter(
      (part) => part !== undefined,
    ),
  )

beforeAll(async () => {
  scene = await openScene()
  await runInAcme('bo', `insert into companies (brand_id, id, name) values ($1, $2, 'Big')`, company)
  await runInAcme(
    'bo',
    `insert into contacts (brand_id, id, first_name, email, company_id) values ($1, $2, 'Zoe', 'zoe@x.y', $3)`,
    contact,
    company,
  )
  await runInAcme('bo', `select quick_create_deal($1, 'Deal', null, $2)`, deal)
  await runInAcme('bo', 'update deals set company_id = $3 where brand_id = $1 and id = $2', deal, company)
  await runInAcme('bo', `insert into contacts (brand_id, id, first_name) values ($1, $2, 'Uta')`, otherContact)
})
afterAll(() => scene.drop())

describe('the timeline', () => {
  it('the timeline mixes notes, moves, changes of fields and completed tasks, newest first, each with the person who did it', async () => {
    await runInAcme(
      'cy',
      `update deals set stage_id = (select id from deal_stages where brand_id = $1 and name = 'Won') where brand_id = $1`,
    )
    await runInAcme('kim', `update deals set amount = 500 where brand_id = $1`)
    await runInAcme(
      'bo',
      `update deals set expected_close_date = '2026-12-24', owner_id = $2 where brand_id = $1`,
      scene.ids.kim,
    )
    await runInAcme('bo', `insert into tasks (brand_id, title, deal_id) values ($1, 'Call', $2)`, deal)
    await runInAcme('kim', `update tasks set status = 'done' where brand_id = $1`)
    await runInAcme('ana', `update tasks set title = 'Call her' where brand_id = $1`)
    await runInAcme('ana', `insert into notes (brand_id, body, deal_id) values ($1, 'Wants it', $2)`, deal)
    const dealTimeline = await timeline('deals', deal)
    expect(summaries(dealTimeline)).toEqual([
      ['note', 'Wants it'],
      ['task', 'Call her'],
      ['field', 'owner_id', scene.ids.bo, scene.ids.kim],
      ['field', 'expected_close_date', null, '2026-12-24'],
      ['amount', 0, 500],
      ['stage', expect.any(String), expect.any(String)],
      ['field', 'company_id', null, company],
    ])
    const { ana, kim, bo, cy } = scene.ids
    expect(dealTimeline.entries.map(({ by }) => by)).toEqual([ana, kim, bo, bo, kim, cy, bo])
    expect(dealTimeline.names).toEqual({ [deal]: 'Deal', [company]: 'Big' })
  })

  it('the timeline of a company contains the entries of its contacts and deals, each once, and no others', async () => {
    await runInAcme(
      'bo',
      `insert into notes (brand_id, body, contact_id, company_id, deal_id) values ($1, 'All three', $2, $3, $4)`,
      contact,
      company,
      deal,
    )
    await runInAcme('bo', `update contacts set email = 'new@x.y' where brand_id = $1 and id = $2`, contact)
    await runInAcme('bo', `insert into notes (brand_id, body, contact_id) values ($1, 'Other', $2)`, otherContact)
    expect(summaries(await timeline('companies', company)).slice(0, 3)).toEqual([
      ['field', 'email', 'zoe@x.y', 'new@x.y'],
      ['note', 'All three'],
      ['note', 'Wants it'],
    ])
    expect(summaries(await timeline('contacts', otherContact))).toEqual([['note', 'Other']])
  })

  it('the timeline comes in pages of any size, each entry once, also if many entries have the same time', async () => {
    const busyContact = randomUUID()
    await runInAcme('bo', `insert into contacts (brand_id, id, first_name) values ($1, $2, 'Ina')`, busyContact)
    await runInAcme(
      'bo',
      `insert into notes (brand_id, body, contact_id, occurred_at)
       select $1, 'n' || n, $2, '2026-01-01'::timestamptz + (n / 5) * interval '1 day' from generate_series(1, 23) n`,
      busyContact,
    )
    await runInAcme(
      'bo',
      `update contacts set phone = '1', email = 'i@x.y', owner_id = null where brand_id = $1 and id = $2`,
      busyContact,
    )
    const fullTimeline = await timeline('contacts', busyContact, null, 100)
    expect(fullTimeline).toMatchObject({ next: null, entries: { length: 25 } })
    for (const limit of [1, 4, 24, 25]) {
      const keys: string[] = []
      let before: string | null = null
      do {
        const page: Timeline = await timeline('contacts', busyContact, before, limit)
        keys.push(...page.entries.map(({ key }) => key))
        before = page.next
      } while (before !== null)
      expect(keys).toEqual(fullTimeline.entries.map(({ key }) => key))
    }
    expect(summaries(await timeline('contacts', busyContact, '2026-01-02T00:00:00Z'))).toHaveLength(4)
  })

  it('the timeline includes pinned notes with its first page', async () => {
    const id = randomUUID()
    await runInAcme(
      'bo',
      `insert into notes (brand_id, id, body, contact_id, occurred_at) values ($1, $2, 'Old', $3, '2020-01-01')`,
      id,
      otherContact,
    )
    await runInAcme('kim', 'update notes set pinned = true where brand_id = $1 and id = $2', id)
    expect((await timeline('contacts', otherContact, null, 1)).pinned).toMatchObject([{ id }])
    expect((await timeline('contacts', otherContact, '2026-01-01')).pinned).toEqual([])
  })

  it('the timeline is refused to outsiders and for other tables, and empty for a record that does not exist', async () => {
    const query = (person: Person, brand: string, table: string | null) =>
      refusalOf(scene.as(person)('select timeline($1, $2, $3)', [brand, table, contact]))
    expect(await query('eve', scene.acme, 'contacts')).toContain('NOT_AUTHORIZED')
    expect(await query('bo', scene.acme, 'tasks')).toBe('22023 Contacts, companies and deals have a timeline.')
    expect(await query('bo', scene.acme, null)).toBe('22023 Contacts, companies and deals have a timeline.')
    expect(await refusalOf(timeline('deals', deal, 'never~x'))).toContain('22023 p_before')
    const elsewhere = (await scene.as('eve')(`select timeline($1, 'contacts', $2)`, [scene.umbra, contact])).rows[0]
    expect(elsewhere?.timeline).toEqual({ entries: [], pinned: [], names: {}, next: null })
  })
})

describe('the history of fields', () => {
  const changes = async (id: string) =>
    (
      await runInAcme(
        'kim',
        'select column_name, from_value, to_value, changed_by from field_changes where brand_id = $1 and record_id = $2 order by id',
        id,
      )
    ).rows

  it('the history of fields contains a change of the company, none of a first name or job title, and no trace of a delete and its undo', async () => {
    const id = randomUUID()
    await runInAcme(
      'bo',
      `insert into contacts (brand_id, id, first_name, company_id) values ($1, $2, 'Ian', $3)`,
      id,
      company,
    )
    await runInAcme('bo', `update contacts set first_name = 'Jan', title = 'CEO' where brand_id = $1 and id = $2`, id)
    expect(await changes(id)).toEqual([])
    await runInAcme('bo', `delete from companies where brand_id = $1 and id = $2`, company)
    await runInAcme('bo', `select restore_records($1, 'companies', $2)`, [company])
    expect(await changes(id)).toEqual([])
    await runInAcme('cy', `update contacts set company_id = null where brand_id = $1 and id = $2`, id)
    expect(await changes(id)).toEqual([
      { column_name: 'company_id', from_value: company, to_value: null, changed_by: scene.ids.cy },
    ])
  })

  it('the history of fields is written by the trigger only, and cannot be changed, not even with the secret key', async () => {
    for (const person of ['ana', 'service'] as const) {
      for (const text of [
        `insert into field_changes (brand_id, table_name, record_id, column_name) values ($1, 'deals', gen_random_uuid(), 'name')`,
        `update field_changes set to_value = 'x' where brand_id = $1`,
        `delete from field_changes where brand_id = $1`,
      ])
        expect(await refusalOf(runInAcme(person, text))).toBe('42501 permission denied for table field_changes')
    }
    expect((await scene.as('eve')('select from field_changes where brand_id = $1', [scene.acme])).rowCount).toBe(0)
  })
})
