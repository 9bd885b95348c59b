import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from '../../supabase/tests/people.ts'

/** A database whose brand has 50,000 contacts of 2,000 companies, 10,000 deals, 200,000 notes and 100,000 changes of fields. */
let scene: Scene
const maxMedianMs = 150

beforeAll(async () => {
  scene = await openScene()
  const runSql = (text: string) => scene.owner.query(text.replaceAll('$1', `'${scene.acme}'`))
  // Triggers are off, because they are not measured.
  const runWithoutTriggers = (text: string) =>
    runSql(`set session_replication_role = replica; ${text}; set session_replication_role = origin`)
  await runWithoutTriggers(
    `insert into companies (brand_id, name) select $1, 'Company ' || n from generate_series(1, 2000) n`,
  )
  await runWithoutTriggers(`insert into contacts (brand_id, first_name, last_name, company_id, rev)
    select $1, 'Ann', 'Lee ' || n, (array(select id from companies where brand_id = $1 order by id))[1 + (n * 7) % 2000], n from generate_series(1, 50000) n`)
  await runWithoutTriggers(`insert into deals (brand_id, name, stage_id, contact_id, company_id, rev)
    select $1, 'Deal ' || row_number() over (), (select id from deal_stages where brand_id = $1 order by position limit 1), c.id, c.company_id, 1
    from (select * from contacts where brand_id = $1 limit 10000) c`)
  await runWithoutTriggers(`insert into notes (brand_id, body, contact_id, deal_id, occurred_at, author_id)
    select $1, repeat('Said what was to be said. ', 8) || 'About thing' || (hashtext(c.id::text) % 5000), c.id, null, now() - random() * interval '900 days', '${scene.ids.bo}'
    from contacts c cross join generate_series(1, 4) where c.brand_id = $1`)
  await runWithoutTriggers(`insert into field_changes (brand_id, table_name, record_id, column_name, from_value, to_value, changed_at)
    select $1, 'contacts', c.id, 'phone', '1', '2', now() - random() * interval '900 days'
    from contacts c cross join generate_series(1, 2) where c.brand_id = $1`)
  // Gives one company at least 3,000 contacts, and one contact at least 5,000 notes.
  await runWithoutTriggers(`update contacts set company_id = (select min(id::text)::uuid from companies where brand_id = $1)
    where brand_id = $1 and id in (select id from contacts where brand_id = $1 limit 3000)`)
  await runWithoutTriggers(`update notes set contact_id = (select min(id::text)::uuid from contacts where brand_id = $1)
    where brand_id = $1 and id in (select id from notes where brand_id = $1 limit 5000)`)
  await scene.owner.query('select private.write_all_words()')
  await scene.owner.query('analyze')
}, 600_000)
afterAll(() => scene.drop())

it.each([
  [
    'a contact with a few notes',
    `'contacts'`,
    `(select id from contacts where brand_id = $1 order by id desc limit 1)`,
  ],
  ['a contact with 5,000 notes', `'contacts'`, `(select min(id::text)::uuid from contacts where brand_id = $1)`],
  ['a deal', `'deals'`, `(select id from deals where brand_id = $1 order by id limit 1)`],
  [
    'a company with 25 contacts',
    `'companies'`,
    `(select id from companies where brand_id = $1 order by id desc limit 1)`,
  ],
  ['a company with 3,000 contacts', `'companies'`, `(select min(id::text)::uuid from companies where brand_id = $1)`],
])('the timeline of %s takes at most 150 ms, and so does its third page', async (what, table, id) => {
  const query = scene.as('bo')
  const { rows } = await query<{ id: string }>(`select ${id} as id`, [scene.acme])
  const readPage = async (before: string | null) => {
    const startedAt = performance.now()
    const result = await query<{ page: { next: string | null; entries: unknown[] } }>(
      `select timeline($1, ${table}, $2, $3) as page`,
      [scene.acme, rows[0]?.id, before],
    )
    return { ms: performance.now() - startedAt, ...result.rows[0]?.page }
  }
  let nextCursor: string | null = null
  for (let pageIndex = 0; pageIndex < 3; pageIndex++) {
    const durations: number[] = []
    let lastPage: Awaited<ReturnType<typeof readPage>> | null = null
    for (let round = 0; round < 9; round++) {
      lastPage = await readPage(nextCursor)
      durations.push(lastPage.ms)
    }
    const median = durations.toSorted((a, b) => a - b)[4] ?? Number.POSITIVE_INFINITY
    console.info(`${what}, page ${pageIndex + 1}: ${median.toFixed(1)} ms, ${lastPage?.entries?.length} entries`)
    expect(median).toBeLessThan(maxMedianMs)
    nextCursor = lastPage?.next ?? null
    if (nextCursor === null) break
  }
})

it.each([
  ['a word of some notes', 'thing17', {}],
  ['two words', 'said thing4', {}],
  ['a word of all notes', 'said', {}],
  ['one letter', 's', {}],
  ['a word of no note', 'cork', {}],
  ['a word of all notes, of the records of one person', 'said', { owner_id: randomUUID() }],
])('a search of 200,000 notes for %s takes at most 50 ms', async (what, search, where) => {
  const query = scene.as('bo')
  const durations: number[] = []
  let foundCount = 0
  for (let round = 0; round < 9; round++) {
    const startedAt = performance.now()
    const { rows } = await query<{ answer: { notes: unknown[] } }>('select search_notes($1, $2) as answer', [
      scene.acme,
      { table: 'contacts', search, where },
    ])
    durations.push(performance.now() - startedAt)
    foundCount = rows[0]?.answer.notes.length ?? -1
  }
  const median = durations.toSorted((a, b) => a - b)[4] ?? Number.POSITIVE_INFINITY
  console.info(`${what}: ${median.toFixed(1)} ms, ${foundCount} notes`)
  expect(median).toBeLessThan(50)
})
