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
import { hangsOnTime, indexKey, type Query } from './query.ts'
import { ServerRows } from './server-rows.ts'
import { serverSources } from './server-source.ts'
import { everyMinute, type Source, sourceOf, type View, view } from './view.ts'

/** The rows of a query, for a virtual scroller; the same whether the table is complete on this device or not. */
export interface Rows<Row> {
  /** False until something is known: show skeletons. */
  ready: boolean
  /** All rows of the query, also those that are not here. */
  total: number
  /** There are more than `total`: they are counted when the last of these are in sight. */
  hasMore?: boolean
  /** The row at a place; undefined: not here yet, show a placeholder. */
  at: (index: number) => Row | undefined
  /** Call it in an effect: these places are in sight, so what they show and is not here is fetched. */
  want: (first: number, last?: number) => void
  /** The server's answer to this search is on its way; these are the rows that are known here. */
  searching: boolean
  /** The server did not answer: these are the rows of this device, there may be more. */
  partial: boolean
}

/** What two answers are compared by: if nothing differs, the earlier object is returned again. */
interface Known<Row> extends Rows<Row> {
  known: readonly (Row | undefined)[]
  /** How often the server's list became stale: what is in sight has to be wanted anew. */
  generation: number
}

const serverRowsOf = serverSources(ServerRows)

/** The lists of paged queries as they were shown last, whatever was searched for in them, by `indexKey`. */
const shownLists = perBrand(() => new Map<string, unknown>())

/** The rows of a query as a view: the same object until something in it changed. What the server has to be asked is asked while somebody listens. */
export function rowsOf<Table extends TableName>(data: BrandData, query: Query<Table>): View<Rows<TableRows[Table]>> {
  const server = serverRowsOf(data, query)
  // Sorted before the rows are read, each slice is put into place and not all at once when the list is first shown.
  keepSorted(data, query)
  return view<Known<TableRows[Table]>>(sourcesOf(data, query, server), (previous) => {
    const rows = isAnsweredHere(data, query)
      ? (firstLookAt(data, query) ?? here(data, query, { ready: data.loaded.get() }))
      : query.limit === undefined
        ? paged(data, query, server)
        : firstOnes(data, query, server)
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
    ...(hangsOnTime(query) ? [everyMinute] : []),
  ]
}

/** What the first look has of the query, while the rows are read. */
function firstLookAt<Table extends TableName>(data: BrandData, query: Query<Table>): Known<TableRows[Table]> | null {
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

/** From the rows of this device. */
function here<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  state: { ready: boolean; searching?: boolean; partial?: boolean },
  known?: readonly TableRows[Table][],
): Known<TableRows[Table]> {
  const rows = state.ready ? (known ?? localRows(data, query)) : []
  const { ready, searching = false, partial = false } = state
  const want = (first: number, last = first) => fetchReferences(data, query.table, rows.slice(first, last + 1))
  return { ready, total: rows.length, at: (index) => rows[index], want, searching, partial, known: rows, generation: 0 }
}

/** The first rows of a query: the server adds to the collections what this device lacks of them. */
function firstOnes<Table extends TableName>(data: BrandData, query: Query<Table>, server: ServerRows) {
  const hasSome = data.tables[query.table].size > 0 || data.answered.get()
  const ready = data.loaded.get() && (server.hasAnswer || hasSome)
  const { isAsking: searching, isUnreachable: partial } = server
  return here(data, query, { ready, searching, partial })
}

function paged<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  server: ServerRows,
): Known<TableRows[Table]> {
  const { isAsking: searching, isUnreachable: partial } = server
  const want = (first: number, last = first) => server.want(first, last)
  if (!server.hasAnswer) {
    // While a table comes for the first time, what is here of it is no list yet: it would grow under the reader.
    const isPart = data.state.get().tables[query.table]?.mode === 'windowed'
    const known = localRows(data, query)
    // A search that finds nothing here keeps the list on screen until the server has answered.
    const shown = shownLists(data).get(indexKey(query)) as Known<TableRows[Table]> | undefined
    if (query.search && known.length === 0 && searching && shown) return { ...shown, searching }
    const ready = data.loaded.get() && searching && (Boolean(query.search) || (isPart && known.length > 0))
    return { ...here(data, query, { ready, searching }, known), want, generation: server.generation }
  }
  // Nothing was ever answered to this question: the rows of this device are searched instead.
  if (partial && server.ids.length === 0)
    return { ...here(data, query, { ready: data.loaded.get(), partial }), want, generation: server.generation }
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

function isSame<Row>(one: Known<Row>, other: Known<Row>): boolean {
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
