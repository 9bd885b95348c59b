import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Collection } from '#web/data/store/collection.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { fetchReferences } from './fetch-references.ts'
import { firstRows } from './first-rows.ts'
import { isAnsweredHere, tablesOf } from './is-answered-here.ts'
import { keepSorted, localRows, orderOf } from './local-rows.ts'
import { searchMatcher, whereMatcher } from './match.ts'
import { mergeLocalChanges } from './merge-local-changes.ts'
import { dependsOnTime, indexKey, type Query } from './query.ts'
import { ServerRows } from './server-rows.ts'
import { serverSources } from './server-source.ts'
import { everyMinute, type Source, sourceOf, type View, view } from './view.ts'

/** The rows of a query for a virtual scroller, whether or not the table is complete on this device. */
export interface Rows<Row> {
  /** False until something is known: show skeletons. */
  ready: boolean
  /** Number of rows of the query, including those that are not on this device. */
  total: number
  /** True if there are more rows than `total`. The server counts them when the end of the list is in sight. */
  hasMore?: boolean
  /** Returns the row at an index. Undefined if it is not on this device yet: show a placeholder. */
  at: (index: number) => Row | undefined
  /**
   * Call it in an effect with the indexes that are in sight. Fetches these rows, and the rows they refer to, if they are not on this
   * device.
   */
  want: (first: number, last?: number) => void
  /** The server's answer to this search is on its way. Until then, the list has the rows that are on this device. */
  searching: boolean
  /** The server did not answer. The list has the rows on this device, and there may be more. */
  partial: boolean
}

/** A list with the values by which it is compared. If nothing differs, the earlier object is returned again. */
interface ComparableRows<Row> extends Rows<Row> {
  known: readonly (Row | undefined)[]
  /** How often the server's list became stale. After each time the rows in sight have to be wanted again. */
  generation: number
}

const serverRowsOf = serverSources(ServerRows)

/** The list that was last shown for a paged query, with any search, by `indexKey`. */
const shownLists = perBrand(() => new Map<string, unknown>())

/**
 * A view of the rows of a query. It returns the same object until something in it changes. The server is queried only while the view has a
 * subscriber.
 */
export function rowsOf<Table extends TableName>(data: BrandData, query: Query<Table>): View<Rows<TableRows[Table]>> {
  const server = serverRowsOf(data, query)
  // If the index exists before the rows are read, each slice is sorted as it is read, and not all rows at once when the list is first
  // shown.
  keepSorted(data, query)
  return view<ComparableRows<TableRows[Table]>>(sourcesOf(data, query, server), (previous) => {
    const rows = isAnsweredHere(data, query)
      ? (firstLookAt(data, query) ?? localList(data, query, { ready: data.loaded.get() }))
      : query.limit === undefined
        ? pagedList(data, query, server)
        : limitedList(data, query, server)
    return previous && isSame(previous, rows) ? previous : rows
  })
}

function sourcesOf<Table extends TableName>(data: BrandData, query: Query<Table>, server: Source): Source[] {
  return [
    ...tablesOf(data, query).map((table) => data.tables[table]),
    sourceOf(data.state),
    sourceOf(data.loaded),
    sourceOf(data.firstLook),
    sourceOf(data.answered),
    server,
    ...(dependsOnTime(query) ? [everyMinute] : []),
  ]
}

/** Returns the list from the first look while the rows are read. Null if the first look does not have the query. */
function firstLookAt<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
): ComparableRows<TableRows[Table]> | null {
  const known = firstRows(data, query)
  if (!known) return null
  const isIn = isInQuery(data, query)
  const changedHere = known.changed.keys()
  const merged = mergeLocalChanges(data, query.table, { ...known, changedHere }, isIn, orderOf(data, query))
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  const shown = [...merged.first, ...merged.ids.map((id) => (id === null ? undefined : rows.get(id)))]
  const { total } = merged
  const at = (index: number) => shown[index]
  return { ready: true, total, at, want: () => {}, searching: false, partial: false, known: shown, generation: 0 }
}

/** Returns the list from the rows on this device. */
function localList<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  state: { ready: boolean; searching?: boolean; partial?: boolean },
  known?: readonly TableRows[Table][],
): ComparableRows<TableRows[Table]> {
  const rows = state.ready ? (known ?? localRows(data, query)) : []
  const { ready, searching = false, partial = false } = state
  const want = (first: number, last = first) => fetchReferences(data, query.table, rows.slice(first, last + 1))
  return { ready, total: rows.length, at: (index) => rows[index], want, searching, partial, known: rows, generation: 0 }
}

/** Returns the list of a query with a limit. The server's answer adds missing rows to the collections. */
function limitedList<Table extends TableName>(data: BrandData, query: Query<Table>, server: ServerRows) {
  const hasSome = data.tables[query.table].size > 0 || data.answered.get()
  const ready = data.loaded.get() && (server.hasAnswer || hasSome)
  const { isWaiting: searching, isUnreachable: partial } = server
  return localList(data, query, { ready, searching, partial })
}

/** Returns the list of a query that is fetched page by page. */
function pagedList<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  server: ServerRows,
): ComparableRows<TableRows[Table]> {
  const { isWaiting: searching, isUnreachable: partial } = server
  const want = (first: number, last = first) => server.want(first, last)
  if (!server.hasAnswer) {
    // While a table is fetched for the first time, its rows are not shown yet: the list would grow under the reader.
    const isPart = data.state.get().tables[query.table]?.mode === 'windowed'
    const known = localRows(data, query)
    // A search that finds nothing here keeps the list on screen until the server has answered.
    const shown = shownLists(data).get(indexKey(query)) as ComparableRows<TableRows[Table]> | undefined
    if (query.search && known.length === 0 && searching && shown) return { ...shown, searching }
    const ready = data.loaded.get() && searching && (Boolean(query.search) || (isPart && known.length > 0))
    return { ...localList(data, query, { ready, searching }, known), want, generation: server.generation }
  }
  // The server has never answered this query: the rows on this device are searched instead.
  if (partial && server.ids.length === 0)
    return { ...localList(data, query, { ready: data.loaded.get(), partial }), want, generation: server.generation }
  const isIn = isInQuery(data, query)
  const { first, ids, total } = mergeLocalChanges(data, query.table, server, isIn, orderOf(data, query))
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  const loaded = [...first, ...ids.map((id) => (id ? rows.get(id) : undefined))]
  const wantAll = (from: number, to = from) => {
    server.want(from - first.length, to - first.length)
    const inSight = loaded.slice(from, to + 1).filter((row) => row !== undefined)
    fetchReferences(data, query.table, inSight)
  }
  const list = {
    ready: true,
    total,
    hasMore: server.hasMore,
    at: (index: number) => loaded[index],
    want: wantAll,
    searching,
    partial,
    known: loaded,
    generation: server.generation,
  }
  shownLists(data).set(indexKey(query), list)
  return list
}

function isSame<Row>(one: ComparableRows<Row>, other: ComparableRows<Row>): boolean {
  return (
    one.ready === other.ready &&
    one.total === other.total &&
    one.hasMore === other.hasMore &&
    one.searching === other.searching &&
    one.partial === other.partial &&
    one.generation === other.generation &&
    (one.known === other.known ||
      (one.known.length === other.known.length && one.known.every((row, index) => row === other.known[index])))
  )
}

function isInQuery<Table extends TableName>(data: BrandData, query: Query<Table>) {
  const isIn = whereMatcher(query)
  const matches = searchMatcher(data, query)
  return matches ? (row: TableRows[Table]) => isIn(row) && matches(row) : isIn
}
