import type { SupabaseClient } from '@supabase/supabase-js'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAcme } from '../harness/acme.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { poolOf } from '../harness/pool-of.ts'

/** The brand has 600 companies, each with notes of 10,000 characters. JSON escapes half of these characters: 21 MB in total. */
let server: TestServer
let owner: Pool
let ana: SupabaseClient
let brand: string
const companyCount = 600
const megabyte = 1_000_000

beforeAll(async () => {
  server = await startTestServer()
  owner = poolOf(server.databaseUrl)
  const person = await signUpPerson(server, 'ana@example.org')
  ana = person.client
  brand = crypto.randomUUID()
  await ana.from('brands').insert({ id: brand, name: 'Acme' })
  await addCompanies(brand, person.user.id)
})
afterAll(async () => {
  await owner?.end()
  await server?.stop()
})

function addCompanies(brandId: string, userId: string) {
  return owner.query(
    `insert into public.companies (brand_id, name, notes, owner_id)
     select $1, 'Company ' || i, repeat('n' || chr(1), 5000), $2 from generate_series(1, ${companyCount}) as i`,
    [brandId, userId],
  )
}

const sizeOf = (value: unknown) => JSON.stringify(value).length

describe('pull', () => {
  it.each([1000])(
    'a pull returns everything in pages of at most 8 MB if %i rows a page are requested',
    async (p_limit) => {
      const ids = new Set<string>()
      let cursor: string | null = null
      let pages = 0
      for (let complete = false; !complete; pages++) {
        const args: { p_brand_id: string; p_cursor: string | null; p_limit: number } = {
          p_brand_id: brand,
          p_cursor: cursor,
          p_limit,
        }
        const { data, error } = await ana.rpc('pull', args)
        expect(error).toBeNull()
        expect(sizeOf(data)).toBeLessThan(8 * megabyte)
        for (const row of data.rows.companies ?? []) ids.add(row.id)
        cursor = data.cursor
        complete = data.complete
      }
      expect(ids.size).toBe(companyCount)
      expect(pages).toBeGreaterThan(2)
    },
  )

  it('a pull returns as many small rows per page as requested, up to 5,000', async () => {
    const eve = await signUpPerson(server, 'eve@example.org')
    const id = crypto.randomUUID()
    await eve.client.from('brands').insert({ id, name: 'Umbra' })
    await owner.query(
      `insert into public.companies (brand_id, name) select $1, 'Company ' || i from generate_series(1, 5100) as i`,
      [id],
    )
    for (const [p_limit, count] of [
      [1000, 1000],
      [4000, 4000],
      // A page has at most 5,000 rows.
      [9000, 5000],
    ]) {
      const { data } = await eve.client.rpc('pull', { p_brand_id: id, p_tables: ['companies'], p_limit })
      expect(data.rows.companies).toHaveLength(count ?? 0)
      expect(data.complete).toBe(false)
    }
  })
})

describe('search', () => {
  it('a search is refused with 413 if its page is too large', async () => {
    const refusedSearch = await ana.rpc('search_companies', { p_brand_id: brand, p_query: '', p_limit: 1000 })
    expect(refusedSearch).toMatchObject({
      status: 413,
      error: { code: '54000', message: 'The answer is larger than 16 MB. Ask for fewer rows.' },
    })
    const { data } = await ana.rpc('search_companies', { p_brand_id: brand, p_query: '', p_limit: 100 })
    expect(data.rows).toHaveLength(100)
    expect(data.total).toBe(companyCount)
  })
})

describe('queries', () => {
  const readQueries = (queries: unknown) => ana.rpc('read_queries', { p_brand_id: brand, p_queries: queries })

  it('queries are refused with 413 if their rows are too large together', async () => {
    const pageQuery = { table: 'companies', limit: 100 }
    expect((await readQueries([pageQuery])).data.answers[0].rows).toHaveLength(100)
    const refusal = { status: 413, error: { code: '54000' } }
    expect(await readQueries([{ ...pageQuery, limit: 1000 }])).toMatchObject(refusal)
    expect(await readQueries(Array.from({ length: 10 }, () => pageQuery))).toMatchObject(refusal)
  })

  it('a request has at most 50 queries, of at most 20 columns with 1000 values each', async () => {
    const refusal = { status: 400, error: { code: '22023' } }
    const countQuery = { table: 'companies', rows: false, count: true }
    const ids = (count: number) => Array.from({ length: count }, () => brand)
    expect(await readQueries(Array.from({ length: 51 }, () => countQuery))).toMatchObject(refusal)
    expect(await readQueries([{ ...countQuery, where: { id: ids(1001) } }])).toMatchObject(refusal)
    expect((await readQueries([{ ...countQuery, where: { id: ids(1000) } }])).error).toBeNull()
    const columns = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`column${index}`, 1]))
    expect(await readQueries([{ ...countQuery, where: columns }])).toMatchObject(refusal)
    expect(await readQueries({ table: 'companies' })).toMatchObject(refusal)
  })

  it('queries may name only readable tables, columns and orders', async () => {
    for (const query of [
      { table: 'brands' },
      { table: 'pg_class' },
      { table: 'companies', order: 'nothing' },
      { table: 'companies', order: "newest' or true --" },
      { table: 'companies', where: { "name' or true --": 1 } },
      { table: 'contacts', where: { email_norm: 'a@b.c' } },
      { table: 'companies', where: { name: { like: '%' } } },
      { table: 'companies', where: { name: { gt: { now: 'x' } } } },
      { table: 'companies', after: ["x'"] },
      { table: 'companies', after: ['now(); drop table x', 'y'] },
      { table: 'companies', sums: true },
      { table: 'companies', limit: 'many' },
    ])
      expect(await readQueries([query]), JSON.stringify(query)).toMatchObject({ status: 400, data: null })
  })
})

