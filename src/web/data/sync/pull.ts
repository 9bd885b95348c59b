import type { Device } from '#web/data/browser/device.ts'
import { modeFor } from '#web/data/store/modes.ts'
import { type TableName, tableNames } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { inAnyVersion, recordDeletions } from '#web/data/store/deletions.ts'
import { type BrandState, newBrandState } from '#web/data/store/brand-state.ts'
import { storeRows, storeState } from '#web/data/store/store-rows.ts'
import { markCaughtUp } from './change-arrival.ts'
import {
  fetchPullPage,
  isServerTable,
  emitMembershipChanges,
  type PullAnswer,
  rowsOfAnswer,
  rowsToStore,
} from './pull-answer.ts'
import { type ArrivedIds, pullTables } from './pull-tables.ts'

/**
 * The tables whose changes a pull requests. A change in `brands` only means that the brand's name may have changed: the name is stored with the
 * memberships.
 */
const pulledTables = ['brands', ...tableNames]

/**
 * Pulls all changes of a brand (docs/offline.md). The first pull decides each table's mode by its number of rows and fetches the complete
 * tables from the beginning. Later pulls fetch only changes. Throws BrandClosedError, and RpcError, also if the server asks for a pause
 * during the pull. The rows that have been stored until then stay.
 */
export async function pullBrand(data: BrandData): Promise<void> {
  if (data.state.get().cursor === null) await beginPull(data)
  const isForced = await pullAll(data)
  if (isForced) {
    // The epoch has changed or the cursor is too old. So everything is pulled from the beginning. The new numbers of rows decide the modes.
    await beginPull(data, { isForced: true })
    await pullAll(data)
  }
  markCaughtUp(data)
}

/** Fetches the tables that are incomplete, then the changes. Returns what `pullChanges` returns. */
async function pullAll(data: BrandData): Promise<boolean> {
  const arrived = new Map(incompleteTables(data).map((table) => [table, new Set<string>()]))
  const stops = Array.from(arrived, ([table, ids]) =>
    data.tables[table].onServerRows((changes) => changes.forEach(({ id }) => ids.add(id))),
  )
  try {
    await pullTables(data, arrived)
    return await pullChanges(data, arrived)
  } finally {
    for (const stop of stops) stop()
  }
}

/**
 * Stores the current cursor and the numbers of rows before any row is fetched. Changes that are made during the pull are fetched after it.
 * `isForced`: the server has forced the pull from the beginning, so the rows of windowed tables are removed first.
 */
async function beginPull(data: BrandData, { isForced = false } = {}): Promise<void> {
  const answer = await fetchPullPage(data, 'now', tableNames)
  // After a backup was restored, versions may be lower than before. Rows would then seem to be older than their deletion.
  data.recentlyDeleted.clear()
  const stateBefore = data.state.get()
  const tables: BrandState['tables'] = {}
  for (const table of tableNames) {
    tables[table] = {
      mode: modeFor(data.device, table, answer.counts?.[table] ?? 0, stateBefore.tables[table]?.mode ?? null),
      complete: false,
    }
  }
  const counts = { ...stateBefore.counts, ...answer.counts }
  const state = {
    ...newBrandState(data.brandId),
    ...stateBefore,
    epoch: answer.epoch,
    cursor: answer.cursor,
    tables,
    counts,
  }
  // From now on, screens query the server for rows of windowed tables. The state is stored last: if the page is closed before that, the next start
  // pulls from the beginning again.
  data.state.set(state)
  if (isForced) await invalidateWindowed(data, true)
  // The first screens are shown before their answers are requested again.
  else data.device.clock.setTimeout(() => void invalidateWindowed(data, false), invalidateAfterMs)
  await storeState(data, state, { isNew: true })
}

/**
 * Returns the tables of which all rows must be fetched. A table that a server of an earlier release does not know stays incomplete until a
 * later release has it.
 */
function incompleteTables(data: BrandData): TableName[] {
  return tableNames.filter((table) => mustFetchAll(data, table) && isServerTable(data.device, table))
}

function mustFetchAll({ device, state }: BrandData, table: TableName): boolean {
  const tableState = state.get().tables[table]
  // The state was written by an earlier version of the app, which did not know the table.
  if (!tableState) return modeFor(device, table, 0, null) === 'complete'
  return tableState.mode === 'complete' && !tableState.complete
}

/** Fetches the changes since the cursor. Returns true if the server has answered with a pull from the beginning instead. */
async function pullChanges(data: BrandData, arrived: ArrivedIds): Promise<boolean> {
  for (;;) {
    const answer = await fetchPullPage(data, data.state.get().cursor, pulledTables)
    if (answer.full) return true
    await storeAnswer(data, answer, arrived)
    const state = data.state.get()
    const counts = { ...state.counts, ...answer.counts }
    if (answer.cursor !== state.cursor || answer.counts) {
      const tables = modesFor(data.device, state, counts)
      await storeState(data, { ...state, epoch: answer.epoch, cursor: answer.cursor, counts, tables })
    }
    if (answer.complete) return false
  }
}

/**
 * Returns the modes of the tables for new numbers of rows. A table above its maximum becomes windowed and keeps its rows. A table that has
 * shrunk to 90 % of its maximum is fetched completely by the next pull.
 */
function modesFor(device: Device, state: BrandState, counts: BrandState['counts']): BrandState['tables'] {
  const tables = { ...state.tables }
  for (const table of tableNames) {
    const present = tables[table]
    const mode = modeFor(device, table, counts[table] ?? 0, present?.mode ?? null)
    if (present ? mode !== present.mode : mode === 'windowed') tables[table] = { mode, complete: false }
  }
  return tables
}

async function storeAnswer(data: BrandData, answer: PullAnswer, arrived: ArrivedIds): Promise<void> {
  const { userId, brandId } = data
  for (const table of tableNames) {
    const deleted = new Map(answer.tombstones.flatMap((one) => (one.table === table ? [[one.id, one.version]] : [])))
    recordDeletions(data, table, deleted)
    const rows = rowsOfAnswer(data, table, answer)
    for (const row of rows) arrived.get(table)?.add(row.id)
    if (deleted.size > 0 || rows.length > 0) {
      await storeRows(data.device, {
        userId,
        brandId,
        table,
        rows: rowsToStore(data, table, rows),
        deleted,
      })
      data.invalidate(table)
    }
  }
  emitMembershipChanges(data, answer)
}

/** Time after which a first pull invalidates the answers about windowed tables (ms). */
const invalidateAfterMs = 3000

/**
 * Invalidates the answers about windowed tables, because they may be older than the cursor from which the pull begins: no later pull would report
 * a change in between. `isForced`: also removes the rows of these tables. The server may have deleted these rows, or may have older versions
 * of them since a backup was restored. The rows are fetched again when they are shown.
 */
async function invalidateWindowed(data: BrandData, isForced: boolean): Promise<void> {
  const { userId, brandId, device } = data
  for (const table of tableNames) {
    if (data.state.get().tables[table]?.mode !== 'windowed') continue
    if (isForced)
      await storeRows(device, { userId, brandId, table, deleted: inAnyVersion(data.tables[table].serverIds()) })
    data.invalidate(table)
  }
}
