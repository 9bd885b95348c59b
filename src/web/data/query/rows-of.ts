import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Collection } from '#web/data/store/collection.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { fetchReferences } from './fetch-references.ts'
import { firstLookRows } from './first-rows.ts'
import { isAnsweredHere, isListRead, tablesOf, readingSources } from './is-answered-here.ts'
import { keepSorted, localRows, orderOf } from './local-rows.ts'
import { searchMatcher, whereMatcher } from './match.ts'
import { mergeLocalChanges } from './merge-local-changes.ts'
import { dependsOnTime, indexKey, type Query } from './query.ts'
import { ServerRows } from './server-rows.ts'
import { serverSources } from './server-source.ts'
import { minuteSource, type Source, type View, view } from './view.ts'

/** The rows of a query for a virtual scroller. The rows may be on this device or only on the server. */
export interface Rows<Row> {
  /** False until something is known about the rows. Until then, screens show skeletons. */
  ready: boolean
  /** Number of rows of the query, including those that are not on this device. */
  total: number
  /** True if the server stopped counting at `total` rows and has more. It counts all rows when the end of the list is visible. */
  hasMore?: boolean
  /** Returns the row at an index. Undefined if the row is not on this device yet; then screens show a placeholder. */
  at: (index: number) => Row | undefined
  /**
   * Fetches the rows with these indexes, and the rows that they refer to, unless they are on this device. Call it in an effect with the
   * indexes of the visible rows.
   */
  want: (first: number, last?: number) => void
  /** True for a windowed table until the first request has ended or the stored answer was read. Until then, only rows on this device are listed. */
  searching: boolean
  /** True if the last request failed. The list may then be stale, or have only the rows on this device. */
  hasFailed: boolean
}

/** A list and the values that decide whether it has changed. If nothing has changed, the earlier object is returned again. */
interface ComparableRows<Row> extends Rows<Row> {
  known: readonly (Row | undefined)[]
  /** Counts how often the server's list became stale. Each time, `want` has to be called again for the visible rows. */
  generation: number
}

const serverRowsOf = serverSources(ServerRows)

/**
 * The lists that were last shown, by `indexKey` of their query, so that all searches in a list share one entry. Lists with a limit are not
 * kept.
 */
const shownLists = perBrand(() => new Map<string, unknown>())

/**
 * Creates a view of the rows of a query. It returns the same object until something in it changes. The server is queried only while the
 * view has a subscriber.
 */
export function rowsOf<Table extends TableName>(data: BrandData, query: Query<Table>): View<Rows<TableRows[Table]>> {
  const server = serverRowsOf(data, query)
  // This creates the index before the rows are read. `endReading` of the collection then sorts the rows of one index after the other, with
  // pauses. Otherwise the rows of all lists would be sorted at once when the lists are first shown.
  keepSorted(data, query)
  return view<ComparableRows<TableRows[Table]>>(sourcesOf(data, query, server), (previous) => {
    const rows = isAnsweredHere(data, query)
      ? (firstLookList(data, query) ?? localList(data, query, { ready: isListRead(data, query.table) }))
      : query.limit === undefined
        ? pagedList(data, query, server)
        : limitedList(data, query, server)
    return previous && areSameRows(previous, rows) ? previous : rows
  })
}

function sourcesOf<Table extends TableName>(data: BrandData, query: Query<Table>, server: Source): Source[] {
  return [
    ...tablesOf(data, query).map((table) => data.tables[table]),
    ...readingSources(data),
    server,
    ...(dependsOnTime(query) ? [minuteSource] : []),
  ]
}

/**
 * Makes the list of a query from the first look. Null if the first look does not contain the query, or if the rows have already been read.
 */
function firstLookList<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
): ComparableRows<TableRows[Table]> | null {
  const known = firstLookRows(data, query)
  if (!known) return null
  const meetsQuery = queryMatcher(data, query)
  const merged = mergeLocalChanges(
    data,
    query.table,
    { ...known, changedHere: known.changed },
    meetsQuery,
    orderOf(data, query),
  )
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  const shown = [...merged.first, ...merged.ids.map((id) => (id === null ? undefined : rows.get(id)))]
  const { total } = merged
  const at = (index: number) => shown[index]
  return { ready: true, total, at, want: () => {}, searching: false, hasFailed: false, known: shown, generation: 0 }
}

