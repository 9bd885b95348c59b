import type { TableName } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { BrandState } from '#web/data/store/brand-state.ts'
import { inAnyVersion } from '#web/data/store/deletions.ts'
import { GatheredRows, storeRows, storeState } from '#web/data/store/store-rows.ts'
import {
  fetchPullPage,
  emitMembershipChanges,
  maxPageRows,
  type PullAnswer,
  rowsOfAnswer,
  rowsToStore,
} from './pull-answer.ts'

/** Is thrown when this tab no longer has the brand of a pull open. The rest of the pull is then not needed. */
export class BrandClosedError extends Error {}

/** The ids of the rows that have arrived since a pull began, by table. */
export type ArrivedIds = ReadonlyMap<TableName, Set<string>>

/** The rows of a pull that have arrived so far, by table, for one group of tables. */
type GatheredTables = ReadonlyMap<TableName, GatheredRows>

/** The tables that the first screens need. */
const tablesNeededFirst: readonly TableName[] = ['pipelines', 'deal_stages', 'memberships', 'tasks']

/**
 * Number of groups of tables that are fetched at the same time. While the server computes a page of one group, this device shows a page of
 * another group.
 */
const groupsAtATime = 2

/**
 * Fetches all rows of the tables in `arrived`, page by page, and adds the ids of the rows to `arrived`. The caller also adds the ids of the rows that
 * arrive in another way meanwhile: an older copy in a page of this pull does not replace such a row.
 * - The tables are fetched in groups. The first group has the tables that screens need first.
 * - While the rows of a group are written to the local database, other groups are fetched.
 * - If a request fails, the rows that have arrived stay. After a failure in another group than the first, the remaining groups are still fetched
 *   before this function throws.
 */
export async function pullTables(data: BrandData, arrived: ArrivedIds): Promise<void> {
  const [firstGroup, ...otherGroups] = groupTables([...arrived.keys()], data.state.get().counts)
  const writes: Promise<void>[] = []
  const pullGroups = async (groups: TableName[][]): Promise<void> => {
    for (let group = groups.shift(); group; group = groups.shift()) {
      const gathered = newGatheredTables(data, group)
      let isComplete = false
      try {
        await fetchGroup(data, gathered, arrived)
        isComplete = true
      } finally {
        const groupWrite = storeGroup(data, gathered, isComplete ? arrived : null)
        // A failure is handled later, when `untilAllSettled` awaits this promise.
        groupWrite.catch(() => {})
        writes.push(groupWrite)
      }
    }
  }
  try {
    if (firstGroup) await pullGroups([firstGroup])
    await untilAllSettled(Array.from({ length: groupsAtATime }, () => pullGroups(otherGroups)))
  } finally {
    await untilAllSettled(writes)
  }
}

/** Waits for all promises, also after one of them has failed. Then rejects with the first failure. */
async function untilAllSettled(promises: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(promises)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

function newGatheredTables({ device, userId, brandId }: BrandData, group: readonly TableName[]): GatheredTables {
  return new Map(group.map((table) => [table, new GatheredRows(device, { userId, brandId, table, replace: true })]))
}

/** Fetches all rows of a group of tables. Requests the next page while the previous one is being shown. */
async function fetchGroup(data: BrandData, gathered: GatheredTables, arrived: ArrivedIds): Promise<void> {
  const group = [...gathered.keys()]
  for (let nextAnswer: Promise<PullAnswer> | null = fetchPullPage(data, null, group); nextAnswer; ) {
    const answer: PullAnswer = await nextAnswer
    if (openBrand(data.device).get() !== data) throw new BrandClosedError()
    nextAnswer = answer.complete ? null : fetchPullPage(data, answer.cursor, group)
    // The loop handles a failure when it awaits this promise.
    nextAnswer?.catch(() => {})
    await showAnswer(data, answer, gathered, arrived)
  }
}

/**
 * Writes the rows of a group to the local database. `arrived`: null unless all rows of the group have arrived. If they have, removes the rows
 * that the server does not have, and then marks the tables of the group as complete. If the pull is interrupted before that, the next pull fetches
 * the group again, so that no deleted row stays on this device.
 */
async function storeGroup(data: BrandData, gathered: GatheredTables, arrived: ArrivedIds | null): Promise<void> {
  for (const rows of gathered.values()) await rows.write()
  // The rows are written only while the brand is open. So they may be missing on the disk, and the tables must not be marked as complete.
  if (openBrand(data.device).get() !== data) throw new BrandClosedError()
  if (!arrived) return
  for (const table of gathered.keys()) await dropMissing(data, table, arrived)
  const state = data.state.get()
  const completeTables: BrandState['tables'] = {}
  for (const table of gathered.keys()) completeTables[table] = { mode: 'complete', complete: true }
  await storeState(data, { ...state, tables: { ...state.tables, ...completeTables } })
}

/** Removes the rows of a table that have not arrived since the pull began: the server does not have them. */
async function dropMissing({ device, userId, brandId, tables }: BrandData, table: TableName, arrived: ArrivedIds) {
  const missingIds = [...tables[table].serverIds()].filter((id) => !arrived.get(table)?.has(id))
  if (missingIds.length > 0) await storeRows(device, { userId, brandId, table, deleted: inAnyVersion(missingIds) })
}

/** Shows the rows in a page of a pull from the beginning. */
async function showAnswer(
  data: BrandData,
  answer: PullAnswer,
  gathered: GatheredTables,
  arrived: ArrivedIds,
): Promise<void> {
  for (const [table, gatheredRows] of gathered) {
    const rows = rowsOfAnswer(data, table, answer)
    if (rows.length > 0) await gatheredRows.show(rowsToStore(data, table, rows), arrived.get(table))
    for (const row of rows) arrived.get(table)?.add(row.id)
  }
  emitMembershipChanges(data, answer)
}

/**
 * Groups tables so that each group is fetched by its own requests. The tables that the first screens need are in the first group. Any other
 * table joins the last group if all rows of the group then fit into a page. Otherwise it begins a new group.
 */
function groupTables(tables: readonly TableName[], counts: BrandState['counts']): TableName[][] {
  const groups: TableName[][] = []
  let rows = 0
  for (const table of tables) {
    const count = counts[table] ?? maxPageRows
    const group = groups.at(-1)
    rows += count
    if (group && (tablesNeededFirst.includes(table) || rows <= maxPageRows)) group.push(table)
    else {
      groups.push([table])
      rows = count
    }
  }
  return groups
}
