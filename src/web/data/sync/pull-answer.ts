import { type Device, devicePart } from '#web/data/browser/device.ts'
import { serverPause } from '#web/data/server/network.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { modeFor } from '#web/data/store/modes.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { emitter } from '#web/lib/emitter.ts'
import { observable } from '#web/lib/observable.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/** The answer of the RPC `pull`. */
export interface PullAnswer {
  epoch: string
  cursor: string
  /** The page belongs to a pull from the beginning: requested, or forced by the server (new epoch, cursor older than the tombstones). */
  full: boolean
  complete: boolean
  rows: Record<string, AnyRow[]>
  tombstones: { table: string; id: string }[]
  counts?: Record<string, number> | null
}

/** Emits when a pull fetched the brand's row or a membership: the user's role or the brand's name may have changed. */
export const membershipsChanged = devicePart(() => emitter())

/** Maximum rows per answer: usually about 600 kB of JSON, parsed in a few milliseconds. */
export const pageRows = 1000

/** Rows per page. Reduced after the server has refused a larger page because a brand's rows are long (413). */
const pageSize = perBrand(() => ({ rows: pageRows }))

/** The tables that the server syncs. Null if they are not known: then all tables that this version of the app knows. */
const serverTables = devicePart(() => observable<ReadonlySet<string> | null>(null))

/** Whether the server syncs this table. A server of an earlier release does not know tables that were added later. */
export function isServerTable(device: Device, table: string): boolean {
  return serverTables(device).get()?.has(table) ?? true
}

/**
 * Fetches a page of a pull: from the beginning (null), the changes since a cursor, or the counts ('now'). Leaves out tables that the server does
 * not know. Throws RpcError.
 */
export async function fetchPullPage(
  data: BrandData,
  cursor: string | null,
  tables: readonly string[],
): Promise<PullAnswer> {
  const { device } = data
  // The answer to another request, or to another tab, asked for the pause.
  if (serverPause(device) > 0) throw new RpcError('The server asked for a pause.', 503, null)
  const limit = pageSize(data).rows
  try {
    return await callPull(
      data,
      cursor,
      tables.filter((table) => isServerTable(device, table)),
      limit,
    )
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    if (error.status === 413 && limit > 1) pageSize(data).rows = Math.ceil(limit / 4)
    else if (error.code === unknownTableCode && serverTables(device).get() === null) await readServerTables(data)
    else throw error
    return fetchPullPage(data, cursor, tables)
  }
}

/** PostgreSQL's 'invalid parameter value'. For the arguments of a pull it means: a table that the server does not know. */
const unknownTableCode = '22023'

/** Reads from a server of an earlier release which tables it has. */
async function readServerTables(data: BrandData): Promise<void> {
  const { counts } = await callPull(data, 'now', null, 1)
  serverTables(data.device).set(new Set(Object.keys(counts ?? {})))
}

function callPull(
  { device, userId, brandId }: BrandData,
  cursor: string | null,
  tables: readonly string[] | null,
  limit: number,
): Promise<PullAnswer> {
  const args = { p_brand_id: brandId, p_cursor: cursor, p_tables: tables, p_limit: limit }
  return rpc<PullAnswer>(device, userId, 'pull', args)
}

/** Returns the rows of a table in an answer, without rows that were deleted on this device since. */
export function rowsOfAnswer(data: BrandData, table: TableName, answer: PullAnswer): readonly AnyRow[] {
  return keyedRows(table, answer.rows[table] ?? []).filter((row) => !isBeforeDeletion(data, row))
}

/** True if the row is older than its deletion. A restored row has a higher version. */
function isBeforeDeletion(data: BrandData, row: AnyRow): boolean {
  const deletedVersion = data.recentlyDeleted.get(row.id)
  if (deletedVersion !== undefined && row.version <= deletedVersion) return true
  data.recentlyDeleted.delete(row.id)
  return false
}

/** Returns all rows. For a windowed table, returns only the rows that are already on this device. */
export function rowsToStore(data: BrandData, table: TableName, rows: readonly AnyRow[]): readonly AnyRow[] {
  const mode = data.state.get().tables[table]?.mode ?? modeFor(table, 0, null)
  if (mode !== 'windowed') return rows
  return rows.filter((row) => data.tables[table].onServer(row.id))
}

/** Emits `membershipsChanged` if an answer contains the brand's row or memberships. */
export function emitMembershipChanges(data: BrandData, { rows }: PullAnswer): void {
  if (rows.brands?.length || rows.memberships?.length) membershipsChanged(data.device).emit()
}

/** Gives each membership an `id`, the user's id, so that the rows of all tables have the same key. */
function keyedRows(table: string, rows: readonly AnyRow[]): readonly AnyRow[] {
  if (table !== 'memberships') return rows
  return rows.map((row) => ({ ...row, id: textOf(row, 'user_id') ?? row.id }))
}
