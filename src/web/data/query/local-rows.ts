import type { AnyRow, TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Collection } from '#web/data/store/collection.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { type Order, SortedList } from '#web/data/store/sorted-list.ts'
import { customOrder } from './custom-order.ts'
import { tablesOf } from './is-answered-here.ts'
import { searchMatcher, whereMatcher } from './match.ts'
import { dependsOnTime, indexKey, type Query } from './query.ts'

/** Maximum number of sorted lists, and of search results, that are kept in memory for later use. */
const indexLimit = 40

/** The rows of a query's table that meet its conditions, in the query's order. The list is updated with each change of the table. */
interface Index {
  readonly list: { readonly rows: readonly AnyRow[]; fill(): void }
  /**
   * The change id of the other table on which the order depends, from the time when the rows were sorted. Null if the order depends on no
   * other table.
   */
  readonly changeId: unknown
  readonly stop: () => void
}

/** The indexes of the open brand by `indexKey`. The index that was used last is at the end. */
const indexesOf = perBrand(() => new Map<string, Index>())

/** Returns the rows of a query that are on this device, in the query's order. Throws if the table has no such order. */
export function localRows<Table extends TableName>(data: BrandData, query: Query<Table>): readonly TableRows[Table][] {
  const matches = searchMatcher(data, query)
  if (query.limit !== undefined && !indexesOf(data).has(indexKey(query))) return firstRows(data, query, matches)
  const rows = dependsOnTime(query) ? rowsNow(data, query) : sortedRows(data, query)
  const found = matches ? foundRows(data, query, rows, matches) : rows
  return query.limit === undefined ? found : found.slice(0, query.limit)
}

/** The result of the last search in a list. It is kept because a list and its figures run the same search. */
interface SearchResult {
  readonly search: string | undefined
  /** The rows that were searched. */
  readonly among: readonly unknown[]
  /** The change ids of all tables that decide the result, at the time of the search. */
  readonly changeIds: string
  /** The positions of the found rows in `among`. */
  readonly positions: readonly number[]
}

/** The search results of the open brand by `indexKey`. */
const searchResultsOf = perBrand(() => new Map<string, SearchResult>())

function foundRows<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  among: readonly TableRows[Table][],
  matches: (row: TableRows[Table]) => boolean,
): readonly TableRows[Table][] {
  const { search } = query
  const kept = searchResultsOf(data)
  const key = indexKey(query)
  const changeIds = tablesOf(data, query)
    .map((table) => data.tables[table].changeId())
    .join()
  const last = kept.get(key)
  const isSame = last?.search === search && last?.among === among && last.changeIds === changeIds
  const positions = isSame ? last.positions : among.flatMap((row, position) => (matches(row) ? position : []))
  kept.delete(key)
  kept.set(key, { search, among, changeIds, positions })
  for (const oldest of kept.keys()) {
    if (kept.size <= indexLimit) break
    kept.delete(oldest)
  }
  return positions.flatMap((position) => among[position] ?? [])
}

/** Returns rows that include all rows of a query: the rows of the query's index if there is one, otherwise all rows of the table. */
export function candidateRows<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
): Iterable<TableRows[Table]> {
  const kept = indexesOf(data).get(indexKey(query))
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  return kept ? (kept.list.rows as readonly TableRows[Table][]) : rows.values()
}

/**
 * Keeps the rows of a query sorted from now on. Without this, a page would have to sort the rows of many queries at once. Does nothing for a
 * query with a limit or with a condition relative to the current time.
 */
export function keepSorted<Table extends TableName>(data: BrandData, query: Query<Table>): void {
  if (query.limit !== undefined || dependsOnTime(query)) return
  const list = sortedList(data, query)
  // If the table has not been read yet, `endReading` of its collection sorts the rows when all of them have been read.
  if (data.tables[query.table].isReady) list.fill()
}

/** Returns the function that compares two rows in a query's order. */
export function orderOf<Table extends TableName>(data: BrandData, query: Query<Table>): Order<TableRows[Table]> {
  return definedOrder(data, query).compare(data)
}

function definedOrder<Table extends TableName>(data: BrandData, { table, order = 'newest' }: Query<Table>) {
  const defined = data.definitions[table].orders[order] ?? customOrder<Table>(order)
  if (!defined) throw new Error(`The table ${table} has no order '${order}'.`)
  return defined
}

function sortedRows<Table extends TableName>(data: BrandData, query: Query<Table>): readonly TableRows[Table][] {
  return sortedList(data, query).rows as readonly TableRows[Table][]
}

function sortedList<Table extends TableName>(data: BrandData, query: Query<Table>): Index['list'] {
  const indexes = indexesOf(data)
  const key = indexKey(query)
  const { dependsOn } = definedOrder(data, query)
  const changeId = dependsOn ? data.tables[dependsOn].changeId() : null
  const kept = indexes.get(key)
  indexes.delete(key)
  if (kept?.changeId === changeId) {
    indexes.set(key, kept)
    return kept.list
  }
  kept?.stop()
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  const list = new SortedList<TableRows[Table]>(() => rows.values(), orderOf(data, query), whereMatcher(query))
  const stop = rows.index(list)
  indexes.set(key, { list, changeId, stop })
  for (const [oldest, index] of indexes) {
    if (indexes.size <= indexLimit) break
    index.stop()
    indexes.delete(oldest)
  }
  return list
}

/**
 * Returns the rows of a query whose conditions are relative to the current time. Such a query has no index, because an index does not
 * notice that time passes.
 */
function rowsNow<Table extends TableName>(data: BrandData, query: Query<Table>): TableRows[Table][] {
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  return [...rows.values()].filter(whereMatcher(query)).sort(orderOf(data, query))
}

/** Returns the first rows of a query without sorting all rows. Sorting ten thousand rows to show fifty would block the page. */
function firstRows<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  matches: ((row: TableRows[Table]) => boolean) | null,
): TableRows[Table][] {
  const { limit = Number.POSITIVE_INFINITY } = query
  const order = orderOf(data, query)
  const meetsConditions = whereMatcher(query)
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  const first: TableRows[Table][] = []
  for (const row of rows.values()) {
    const last = first[limit - 1]
    if ((last && order(row, last) >= 0) || !meetsConditions(row) || (matches && !matches(row))) continue
    let position = first.length
    while (position > 0 && order(row, first[position - 1] as TableRows[Table]) < 0) position -= 1
    first.splice(position, 0, row)
    if (first.length > limit) first.pop()
  }
  return first
}
