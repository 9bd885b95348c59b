import { devicePart } from '#web/data/browser/device.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { emitter } from '#web/lib/emitter.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { type BrandState, newBrandState } from '#web/data/store/brand-state.ts'
import { markCaughtUp } from './freshness.ts'
import { modeFor } from '#web/data/store/modes.ts'
import { keyedRows, type PullAnswer } from './pull-answer.ts'
import { serverPause } from '#web/data/server/network.ts'
import { readRows } from '#web/data/server/rest-page.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import { storeRows, storeState } from '#web/data/store/store-rows.ts'
import { type AnyRow, type TableName, tableNames } from '#web/data/server/tables.ts'

/** Emits when a pull fetched the brand's row or a membership: the user's role or the brand's name may have changed. */
export const membershipsChanged = devicePart(() => emitter())

/** Rows of one answer: usually about 600 kB of JSON, parsed in a few milliseconds. */
const pageRows = 1000

/** Rows of a page: fewer after the server refused a larger page because a brand's rows are long (413). */
const pageSize = perBrand(() => ({ rows: pageRows }))

/** The tables of a pull. `brands` only shows that the name may have changed: its row is stored with the memberships. */
const pulledTables = ['brands', ...tableNames]

/**
 * Pulls all changes of a brand (docs/offline.md). The first pull decides each table's mode by its number of rows and fetches the complete
 * tables from the beginning. Later pulls fetch only changes. Throws RpcError, also where the server asks for a pause meanwhile; rows that are
 * stored by then stay.
 */
export async function pullBrand(data: BrandData): Promise<void> {
  if (data.state.get().cursor === null) await beginPull(data)
  const fetched = await pullTables(
    data,
    tableNames.filter((table) => mustFetchAll(data.state.get(), table)),
  )
  const forced = await pullChanges(data, fetched)
  if (forced) {
    // The epoch has changed, or the cursor is too old: pulls from the beginning, in the modes for the new counts.
    await beginPull(data)
    await pullChanges(
      data,
      await pullTables(
        data,
        tableNames.filter((table) => mustFetchAll(data.state.get(), table)),
      ),
    )
  }
  markCaughtUp(data)
}

/** Stores the current cursor and the counts before any row is fetched. Changes during the pull are fetched after it. */
async function beginPull(data: BrandData): Promise<void> {
  const answer = await ask(data, 'now', tableNames)
  // After a restored backup versions start lower.
  data.recentlyDeleted.clear()
  const before = data.state.get()
  const tables: BrandState['tables'] = {}
  for (const table of tableNames) {
    tables[table] = {
      mode: modeFor(table, answer.counts?.[table] ?? 0, before.tables[table]?.mode ?? null),
      complete: false,
    }
  }
  const counts = { ...before.counts, ...answer.counts }
  const state = {
    ...newBrandState(data.brandId),
    ...before,
    epoch: answer.epoch,
    cursor: answer.cursor,
    tables,
    counts,
  }
  await storeState(data, state)
}

function mustFetchAll(state: BrandState, table: TableName): boolean {
  const present = state.tables[table]
  // The state was written by a version of the app that did not know the table.
  if (!present) return modeFor(table, 0, null) === 'complete'
  return present.mode === 'complete' && !present.complete
}

/** Fetches all rows of tables, page by page. Returns the ids, so that other rows can be removed. */
async function pullTables(data: BrandData, tables: readonly TableName[]): Promise<Map<TableName, Set<string>>> {
  const fetched = new Map<TableName, Set<string>>()
  for (const group of grouped(tables, data.state.get().counts)) {
    for (const table of group) fetched.set(table, new Set())
    let cursor: string | null = null
    for (;;) {
      const sentAt = data.device.clock.elapsed()
      const answer: PullAnswer = await ask(data, cursor, group)
      await storeAnswer(data, answer, { fetched, fromBeginning: true, sentAt })
      if (answer.complete) break
      cursor = answer.cursor
    }
    const state = data.state.get()
    const done: BrandState['tables'] = {}
    for (const table of group) done[table] = { mode: 'complete', complete: true }
    await storeState(data, { ...state, tables: { ...state.tables, ...done } })
  }
  return fetched
}

/** The tables of one request each: those that the first screens need come together, and others come along while all of them fit into a page. */
function grouped(tables: readonly TableName[], counts: BrandState['counts']): TableName[][] {
  const groups: TableName[][] = []
  let rows = 0
  for (const table of tables) {
    const count = counts[table] ?? pageRows
    const group = groups.at(-1)
    rows += count
    if (group && (isNeededFirst(table) || rows <= pageRows)) group.push(table)
    else {
      groups.push([table])
      rows = count
    }
  }
  return groups
}

function isNeededFirst(table: TableName): boolean {
  return table === 'pipelines' || table === 'deal_stages' || table === 'memberships' || table === 'tasks'
}