/** Makes the list of a query from the rows on this device. */
function localList<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  state: { ready: boolean; searching?: boolean; hasFailed?: boolean },
  known?: readonly TableRows[Table][],
): ComparableRows<TableRows[Table]> {
  const rows = state.ready ? (known ?? localRows(data, query)) : []
  const { ready, searching = false, hasFailed = false } = state
  const want = (first: number, last = first) => fetchReferences(data, query.table, rows.slice(first, last + 1))
  const at = (index: number) => rows[index]
  return { ready, total: rows.length, at, want, searching, hasFailed, known: rows, generation: 0 }
}

/** Makes the list of a query with a limit. The rows that are missing here are added to the collections when the server answers. */
function limitedList<Table extends TableName>(data: BrandData, query: Query<Table>, server: ServerRows) {
  const hasRowsOrFirstPull = data.tables[query.table].size > 0 || data.firstPullEnded.get()
  const { isReady, hasFailed } = server
  const ready = data.loaded.get() && (isReady || hasRowsOrFirstPull)
  return localList(data, query, { ready, searching: !isReady, hasFailed })
}

/** Makes the list of a query whose rows are fetched page by page. */
function pagedList<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  server: ServerRows,
): ComparableRows<TableRows[Table]> {
  const want = (first: number, last = first) => server.want(first, last)
  if (!server.isReady) {
    // The rows on this device are the newest ones, so only a list in the order 'newest' begins with them. While a table is fetched for the
    // first time, its rows are not shown yet, because the list would grow while a person reads it.
    const isNewestFirst = (query.order ?? 'newest') === 'newest'
    const beginsWithLocalRows = isNewestFirst && data.state.get().tables[query.table]?.mode === 'windowed'
    const known = localRows(data, query)
    // If a search finds nothing on this device, the earlier list stays on screen until the server has answered.
    const shown = shownLists(data).get(indexKey(query)) as ComparableRows<TableRows[Table]> | undefined
    if (query.search && known.length === 0 && shown) return { ...shown, searching: true }
    const ready =
      isListRead(data, query.table) &&
      (Boolean(query.search) || (beginsWithLocalRows && server.isStoredRead && known.length > 0))
    const list = localList(data, query, { ready, searching: true }, known)
    // Only the server knows how many rows the query has.
    return { ...list, hasMore: ready && !query.search, want, generation: server.generation }
  }
  const { hasFailed } = server
  // The request failed and the server has never answered this query, so the list has only the rows on this device.
  if (hasFailed && server.ids.length === 0)
    return {
      ...localList(data, query, { ready: isListRead(data, query.table), hasFailed }),
      want,
      generation: server.generation,
    }
  const meetsQuery = queryMatcher(data, query)
  const { first, ids, total } = mergeLocalChanges(data, query.table, server, meetsQuery, orderOf(data, query))
  const rows: Collection<TableRows[Table]> = data.tables[query.table]
  const loaded = [...first, ...ids.map((id) => (id ? rows.get(id) : undefined))]
  const wantAll = (from: number, to = from) => {
    server.want(from - first.length, to - first.length)
    const visibleRows = loaded.slice(from, to + 1).filter((row) => row !== undefined)
    fetchReferences(data, query.table, visibleRows)
  }
  const list = {
    ready: true,
    total,
    hasMore: server.hasMore,
    at: (index: number) => loaded[index],
    want: wantAll,
    searching: false,
    hasFailed,
    known: loaded,
    generation: server.generation,
  }
  shownLists(data).set(indexKey(query), list)
  return list
}

function areSameRows<Row>(one: ComparableRows<Row>, other: ComparableRows<Row>): boolean {
  return (
    one.ready === other.ready &&
    one.total === other.total &&
    one.hasMore === other.hasMore &&
    one.searching === other.searching &&
    one.hasFailed === other.hasFailed &&
    one.generation === other.generation &&
    (one.known === other.known ||
      (one.known.length === other.known.length && one.known.every((row, index) => row === other.known[index])))
  )
}

/** Returns a function that tells whether a row meets the conditions and the search of a query. */
function queryMatcher<Table extends TableName>(data: BrandData, query: Query<Table>) {
  const isIn = whereMatcher(query)
  const matches = searchMatcher(data, query)
  return matches ? (row: TableRows[Table]) => isIn(row) && matches(row) : isIn
}
