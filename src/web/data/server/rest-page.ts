import type { Device } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { askServer } from './ask-server.ts'
import { handleUnauthorized, RpcError } from './rpc.ts'
import { type AnyRow, rowsIn, type TableName } from './tables.ts'

/** Describes a page of a table. It is read by a `select` of the form that the specification gives (section 7). */
export interface PageQuery {
  userId: string
  brandId: string
  table: TableName
  /** Filters of the form `column = value`. */
  equal?: Record<string, string>
  /** Filters of the form `column in (values)`. */
  among?: Record<string, readonly string[]>
  order: readonly { column: string; ascending: boolean; nullsFirst?: boolean }[]
  offset: number
  limit: number
  signal: AbortSignal
}

/** Reads a page of a table, and the total number of rows that meet the filters. Throws RpcError. */
export async function readPage(device: Device, query: PageQuery): Promise<{ rows: AnyRow[]; total: number }> {
  const { data, count, error, status } = await askServer(device, (server) => pageRequest(server, query), query.userId)
  if (error) return throwRpcError(device, error, status)
  return { rows: rowsIn(data), total: count ?? query.offset + data.length }
}

function pageRequest(server: SupabaseClient, query: PageQuery) {
  let request = server.from(query.table).select('*', { count: 'exact' }).eq('brand_id', query.brandId)
  for (const [column, value] of Object.entries(query.equal ?? {})) request = request.eq(column, value)
  for (const [column, values] of Object.entries(query.among ?? {})) request = request.in(column, values)
  let orderedRequest = request.range(query.offset, query.offset + query.limit - 1)
  for (const { column, ascending, nullsFirst } of query.order)
    orderedRequest = orderedRequest.order(column, { ascending, nullsFirst })
  return orderedRequest.abortSignal(query.signal).retry(false)
}

/** Reads rows by id. Leaves out ids that do not exist. Throws RpcError. */
export async function readRows(
  device: Device,
  userId: string,
  brandId: string,
  table: TableName,
  ids: readonly string[],
): Promise<AnyRow[]> {
  const { data, error, status } = await askServer(
    device,
    (server) => server.from(table).select('*').eq('brand_id', brandId).in('id', ids).retry(false),
    userId,
  )
  if (error) return throwRpcError(device, error, status)
  return rowsIn(data)
}

async function throwRpcError(
  device: Device,
  error: { message: string; code?: string },
  status: number,
): Promise<never> {
  if (status === 401) await handleUnauthorized(device, error.code || null)
  throw new RpcError(error.message, status, error.code || null)
}
