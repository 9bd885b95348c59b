import { asUserHeader, client } from './client.ts'
import { noteUnauthorized, RpcError } from './rpc.ts'
import type { AnyRow, TableName } from './tables.ts'

/** How a page of a table is asked for: the spec's own selects (section 7). */
export interface PageQuery {
  userId: string
  brandId: string
  table: TableName
  /** Further filters, each `column = value`. */
  equal?: Record<string, string>
  /** And `column` is one of these values. */
  among?: Record<string, readonly string[]>
  order: readonly { column: string; ascending: boolean; nullsFirst?: boolean }[]
  offset: number
  limit: number
  signal: AbortSignal
}

/** Reads a page of a table, with the total; throws RpcError. */
export async function readPage(query: PageQuery): Promise<{ rows: AnyRow[]; total: number }> {
  let request = client().from(query.table).select('*', { count: 'exact' }).eq('brand_id', query.brandId)
  for (const [column, value] of Object.entries(query.equal ?? {})) request = request.eq(column, value)
  for (const [column, values] of Object.entries(query.among ?? {})) request = request.in(column, values)
  let ordered = request.range(query.offset, query.offset + query.limit - 1)
  for (const { column, ascending, nullsFirst } of query.order)
    ordered = ordered.order(column, { ascending, nullsFirst })
  const { data, count, error, status } = await ordered
    .setHeader(asUserHeader, query.userId)
    .abortSignal(query.signal)
    .retry(false)
  if (error) return refuse(error, status)
  return { rows: data as AnyRow[], total: count ?? query.offset + data.length }
}

/** Reads rows by id; those that are not there do not come. Throws RpcError. */
export async function readRows(
  userId: string,
  brandId: string,
  table: TableName,
  ids: readonly string[],
): Promise<AnyRow[]> {
  const request = client().from(table).select('*').eq('brand_id', brandId).in('id', ids)
  const { data, error, status } = await request.setHeader(asUserHeader, userId).retry(false)
  if (error) return refuse(error, status)
  return data as AnyRow[]
}

async function refuse(error: { message: string; code?: string }, status: number): Promise<never> {
  if (status === 401) await noteUnauthorized(error.code || null)
  throw new RpcError(error.message, status, error.code || null)
}
