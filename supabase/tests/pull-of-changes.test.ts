/** `pull` queries only the synced tables that have new rows. Tables that are added to sync later are included. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { syncedTables } from '#shared/synced-tables.ts'
import { openScene, type Scene } from './people.ts'

let scene: Scene
beforeEach(async () => {
  scene = await openScene()
})
afterEach(() => scene.drop())

const changedTables = async (since: string | number) =>
  (await scene.owner.query<{ names: string[] }>('select private.changed_tables($1, $2) as names', [scene.acme, since]))
    .rows[0]?.names

/** Returns the lowest revision that a row written now can get. */
const nextRev = async () =>
  (
    await scene.owner.query<{ rev: string }>(
      'select base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint as rev from private.sync_state',
    )
  ).rows[0]?.rev ?? ''

/** Returns whether this table has a row with this revision or a later one, without the function under test. */
const hasChanges = async (table: string, since: string) => {
  const brand = table === 'brands' ? 'id' : 'brand_id'
  const { rowCount } = await scene.owner.query(
    `select from public.${table} where ${brand} = $1 and rev >= $2 limit 1`,
    [scene.acme, since],
  )
  return rowCount === 1
}

it('a table has changes if it has a row with the given revision or a later one', async () => {
  expect(await changedTables(0)).toEqual(['brands', 'memberships', 'pipelines', 'deal_stages'])
  const writes = {
    contacts: `insert into contacts (brand_id, email) values ($1, 'a@x.example')`,
    tasks: `insert into tasks (brand_id, title) values ($1, 'Call')`,
    companies: `insert into companies (brand_id, name) values ($1, 'Acorn')`,
    brands: `update brands set name = 'Acme two' where id = $1`,
    deal_stages: `update deal_stages set name = name || '!' where brand_id = $1 and position = 2`,
  }
  for (const [table, statement] of Object.entries(writes)) {
    const before = await nextRev()
    await scene.owner.query(statement, [scene.acme])
    // A change of another brand is no change of this one.
    await scene.owner.query(`insert into tasks (brand_id, title) values ($1, 'Theirs')`, [scene.umbra])
    const tablesFound = await changedTables(before)
    expect(tablesFound).toContain(table)
    for (const each of syncedTables)
      expect([each, tablesFound?.includes(each)]).toEqual([each, await hasChanges(each, before)])
  }
  expect(await changedTables(Number(await nextRev()) + 1_000_000)).toEqual([])
})

it('a read of changes or counts never reads a whole table, even with query plans that were made when the table was small', async () => {
  const client = await scene.owner.connect()
  try {
    const query = (rev: string) =>
      client.query('select private.changed_tables($1, $2), private.row_counts($1, null)', [scene.acme, rev])
    const scanCounts = async () => {
      await client.query('select pg_stat_force_next_flush()')
      const { rows } = await client.query<{ relname: string; seq_scan: string }>(
        `select relname, seq_scan from pg_stat_user_tables where schemaname = 'public' and relname = any ($1) order by relname`,
        [syncedTables],
      )
      return rows
    }
    // While the table has one page, PostgreSQL makes a plan that may read all of it. This connection then keeps that plan.
    await client.query(`insert into contacts (brand_id, email) values ($1, 'c@x.example')`, [scene.umbra])
    await client.query('vacuum analyze contacts')
    await query(await nextRev())
    await client.query(
      `insert into contacts (brand_id, email) select $1, 'c' || n || '@x.example' from generate_series(1, 2000) n`,
      [scene.acme],
    )
    const rev = await nextRev()
    const before = await scanCounts()
    for (let turn = 0; turn < 3; turn += 1) await query(rev)
    expect(await scanCounts()).toEqual(before)
  } finally {
    client.release()
  }
})

it('a table that is added to sync later is pulled and counted; one that is removed from sync is not', async () => {
  await scene.owner.query(`
    create table public.visits (
      brand_id uuid not null references public.brands on delete cascade, id uuid primary key default gen_random_uuid(), place text,
      rev bigint not null default 0, version integer not null default 1, created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(), created_by uuid, updated_by uuid
    );
    call private.keep_in_sync('public.visits');
  `)
  const pull = async (cursor: string | null) =>
    (
      await scene.as('bo')<{
        page: { cursor: string; rows: Record<string, unknown[]>; counts?: Record<string, number> }
      }>('select pull($1, $2) as page', [scene.acme, cursor])
    ).rows[0]?.page
  const first = await pull(null)
  expect(first?.counts).toMatchObject({ visits: 0 })
  await scene.owner.query(`insert into public.visits (brand_id, place) values ($1, 'Fair')`, [scene.acme])
  const next = await pull(first?.cursor ?? '')
  expect(next?.rows.visits).toMatchObject([{ place: 'Fair' }])
  expect(next?.counts).toMatchObject({ visits: 1 })

  await scene.owner.query(`update private.synced_tables set is_counted = false where name = 'visits'`)
  expect((await pull('now'))?.counts).not.toHaveProperty('visits')
  await scene.owner.query(`delete from private.synced_tables where name = 'visits'; drop table public.visits`)
  expect((await pull(null))?.rows).not.toHaveProperty('visits')
})
