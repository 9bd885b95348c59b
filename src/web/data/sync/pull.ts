import { devicePart } from '#web/data/browser/device.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { emitter } from '#web/lib/emitter.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { type BrandState, newBrandState } from '#web/data/store/brand-state.ts'
import { markCurrent } from './freshness.ts'
import { modeFor } from '#web/data/store/modes.ts'
import { keyedRows, type PullAnswer } from './pull-answer.ts'
import { readRows } from '#web/data/server/rest-page.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import { storeRows, storeState } from '#web/data/store/store-rows.ts'
import { type AnyRow, type TableName, tableNames } from '#web/data/server/tables.ts'

/** A pull fetched the brand itself or somebody's membership: my role or the brand's name may be another one. */
export const membershipsChanged = devicePart(() => emitter())

/** Rows of one answer: about 600 kB of JSON as a rule, parsed in a few milliseconds. */
const pageRows = 1000

/** Rows of a page: fewer where the rows of a brand are long, and the server refused a larger page (413). */
const page = perBrand(() => ({ rows: pageRows }))

/** What changed is asked of the brand itself too: its name may be another one. It is kept with my memberships, not with its rows. */
const watched = ['brands', ...tableNames]

/**
 * Brings this device up to date with the server (design 2.7, "In"): a first pull decides each table's mode by its count, fetches the
 * complete ones from the beginning and then only what changed. Throws RpcError; what had been stored by then stays.
 */
export async function pullBrand(data: BrandData): Promise<void> {
  if (data.state.get().cursor === null) await beginPull(data)
  const fetched = await pullWhole(
    data,
    tableNames.filter((table) => needsWhole(data.state.get(), table)),
  )
  const forced = await pullChanges(data, fetched)
  if (forced) {
    // Another epoch, or too old a cursor: from the beginning, in the modes that the counts ask for now.
    await beginPull(data)
    await pullChanges(
      data,
      await pullWhole(
        data,
        tableNames.filter((table) => needsWhole(data.state.get(), table)),
      ),
    )
  }
  markCurrent(data)
}

/** Takes a cursor from here on and the counts, before any row: what changes while the rows come is fetched again afterwards. */
async function beginPull(data: BrandData): Promise<void> {
  const answer = await ask(data, 'now', tableNames)
  // Versions may start lower now (a restored backup).
  data.gone.clear()
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

function needsWhole(state: BrandState, table: TableName): boolean {
  const present = state.tables[table]
  return present?.mode === 'complete' && !present.complete
}

/** Fetches tables from the beginning, page by page; returns what came, so that rows which did not come can go. */
async function pullWhole(data: BrandData, tables: readonly TableName[]): Promise<Map<TableName, Set<string>>> {
  const fetched = new Map<TableName, Set<string>>()
  for (const group of grouped(tables)) {
    for (const table of group) fetched.set(table, new Set())
    let cursor: string | null = null
    for (;;) {
      const askedAt = data.device.clock.elapsed()
      const answer: PullAnswer = await ask(data, cursor, group)
      await takeIn(data, answer, { fetched, whole: true, askedAt })
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

/** The small tables in one go, each large one by itself: what the first screens need is whole first. */
function grouped(tables: readonly TableName[]): TableName[][] {
  const small = tables.filter(isSmall)
  const large = tables.filter((table) => !isSmall(table)).map((table) => [table])
  return small.length > 0 ? [small, ...large] : large
}

function isSmall(table: TableName): boolean {
  return table === 'deal_stages' || table === 'memberships' || table === 'tasks'
}

/** Fetches what changed since the cursor. True when the server answered with a pull from the beginning instead. */
async function pullChanges(data: BrandData, fetched: Map<TableName, Set<string>>): Promise<boolean> {
  for (;;) {
    const askedAt = data.device.clock.elapsed()
    const answer = await ask(data, data.state.get().cursor, watched)
    if (answer.full) return true
    await takeIn(data, answer, { fetched, whole: false, askedAt })
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

/** A table that outgrew its limit is read by windows from now on; its rows stay. One that shrank is fetched whole at the next pull. */
function modesFor(state: BrandState, counts: BrandState['counts']): BrandState['tables'] {
  const tables = { ...state.tables }
  for (const table of tableNames) {
    const present = tables[table]
    const mode = modeFor(table, counts[table] ?? 0, present?.mode ?? null)
    if (present && mode !== present.mode) tables[table] = { mode, complete: false }
  }
  return tables
}

async function takeIn(
  data: BrandData,
  answer: PullAnswer,
  { fetched, whole, askedAt }: { fetched: Map<TableName, Set<string>>; whole: boolean; askedAt: number },
): Promise<void> {
  const { userId, brandId } = data
  for (const table of tableNames) {
    const stones = answer.tombstones.filter((stone) => stone.table === table).map((stone) => stone.id)
    const deletedIds = await stillGone(data, table, stones, askedAt)
    for (const id of deletedIds) data.gone.set(id, data.gone.get(id) ?? 0)
    const rows = keyedRows(table, answer.rows[table] ?? []).filter((row) => isThere(data, row))
    for (const row of rows) fetched.get(table)?.add(row.id)
    if (deletedIds.length > 0 || rows.length > 0) {
      await storeRows(data.device, {
        userId,
        brandId,
        table,
        rows: wanted(data, table, rows),
        deletedIds,
        replace: whole,
      })
      if (!whole) data.invalidate(table)
    }
  }
  if (answer.rows.brands?.length || answer.rows.memberships?.length) membershipsChanged(data.device).emit()
}

/** Without those that were restored here while this answer was on its way: whether they are there is asked of the server. */
async function stillGone(
  data: BrandData,
  table: TableName,
  ids: readonly string[],
  askedAt: number,
): Promise<readonly string[]> {
  const doubtful = ids.filter((id) => (data.back.get(id) ?? 0) > askedAt)
  if (doubtful.length === 0) return ids
  const present = new Set(
    (await readRows(data.device, data.userId, data.brandId, table, doubtful)).map((row) => row.id),
  )
  return ids.filter((id) => !present.has(id))
}

/** Not a row as it was before it was deleted. One that came back counts its versions on. */
function isThere(data: BrandData, row: AnyRow): boolean {
  const gone = data.gone.get(row.id)
  if (gone !== undefined && row.version <= gone) return false
  data.gone.delete(row.id)
  return true
}

/** Of a windowed table only rows that are held here already are kept up to date. */
function wanted(data: BrandData, table: TableName, rows: readonly AnyRow[]): readonly AnyRow[] {
  if (data.state.get().tables[table]?.mode !== 'windowed') return rows
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
  const limit = page(data).rows
  const args = { p_brand_id: data.brandId, p_cursor: cursor, p_tables: tables, p_limit: limit }
  try {
    return await rpc<PullAnswer>(data.device, data.userId, 'pull', args)
  } catch (error) {
    if (!(error instanceof RpcError) || error.status !== 413 || limit === 1) throw error
    page(data).rows = Math.ceil(limit / 4)
    return ask(data, cursor, tables)
  }
}
