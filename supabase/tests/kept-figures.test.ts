import { afterAll, beforeAll, expect, it } from 'vitest'
import { seededRandom } from '#tests/harness/seeded-random.ts'
import { openScene, refusalOf, type Scene } from './people.ts'

/** `SEED=… npx vitest run` repeats the choice of statements. Their order and the rows that SQL chooses at random may differ. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
const writerCount = 4
/** Number of statements per writer; more with `BANYAN_LONG=1`. */
const statementsPerWriter = process.env.BANYAN_LONG === '1' ? 1000 : 60

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
const wrongFigures = async () => (await scene.owner.query('select * from private.wrong_figures()')).rows

const randomMember = 'select user_id from memberships m where m.brand_id = $1 order by random() limit 1'

/** Functions that return a random write of each kind, as a statement of a member; $1 is the brand. */
const statementMakers = [
  () =>
    `insert into deals (brand_id, name, amount, amount_currency, stage_id, owner_id, expected_close_date)
     select $1, 'Deal', ${Math.floor(random() * 1e6) / 100}, '${pick(['GBP', 'EUR'])}', s.id, (${randomMember}),
       ${pick(['null', `date '2026-11-30' + (random() * 2)::int`])}
     from (select id from deal_stages where brand_id = $1 order by random() limit 3) s`,
  () => `update deals set amount = amount + 0.01 where id in (${randomIds('deals', 4)})`,
  () =>
    `update deals set stage_id = (select id from deal_stages where brand_id = $1 order by random() limit 1) where id in (${randomIds('deals', 2)})`,
  () =>
    `update deals set name = 'Renamed', amount_currency = '${pick(['GBP', 'USD'])}' where id in (${randomIds('deals', 2)})`,
  () => `update deals set owner_id = null where id in (${randomIds('deals', 3)})`,
  () => `insert into contacts (brand_id, first_name) select $1, 'Ann' from generate_series(1, ${pick([1, 40])})`,
  () =>
    `insert into contacts (brand_id, first_name, company_id) select $1, 'Ann', id from companies where id in (${randomIds('companies', 1)})`,
  () => `insert into companies (brand_id, name) values ($1, 'Slate')`,
  () => `insert into tasks (brand_id, title) values ($1, 'Call')`,
  () =>
    `update ${pick(['contacts', 'companies'])} set owner_id = (${randomMember}) where brand_id = $1 and random() < 0.2`,
  () =>
    `update tasks set status = case status when 'open' then 'done' else 'open' end where id in (${randomIds('tasks', 3)})`,
  () => `update tasks set assignee_id = (${randomMember}) where id in (${randomIds('tasks', 2)})`,
  () =>
    `update deals set expected_close_date = ${pick(['null', `date '2026-12-31' + (random() * 2)::int`, 'expected_close_date - 20'])}
     where id in (${randomIds('deals', 3)})`,
  () => `update contacts set company_id = (${randomIds('companies', 1)}) where id in (${randomIds('contacts', 3)})`,
  () => `delete from ${pick(['deals', 'contacts', 'companies', 'tasks'])} where false and brand_id = $1`,
  ...(['deals', 'contacts', 'companies', 'tasks'] as const).map(
    (table) => () => `delete from ${table} where id in (${randomIds(table, 2)})`,
  ),
  () =>
    `select import_contacts($1, gen_random_uuid(), '[{"row": 1, "email": "i${Math.floor(random() * 30)}@x.y", "company": "Import ${Math.floor(random() * 5)}"}]')`,
]

function randomIds(table: string, count: number): string {
  return `select id from ${table} where brand_id = $1 order by random() limit ${count}`
}

/** Runs a random write. Returns 1, or 0 if the write failed: deadlocks, and rows that others have deleted, are expected. */
async function write(person: 'ana' | 'bo' | 'kim'): Promise<number> {
  try {
    await scene.as(person)(pick(statementMakers)(), [scene.acme])
    return 1
  } catch {
    return 0
  }
}

async function restoreSome(): Promise<void> {
  for (const table of ['companies', 'contacts', 'deals', 'tasks']) {
    const { rows } = await scene.owner.query<{ row_id: string }>(
      'select row_id from private.tombstones where brand_id = $1 and table_name = $2 limit 5',
      [scene.acme, table],
    )
    await scene.as('bo')('select restore_records($1, $2, $3)', [scene.acme, table, rows.map((row) => row.row_id)])
  }
}

/** Deletes all deals and merges the rows of their figures in one transaction, and rolls it back. */
async function deleteAndRollBack(): Promise<void> {
  const client = await scene.owner.connect()
  try {
    await client.query('begin')
    await client.query(`delete from public.deals where brand_id = $1`, [scene.acme])
    await client.query(`select private.fold_figures($1, 'deals')`, [scene.acme])
    await client.query('rollback')
  } finally {
    client.release()
  }
}