describe('the board', () => {
  beforeAll(async () => {
    await owner.query(
      `insert into public.deal_stages (brand_id, name, position) select $1, 'Stage ' || i, 100 + i from generate_series(1, 994) as i`,
      [brand],
    )
    await owner.query(
      `insert into public.deals (brand_id, name, stage_id) select $1, 'Deal', s.id from public.deal_stages s, generate_series(1, 7)
       where s.brand_id = $1`,
      [brand],
    )
  })

  it('the board shows fewer cards per stage if there are very many', async () => {
    const { data } = await ana.rpc('board', { p_brand_id: brand, p_cards: 200 })
    expect(data.stages).toHaveLength(1000)
    expect(data.deals).toHaveLength(1000 * 6)
  })

  it('the board is refused with 413 if its cards are too large', async () => {
    // Each deal gets a contact with three long texts, of which JSON escapes all characters but one: 25 MB in total.
    await owner.query(`begin; set local session_replication_role = 'replica';
      insert into public.contacts (id, brand_id, first_name, last_name, title)
      select d.id, d.brand_id, n, n, n from public.deals d, (select 'n' || repeat(chr(1), 199)) t (n) where d.brand_id = '${brand}';
      update public.deals set contact_id = id where brand_id = '${brand}'; commit`)
    const refusedBoard = await ana.rpc('board', { p_brand_id: brand, p_cards: 200 })
    expect(refusedBoard).toMatchObject({ status: 413, error: { code: '54000' } })
  })
})

describe('the export', () => {
  it('the export comes in pages of at most 2,000 records', async () => {
    const { client, user } = await signUpPerson(server, 'lee@example.org')
    const id = crypto.randomUUID()
    await client.from('brands').insert({ id, name: 'Initech' })
    await owner.query(
      `insert into public.companies (brand_id, name, owner_id) select $1, 'Company ' || i, $2 from generate_series(1, 2100) as i`,
      [id, user.id],
    )
    const countOf = (records: Record<string, unknown[]>) =>
      Object.values(records).reduce((sum, rows) => sum + rows.length, 0)
    const { data: first } = await client.rpc('export_my_data')
    expect(countOf(first.records)).toBe(2000)
    const { data } = await client.rpc('export_my_data', { p_table: first.next.table, p_after: first.next.after })
    expect(first.records.companies.length + data.records.companies.length).toBe(2100)
    expect(data.next).toBeNull()
  })

  it('the export comes in pages of at most 8 MB, each record once', async () => {
    const { data: first, error } = await ana.rpc('export_my_data')
    expect(error).toBeNull()
    expect(first.account.email).toBe('ana@example.org')
    expect(sizeOf(first)).toBeLessThan(9 * megabyte)
    const ids: string[] = first.records.companies.map((row: { id: string }) => row.id)
    let { next } = first
    for (let pages = 1; next; pages++) {
      expect(pages).toBeLessThan(50)
      const { data } = await ana.rpc('export_my_data', { p_table: next.table, p_after: next.after })
      expect(sizeOf(data)).toBeLessThan(9 * megabyte)
      expect(Object.keys(data)).toEqual(['records', 'next'])
      ids.push(...(data.records.companies ?? []).map((row: { id: string }) => row.id))
      next = data.next
    }
    expect(ids).toHaveLength(companyCount)
    expect(new Set(ids).size).toBe(companyCount)
  })

  it('the export refuses a table that is not in the export', async () => {
    expect((await ana.rpc('export_my_data', { p_table: 'memberships', p_after: null })).error?.code).toBe('22023')
  })

  it('the export in the app is a single file with the records of all pages', async () => {
    const acme = await openAcme(server)
    await addCompanies(acme.brandId, acme.userId)
    const { exportMyData } = await import('#web/data/session/account.ts')
    const file = JSON.parse(await exportMyData(acme.tab.device))
    expect(file.records.companies).toHaveLength(companyCount)
    expect(file.account.email).toBe(acme.email)
    expect(file.next).toBeUndefined()
    acme.browser.close()
  })
})
