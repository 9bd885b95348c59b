import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

const companyCount = 6000

interface Page {
  records: { companies?: { id: string }[] }
  next: { table: string; after: string | null } | null
}

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  // The texts are incompressible, so PostgreSQL stores them outside of the row, and the test can count the reads of them.
  await scene.owner.query(
    `insert into companies (brand_id, name, notes, created_by)
     select $1, 'Company ' || i, (select string_agg(md5(i || ' ' || n), '') from generate_series(1, 90) n), $2
     from generate_series(1, ${companyCount}) i`,
    [scene.acme, scene.ids.bo],
  )
  await scene.owner.query('analyze companies')
})
afterAll(() => scene.drop())

it('a page of the export reads the texts of its own records only', async () => {
  const client = await scene.owner.connect()
  try {
    await client.query('begin')
    // The query of a page names a list of brands, so PostgreSQL before 17 sorts its rows. Without index scans, newer versions sort them, too.
    await client.query('set local enable_indexscan = off')
    const blocksFetched = async () => {
      const { rows: found } = await client.query(
        `select pg_stat_get_xact_blocks_fetched(reltoastrelid)::integer as blocks from pg_class where oid = 'companies'::regclass`,
      )
      return found[0].blocks
    }
    const before = await blocksFetched()
    await scene.become(client, 'bo')
    const { rows } = await client.query(`select export_my_data('companies') as page`)
    expect(rows[0].page.records.companies.length).toBeGreaterThan(1900)
    expect(rows[0].page.next.table).toBe('companies')
    await client.query('reset role')
    const blocksOfPage = (await blocksFetched()) - before
    await client.query('select sum(hashtext(notes)) from companies')
    const blocksOfAll = (await blocksFetched()) - before - blocksOfPage
    expect(blocksOfPage).toBeGreaterThan(0)
    expect(blocksOfPage / blocksOfAll).toBeLessThan(0.4)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

it('the pages of an export contain each record once, in the order of their keys', async () => {
  const ids: string[] = []
  const readPage = async (next: NonNullable<Page['next']>): Promise<Page | undefined> => {
    const values = [next.table, next.after]
    return (await scene.as('bo')<{ page: Page }>('select export_my_data($1, $2) as page', values)).rows[0]?.page
  }
  let next: Page['next'] = { table: 'companies', after: null }
  while (next) {
    const page: Page | undefined = await readPage(next)
    for (const { id } of page?.records.companies ?? []) ids.push(id)
    next = page?.next ?? null
  }
  expect(ids).toHaveLength(companyCount)
  expect(ids).toEqual([...new Set(ids)].sort())
})
