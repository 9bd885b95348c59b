import type pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

/**
 * The statistics of PostgreSQL know only the brand Umbra, while the tests fill Acme. The planner expects one row in Acme, so that all indexes
 * seem to cost the same. The tests count blocks, because their number does not depend on the load of the machine. Each test has its own
 * database, because the old row versions that one test leaves behind would add blocks to the counts of the other test.
 */
let scene: Scene
/** A session with an open transaction: while it is open, PostgreSQL removes no old row version that a count would read. */
let holder: pg.PoolClient
const rowsPerChunk = 1000
const contactsJson = (chunk: number, more: object = {}) =>
  JSON.stringify(
    Array.from({ length: rowsPerChunk }, (_, n) => ({
      email: `p${chunk * rowsPerChunk + n}@y.test`,
      first_name: `P${n % 7}`,
      company: `Company ${n % 50}`,
      ...more,
    })),
  )

beforeEach(async () => {
  scene = await openScene()
  // Turns autovacuum off for all tables: it would analyse Acme in the middle of a test.
  await scene.owner.query(`
    do $$
    declare
      v_table regclass;
    begin
      for v_table in
        select c.oid from pg_class c where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'private')
      loop
        execute format('alter table %s set (autovacuum_enabled = off)', v_table);
      end loop;
    end $$`)
  await scene.owner.query(
    `insert into contacts (brand_id, email) select $1, 'x' || n || '@x.test' from generate_series(1, 4000) n`,
    [scene.umbra],
  )
  await scene.owner.query(`insert into companies (brand_id, name) select $1, 'X' || n from generate_series(1, 500) n`, [
    scene.umbra,
  ])
  await scene.owner.query('analyze')
  // Open transactions of other tests, in other databases of the cluster, also keep old row versions. This transaction always keeps
  // them, so that the counts do not depend on other tests.
  holder = await scene.owner.connect()
  await holder.query('begin')
  await holder.query('select pg_current_xact_id()')
})
afterEach(async () => {
  holder.release(true)
  await scene.drop()
})

/** Returns the number of blocks that a call by Ana, the owner, reads from the cache or the disk. */
async function blocksRead(call: string, ...values: unknown[]): Promise<number> {
  const { rows: plans } = await scene.as('ana')<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, timing off, format json) select ${call}`,
    [scene.acme, ...values],
  )
  const plan = plans[0]?.['QUERY PLAN'][0].Plan
  return Number(plan?.['Shared Hit Blocks']) + Number(plan?.['Shared Read Blocks'])
}

const importChunk = (importId: string, n: number) =>
  blocksRead('import_contacts($1, $2, $3)', importId, contactsJson(n))

it('imports, their previews and undos, and lists touch few blocks in a brand that PostgreSQL’s statistics do not know', {
  tags: ['long'],
}, async () => {
  const firstImport = crypto.randomUUID()
  const importInFirst = (n: number) => importChunk(firstImport, n)
  const blocksWhenEmpty = await importInFirst(0)
  await importInFirst(1)
  await importInFirst(2)
  // An import that writes one row at a time would cost more with each chunk, because the brand grows: 320,000 blocks for the fourth chunk.
  expect(await importInFirst(3)).toBeLessThan(2 * blocksWhenEmpty)
  expect(await blocksRead('preview_import($1, $2)', contactsJson(3, { first_name: 'Q' }))).toBeLessThan(
    100 * rowsPerChunk,
  )

  const blocksOfPage = (order: string) =>
    blocksRead('read_queries($1, $2)', JSON.stringify([{ table: 'contacts', limit: 500, order }]))
  for (const order of ['newest', 'name', 'email']) expect(await blocksOfPage(order)).toBeLessThan(4000)
  expect(await blocksOfPage('company')).toBeLessThan(25_000)

  const secondImport = crypto.randomUUID()
  const changedContacts = contactsJson(3, { first_name: 'Q', tags: 'red; blue' })
  expect(await blocksRead('import_contacts($1, $2, $3)', secondImport, changedContacts)).toBeLessThan(
    400 * rowsPerChunk,
  )
  expect(await blocksRead('undo_import($1, $2)', secondImport)).toBeLessThan(400 * 500)
  expect(await blocksRead('undo_import($1, $2)', firstImport)).toBeLessThan(400 * 500)
})

it('a merge of tags and its undo touch fewer than 100 blocks per record in a brand that PostgreSQL’s statistics do not know', {
  tags: ['long'],
}, async () => {
  const importId = crypto.randomUUID()
  for (const n of [0, 1, 2, 3]) await importChunk(importId, n)
  const createdTags = await scene.owner.query<{ id: string }>(
    `insert into tags (brand_id, name, color) values ($1, 'cold', 'blue'), ($1, 'warm', 'red') returning id`,
    [scene.acme],
  )
  const [cold, warm] = createdTags.rows.map(({ id }) => id)
  await scene.owner.query(
    `update contacts set tag_ids = array[$2::uuid]
     where id in (select id from contacts where brand_id = $1 and tag_ids = '{}' order by id limit 400)`,
    [scene.acme, cold],
  )
  expect(await blocksRead('merge_tags($1, $2, $3)', cold, warm)).toBeLessThan(100 * 400)
  expect(await blocksRead('restore_moved($1, $2, $3)', 'tags', [cold])).toBeLessThan(100 * 400)
  const restored = await scene.owner.query('select from contacts where brand_id = $1 and tag_ids = array[$2::uuid]', [
    scene.acme,
    cold,
  ])
  expect(restored.rowCount).toBe(400)
})
