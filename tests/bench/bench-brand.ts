import type pg from 'pg'
import { officialClient } from '../harness/client.ts'
import type { BenchData } from './bench-data.ts'
import { addGrowthBrand, addSmallBrands, type GrowthBrand } from './growth-data.ts'

/** The measured brand, with its user's e-mail address and password. */
export interface BenchBrand extends BenchData {
  brand: GrowthBrand
  email: string
  password: string
}

/**
 * Signs up a user and creates their brand with the given number of contacts: a company per 20 contacts, a deal and a task per 10. Also creates
 * other brands with `contactsOfOthers` contacts each.
 */
export async function fillBenchBrand(
  url: string,
  publishableKey: string,
  owner: pg.Pool,
  { contacts, others, contactsOfOthers }: { contacts: number; others: number; contactsOfOthers: number },
): Promise<BenchBrand> {
  const client = officialClient(url, publishableKey)
  const email = `bench-${Date.now()}@example.org`
  const password = 'correct horse'
  const { data, error } = await client.auth.signUp({ email, password })
  if (error || !data.session) throw error ?? new Error('no session')
  await addSmallBrands(owner, others, contactsOfOthers)
  const brand = await addGrowthBrand(owner, contacts)
  await owner.query(
    `insert into public.memberships (brand_id, user_id, role, display_name, opened_at) values ($1, $2, 'owner', 'Ana', now())`,
    [brand.id, data.session.user.id],
  )
  await owner.query('select private.count_all_figures()')
  await owner.query('vacuum analyze')
  const { rows: deals } = await owner.query<{ id: string; contact_id: string }>(
    'select id, contact_id from public.deals where brand_id = $1 order by id limit 64',
    [brand.id],
  )
  return {
    brand,
    email,
    password,
    token: data.session.access_token,
    brandId: brand.id,
    stageIds: brand.stages.slice(0, 2),
    dealIds: deals.map(({ id }) => id),
    contactId: deals[0]?.contact_id ?? '',
  }
}
