import type pg from 'pg'
import { officialClient } from '../harness/client.ts'

/** The access token of the measured user, and the ids that the requests use. */
export interface BenchData {
  token: string
  brandId: string
  stageIds: string[]
  dealIds: string[]
  contactId: string
}

/**
 * Signs up a user and creates twenty brands: the measured one with 1,000 contacts, 200 companies and 1,000 deals, the others with
 * 200 contacts, 40 companies and 200 deals each.
 */
export async function fillBench(url: string, publishableKey: string, owner: pg.Pool): Promise<BenchData> {
  const client = officialClient(url, publishableKey)
  const email = `bench-${Date.now()}@example.org`
  const { data, error } = await client.auth.signUp({ email, password: 'correct horse' })
  if (error || !data.session) throw error ?? new Error('no session')
  const brandIds: string[] = []
  for (let i = 0; i < 20; i++) {
    const id = crypto.randomUUID()
    const { error: insertError } = await client.from('brands').insert({ id, name: `Bench ${i} ${email}`, slug: '' })
    if (insertError) throw new Error(insertError.message)
    brandIds.push(id)
  }
  for (const [index, brandId] of brandIds.entries()) await owner.query(recordsSql(brandId, index === 0 ? 1000 : 200))
  await owner.query('analyze')
  const brandId = brandIds[0] ?? ''
  const readIds = async (table: string, order: string, limit: number) =>
    (
      await owner.query<{ id: string }>(
        `select id from public.${table} where brand_id = $1 order by ${order} limit ${limit}`,
        [brandId],
      )
    ).rows.map((row) => row.id)
  return {
    token: data.session.access_token,
    brandId,
    stageIds: await readIds('deal_stages', 'position', 2),
    dealIds: await readIds('deals', 'id', 16),
    contactId: (await readIds('contacts', 'id', 1))[0] ?? '',
  }
}

/** Returns SQL that fills a brand with `rows` contacts and deals, and a fifth as many companies. */
export function recordsSql(brandId: string, rows: number): string {
  return `
    insert into public.companies (brand_id, name, domain) select '${brandId}', 'Company ' || i, 'c' || i || '.example'
      from generate_series(1, ${rows / 5}) as i;
    insert into public.contacts (brand_id, first_name, last_name, email, title, phone, company_id)
      select '${brandId}', 'First ' || i, 'Last ' || i, 'p' || i || '@example.org', 'Buyer', '+44 20 7946 0' || i,
        (select id from public.companies where brand_id = '${brandId}' and name = 'Company ' || (1 + i % ${rows / 5}))
      from generate_series(1, ${rows}) as i;
    insert into public.deals (brand_id, name, amount, stage_id, contact_id, company_id)
      select c.brand_id, 'Deal with ' || c.last_name, 1000 + 10 * length(c.last_name),
        (select id from public.deal_stages s where s.brand_id = c.brand_id order by position limit 1), c.id, c.company_id
      from public.contacts c where c.brand_id = '${brandId}'`
}
