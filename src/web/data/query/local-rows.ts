import type { AnyRow, TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Collection } from '#web/data/store/collection.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { type Order, SortedList } from '#web/data/store/sorted-list.ts'
import { customOrder } from './custom-order.ts'
import { tablesOf } from './is-answered-here.ts'
import { searchMatcher, whereMatcher } from './match.ts'
import { hangsOnTime, indexKey, type Query } from './query.ts'

/** Rows in order that are kept for queries which somebody may ask again. */
const indexLimit = 40

/** Rows of a table in the order of a query, kept in step. */
interface Index {
  readonly list: { readonly rows: readonly AnyRow[]; fill(): void }
  /** The revision of the other table that the order depends on, when the rows were sorted. */
  readonly sortedAt: unknown
  readonly stop: () => void
}

/** Indexes by `indexKey`, the one used last at the end. */
const indexesOf = perBrand(() => new Map<string, Index>())

/** The rows of a query as far as they are on this device, in its order. */
export function localRows<Table extends TableName>(data: BrandData, query: Query<Table>): readonly TableRows[Table][] {
  const matches = searchMatcher(data, query)
  if (query.limit !== undefined && !indexesOf(data).has(indexKey(query))) return firstRows(data, query, matches)
  const rows = hangsOnTime(query) ? rowsNow(data, query) : sortedRows(data, query)
  const found = matches ? foundRows(data, query, rows, matches) : rows
  return query.limit === undefined ? found : found.slice(0, query.limit)
}

/** What a search found last among the rows of a list: a list and its figures ask the same. */
interface Found {
  readonly search: string | undefined
  readonly among: readonly unknown[]
  readonly revisions: string
  /** The places of what was found. */
  readonly places: readonly number[]
}

/** By `indexKey`. */
const foundOf = perBrand(() => new Map<string, Found>())

function foundRows<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  among: readonly TableRows[Table][],
  matches: (row: TableRows[Table]) => boolean,
): readonly TableRows[Table][] {
  const { search } = query
  const kept = foundOf(data)
  const key = indexKey(query)
  const revisions = tablesOf(data, query)
    .map((table) => data.tables[table].revision())
    .join()
  const last = kept.get(key)
  const isSame = last?.search === search && last?.among === among && last.revisions === revisions
  const places = isSame ? last.places : among.flatMap((row, place) => (matches(row) ? place : []))
  kept.delete(key)
  kept.set(key, { search, among, revisions, places })
  for (const oldest of kept.keys()) {
    if (kept.size <= indexLimit) break
    kept.delete(oldest)
  }
  return places.flatMap((place) => among[place] ?? [])
}

/** Rows among which all of a query are: those of its index where one is kept, else all of the table. */
export function rowsAround<Table extends TableName>(data: BrandData, query: Query<Table>): Iterable<TableRows[Table]> {
  const kept = indexesOf(data).get(indexKey(query))
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  return kept ? (kept.list.rows as readonly TableRows[Table][]) : rows.values()
}

/** Keeps the rows of a query sorted, so that they are not sorted all at once with those of other queries when a page is drawn. */
export function keepSorted<Table extends TableName>(data: BrandData, query: Query<Table>): void {
  if (query.limit !== undefined || hangsOnTime(query)) return
  const list = sortedList(data, query)
  // Before the table has been read there is nothing to sort; then it is done with pauses.
  if (data.tables[query.table].loaded) list.fill()
}

/** The comparison behind a query's order. */
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
  const sortedAt = dependsOn ? data.tables[dependsOn].revision() : null
  const kept = indexes.get(key)
  indexes.delete(key)
  if (kept?.sortedAt === sortedAt) {
    indexes.set(key, kept)
    return kept.list
  }
  kept?.stop()
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  const list = new SortedList<TableRows[Table]>(() => rows.values(), orderOf(data, query), whereMatcher(query))
  const stop = rows.index(list)
  indexes.set(key, { list, sortedAt, stop })
  for (const [oldest, index] of indexes) {
    if (indexes.size <= indexLimit) break
    index.stop()
    indexes.delete(oldest)
  }
  return list
}

/** The rows of a query that time alone changes: no index knows when a row leaves them. */
function rowsNow<Table extends TableName>(data: BrandData, query: Query<Table>): TableRows[Table][] {
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  return [...rows.values()].filter(whereMatcher(query)).sort(orderOf(data, query))
}

/** The first rows of a query in one pass: to sort ten thousand for fifty would block the page. */
function firstRows<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  matches: ((row: TableRows[Table]) => boolean) | null,
): TableRows[Table][] {
  const { limit = Number.POSITIVE_INFINITY } = query
  const order = orderOf(data, query)
  const isIn = whereMatcher(query)
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  const first: TableRows[Table][] = []
  for (const row of rows.values()) {
    const last = first[limit - 1]
    if ((last && order(row, last) >= 0) || !isIn(row) || (matches && !matches(row))) continue
    let place = first.length
    while (place > 0 && order(row, first[place - 1] as TableRows[Table]) < 0) place -= 1
    first.splice(place, 0, row)
    if (first.length > limit) first.pop()
  }
  return first
}