/** Fetches what changed since the cursor. True when the server answered with a pull from the beginning instead. */
async function pullChanges(data: BrandData, fetched: Map<TableName, Set<string>>): Promise<boolean> {
  for (;;) {
    const sentAt = data.device.clock.elapsed()
    const answer = await ask(data, data.state.get().cursor, pulledTables)
    if (answer.full) return true
    await storeAnswer(data, answer, { fetched, fromBeginning: false, sentAt })
    if (answer.complete) await dropUnfetched(data, fetched)
    const state = data.state.get()
    const counts = { ...state.counts, ...answer.counts }
    if (answer.cursor !== state.cursor || answer.counts) {
      const tables = modesFor(state, counts)
      await storeState(data, { ...state, epoch: answer.epoch, cursor: answer.cursor, counts, tables })
    }
    if (answer.complete) return false
  }
}

/** The modes for new counts. A table above its limit becomes windowed and keeps its rows. One that shrank is fetched completely at the next pull. */
function modesFor(state: BrandState, counts: BrandState['counts']): BrandState['tables'] {
  const tables = { ...state.tables }
  for (const table of tableNames) {
    const present = tables[table]
    const mode = modeFor(table, counts[table] ?? 0, present?.mode ?? null)
    if (present ? mode !== present.mode : mode === 'windowed') tables[table] = { mode, complete: false }
  }
  return tables
}

async function storeAnswer(
  data: BrandData,
  answer: PullAnswer,
  { fetched, fromBeginning, sentAt }: { fetched: Map<TableName, Set<string>>; fromBeginning: boolean; sentAt: number },
): Promise<void> {
  const { userId, brandId } = data
  for (const table of tableNames) {
    const tombstones = answer.tombstones.filter((one) => one.table === table).map(({ id }) => id)
    const deletedIds = await withoutRestored(data, table, tombstones, sentAt)
    for (const id of deletedIds) data.recentlyDeleted.set(id, data.recentlyDeleted.get(id) ?? 0)
    const rows = keyedRows(table, answer.rows[table] ?? []).filter((row) => !isBeforeDeletion(data, row))
    for (const row of rows) fetched.get(table)?.add(row.id)
    if (deletedIds.length > 0 || rows.length > 0) {
      await storeRows(data.device, {
        userId,
        brandId,
        table,
        rows: rowsToStore(data, table, rows),
        deletedIds,
        replace: fromBeginning,
      })
      if (!fromBeginning) data.invalidate(table)
    }
  }
  if (answer.rows.brands?.length || answer.rows.memberships?.length) membershipsChanged(data.device).emit()
}

/** The ids without rows that were restored on this device after the pull was sent. Reads those from the server to decide. */
async function withoutRestored(
  data: BrandData,
  table: TableName,
  ids: readonly string[],
  sentAt: number,
): Promise<readonly string[]> {
  const restoredIds = ids.filter((id) => (data.recentlyRestored.get(id) ?? 0) > sentAt)
  if (restoredIds.length === 0) return ids
  const present = new Set(
    (await readRows(data.device, data.userId, data.brandId, table, restoredIds)).map((row) => row.id),
  )
  return ids.filter((id) => !present.has(id))
}

/** Whether a row is from before its deletion. A restored row has a higher version. */
function isBeforeDeletion(data: BrandData, row: AnyRow): boolean {
  const deletedVersion = data.recentlyDeleted.get(row.id)
  if (deletedVersion !== undefined && row.version <= deletedVersion) return true
  data.recentlyDeleted.delete(row.id)
  return false
}

/** All rows; of a windowed table only those that are on this device already. */
function rowsToStore(data: BrandData, table: TableName, rows: readonly AnyRow[]): readonly AnyRow[] {
  const mode = data.state.get().tables[table]?.mode ?? modeFor(table, 0, null)
  if (mode !== 'windowed') return rows
  return rows.filter((row) => data.tables[table].onServer(row.id))
}

/** After a pull from the beginning: rows that it did not return were deleted. */
async function dropUnfetched(data: BrandData, fetched: Map<TableName, Set<string>>): Promise<void> {
  for (const [table, ids] of fetched) {
    const deletedIds = [...data.tables[table].serverIds()].filter((id) => !ids.has(id))
    if (deletedIds.length > 0)
      await storeRows(data.device, { userId: data.userId, brandId: data.brandId, table, deletedIds })
  }
}

async function ask(data: BrandData, cursor: string | null, tables: readonly string[]): Promise<PullAnswer> {
  // Asked for in the answer to another request, or in another tab.
  if (serverPause(data.device) > 0) throw new RpcError('The server asked for a pause.', 503, null)
  const limit = pageSize(data).rows
  const args = { p_brand_id: data.brandId, p_cursor: cursor, p_tables: tables, p_limit: limit }
  try {
    return await rpc<PullAnswer>(data.device, data.userId, 'pull', args)
  } catch (error) {
    if (!(error instanceof RpcError) || error.status !== 413 || limit === 1) throw error
    pageSize(data).rows = Math.ceil(limit / 4)
    return ask(data, cursor, tables)
  }
}
