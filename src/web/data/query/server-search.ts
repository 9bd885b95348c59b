import { rpc } from '#web/data/server/rpc.ts'
import type { Page } from './server-list.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'

interface SearchAnswer {
  total: number
  rows: AnyRow[]
  contacts?: AnyRow[]
  companies?: AnyRow[]
}

/** What a page of a search is of: `owner` narrows it to their records, `sort` orders it (not deals). */
export interface SearchQuery {
  text: string
  owner?: string | null
  sort?: string
  offset: number
  limit: number
  signal: AbortSignal
}

/** A page of a search by the server: `search_contacts`, `search_companies`, `search_deals`. Throws RpcError. */
export async function searchPage(
  where: { userId: string; brandId: string },
  table: 'contacts' | 'companies' | 'deals',
  page: SearchQuery,
): Promise<Page> {
  const args = {
    p_brand_id: where.brandId,
    p_query: page.text,
    p_limit: page.limit,
    p_offset: page.offset,
    ...(page.owner && { p_owner_id: page.owner }),
    ...(page.sort && { p_sort: page.sort }),
  }
  const answer = await rpc<SearchAnswer>(where.userId, `search_${table}`, args, page.signal)
  const named: { table: TableName; rows: AnyRow[] }[] = []
  if (answer.companies) named.push({ table: 'companies', rows: answer.companies })
  if (answer.contacts) named.push({ table: 'contacts', rows: answer.contacts })
  return { rows: answer.rows, total: answer.total, named }
}
