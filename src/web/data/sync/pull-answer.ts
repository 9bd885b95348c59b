import { type Device, devicePart } from '#web/data/browser/device.ts'
import { serverPause } from '#web/data/server/network.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { withoutDeleted } from '#web/data/store/deletions.ts'
import { modeFor } from '#web/data/store/modes.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { emitter } from '#web/lib/emitter.ts'
import { observable } from '#web/lib/observable.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/** A page of a pull: the answer of the RPC `pull`. */
export interface PullAnswer {
  epoch: string
  cursor: string
  /**
   * True if the page belongs to a pull from the beginning. This device requested that pull, or the server forced it (there is a new epoch, or the
   * cursor is older than the tombstones).
   */
  full: boolean
  /** True for the last page. */
  complete: boolean
  rows: Record<string, AnyRow[]>
  /** `version`: the last version of the deleted row. A server of an earlier release does not send it. */
  tombstones: { table: string; id: string; version?: number }[]
  /** The number of rows by table. Missing or null if the server did not count them. */
  counts?: Record<string, number> | null
}

/** Emits when a pull has fetched the brand's row or a membership, because the user's role or the brand's name may have changed. */
export const membershipsChanged = devicePart(() => emitter())

/** Maximum number of rows per page: usually about 600 kB of JSON, which is parsed in a few milliseconds. */
export const maxPageRows = 1000

/**
 * Number of rows per page. It becomes smaller when the server refuses a page as too large (413), which happens if the rows of a brand are
 * long.
 */
const pageSize = perBrand(() => ({ rows: maxPageRows }))

/**
 * The names of the tables that the server syncs. Null if they are not known; then all tables that this version of the app knows are pulled.
 */
const serverTables = devicePart(() => observable<ReadonlySet<string> | null>(null))

/** Whether the server syncs this table. A server of an earlier release does not know tables that were added later. */
export function isServerTable(device: Device, table: string): boolean {
  return serverTables(device).get()?.has(table) ?? true
}

/**
 * Fetches a page of a pull. `cursor`: null for a pull from the beginning; a cursor for the changes since then; 'now' for the current cursor
 * and the number of rows of each table. Leaves out tables that the server does not know. Throws RpcError.
 */
export async function fetchPullPage(
  data: BrandData,
  cursor: string | null,
  tables: readonly string[],
): Promise<PullAnswer> {
  const { device } = data
  // All tabs share the pause that the server asks for. The answer that asked for it may have come to another request, or to another tab.
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

/** PostgreSQL's code for an invalid parameter value. In an answer to a pull it means that the server does not know one of the tables. */
const unknownTableCode = '22023'

/** Reads which tables a server of an earlier release has. */
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

/** Returns the rows of a table in a page of a pull. Leaves out rows that were deleted since (`recentlyDeleted`). */
export function rowsOfAnswer(data: BrandData, table: TableName, answer: PullAnswer): readonly AnyRow[] {
  return withoutDeleted(data, keyedRows(table, answer.rows[table] ?? []))
}

/** Returns the rows of an answer that this device should store. For a windowed table, these are only the rows that the device already has. */
export function rowsToStore(data: BrandData, table: TableName, rows: readonly AnyRow[]): readonly AnyRow[] {
  const mode = data.state.get().tables[table]?.mode ?? modeFor(data.device, table, 0, null)
  if (mode !== 'windowed') return rows
  return rows.filter((row) => data.tables[table].serverRow(row.id))
}

/** Emits `membershipsChanged` if a page contains the brand's row or memberships. */
export function emitMembershipChanges(data: BrandData, { rows }: PullAnswer): void {
  if (rows.brands?.length || rows.memberships?.length) membershipsChanged(data.device).emit()
}

/** Gives each membership the id of its user as `id`, so that the rows of all tables have the key `id`. */
function keyedRows(table: string, rows: readonly AnyRow[]): readonly AnyRow[] {
  if (table !== 'memberships') return rows
  return rows.map((row) => ({ ...row, id: textOf(row, 'user_id') ?? row.id }))
}
