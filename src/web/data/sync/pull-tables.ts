import type { TableName } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { BrandState } from '#web/data/store/brand-state.ts'
import { GatheredRows, storeState } from '#web/data/store/store-rows.ts'
import {
  fetchPullPage,
  emitMembershipChanges,
  pageRows,
  type PullAnswer,
  rowsOfAnswer,
  rowsToStore,
} from './pull-answer.ts'

/** Is thrown when this tab no longer has the brand of a pull open. The rest of the pull is then useless. */
export class BrandClosedError extends Error {
  override readonly name = 'BrandClosedError'
}

/**
 * Fetches all rows of the given tables, page by page. Returns the ids of these rows by table, so that the caller can remove all other rows.
 */
export async function pullTables(data: BrandData, tables: readonly TableName[]): Promise<Map<TableName, Set<string>>> {
  const fetched = new Map<TableName, Set<string>>()
  for (const group of grouped(tables, data.state.get().counts)) {
    for (const table of group) fetched.set(table, new Set())
    await pullGroup(data, group, fetched)
    const state = data.state.get()
    const done: BrandState['tables'] = {}
    for (const table of group) done[table] = { mode: 'complete', complete: true }
    await storeState(data, { ...state, tables: { ...state.tables, ...done } })
  }
  return fetched
}

/**
 * Fetches all rows of a group of tables. Requests the next page while the last one is being shown. If a request fails, the rows that have
 * arrived stay.
 */
async function pullGroup(
  data: BrandData,
  group: readonly TableName[],
  fetched: Map<TableName, Set<string>>,
): Promise<void> {
  const { device, userId, brandId } = data
  const gathered = new Map(
    group.map((table) => [table, new GatheredRows(device, { userId, brandId, table, replace: true })]),
  )
  try {
    for (let asking: Promise<PullAnswer> | null = fetchPullPage(data, null, group); asking; ) {
      const answer: PullAnswer = await asking
      if (openBrand(device).get() !== data) throw new BrandClosedError('The brand was closed during a pull.')
      asking = answer.complete ? null : fetchPullPage(data, answer.cursor, group)
      // The loop handles a failure when it awaits this promise.
      asking?.catch(() => {})
      await showAnswer(data, answer, gathered, fetched)
    }
  } finally {
    for (const each of gathered.values()) await each.keep()
  }
}

/** Shows the rows in a page of a pull from the beginning. */
async function showAnswer(
  data: BrandData,
  answer: PullAnswer,
  gathered: ReadonlyMap<TableName, GatheredRows>,
  fetched: ReadonlyMap<TableName, Set<string>>,
): Promise<void> {
  for (const [table, shown] of gathered) {
    const rows = rowsOfAnswer(data, table, answer)
    for (const row of rows) fetched.get(table)?.add(row.id)
    if (rows.length > 0) await shown.show(rowsToStore(data, table, rows))
  }
  emitMembershipChanges(data, answer)
}

/**
 * Groups tables so that each group is fetched by its own requests. The tables that the first screens need form one group. Other tables
 * share a group as long as all their rows fit into a page.
 */
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