it('kept figures equal the counts and sums of the rows after random writes of several people at the same time', async () => {
  let successCount = 0
  const people = ['ana', 'bo', 'kim'] as const
  const writeMany = async () => {
    for (let i = 0; i < statementsPerWriter; i++) {
      const written = await write(pick(people))
      successCount += written
    }
  }
  await Promise.all([
    ...Array.from({ length: writerCount }, writeMany),
    deleteAndRollBack(),
    scene.owner.query('select private.fold_figures($1, $2)', [scene.acme, 'deals']),
  ])
  await restoreSome()
  expect(successCount).toBeGreaterThan((writerCount * statementsPerWriter) / 2)
  expect({ seed, wrong: await wrongFigures() }).toEqual({ seed, wrong: [] })
  // The deals of a member who is removed have no owner.
  await scene.as('ana')('delete from memberships where brand_id = $1 and user_id = $2', [scene.acme, scene.ids.kim])
  expect({ seed, wrong: await wrongFigures() }).toEqual({ seed, wrong: [] })
  const { rows } = await scene.owner.query<{ deals: number }>(
    `select sum(count)::int as deals from private.kept_figures where brand_id = $1 and table_name = 'deals'`,
    [scene.acme],
  )
  expect(rows[0]?.deals).toBeGreaterThan(0)
  const kinds = await scene.owner.query<{ name: string }>(
    'select distinct table_name as name from private.kept_figures where brand_id = $1 order by 1',
    [scene.acme],
  )
  expect(kinds.rows.map(({ name }) => name)).toEqual([
    'companies',
    'companies_created',
    'contacts',
    'contacts_created',
    'deals',
    'deals_closing',
    'tasks',
  ])
})

it('fold_figures merges the rows of figures into one per stage, owner, currency, status and day, and loses nothing', async () => {
  const figureRows = async () =>
    (await scene.owner.query<{ n: number }>('select count(*)::int as n from private.kept_figures')).rows[0]?.n ?? 0
  const before = await figureRows()
  await scene.owner.query(
    'select private.fold_figures($1, name) from (select distinct table_name as name from private.kept_figures) names',
    [scene.acme],
  )
  const { rows } = await scene.owner.query<{ n: number }>(
    'select count(*)::int as n from private.counted_figures() where brand_id = $1',
    [scene.acme],
  )
  expect(await figureRows()).toBeLessThan(before)
  expect(await figureRows()).toBe(rows[0]?.n)
  expect(await wrongFigures()).toEqual([])
})

it('the number of rows of figures stays limited, because a write sometimes calls fold_figures, which merges them', async () => {
  for (let amount = 0; amount < 400; amount++)
    await scene.owner.query(
      `update public.deals set amount = $2 where brand_id = $1 and id = (select id from public.deals where brand_id = $1 order by id limit 1)`,
      [scene.acme, amount],
    )
  const { rows } = await scene.owner.query<{ n: number }>(
    `select count(*)::int as n from private.kept_figures where brand_id = $1 and table_name = 'deals'`,
    [scene.acme],
  )
  // Without fold_figures there would be at least 400 rows. The chance that none of 400 writes calls fold_figures is 3 in 10,000.
  expect(rows[0]?.n).toBeLessThan(400)
  expect(await wrongFigures()).toEqual([])
})

it('wrong_figures finds a wrong kept figure, and count_all_figures corrects it', async () => {
  await scene.owner.query(
    `update private.kept_figures set count = count + 1 where ctid = (select ctid from private.kept_figures where table_name = 'contacts' limit 1)`,
  )
  expect(await wrongFigures()).toMatchObject([{ brand_id: scene.acme, table_name: 'contacts', count: '-1' }])
  await scene.owner.query('select private.count_all_figures()')
  expect(await wrongFigures()).toEqual([])
})

it.each(['contacts', 'companies', 'tasks'])(
  'no record can move to another brand, because the kept figures would not follow it: %s',
  async (table) => {
    const name = { contacts: 'first_name', companies: 'name', tasks: 'title' }[table]
    await scene.as('service')(`insert into ${table} (brand_id, ${name}) values ($1, 'Handed on')`, [scene.acme])
    expect(
      await refusalOf(
        scene.as('service')(`update ${table} set brand_id = $1 where ${name} = 'Handed on'`, [scene.umbra]),
      ),
    ).toMatch(/^23503 /)
  },
)

it('a brand that is deleted leaves no figures', async () => {
  await scene.as('eve')(`insert into contacts (brand_id, first_name) values ($1, 'Zoë')`, [scene.umbra])
  await scene.as('eve')('delete from brands where id = $1', [scene.umbra])
  const { rowCount } = await scene.owner.query('select from private.kept_figures where brand_id = $1', [scene.umbra])
  expect(rowCount).toBe(0)
  expect(await wrongFigures()).toEqual([])
})

it('a count stops at its limit `most`, and reports whether there are more', async () => {
  await scene.as('bo')(
    `insert into contacts (brand_id, first_name, title) select $1, 'Quill ' || n, case when n > 1500 then 'Buyer' end from generate_series(1, 2000) n`,
    [scene.acme],
  )
  const figures = async (query: object) =>
    (
      await scene.as('bo')<{ answer: unknown }>(`select read_queries($1, $2) -> 'answers' -> 0 as answer`, [
        scene.acme,
        JSON.stringify([{ table: 'contacts', rows: false, count: true, ...query }]),
      ])
    ).rows[0]?.answer
  expect(await figures({ search: 'quill' })).toEqual({ total: 2000 })
  expect(await figures({ search: 'quill', most: 1000 })).toEqual({ total: 1000, more: true })
  expect(await figures({ search: 'quill', most: 1999 })).toEqual({ total: 1999, more: true })
  expect(await figures({ search: 'quill', most: 2000 })).toEqual({ total: 2000, more: false })
  expect(await figures({ search: 'quill 1', where: { title: 'Buyer' }, most: 100 })).toEqual({ total: 100, more: true })
  expect(await figures({ where: { title: 'Buyer' }, most: 1000 })).toEqual({ total: 500, more: false })
  expect(await figures({ search: 'qu', most: 1000 })).toEqual({ total: 1000, more: true })
})
